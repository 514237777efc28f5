"""Definitions and constants of a small tree, and what their tools answer."""

from pathlib import Path

import pytest

from gnollbench.corpus.definitions import Definition, Kind, scan
from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.source import Source

TREE = Path(__file__).parents[1] / "fixtures" / "source"


@pytest.fixture(scope="module")
def source() -> Source:
    return Source.open(TREE)


def found_in(path: str) -> dict[str, list[Definition]]:
    found: dict[str, list[Definition]] = {}
    for definition in scan(path, (TREE / path).read_text("utf-8")):
        found.setdefault(definition.kind, []).append(definition)
    return found


def test_functions_of_every_head() -> None:
    """R14: old-style and prototyped heads, VA_DECL, conditional parameters, a brace on the head."""
    functions = found_in("src/brew.c")[Kind.FUNCTION]
    assert [(found.name, found.line, found.last) for found in functions] == [
        ("simmer_time", 9, 16),
        ("stir_once", 19, 23),
        ("brew_message", 26, 31),
        ("old_simmer_time", 35, 38),
        ("new_simmer_time", 41, 49),
        ("never_poured", 53, 58),
        ("quick_taste", 60, 62),
    ]


def test_definitions_of_a_header() -> None:
    """R14: macros, structs, both forms of a typedef, enums with their brace on either line, enumerators."""
    found = {
        kind: [(one.name, one.line, one.last) for one in definitions]
        for kind, definitions in found_in("include/brew.h").items()
    }
    assert found == {
        Kind.MACRO: [
            ("BREW_H", 2, 2),
            ("MAX_HEAT", 4, 4),
            ("HALF_HEAT", 5, 5),
            ("POUR", 6, 9),
            ("BREW_FLAVOURED", 10, 10),
        ],
        Kind.STRUCT: [("kettle", 12, 15), ("barrel", 17, 19)],
        Kind.TYPE: [("cask", 17, 19), ("litres", 21, 21), ("taster", 22, 22)],
        Kind.ENUM: [
            ("hops", 24, 24),
            ("MILD", 24, 24),
            ("BITTER", 24, 24),
            ("FRUITY", 24, 24),
            ("malts", 25, 30),
            ("PALE", 27, 27),
            ("DARK", 28, 28),
            ("ROASTED", 29, 29),
        ],
    }


@pytest.mark.parametrize(
    "text",
    [
        "int later(int);\nint now[] = {\n1 };\n",
        "struct x table[] =\n{\n1\n};\n",
        "int f(a)\nint a;\n;\n",
        "MACRO(x)\nint y;\n",
        "#define f(x) \\\n{ x }\n",
        "dead(x);\n\nint table[] = { 1,\n2 };\n",
    ],
)
def test_what_is_no_function(text: str) -> None:
    """R14: prototypes, tables and macros."""
    assert not [one for one in scan("src/a.c", text) if one.kind is Kind.FUNCTION]


def test_a_macro_call_above_a_function_is_not_its_name() -> None:
    """R14: the head nearest to the brace names the function."""
    (function,) = scan("src/a.c", "STATIC_MARK(x)\nint\nreal(a)\nint a;\n{\n}\n")
    assert function.name == "real"


class TestSearchDefinitions:
    def test_a_function_is_shown_from_two_lines_before_to_eight_after(self, source: Source) -> None:
        """R14: the block is marked at the name."""
        found = source.search_definitions("stir_once")
        assert found.startswith("--- src/brew.c:L17 ---\n    17: \n    18: static int\n>>> 19: stir_once(")
        assert found.endswith("    27: VA_DECL(const char *, line)\n")

    def test_others_are_shown_from_one_line_before_to_five_after(self, source: Source) -> None:
        """R14: structs, macros, enums and types."""
        found = source.search_definitions("kettle", "struct")
        assert found.startswith("--- include/brew.h:L11 ---\n    11: \n>>> 12: struct kettle {")
        assert "    17: typedef" in found
        assert "18:" not in found

    def test_kinds(self, source: Source) -> None:
        """R14: a definition of another kind is no hit, and is named."""
        assert ">>>" in source.search_definitions("PALE", "enum")
        assert ">>>" in source.search_definitions("litres", "type")
        assert "It is defined as struct" in source.search_definitions("kettle", "function")

    def test_source_files_come_first_and_ten_are_shown(self) -> None:
        """R14: then a note that the list stops."""
        body = "int f(void)\n{\n}\n" + "\n" * 12
        files = [(f"src/f{number:02}.c", body.encode()) for number in range(12)]
        many = Source.of([*files, ("include/a.h", b"#define f(x) x\n")])
        found = many.search_definitions("f")
        assert found.count(">>>") == 10
        assert found.startswith("--- src/f00.c")
        assert "Stopped after 10 of 13" in found

    def test_a_hit_inside_the_block_before_is_not_repeated(self) -> None:
        """R14: scanning resumes below the context of a hit."""
        twins = Source.of([("include/a.h", b"#ifdef X\n#define A 1\n#else\n#define A 2\n#endif\n")])
        assert twins.search_definitions("A").count("---") == 2

    def test_a_miss_says_where_the_symbol_occurs(self, source: Source) -> None:
        """R14: at most 600 characters."""
        missed = source.search_definitions("pour")
        assert "It occurs in 1 files: include/brew.h (line 8)" in missed
        assert len(missed) <= 600
        assert "occurs nowhere" in source.search_definitions("zzz")
        assert "Give one identifier" in source.search_definitions("two words")

    def test_a_missing_symbol_fails(self, source: Source) -> None:
        """R14: missing arguments are failures."""
        for ask in (source.search_definitions, source.function_definition):
            with pytest.raises(ToolFailure):
                ask(" ")


