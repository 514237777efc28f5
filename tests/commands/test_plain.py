"""How numbers and tables are written."""

import pytest

from gnollbench.commands import plain


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (plain.number(None), "–"),
        (plain.number(71.96), "72.0"),
        (plain.number(-3.2), "−3.2"),
        (plain.number(-0.04), "0.0"),
        (plain.signed(3.25), "+3.2"),
        (plain.signed(-0.04), "0.0"),
        (plain.signed(None), "–"),
        (plain.bounds(1, 2), "1.0 to 2.0"),
        (plain.bounds(None, None), "–"),
        (plain.percent(0.056), "6 %"),
        (plain.probability(0.0001), "<0.001"),
        (plain.probability(0.034), "0.034"),
        (plain.seconds(8123), "8.1 s"),
        (plain.dollars(0.0123), "$0.0123"),
        (plain.dollars(None), "–"),
    ],
)
def test_numbers(written: str, expected: str) -> None:
    """R3: a withheld figure is a dash, never 0; a small negative number is no minus nought."""
    assert written == expected


def test_a_table_stands_in_columns() -> None:
    """Text flush left, numbers flush right, no blanks at the end."""
    rows = [["q01", "3.0", "unstable"], ["q02", "12.5", ""]]
    assert plain.table(["item", "mean", ""], rows, {"item", ""}) == [
        "item  mean",
        "q01    3.0  unstable",
        "q02   12.5",
    ]


def test_a_column_without_a_figure_is_left_out() -> None:
    """R3: the withheld figures say why."""
    assert plain.table(["item", "sd", "n"], [["q01", "–", "1"]], {"item"}) == ["item  n", "q01   1"]
    assert plain.table(["item"], [], {"item"}) == []


def test_withheld_figures_of_one_reason_stand_together() -> None:
    """R3: reason and what lifts it are said once."""
    entries = [
        {"figure": figure, "reason": "1 run", "lifted_by": "3 runs"}
        for figure in ("items.sd", "items.cv", "x")
    ]
    assert plain.withheld_lines(entries) == ["withheld     items.sd, .cv, x: 1 run (lifted by 3 runs)"]


def test_long_text_is_wrapped_beside_its_label() -> None:
    """Run ids stay whole."""
    lines = plain.labelled("differs", " ".join(["run-2026-11-30-abc"] * 12))
    assert len(lines) > 1
    assert all(len(line) <= 100 for line in lines)
    assert " ".join(" ".join(lines).split()).removeprefix("differs ").split() == ["run-2026-11-30-abc"] * 12
