"""The source tools' line search: ranking, snippets, and what is said when nothing is found (R14)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from time import monotonic

from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.linepattern import LineQuery, PatternRefused
from gnollbench.corpus.result import quoted
from gnollbench.corpus.sourcetext import SourceText

MAX_FILES = 100  # the Overseer's bounds, as are the four below
MAX_CONTEXT_LINES = 25
MAX_GROUPS = 5  # groups of matches shown a file
MAX_CHARACTERS = 100_000
MAX_SHORTER_FORMS = 2  # shorter forms of an identifier tried after a miss
MAX_WORDS = 3  # words of a phrase tried after a miss
MAX_SEARCH_S = 5.0  # a third of what a call has in the chat: a miss may search three times


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a search reads its query and prints what it found.

    Attributes
    ----------
    is_regex, whole_word, case_sensitive : bool
        As in ``LineQuery``.
    filenames_only : bool
        Whether paths and numbers of matches are printed alone.
    context_lines : int
        Lines shown above and below a match.
    """

    is_regex: bool = False
    whole_word: bool = False
    case_sensitive: bool = False
    filenames_only: bool = False
    context_lines: int = 5


@dataclass(frozen=True, slots=True)
class Hits:
    """The matching lines of one file, ascending from 1."""

    path: str
    lines: list[int]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, most matches first, and the note that stands in front of it."""

    hits: list[Hits]
    note: str = ""


def find(text: SourceText, query: LineQuery, file_filter: str | None = None) -> Found:
    """Search, then again without case, then as a literal, until something is found.

    Raises
    ------
    PatternRefused
        If the regular expression cannot be compiled.
    """
    paths = text.filtered(file_filter)
    attempts = [(query, "")]
    if query.case_sensitive:
        attempts.append(
            (query.without_case(), "[Nothing in this letter case; matches in any case follow.]\n\n")
        )
    if query.is_regex:
        literal = query.without_case().as_literal()
        attempts.append((literal, "[The regular expression matches nothing; literal matches follow.]\n\n"))
    for attempt, note in attempts:
        if hits := ranked(text, attempt, paths):
            return Found(hits, note)
    return Found([])


def ranked(text: SourceText, query: LineQuery, paths: list[str]) -> list[Hits]:
    """Return the files with a match, by number of matching lines, then by path.

    Raises
    ------
    ToolFailure
        If it takes too long, as an expression with large repetitions may.
    """
    needle = query.needle()
    if needle is None:
        lines = partial(text.matching_lines, query.compiled())
    else:
        lines = partial(
            text.lines_with, needle, any_case=not query.case_sensitive, whole_word=query.whole_word
        )
    found = (Hits(path, lines(path)) for path in _in_time(paths))
    return sorted((hits for hits in found if hits.lines), key=lambda hits: (-len(hits.lines), hits.path))


def _in_time(paths: list[str]) -> Iterator[str]:
    """Yield the paths while there is time; one file takes under a second with any expression."""
    started = monotonic()
    for number, path in enumerate(paths):
        if monotonic() - started > MAX_SEARCH_S:
            raise ToolFailure(
                f"The search was stopped after {MAX_SEARCH_S:g} s, with {number} of {len(paths)} files read: "
                "the expression is too costly. Use smaller repetitions, or narrow it with file_filter."
            )
        yield path


def groups(lines: list[int], context: int) -> list[list[int]]:
    """Join matches at most twice the context apart."""
    joined: list[list[int]] = []
    for line in lines:
        if joined and line - joined[-1][-1] <= 2 * context:
            joined[-1].append(line)
        else:
            joined.append([line])
    return joined


def marked(text: SourceText, path: str, first: int, last: int, matches: set[int]) -> str:
    """Print a block of lines under its place, the matching ones marked."""
    first = max(first, 1)
    body = [
        f"{'>>>' if number in matches else '   '} {number}: {line}"
        for number, line in enumerate(text.lines(path, first, last), first)
    ]
    return "\n".join([f"--- {path}:L{first} ---", *body, ""])


def snippets(text: SourceText, hits: Hits, context: int) -> str:
    """Print the first groups of a file's matches, and count the hidden ones."""
    found = groups(hits.lines, context)
    shown = [
        marked(text, hits.path, group[0] - context, group[-1] + context, set(group))
        for group in found[:MAX_GROUPS]
    ]
    if len(found) > MAX_GROUPS:
        shown.append(f"[{len(found) - MAX_GROUPS} more groups of matches in {hits.path} are not shown]\n")
    return "\n".join(shown)


def shown_lines(hits: list[Hits], context: int) -> list[tuple[str, int]]:
    """Return path and line of every match that ``snippets`` prints."""
    return [
        (found.path, line)
        for found in hits
        for group in groups(found.lines, context)[:MAX_GROUPS]
        for line in group
    ]


def require_query(query: str) -> None:
    """Refuse a blank query.

    Raises
    ------
    ToolFailure
        If it is blank.
    """
    if not query.strip():
        raise ToolFailure("The parameter 'query' is missing or blank.")


def refused(query: LineQuery, refusal: PatternRefused) -> str:
    """Return the text for an expression that cannot be compiled."""
    return f"Error: {quoted(query.text)} cannot be searched for: {refusal}"


def near_miss(text: SourceText, query: LineQuery, file_filter: str | None) -> str:
    """Say what was looked for in vain, and what might be found instead."""
    said = [f"No line of the indexed source contains {quoted(query.text)}."]
    if file_filter and file_filter.strip():
        elsewhere = ranked(text, query, text.paths)
        said.append(
            f"Only files whose path contains {quoted(file_filter)} were searched; "
            + (
                f"without that filter {_counted(elsewhere)}."
                if elsewhere
                else "other files do not hold it either."
            )
        )
    if not query.is_regex:
        said += _instead(text, query.text.strip())
    said.append("search_definitions finds a symbol's definition; list_indexed_files shows what is searched.")
    return " ".join(said)


def _instead(text: SourceText, wanted: str) -> list[str]:
    """Say where shorter forms of an identifier occur, or the words of a phrase."""
    if not re.search(r"\s", wanted):
        tried = {form: ranked(text, LineQuery(form), text.paths) for form in _shorter_forms(wanted)}
        return [f"{quoted(form)} has {_counted(hits)}." for form, hits in tried.items() if hits]
    words = wanted.split()
    needles = {form: LineQuery(form).needle() for form in ("".join(words), *words[:MAX_WORDS])}
    places = {form: text.holding(needle) for form, needle in needles.items() if needle}
    said = [
        f"{quoted(form)} is in {len(files)} files, {files[0]} first."
        for form, files in places.items()
        if files
    ]
    return ["A phrase must stand literally within one line.", *said]


def _shorter_forms(identifier: str) -> list[str]:
    names = re.findall(r"\w+", identifier)
    parts = identifier.split("_")
    if len(names) > 1:  # a call, or a member of a struct
        shorter = sorted(names, key=len, reverse=True)
    else:
        shorter = ["_".join(parts[:-1]), "_".join(parts[1:])] if len(parts) > 1 else []
    return [form for form in shorter if len(form) > 2][:MAX_SHORTER_FORMS]


def _counted(hits: list[Hits]) -> str:
    lines = sum(len(found.lines) for found in hits)
    return f"{lines} matching lines in {len(hits)} files, {hits[0].path} first"