class TestFunctionDefinition:
    def test_a_whole_body(self, source: Source) -> None:
        """R14: bare lines under a header that gives range, name and length."""
        lines = source.function_definition("simmer_time").split("\n")
        assert lines[0] == "--- src/brew.c:L7-L16 (simmer_time, 10 lines) ---"
        assert lines[1:] == (TREE / "src/brew.c").read_text("utf-8").split("\n")[6:16]

    def test_chunks(self, source: Source) -> None:
        """R14: 150 lines at a time; a start is a line of the output or of the file."""
        first = source.function_definition("long_brew")
        assert first.count("\n") == 151
        assert "Lines 1 to 150 of 205 are shown; continue with start_line 151" in first
        rest = source.function_definition("long_brew", start_line=151)
        assert rest.count("\n") == 55
        assert rest.split("\n")[1] == "    stirred(147);"
        assert source.function_definition("long_brew", start_line=205).split("\n")[1:] == ["}"]
        assert source.function_definition("long_brew", start_line=0) == first
        assert "is outside long_brew" in source.function_definition("long_brew", start_line=206)

    def test_a_start_line_of_the_file(self, source: Source) -> None:
        """R14: a line that the output cannot have is one of the file."""
        shown = source.function_definition("quick_taste", start_line=61)
        assert shown.split("\n")[1:] == ["    return k ? k->stirred : BITTER;", "}"]

    def test_structs_and_macros(self, source: Source) -> None:
        """R14: braces in comments and strings do not close a struct; a macro runs over its continuations."""
        assert source.function_definition("kettle").endswith("};")
        assert source.function_definition("POUR", "macro").endswith("} while (0)")

    def test_a_missing_kind_falls_back(self, source: Source) -> None:
        """R14: behind a note."""
        shown = source.function_definition("kettle", "function")
        assert shown.startswith("[No function of that name; the struct is shown.]\n---")

    def test_twins_are_counted(self) -> None:
        """R14: the first is shown, the others are named."""
        twins = Source.of([("src/a.c", b"int f()\n{\n}\n\nint f()\n{\n}\n")])
        assert twins.function_definition("f").startswith(
            "[First of 2 definitions of that name; others: src/a.c:L5]"
        )

    def test_a_miss(self, source: Source) -> None:
        """R14: only exact names can be extracted."""
        assert "under that exact name" in source.function_definition("stir")


class TestConstants:
    def test_values_end_at_a_slash(self, source: Source) -> None:
        """R14: as in production; a function-like macro has no value."""
        assert source.constants("HALF_HEAT") == (
            "1 constants:\n```c\n#define HALF_HEAT (MAX_HEAT // include/brew.h:5\n```"
        )
        assert "#define MAX_HEAT 90 // include/brew.h:4" in source.constants("max_heat")
        assert "#define POUR  // include/brew.h:6" in source.constants("POUR")

    def test_enums(self, source: Source) -> None:
        """R14: explicit values alone; an enum with its brace on the next line is missed, as in production."""
        found = source.constants("*", "")
        assert "#define BITTER 3 //" in found
        assert "#define FRUITY  //" in found
        assert "No constant" in source.constants("PALE")

    def test_wildcard_and_prefix_both_apply(self, source: Source) -> None:
        """R14: letter case aside."""
        assert source.constants("*_heat", "HALF").startswith("1 constants:")
        assert 'starting with "X"' in source.constants("*_heat", "X")
        with pytest.raises(ToolFailure):
            source.constants("", None)

    def test_a_hundred_at_most_by_name(self, source: Source) -> None:
        """R14: with no word that there are more."""
        found = source.constants("M*")
        assert found.startswith("100 constants:")
        assert found.split("\n")[2].startswith("#define M001 ")
