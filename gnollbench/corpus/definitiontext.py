"""The answers of ``search_definitions`` and ``get_function_definition`` (R14)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from gnollbench.corpus.definitions import Definition, Definitions, Kind
from gnollbench.corpus.linepattern import LineQuery
from gnollbench.corpus.result import echo, quoted
from gnollbench.corpus.sourcesearch import marked, ranked
from gnollbench.corpus.sourcetext import SourceText

MAX_HITS = 10  # the Overseer's bounds, as are those below
MAX_BODY_LINES = 150
MAX_MISS_CHARACTERS = 600
_NOTE_SPACE = 120  # characters of the note below a chunk
_MAX_PLACES = 3  # files named where a symbol only occurs
_LINES_BEFORE = 2  # a function's return type stands there
_LINES_AFTER = {True: 8, False: 5}  # shown below a function's name, below any other


def definitions_text(text: SourceText, definitions: Definitions, symbol: str, kind: str = "any") -> str:
    """Return the answer of ``search_definitions``."""
    symbol, kind = symbol.strip(), kind.strip().lower() or "any"
    hits = list(_apart(definitions.named(symbol, kind)))
    if not hits:
        what = "" if kind == "any" else f" of kind {quoted(kind)}"
        said = f"No definition{what} of {quoted(symbol)} is in the indexed source."
        if kind != "any" and (others := definitions.named(symbol)):
            said += (
                f" It is defined as {', '.join(sorted({other.kind for other in others}))}: try kind 'any'."
            )
        return f"{said} {_occurrences(text, symbol)}"[:MAX_MISS_CHARACTERS]
    shown = [_peek(text, hit) for hit in hits[:MAX_HITS]]
    if len(hits) > MAX_HITS:
        shown.append(f"[Stopped after {MAX_HITS} of {len(hits)} definitions; name a kind to see others.]")
    return "\n".join(shown)


def function_definition_text(
    text: SourceText,
    definitions: Definitions,
    name: str,
    kind: str = "any",
    start_line: int | None = None,
    cap: int = 10_000,
) -> str:
    """Return the answer of ``get_function_definition``: the first definition's whole body, in chunks.

    ``start_line`` counts from 1 in the output, or is a line of the file inside the printed range. A chunk
    ends at 150 lines, or at the last line that fits the cap together with the note on how to go on.
    """
    name, kind = name.strip(), kind.strip().lower() or "any"
    found = definitions.named(name, kind)
    note = ""
    if not found and kind != "any" and (found := definitions.named(name)):
        note = f"[No {echo(kind)} of that name; the {found[0].kind} is shown.]\n"
    if not found:
        return (
            f"No definition of {quoted(name)} ({echo(kind)}) can be extracted: "
            "only bodies declared under that exact name are. " + _occurrences(text, name)
        )[:MAX_MISS_CHARACTERS]
    if len(found) > 1:
        others = ", ".join(f"{other.path}:L{other.line}" for other in found[1 : _MAX_PLACES + 1])
        note += f"[First of {len(found)} definitions of that name; others: {others}]\n"
    return note + _body(text, found[0], start_line, cap - len(note))


@dataclass(frozen=True, slots=True)
class _Extent:
    """The printed lines of a definition."""

    first: int
    last: int

    @property
    def lines(self) -> int:
        return self.last - self.first + 1

    def index(self, start_line: int | None) -> int | None:
        """Return how many lines a start line skips, or None where it lies outside."""
        if not start_line:
            return 0
        if 1 <= start_line <= self.lines:
            return start_line - 1
        return start_line - self.first if self.first <= start_line <= self.last else None


def _body(text: SourceText, found: Definition, start_line: int | None, cap: int) -> str:
    extent = _Extent(max(found.line - _before(found), 1), found.last)
    place = f"{found.path}:L{extent.first}-L{extent.last}"
    skipped = extent.index(start_line)
    if skipped is None:
        return (
            f"start_line {start_line} is outside {found.name}: give 1 to {extent.lines}, "
            f"or a line of the file within {place}."
        )
    head = f"--- {place} ({found.name}, {extent.lines} lines) ---"
    last = extent.first + min(skipped + MAX_BODY_LINES, extent.lines) - 1
    lines = text.lines(found.path, extent.first + skipped, last)
    sizes = accumulate(len(line) + 1 for line in lines)
    fitting = max(sum(size <= cap - len(head) - _NOTE_SPACE for size in sizes), 1)
    lines, end = lines[:fitting], skipped + min(fitting, len(lines))
    if end < extent.lines:
        lines.append(
            f"[Lines {skipped + 1} to {end} of {extent.lines} are shown; continue with start_line {end + 1}.]"
        )
    return "\n".join([head, *lines])


def _before(found: Definition) -> int:
    return _LINES_BEFORE if found.kind is Kind.FUNCTION else 1


def _peek(text: SourceText, hit: Definition) -> str:
    last = hit.line + _LINES_AFTER[hit.kind is Kind.FUNCTION]
    return marked(text, hit.path, hit.line - _before(hit), last, {hit.line})


def _apart(found: list[Definition]) -> Iterator[Definition]:
    """Yield the definitions that do not already stand in the block shown for the one before."""
    path, shown_to = "", 0
    for definition in found:
        if definition.path != path or definition.line > shown_to:
            path, shown_to = definition.path, definition.line + _LINES_AFTER[definition.kind is Kind.FUNCTION]
            yield definition


def _occurrences(text: SourceText, symbol: str) -> str:
    if not re.fullmatch(r"\w+", symbol):
        return "Give one identifier, without blanks or brackets; source_code_search finds any text."
    hits = ranked(text, LineQuery(symbol, whole_word=True, case_sensitive=True), text.paths)
    if not hits:
        return "It occurs nowhere; source_code_search finds a part of a name, in any letter case."
    places = ", ".join(f"{hit.path} (line {hit.lines[0]})" for hit in hits[:_MAX_PLACES])
    return f"It occurs in {len(hits)} files: {places}. source_code_search shows these lines."
