"""How the commands write numbers and tables as plain text; ``–`` is a figure that is withheld."""

import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

NONE = "–"
_WIDTH = 100  # columns of running text
_LABEL = 13  # columns of a line's label


def number(value: float | None, decimals: int = 1) -> str:
    """Write a figure, its minus sign as wide as a plus sign."""
    return NONE if value is None else _minus(f"{round(value, decimals) + 0.0:.{decimals}f}")


def signed(value: float | None, decimals: int = 1) -> str:
    """Write a difference with its sign; what rounds to nothing has none."""
    if value is None or round(value, decimals) == 0:
        return number(value, decimals)
    return _minus(f"{value:+.{decimals}f}")


def bounds(low: float | None, high: float | None) -> str:
    """Write an interval's bounds."""
    return NONE if low is None or high is None else f"{number(low)} to {number(high)}"


def percent(share: float | None) -> str:
    """Write a share of 0-1."""
    return NONE if share is None else f"{100 * share:.0f} %"


def probability(p: float | None) -> str:
    """Write a p-value."""
    if p is None:
        return NONE
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def seconds(milliseconds: float | None) -> str:
    """Write a duration."""
    return NONE if milliseconds is None else f"{milliseconds / 1000:.1f} s"


def dollars(usd: float | None) -> str:
    """Write a price to four places: a question costs cents."""
    return NONE if usd is None else f"${usd:.4f}"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], text: Collection[str]) -> list[str]:
    """Return the lines of a table: columns of ``text`` flush left, the numbers flush right.

    A column in which no row gives a figure is left out: the withheld figures say why.
    """
    lines = list(rows)
    columns = [[heading, *(line[place] for line in lines)] for place, heading in enumerate(headings)]
    given = [column for column in columns if any(cell not in ("", NONE) for cell in column[1:])]
    justified = [_justified(column, str.ljust if column[0] in text else str.rjust) for column in given]
    return ["  ".join(line).rstrip() for line in zip(*justified, strict=True)]


def labelled(label: str, text: str) -> list[str]:
    """Return a label with text beside it, wrapped."""
    wrapped = textwrap.wrap(text or NONE, _WIDTH - _LABEL, break_on_hyphens=False)
    return [
        f"{head:<{_LABEL}}{line}" for head, line in zip([label, *[""] * len(wrapped)], wrapped, strict=False)
    ]


def withheld_lines(entries: Iterable[Mapping[str, str]]) -> list[str]:
    """Return why figures are withheld and what would lift it, figures of one reason together (R3)."""
    figures: dict[str, list[str]] = {}
    for entry in entries:
        figures.setdefault(f"{entry['reason']} (lifted by {entry['lifted_by']})", []).append(entry["figure"])
    return [
        line
        for reason, named in figures.items()
        for line in labelled("withheld", f"{', '.join(_short_paths(named))}: {reason}")
    ]


def print_lines(lines: Iterable[str]) -> None:
    print("\n".join(lines))


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _short_paths(figures: Sequence[str]) -> list[str]:
    """Return the figures' names; one that shares its parent with the name before it keeps its last step."""
    parents = [figure.rpartition(".")[0] for figure in figures]
    return [
        f".{figure.rpartition('.')[2]}" if parent and parent == before else figure
        for figure, parent, before in zip(figures, parents, ["", *parents], strict=False)
    ]


def _justified(column: Sequence[str], justify: Callable[[str, int], str]) -> list[str]:
    width = max(map(len, column))
    return [justify(cell, width) for cell in column]
