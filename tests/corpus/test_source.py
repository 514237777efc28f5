"""The source tools over a small tree."""

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.corpus import sourcesearch
from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.linepattern import LineQuery
from gnollbench.corpus.source import Source
from gnollbench.corpus.sourcetext import MAX_FILE_BYTES, SourceText, is_indexed
from gnollbench.errors import InvalidFile

TREE = Path(__file__).parents[1] / "fixtures" / "source"


@pytest.fixture(scope="module")
def source() -> Source:
    return Source.open(TREE)


def of(**files: str) -> Source:
    """A source of one file a name, ``brew`` becoming ``src/brew.c``."""
    return Source.of((f"src/{name}.c", text.encode()) for name, text in files.items())


@pytest.mark.parametrize(
    ("path", "indexed"),
    [
        ("src/pray.c", True),
        ("include/config.h", True),
        ("include/ntconf.h", False),
        ("include/winprocs.h", True),
        ("include/wintype.h", True),
        ("include/wintty.h", False),
        ("include/mactty.h", False),
        ("include/qtext.h", False),
        ("src/windows.c", True),
        ("src/vis_tab.c", False),
        ("include/date.h", False),
        ("dat/quest.txt", True),
        ("dat/dungeon.def", False),
        ("doc/Guidebook.txt", False),
        ("win/win32/xpl/gnollhackwin/main.c", True),
        ("win/tty/wintty.c", False),
        ("srcs/pray.c", False),
    ],
)
def test_the_file_set_is_the_overseers(path: str, indexed: bool) -> None:
    """R14: what the source tools read is what production indexes."""
    assert is_indexed(path, 1) is indexed
    assert not is_indexed(path, MAX_FILE_BYTES + 1)


def test_opening_reads_nothing(tmp_path: Path) -> None:
    """R14: a file that appears after opening and before first use is read."""
    late = Source.open(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "late.c").write_text("int late;\n", "utf-8")
    assert late.files == ["src/late.c"]


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    """R14: a mistyped checkout is no empty one."""
    with pytest.raises(InvalidFile):
        Source.open(tmp_path / "nowhere")


def test_links_out_of_the_tree_are_not_followed(tmp_path: Path) -> None:
    """R14: the tools read nothing outside the checkout."""
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    (root / "src").mkdir(parents=True)
    (outside / "secret.c").write_text("int secret;\n", "utf-8")
    (root / "src" / "linked.c").symlink_to(outside / "secret.c")
    (root / "src" / "folder").symlink_to(outside, target_is_directory=True)
    (root / "include").symlink_to(outside, target_is_directory=True)
    (root / "src" / "own.c").write_text("int own;\n", "utf-8")
    assert Source.open(root).files == ["src/own.c"]


def test_encodings_and_line_ends() -> None:
    """R14: UTF-8 with a byte-order mark, and Latin-1 where UTF-8 fails; CRLF reads as LF."""
    mixed = Source.of(
        [
            ("src/a.c", b"\xef\xbb\xbfint a;\r\nint b;\r\n"),
            ("src/b.c", "naïve\n".encode("latin-1")),
            ("src/c.c", "naïve".encode()),
            ("src/d.c", b""),
        ]
    )
    assert mixed.view("src/a.c") == "--- src/a.c:L1-L2 ---\n1: int a;\n2: int b;"
    assert mixed.search("naïve", filenames_only=True) == "src/b.c (1 matches)\nsrc/c.c (1 matches)"
    assert mixed.counts["lines"] == 4


def test_parallel_first_use() -> None:
    """R14: tools that run at once read the files once."""
    files = ((f"src/f{number}.c", b"int x;\n") for number in range(200))
    shared = Source.of(files)
    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(lambda _: shared.listing().count("\n"), range(12)))
    assert found == [200] * 12


def test_counts(source: Source) -> None:
    """R14: the manifest's counts."""
    assert source.counts["files"] == 5
    assert source.counts["lines"] == sum(
        len((TREE / path).read_text("utf-8").splitlines()) for path in source.files
    )


