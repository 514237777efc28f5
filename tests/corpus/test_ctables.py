"""The C front end of the tables: tokens, expressions, the selective preprocessor, entries."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.corpus.cexpressions import evaluate
from gnollbench.corpus.cpreprocessor import Preprocessor
from gnollbench.corpus.ctables import Tables
from gnollbench.corpus.ctokens import (
    Unresolved,
    alternatives,
    arguments,
    bare,
    called,
    integer,
    logical_lines,
    tokens,
    written,
)
from gnollbench.corpus.source import Source

GAME = Path(__file__).parents[1] / "fixtures" / "source" / "game"


@pytest.fixture(scope="module")
def tables() -> Tables:
    read = Tables(Source.open(GAME).content)
    read.source.read("include/config.h")
    read.source.read("include/flags.h")
    return read


def source(**files: str) -> Preprocessor:
    """A preprocessor over headers, ``a`` being ``include/a.h``, all of them read."""
    contents = {f"include/{name}.h": text for name, text in files.items()}
    preprocessor = Preprocessor(contents.get)
    for path in contents:
        preprocessor.read(path)
    return preprocessor


_EXPRESSIONS = st.recursive(
    st.integers(0, 99).map(str),
    lambda part: st.builds("({} {} {})".format, part, st.sampled_from("+-*|&^"), part),
)


class TestTokens:
    def test_comments_go_and_strings_stay(self) -> None:
        """R14: a comment in a string is text, a string in a comment is none."""
        code = 'a /* "x" */ "/* no */" // tail\n"//" b'
        assert [tokens(line) for _, line in logical_lines(code)] == [["a", '"/* no */"'], ['"//"', "b"]]

    def test_continued_lines_keep_the_number_of_the_first(self) -> None:
        """R14: a comment over two lines counts them."""
        assert logical_lines("/*\n*/ a \\\n b\n\nc") == [(2, " a   b"), (5, "c")]

    def test_arguments_split_at_their_own_commas_alone(self) -> None:
        """R14: commas in strings, in nested calls and in braces split nothing."""
        code = tokens('F("a, b", g(1, 2), {3, 4}, )')
        assert [written(argument) for argument in arguments(code, 1)[0]] == [
            '"a, b"',
            "g(1, 2)",
            "{ 3, 4 }",
            "",
        ]
        assert arguments(tokens("F()"), 1)[0] == []
        with pytest.raises(Unresolved):
            arguments(tokens("F(1"), 1)

    def test_calls_and_parentheses(self) -> None:
        """R14: a whole call, or none; parentheses around a whole go."""
        assert called(tokens("F(1)")) == "F"
        assert called(tokens("F(1) + 1")) is None
        assert called(tokens("(F)(1)")) is None
        assert bare(tokens("((a | b))")) == ["a", "|", "b"]
        assert bare(tokens("(a) | (b)")) == tokens("(a) | (b)")
        assert alternatives(tokens("(A | f(B | C) | 3)")) == [["A"], tokens("f(B | C)"), ["3"]]

    @pytest.mark.parametrize(
        ("literal", "value"), [("0UL", 0), ("0x1fL", 31), ("017", 15), ("42u", 42), ("x", None), ("0", 0)]
    )
    def test_integers(self, literal: str, value: int | None) -> None:
        """R14: suffixes go; hexadecimal and octal."""
        assert integer(literal) == value

    @pytest.mark.parametrize(
        "text", ["-P_BOW", "A | B", "PHYS(1, 10)", "(n >= 8)", "a - -1", "!a && ~b", "10 - ac"]
    )
    def test_written_code_is_readable(self, text: str) -> None:
        """R14: tokens come back as one would write them."""
        assert written(tokens(text)) == text


class TestExpressions:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("1 << 4 | 1", 17),
            ("7 / 2 - -7 / 2", 6),
            ("-7 % 3", -1),
            ("1 ? 2 : 0 ? 3 : 4", 2),
            ("0 ? 2 : 0 ? 3 : 4", 4),
            ("!0 && 3 > 2 || 0", 1),
            ("(uchar) 3 + (unsigned long) 4", 7),
            ("'a'", 97),
            ("'\\n'", 10),
            ("~0 & 0xff", 255),
            ("10 - 3 - 2", 5),
            ("KNOWN * 2", 10),
            ("1 == 1 != 0", 1),
        ],
    )
    def test_values(self, text: str, value: int) -> None:
        """R14: C's binding, division towards zero, casts, characters, names."""
        assert evaluate(tokens(text), {"KNOWN": 5}.get) == value

    @pytest.mark.parametrize(
        "text", ["UNKNOWN", "1 +", "", "(1", "1 2", "1 / 0", "1 << 99", "f(1)", '"text"']
    )
    def test_no_value(self, text: str) -> None:
        """R14: what has no value is unresolved, never 0."""
        with pytest.raises(Unresolved):
            evaluate(tokens(text), {}.get)

    @given(
        st.recursive(
            st.integers(0, 99).map(str),
            lambda e: st.builds("({} {} {})".format, e, st.sampled_from("+-*|&^"), e),
        )
    )
    def test_agrees_with_python(self, text: str) -> None:
        """R14: on operators that both languages share."""
        assert evaluate(tokens(text), {}.get) == eval(text)


