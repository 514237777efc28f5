"""How values and foreign texts stand in a report: rounded for the eye, and unable to break its structure.

What a model wrote is data: it is fenced, put into a code span, or escaped character by character, and what
cannot be seen is made visible. Nothing here changes what a record holds.
"""

import json
import re
import textwrap
from collections.abc import Iterable
from typing import Any

from gnollbench.records.canonical import safe_text

WIDTH = 110  # columns at which a fenced line is wrapped: code blocks do not wrap by themselves

_LINE_ENDS = re.compile("\r\n?|\x85|\u2028|\u2029")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
_CONTROL_PICTURES = 0x2400  # ␀ and its like stand for the controls below 0x20
_MARKUP = re.compile(r"([\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_]))")  # an underscore within a word is none
_BLOCK_MARK = re.compile(
    r"^(\s?\d*)(?:(?<=\d)([.)])(?=\s|$)|(?<!\d)([-+=#]))"
)  # what begins a list or a heading
_BLANKS = re.compile(r"\s+")
_BACKTICKS = re.compile("`+")


class Markdown(str):
    """A piece of Markdown that this module made; whatever is none is escaped where it is printed."""

    __slots__ = ()


def printed(value: object) -> str:
    """Return what an expression of a template prints."""
    if value is None:
        return "–"
    return value if isinstance(value, Markdown) else inline(value)


def visible(text: str) -> str:
    """Return the text with one kind of line end, and with controls and invisible characters shown as such."""
    return _INVISIBLE.sub(_picture, _LINE_ENDS.sub("\n", safe_text(text)))


def inline(text: object) -> Markdown:
    """Return a text as part of a line, also within a table; every character of it is read literally."""
    escaped = _MARKUP.sub(r"\\\1", _BLANKS.sub(" ", visible(str(text))))
    escaped = escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return Markdown(_BLOCK_MARK.sub(_escaped_mark, escaped))


def code(text: object) -> Markdown:
    """Return a text as a code span, also within a table; an empty one as a dash."""
    flat = " ".join(visible(str(text)).split())
    if not flat:
        return Markdown("–")
    mark = "`" * (_longest_run(flat) + 1)
    pad = " " if flat[0] == "`" or flat[-1] == "`" else ""
    return Markdown(f"{mark}{pad}{flat}{pad}{mark}".replace("|", "\\|"))


def fenced(text: str) -> Markdown:
    """Return a text as a fenced block that nothing in it can close; long lines are wrapped."""
    shown = visible(text).strip("\n").expandtabs(4) or "(empty)"
    mark = "`" * max(_longest_run(shown) + 1, 3)
    lines = "\n".join(_wrapped(line) for line in shown.split("\n"))
    return Markdown(f"{mark}text\n{lines}\n{mark}")


def quoted(text: str) -> Markdown:
    """Return a text as a block quotation, line by line, every character read literally."""
    lines = visible(text).strip().split("\n")
    return Markdown("\n".join(f"> {inline(line)}".rstrip() for line in lines))


def number(value: float | None, digits: int = 1) -> Markdown:
    """Return a figure rounded for display; one that is not given is said to be withheld, never 0."""
    return Markdown("*withheld*" if value is None else f"{value:,.{digits}f}".replace("-", "−"))


def signed(value: float | None, digits: int = 1) -> Markdown:
    """Return a difference with its sign."""
    return Markdown("*withheld*" if value is None else f"{value:+.{digits}f}".replace("-", "−"))


def percent(share: float | None) -> Markdown:
    """Return a share of 0-1 as per cent."""
    return Markdown("*withheld*" if share is None else f"{100 * share:.1f} %")


def duration(milliseconds: float | None) -> Markdown:
    """Return milliseconds in the unit that suits them: ms below a second, minutes from two on."""
    if milliseconds is None:
        return Markdown("*withheld*")
    if milliseconds < 1000:
        return Markdown(f"{milliseconds:.0f} ms")
    whole = round(milliseconds / 1000)
    minutes = f"{whole // 60:,} min {whole % 60:02} s"
    return Markdown(minutes if whole >= 120 else f"{milliseconds / 1000:.1f} s")


def usd(value: float | None) -> Markdown:
    """Return US dollars; small amounts keep two digits that say something."""
    if value is None:
        return Markdown("unknown")
    return Markdown(f"${value:,.2f}" if value == 0 or value >= 0.1 else f"${value:.2g}")


def tokens(value: int | None, unmetered: int = 0) -> Markdown:
    """Return a count of tokens; at least so many where those of some calls are not in it."""
    if value is None:
        return Markdown("unknown")
    return Markdown(f"{'at least ' if unmetered else ''}{value:,}")


def counted(n: int, noun: str, plural: str | None = None) -> str:
    """Return a count with its noun in the right number."""
    return f"{n} {noun if n == 1 else plural or noun + 's'}"


def listed(names: Iterable[object]) -> Markdown:
    """Return names as code spans, or that there is none."""
    return Markdown(", ".join(code(name) for name in names) or "none")


def words(name: object) -> str:
    """Return a name of a closed set as words."""
    return str(name).replace("co_assessor", "co-assessor").replace("_", " ")


def value_text(value: Any) -> str:
    """Return a key's value as a person reads it: a text as it is, anything else as JSON that lines can break."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _escaped_mark(match: re.Match[str]) -> str:
    return f"{match[1]}\\{match[2] or match[3]}"


def _picture(match: re.Match[str]) -> str:
    point = ord(match[0])
    return chr(_CONTROL_PICTURES + point) if point < 0x20 else f"⟨U+{point:04X}⟩"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)


def _wrapped(line: str) -> str:
    if len(line) <= WIDTH or line.lstrip().startswith("|"):
        return line
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