class TestSearch:
    def test_snippet_format(self) -> None:
        """R14: a group is headed by path and first line; matches are marked."""
        tiny = of(a="one\ntwo\nthree\nfour\n")
        assert tiny.search("three", context_lines=1) == (
            "--- src/a.c:L2 ---\n    2: two\n>>> 3: three\n    4: four\n"
        )

    def test_matches_far_apart_make_groups_and_six_groups_are_cut(self) -> None:
        """R14: at most twice the context joins; five groups are shown, the rest counted."""
        text = "\n".join("hit" if number % 10 == 0 else "-" for number in range(70))
        found = of(a=text).search("hit", context_lines=2)
        assert found.count("--- src/a.c") == 5
        assert found.endswith("[2 more groups of matches in src/a.c are not shown]\n")
        assert of(a=text).search("hit", context_lines=5).count("--- src/a.c") == 1

    def test_files_are_ranked_by_matching_lines_then_path(self) -> None:
        """R14: a line with two matches counts once."""
        found = of(c="x\nx\n", b="x x x\n", a="x\n").search("x", filenames_only=True)
        assert found == "src/c.c (2 matches)\nsrc/a.c (1 matches)\nsrc/b.c (1 matches)"

    def test_max_results_counts_files_within_bounds(self) -> None:
        """R14: clamped to 1-100."""
        three = of(a="x\n", b="x\n", c="x\n")
        assert three.search("x", max_results=0, filenames_only=True).count("\n") == 0
        assert three.search("x", max_results=2, filenames_only=True).count("\n") == 1

    def test_filter_and_case(self) -> None:
        """R14: the filter is a part of the path; a case-sensitive miss is repeated without case."""
        two = of(brew="Malt\n", cellar="malt\n")
        assert two.search("malt", file_filter="BREW", filenames_only=True) == "src/brew.c (1 matches)"
        assert two.search("malt", case_sensitive=True, filenames_only=True) == "src/cellar.c (1 matches)"
        fallen_back = two.search("MALT", case_sensitive=True, filenames_only=True)
        assert fallen_back.startswith("[Nothing in this letter case")
        assert "src/brew.c" in fallen_back

    def test_whole_word(self) -> None:
        """R14: a word inside another is none."""
        assert (
            of(a="malted\nmalt\n")
            .search("malt", whole_word=True, filenames_only=True)
            .endswith("(1 matches)")
        )

    def test_a_literal_is_no_expression(self) -> None:
        """R14: special characters of a literal stand for themselves."""
        assert of(a="a.c[1]\nabc1\n").search("a.c[1]", filenames_only=True) == "src/a.c (1 matches)"

    @pytest.mark.parametrize(
        ("expression", "lines"),
        [("^b", 1), (r"a\s+b", 1), ("a[^x]b", 1), ("c$|^a", 2), ("x*", 4), (r"a\nb", 0)],
    )
    def test_an_expression_never_spans_lines(self, expression: str, lines: int) -> None:
        """R14: every line is asked alone, and counts once."""
        found = of(z="a\nb a b\na c\n\n").search(expression, is_regex=True, filenames_only=True)
        assert (f"({lines} matches)" in found) if lines else found.startswith("No line")

    @pytest.mark.parametrize(
        ("expression", "said"),
        [
            ("a(?=b)", "look-ahead"),
            (r"(a)\1", "back-references"),
            ("(a", "does not compile"),
            ("a)|(b", "compile"),
        ],
    )
    def test_a_refused_expression_is_explained(self, expression: str, said: str) -> None:
        """R14: it is a result, not a failure."""
        found = of(a="ab\n").search(expression, is_regex=True)
        assert found.startswith("Error: ")
        assert said in found

    def test_an_expression_that_matches_nothing_is_tried_as_a_literal(self) -> None:
        """R14: with a note in front."""
        found = of(a="f(x)\n").search("f(x)", is_regex=True, filenames_only=True)
        assert (
            found
            == "[The regular expression matches nothing; literal matches follow.]\n\nsrc/a.c (1 matches)"
        )

    def test_an_expression_that_runs_away_is_stopped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """R14: the failure says so, and how much was read."""
        monkeypatch.setattr(sourcesearch, "MAX_SEARCH_S", 0.05)
        letters = random.Random(1).choices(b"aez\n", weights=[40, 40, 19, 1], k=50_000)
        many = Source.of((f"src/f{number}.c", bytes(letters)) for number in range(100))
        with pytest.raises(ToolFailure, match=r"stopped after 0.05 s, with [1-9]\d? of 100 files read"):
            many.search("[ae].{300}zzzzzzz", is_regex=True)

    @given(
        content=st.text("ab_1 .(\né", max_size=60),
        asked=st.text("ab_1 .(é", min_size=1, max_size=4),
        whole_word=st.booleans(),
        case_sensitive=st.booleans(),
        upper=st.booleans(),
    )
    def test_the_plain_search_finds_what_the_engine_finds(
        self, content: str, asked: str, whole_word: bool, case_sensitive: bool, upper: bool
    ) -> None:
        """R14: a literal is searched for without an expression, to the same lines."""
        text = SourceText([("src/a.c", (content.upper() + content).encode("utf-8")), ("src/b.c", b"b")])
        query = LineQuery(
            asked.upper() if upper else asked, whole_word=whole_word, case_sensitive=case_sensitive
        )
        if (needle := query.needle()) is not None:
            for path in text.paths:
                plain = text.lines_with(needle, path, not case_sensitive, whole_word)
                assert plain == text.matching_lines(query.compiled(), path)

    def test_a_miss_helps(self, source: Source) -> None:
        """R14: finding nothing is a success that names shorter forms, the filter's part and other tools."""
        missed = source.search("simmer_time_left")
        assert '"simmer_time" has' in missed
        assert "search_definitions" in missed
        assert "list_indexed_files" in missed
        assert "matching lines" in source.search("stir_once", file_filter="cellar")
        assert "within one line" in source.search("stir once more")

    def test_a_blank_query_fails(self, source: Source) -> None:
        """R14: a missing argument is a failure."""
        with pytest.raises(ToolFailure):
            source.search("  ")

    def test_notes(self, source: Source) -> None:
        """R14: definitions are pointed to, dead code and uncalled functions are said to be so."""
        assert "get_function_definition prints the whole body of stir_once" in source.search("stir_once")
        assert "inside '#if 0', so not compiled: src/brew.c:L35" in source.search("old_simmer_time")
        assert "no live call site in the indexed source: never_poured" in source.search("never_poured")
        assert "no live call site" not in source.search("stir_once")