class TestPreprocessor:
    def test_conditionals_and_enumerators(self, tables: Tables) -> None:
        """R14: the branch that holds is read; enums with their brace on either line, named or not."""
        assert tables.source.value(["CHOSEN"]) == 1
        assert tables.source.value(["ALIAS_OF_ALIAS"]) == 40
        assert {name: tables.source.enumerators.get(name) for name in _ENUMERATORS} == _ENUMERATORS

    def test_expansion(self) -> None:
        """R14: arguments, strings made of them, names pasted, a macro inside itself."""
        made = source(
            a="#define STR(x) #x\n#define X STR\n#define CAT(a, b) a##b\n#define F(x) (x + F(1))\n#define N 3"
        )
        assert made.expanded(tokens("STR(a b)")) == ['"a b"']
        assert made.expanded(tokens("CAT(N, 4) CAT(fo, o)")) == ["34", "foo"]
        assert "".join(made.expanded(tokens("F(N)"))) == "(3+F(1))"
        with pytest.raises(Unresolved, match="CAT takes 2 arguments, 1 are given"):
            made.expanded(tokens("CAT(1)"))

    def test_variable_arguments(self) -> None:
        """R14: the rest of a call is one argument."""
        assert (
            written(source(a="#define V(f, ...) f(__VA_ARGS__)").expanded(tokens("V(g, 1, 2)"))) == "g(1, 2)"
        )

    def test_nested_conditionals(self) -> None:
        """R14: what stands in a dead branch is dead, whatever it says."""
        text = (
            "#if 0\n#if 1\n#define A\n#else\n#define B\n#endif\n#elif 1\n#define C\n#else\n#define D\n#endif"
        )
        assert set(source(a=text).macros) == {"C"}

    def test_definitions_end_where_they_are_undone(self) -> None:
        """R14: the lines see the macros as defined at each."""
        preprocessor = Preprocessor({"src/a.c": "#define A 1\nx\n#undef A\n#define\tA 2\ny\n"}.get)
        seen = [
            (line.number, line.text, preprocessor.macros["A"].body) for line in preprocessor.lines("src/a.c")
        ]
        assert seen == [(2, "x", ["1"]), (5, "y", ["2"])]

    def test_an_endless_inclusion_ends(self) -> None:
        """R14: a file that includes itself without a guard."""
        preprocessor = Preprocessor({"src/a.c": 'x\n#include "a.c"\n'}.get)
        assert 1 < sum(1 for _ in preprocessor.lines("src/a.c")) < 100


_ENUMERATORS = {
    "FIRST_KIND": 0,
    "SECOND_KIND": 16,
    "THIRD_KIND": 17,
    "LATER_A": 18,
    "LATER_B": 19,
    "LATER_MISSING": None,
    "TYPED_A": -1,
    "TYPED_B": 0,
}


class TestTables:
    def test_every_live_entry_is_read_once(self, tables: Tables) -> None:
        """R14: general macros and twins too, nothing in ``#if 0``, no dummy and no terminator."""
        assert [entry.name for entry in tables.monsters()] == [
            "thorn beast",
            "cub",
            "tempter",
            "twin",
            "twin",
            "broken",
            "stranger",
        ]
        names = [entry.name for entry in Tables(Source.open(GAME).content).objects()]
        assert names == ["strange object", "light", "plate", "light", "storm", None]
        assert [entry.name for entry in tables.artifacts()] == ["Brightblade"]

    def test_fields_keep_the_names_of_flags(self, tables: Tables) -> None:
        """R14: bound to the innermost macro's parameters; a nested group's stand beside."""
        first = next(tables.monsters())
        assert (first.macro, first.line, first.last) == ("MON", 18, 21)
        assert written(first.fields["title"]) == '"Terror, of the Hills"'
        assert written(first.fields["flg1"]) == "M1_FLY | M1_SWIM"
        assert written(first.fields["lvl"]) == "STR18(2)"
        assert tables.source.value(first.fields["wt"]) == 40

    def test_wrappers_add_their_own_flags(self) -> None:
        """R14: the chain is followed to the final slots."""
        tables = Tables(Source.open(GAME).content)
        weapon = next(entry for entry in tables.objects() if entry.name == "light")
        assert written(weapon.fields["flags4"]) == "O4_SHIP | O4_FLOOR"
        assert written(weapon.fields["mtrl"]) == "STEEL"

    def test_what_is_not_resolved_says_why(self, tables: Tables) -> None:
        """R14: never a silent cut."""
        reasons = {entry.name: entry.reason for entry in tables.monsters() if entry.reason}
        assert reasons == {
            "broken": "MON takes 14 arguments, 3 are given",
            "stranger": "UNKNOWN_MON is no macro that is defined there",
        }

    def test_a_missing_file_has_no_entries(self) -> None:
        """R14: a source without tables is no error here."""
        empty = Tables({}.get)
        assert [*empty.monsters(), *empty.objects(), *empty.artifacts()] == []
