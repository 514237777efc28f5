"""Bad input, through the door that a model or an administrator uses; the reference's answer, or a refusal."""

import time
from pathlib import Path
from typing import Any

import pytest

from gnollbench.corpus.library import Library
from gnollbench.corpus.tools import Guides, ToolResult, Toolset
from gnollbench.errors import Refusal
from gnollbench.records.launch import CorpusConfig

FIXTURES = Path(__file__).parents[1] / "fixtures"
CORPORA = ("wiki", "nethack_wiki", "knowledge", "source")
QUERY = {  # one text of each tool, which a wrong one takes the place of
    "wiki_search": "query",
    "wiki_view": "article",
    "get_knowledge_article": "topic",
    "nethack_wiki_search": "query",
    "nethack_wiki_view": "article",
    "monster_lookup": "name",
    "item_lookup": "name",
    "get_monster_stats": "name",
    "get_item_stats": "name",
    "get_artifact_stats": "name",
    "get_constants": "prefix_filter",
    "get_function_definition": "name",
    "search_definitions": "symbol",
    "source_code_search": "query",
    "source_code_view": "file",
    "list_indexed_files": "path_filter",
}
MEGABYTE = 1_000_000


def config(cache: Path, **more: str) -> CorpusConfig:
    places = {name: str(FIXTURES / name) for name in CORPORA} | more
    return CorpusConfig(**places, cache=str(cache))  # pyright: ignore[reportArgumentType]


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Toolset:
    """The brewery's source, and the game's for its tables."""
    cache = tmp_path_factory.mktemp("cache")
    toolset = Toolset(Library.open(config(cache)), Guides.load())
    game = Toolset(Library.open(config(cache, source=str(FIXTURES / "source" / "game"))), Guides.load())
    for name in ("get_monster_stats", "get_item_stats", "get_artifact_stats"):
        toolset._tools[name] = game._tools[name]  # pyright: ignore[reportPrivateUsage]
    return toolset


def view(tools: Toolset, file: str) -> ToolResult:
    return tools.call("source_code_view", {"file": file})


@pytest.mark.parametrize(
    "path", ["../brew.c", "src/../src/brew.c", "src/..", "..\\brew.c", "src/brew.c/../../../x.c"]
)
def test_a_path_that_climbs(tools: Toolset, path: str) -> None:
    """R14: a failure, even where the way would come back."""
    result = view(tools, path)
    assert not result.success
    assert "relative to the repository" in result.content


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/src/brew.c", "C:\\src\\brew.c", "c:/x.c", "file:///x.c", "~/x.c"]
)
def test_an_absolute_path(tools: Toolset, path: str) -> None:
    """R14: a failure, or a file that is not indexed; never a file of the machine."""
    result = view(tools, path)
    assert "root:" not in result.content
    assert not result.success or result.content.startswith("Error: ")


def test_a_nul(tools: Toolset) -> None:
    """R14: a failure in a path; nothing found elsewhere; none in what is sent back."""
    assert not view(tools, "src/brew.c\0").success
    assert not view(tools, "\0").success
    for name, parameter in QUERY.items():
        result = tools.call(name, {parameter: "gnoll\0king"})
        assert "\0" not in result.content
        assert "met an error" not in result.content


@pytest.mark.parametrize("name", QUERY)
@pytest.mark.parametrize(
    "text", ["x" * MEGABYTE, "gnoll " * (MEGABYTE // 6), "é" * (MEGABYTE // 2), "(" * MEGABYTE]
)
def test_a_megabyte(tools: Toolset, name: str, text: str) -> None:
    """R14: a short answer within seconds; a wiki query of too many words is a failure, as in production."""
    began = time.process_time()
    result = tools.call(name, {QUERY[name]: text})
    assert time.process_time() - began < 5
    assert len(result.content) < 3000
    assert "met an error" not in result.content
    if text.startswith("gnoll ") and name in ("wiki_search", "nethack_wiki_search"):
        assert not result.success
        assert "words" in result.content


@pytest.mark.parametrize("name", ["is_regex", "file_filter"])
def test_a_megabyte_in_a_second_place(tools: Toolset, name: str) -> None:
    """R14: of any argument."""
    asked: dict[str, Any] = (
        {"query": "(" * MEGABYTE, "is_regex": True}
        if name == "is_regex"
        else {"query": "heat", "file_filter": "x" * MEGABYTE}
    )
    result = tools.call("source_code_search", asked)
    assert result.success
    assert len(result.content) < 3000


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("(", "does not compile"),
        ("[z-a]", "does not compile"),
        ("a{2,1}", "does not compile"),
        ("*a", "does not compile"),
        ("a{1001}", "does not compile"),
        ("((a{100}){100}){100}", "does not compile"),
        ("a(?=b)", "look-ahead and look-behind are not supported"),
        (r"(a)\1", "back-references are not supported"),
    ],
)
def test_an_expression_that_does_not_compile(tools: Toolset, expression: str, said: str) -> None:
    """R14: a success with an error text, as in production."""
    result = tools.call("source_code_search", {"query": expression, "is_regex": True})
    assert result.success
    assert result.content.startswith("Error: ")
    assert said in result.content


