"""What foreign texts and figures look like in a report: whole, literal, rounded for the eye only (R58)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gnollbench.reports.text import (
    WIDTH,
    code,
    duration,
    fenced,
    inline,
    number,
    percent,
    printed,
    quoted,
    signed,
    usd,
)

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
ANYTHING = st.text(
    alphabet=st.one_of(
        st.sampled_from(list("`*_[]()<>#|~!\\&;:-+=1.{}\n\r\t $\"'aÄ🐉\x00\x1b\u2028\u202e\u200b")),
        st.characters(),
    ),
    max_size=60,
)


def kinds(markdown: str) -> list[str]:
    return [token.type for token in MARKDOWN.parse(markdown)]


@given(ANYTHING)
def test_an_inline_text_is_one_paragraph_of_plain_text(text: str) -> None:
    """R29, R58: whatever a model writes, it opens no heading, list, link, emphasis or HTML."""
    tokens = MARKDOWN.parse(f"- {inline(f'x{text}')}\n")
    assert [t.type for t in tokens] == [
        "bullet_list_open",
        "list_item_open",
        "paragraph_open",
        "inline",
        "paragraph_close",
        "list_item_close",
        "bullet_list_close",
    ]
    assert {child.type for child in tokens[3].children or ()} <= {"text", "text_special"}


@given(ANYTHING)
def test_an_inline_text_at_the_start_of_an_item_opens_nothing(text: str) -> None:
    """R29, R58: also where it stands first."""
    assert not {"heading_open", "hr", "ordered_list_open", "html_block", "fence", "code_block"} & set(
        kinds(f"- {inline(text)}\n")
    )


@given(ANYTHING)
def test_a_table_keeps_its_columns(text: str) -> None:
    """R29, R58: no text adds a cell or ends the table, as text or as code."""
    row = f"| a | b |\n|---|---|\n| {inline(text)} | {code(text)} |\n"
    tokens = kinds(row + "\nafter\n")
    assert tokens.count("td_open") == 2
    assert tokens.count("tr_open") == 2


@given(ANYTHING)
def test_a_fence_holds_its_text(text: str) -> None:
    """R29, R58: a fence is closed by its own end only."""
    assert kinds(f"{fenced(text)}\n\n## after\n") == ["fence", "heading_open", "inline", "heading_close"]


@given(ANYTHING)
def test_a_quotation_holds_its_text(text: str) -> None:
    """R29, R58: as a block quotation, too, and the heading after it stays outside."""
    tokens = kinds(f"{quoted(text)}\n\n## after\n")
    assert tokens[0] == "blockquote_open"
    assert tokens.count("heading_open") == 1
    assert not {"html_block", "fence", "hr", "table_open", "bullet_list_open", "code_block"} & set(tokens)


@given(ANYTHING)
def test_nothing_invisible_reaches_the_report(text: str) -> None:
    """R29: controls, bidirectional overrides and the like are shown as such, wherever a text stands."""
    for shown in (inline(text), code(text), fenced(text), quoted(text)):
        assert not {*"\x00\x1b\x7f\x9b\u202e\u2066\u200b\u2028\r"} & set(shown)


def test_a_text_keeps_its_characters() -> None:
    """R58: what is escaped reads as it was written."""
    text = 'a*b* `c` <b>&amp; [x](y) |z| snake_case ~~d~~ "q" {{ e }} $f$'
    tokens = MARKDOWN.parseInline(str(inline(text)))[0].children or []
    assert "".join(token.content for token in tokens) == text
    assert inline("snake_case_name") == "snake_case_name"
    assert fenced("a\x1b[31mb") == "```text\na␛[31mb\n```"


def test_long_lines_are_wrapped_and_tables_are_not() -> None:
    """R58: a code block does not wrap by itself."""
    lines = fenced("word " * 60 + "\n| " + "cell | " * 30).split("\n")
    assert all(len(line) <= WIDTH for line in lines if not line.startswith("|"))
    assert sum(line.startswith("|") for line in lines) == 1


def test_what_no_function_made_is_escaped_where_it_is_printed() -> None:
    """R29: safe by default: a template that forgets a filter prints a literal."""
    assert printed("<b>*x*") == "&lt;b&gt;\\*x\\*"
    assert printed(number(1.25)) == "1.2"
    assert printed(None) == "–"


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (number(None), "*withheld*"),
        (number(0.0), "0.0"),
        (number(-0.416, 2), "−0.42"),
        (number(1234.5, 0), "1,234"),
        (signed(-3.2), "−3.2"),
        (signed(3.25), "+3.2"),
        (percent(None), "*withheld*"),
        (percent(1 / 18), "5.6 %"),
        (duration(None), "*withheld*"),
        (duration(19.4), "19 ms"),
        (duration(119_400), "119.4 s"),
        (duration(119_600), "2 min 00 s"),
        (duration(3_725_000), "62 min 05 s"),
        (usd(None), "unknown"),
        (usd(0.0), "$0.00"),
        (usd(0.00123), "$0.0012"),
        (usd(1234.5), "$1,234.50"),
    ],
)
def test_figures_are_rounded_for_the_eye(shown: str, expected: str) -> None:
    """R3, R39: a figure that is not given is said to be withheld or unknown, never 0."""
    assert shown == expected