class TestView:
    def test_defaults(self, source: Source) -> None:
        """R14: it starts at line 1 and shows fifty lines."""
        assert source.view("src/longbrew.c").startswith("--- src/longbrew.c:L1-L50 ---\n1: /* a function")

    def test_range_and_path_are_lenient(self, source: Source) -> None:
        """R14: letter case and backslashes aside; zero is the start."""
        assert source.view("SRC\\longbrew.c", 3, 1) == "--- src/longbrew.c:L3-L3 ---\n3: long_brew(void)" + (
            "\n[get_function_definition prints the whole body of long_brew]"
            "\n[no live call site in the indexed source: long_brew]"
        )
        assert source.view("src/longbrew.c", 0, 0).startswith("--- src/longbrew.c:L1-L1 ---")

    def test_term_wins_and_is_centred(self, source: Source) -> None:
        """R14: the first line that contains it, letter case aside."""
        assert source.view("src/longbrew.c", 5, 10, "STIRRED(100)").startswith(
            "--- src/longbrew.c:L99-L108 ---"
        )

    def test_the_cap_holds(self, source: Source) -> None:
        """R14: whole lines only, and the line to continue from."""
        page = source.view("src/longbrew.c", 1, 1000, cap=2000)
        assert len(page) <= 2000
        last = int(page.split(":L1-L")[1].split(" ")[0])
        assert f"continue with start_line {last + 1}." in page
        assert source.view("src/longbrew.c", last + 1, 1).split("\n")[1].startswith(f"{last + 1}: ")

    @pytest.mark.parametrize(
        "path", ["../secret.c", "/etc/passwd", "src/../x.c", "C:\\x.c", "src/a\0.c", "a.py", " "]
    )
    def test_refused_paths(self, source: Source, path: str) -> None:
        """R14: nothing outside the index can be named."""
        with pytest.raises(ToolFailure):
            source.view(path)

    def test_a_miss_is_a_success(self, source: Source) -> None:
        """R14: an unknown file, a term that does not occur, a start behind the end."""
        for missed in (
            source.view("src/none.c"),
            source.view("src/brew.c", search_term="zzz"),
            source.view("src/brew.c", start_line=9999),
        ):
            assert missed.startswith("Error:")


def test_listing(source: Source) -> None:
    """R14: a line a file, then the total."""
    assert source.listing("BREW.h") == "include/brew.h (34 lines)\nTotal: 1 files"
    assert source.listing().endswith("Total: 5 files")
    assert "No indexed file" in source.listing("zzz")


class TestCitations:
    def test_files(self, source: Source) -> None:
        """R11: a relative path or a bare name."""
        assert source.has_file("src/brew.c")
        assert source.has_file("brew.c")
        assert not source.has_file("rew.c")
        assert not source.has_file("doc/guide.txt")
        assert not source.has_file("../src/brew.c")

    def test_a_symbol_of_any_length(self, source: Source) -> None:
        """R11: a citation never fails, it is only not found."""
        assert not source.has_symbol("x" * 1_000_000)
        assert not source.has_symbol(" ")

    def test_symbols(self, source: Source) -> None:
        """R11: a whole word, in the file that is named."""
        assert source.has_symbol("stir_once", "src/brew.c")
        assert source.has_symbol("stir_once")
        assert not source.has_symbol("stir_on", "src/brew.c")
        assert not source.has_symbol("stir_once", "include/brew.h")
        assert not source.has_symbol("stir_once", "src/none.c")

    def test_quotations(self, source: Source) -> None:
        """R34: white space and the tools' own line numbers do not matter."""
        assert source.quoted_at("src/brew.c", "if (heat <= 0)  return 0;") == [("src/brew.c", 13)]
        assert source.quoted_at("brew.c", ">>> 13:     if (heat <= 0)\n    14:         return 0;")
        assert [line for _, line in source.quoted_at("brew.c", "return simmer_time(k,")] == [37, 48]
        assert not source.quoted_at("src/brew.c", "if (heat < 0)")
        assert not source.quoted_at("src/brew.c", " ")

    @pytest.mark.parametrize(
        ("function", "called"),
        [
            ("stir_once", True),  # called
            ("quick_taste", True),  # in a table of functions
            ("simmer_time", True),  # called from live code as well as from #if 0
            ("old_simmer_time", False),  # itself inside #if 0
            ("never_poured", False),  # a prototype, a string and itself
            ("long_brew", False),
            ("pour", True),  # in a macro
            ("nowhere", False),
            ("not a name", False),
        ],
    )
    def test_call_sites(self, source: Source, function: str, called: bool) -> None:
        """R34: cited code must be live."""
        assert source.has_call_site(function) is called