@pytest.mark.parametrize("expression", ["(a+)+$", "(x+x+)+y", "(.*)*=", "(a|aa)+b", r"^(\s*\w*\s*)*;$"])
def test_an_expression_that_backtracks_for_ever(tmp_path: Path, expression: str) -> None:
    """R14: here it does not; the text is one that a backtracking engine never ends on."""
    source = tmp_path / "source" / "src"
    source.mkdir(parents=True)
    (source / "a.c").write_text(f"{'a' * 5000}!\n{'x' * 5000}\n{' a' * 2000}!\n" * 20, "utf-8")
    tools = Toolset(Library.open(config(tmp_path, source=str(source.parent))), Guides.load())
    began = time.process_time()
    assert tools.call("source_code_search", {"query": expression, "is_regex": True}).success
    assert time.process_time() - began < 2


@pytest.mark.parametrize("name", sorted(set(QUERY) - {"list_indexed_files"}))
@pytest.mark.parametrize("blank", ["", "   ", "\n\t", None])
def test_an_empty_name(tools: Toolset, name: str, blank: str | None) -> None:
    """R14: a failure that names what is missing."""
    result = tools.call(name, {QUERY[name]: blank})
    assert not result.success
    assert "missing" in result.content


def test_an_empty_filter_lists_all(tools: Toolset) -> None:
    """R14: the one argument that may be empty."""
    assert tools.call("list_indexed_files", {"path_filter": ""}) == tools.call("list_indexed_files", {})


@pytest.mark.parametrize("name", CORPORA)
def test_a_corpus_folder_that_is_missing_empty_or_a_file(tmp_path: Path, name: str) -> None:
    """R3: refused before any call, saying which corpus, why, and what lifts it."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x", "utf-8")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "picture.png").write_bytes(b"\x89PNG")
    for place in ("nowhere", "empty", "file", "other"):
        with pytest.raises(Refusal) as refused:
            Library.open(config(tmp_path, **{name: str(tmp_path / place)}))
        assert name in refused.value.what
        assert refused.value.why
        assert f"corpus.{name}" in refused.value.lifted_by


NOT_UTF_8 = "Caf\u00e9 au lait".encode("latin-1") + b"\n\xff\xfe\n"


@pytest.mark.parametrize(
    ("corpus", "file", "call"),
    [
        ("wiki", "Coffee.md", ("wiki_view", {"article": "Coffee"})),
        ("nethack_wiki", "Coffee.md", ("nethack_wiki_view", {"article": "Coffee"})),
        ("knowledge", "Coffee.md", ("get_knowledge_article", {"topic": "coffee"})),
        ("source", "src/coffee.c", ("source_code_view", {"file": "src/coffee.c"})),
    ],
)
def test_a_file_that_is_not_utf_8(
    tmp_path: Path, corpus: str, file: str, call: tuple[str, dict[str, Any]]
) -> None:
    """R14: it is read all the same; pages that lost letters are warned of, source is read as Latin-1."""
    target = tmp_path / "corpus" / file
    target.parent.mkdir(parents=True)
    target.write_bytes(NOT_UTF_8)
    library = Library.open(config(tmp_path, **{corpus: str(tmp_path / "corpus")}))
    result = Toolset(library, Guides.load()).call(*call)
    assert result.success
    assert "au lait" in result.content
    result.content.encode("utf-8")
    if corpus == "source":
        assert "Café" in result.content
    else:
        assert any("not UTF-8" in warning and file in warning for warning in library.warnings)


def test_nothing_outside_a_corpus_is_read_through_a_link(tmp_path: Path) -> None:
    """R14: a link in a corpus that leads out of it, to a file or to a folder, is as if it were not there."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("swordfish", "utf-8")
    (outside / "secret.c").write_text("int swordfish;\n", "utf-8")
    wiki, source = tmp_path / "wiki", tmp_path / "source"
    (source / "src").mkdir(parents=True)
    wiki.mkdir()
    (wiki / "Page.md").write_text("a page", "utf-8")
    (source / "src" / "a.c").write_text("int a;\n", "utf-8")
    (wiki / "secret.md").symlink_to(outside / "secret.md")
    (wiki / "folder").symlink_to(outside)
    (source / "src" / "secret.c").symlink_to(outside / "secret.c")
    (source / "include").symlink_to(outside)
    tools = Toolset(Library.open(config(tmp_path, wiki=str(wiki), source=str(source))), Guides.load())
    for name, asked in (
        ("wiki_search", {"query": "swordfish"}),
        ("wiki_view", {"article": "folder/secret"}),
        ("source_code_search", {"query": "int swordfish", "context_lines": 0}),
        ("source_code_view", {"file": "src/secret.c"}),
    ):
        assert "swordfish;" not in tools.call(name, asked).content.replace("swordfish\n", "swordfish;")
