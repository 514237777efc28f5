"""The game's C source as the candidate's and the verifier's tools read it (R11, R14, R34)."""

import re
from collections.abc import Callable, Iterable
from dataclasses import astuple
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Any

from gnollbench.corpus import constants, definitiontext, sourcesearch
from gnollbench.corpus.definitions import Definition, Definitions, Kind, all_definitions
from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.kept import WORTH_KEEPING, Kept
from gnollbench.corpus.linepattern import LineQuery, PatternRefused
from gnollbench.corpus.liveness import Liveness
from gnollbench.corpus.result import quoted
from gnollbench.corpus.sourcenotes import notes_on
from gnollbench.corpus.sourcetext import EXTENSIONS, SourceText, read_tree
from gnollbench.errors import InvalidFile

MAX_VIEW_LINES = 1000  # the Overseer's bound
_TOOL_MARKS = re.compile(r"^(?:>>>|\s{3})?\s*\d+: ", re.MULTILINE)  # how the tools number lines


class Source:
    """A checkout's source files, read at first use.

    Every method that answers a tool returns the text that the model reads, or raises
    ``ToolFailure`` with it. Lines count from 1.
    """

    def __init__(self, files: Iterable[tuple[str, bytes]], kept: Kept | None = None) -> None:
        self._unread, self._kept = files, kept
        self._text: SourceText | None = None
        self._reading = Lock()  # tools run in parallel, and the files can be gone through once

    @classmethod
    def open(cls, root: Path, kept: Kept | None = None) -> "Source":
        """Open a checkout; no file is read before it is needed, and its indexes may be kept.

        Raises
        ------
        InvalidFile
            If the folder does not exist.
        """
        if not root.is_dir():
            raise InvalidFile(
                f"source {root} cannot be read", "no such folder", "name the folder of a game checkout"
            )
        return cls(read_tree(root), kept)

    @classmethod
    def of(cls, files: Iterable[tuple[str, bytes]]) -> "Source":
        """Take relative paths and contents, for instance of a commit; consumed at first use."""
        return cls(files)

    @property
    def text(self) -> SourceText:
        """All files in one text."""
        with self._reading:
            if self._text is None:
                self._text = SourceText(self._unread)
            return self._text

    def worked_out(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what ``make`` returns, plain JSON values; kept from one process to the next if large."""
        if self._kept is None or len(self.text.text) < WORTH_KEEPING:
            return make()
        return self._kept.value(name, self.text.revision, make)

    @cached_property
    def definitions(self) -> Definitions:
        """The index of definitions."""
        rows = self.worked_out("definitions", lambda: [astuple(d) for d in all_definitions(self.text)])
        return Definitions([Definition(Kind(kind), *rest) for kind, *rest in rows])

    @cached_property
    def _constants(self) -> dict[str, constants.Constant]:
        rows = self.worked_out("constants", lambda: [astuple(c) for c in constants.all_constants(self.text)])
        return {name.lower(): constants.Constant(name, *rest) for name, *rest in rows}

    @cached_property
    def _liveness(self) -> Liveness:
        return Liveness(self.text, self.definitions)

    @property
    def files(self) -> list[str]:
        """The indexed files' relative paths, sorted."""
        return self.text.paths

    def content(self, path: str) -> str | None:
        """Return the text of a file by its exact path, None where it is not indexed."""
        return self.text.content(path).decode("utf-8") if path in self.text else None

    @cached_property
    def counts(self) -> dict[str, int]:
        """Numbers of files, lines, constants and definitions, for the manifest."""
        return {
            "files": len(self.text.paths),
            "lines": len(self.text),
            "constants": len(self._constants),
            "definitions": len(self.definitions),
        }

    def search(
        self, query: str, file_filter: str | None = None, max_results: int = 10, **options: Any
    ) -> str:
        """Answer ``source_code_search``: files by number of matching lines, then by path.

        ``options`` are the fields of ``SearchOptions``.

        Raises
        ------
        ToolFailure
            If the query is blank.
        """
        sourcesearch.require_query(query)
        how = sourcesearch.SearchOptions(**options)
        question = LineQuery(query, how.is_regex, how.whole_word, how.case_sensitive)
        try:
            found = sourcesearch.find(self.text, question, file_filter)
        except PatternRefused as refusal:
            return sourcesearch.refused(question, refusal)
        if not found.hits:
            return sourcesearch.near_miss(self.text, question, file_filter)
        hits = found.hits[: _clamped(max_results, 1, sourcesearch.MAX_FILES)]
        if how.filenames_only:
            return found.note + "\n".join(f"{hit.path} ({len(hit.lines)} matches)" for hit in hits)
        context = _clamped(how.context_lines, 0, sourcesearch.MAX_CONTEXT_LINES)
        body = "\n".join(sourcesearch.snippets(self.text, hit, context) for hit in hits)
        notes = self._notes(sourcesearch.shown_lines(hits, context))
        return found.note + body[: sourcesearch.MAX_CHARACTERS] + notes

    def view(
        self,
        file: str,
        start_line: int | None = None,
        line_count: int = 50,
        search_term: str | None = None,
        cap: int = 10_000,
    ) -> str:
        """Answer ``source_code_view``: numbered lines, at most ``cap`` characters.

        ``search_term`` wins over ``start_line`` and centres the first line that contains it.

        Raises
        ------
        ToolFailure
            If the path is blank, absolute, climbs, or ends in an extension that is not indexed.
        """
        path = self._viewable(file)
        if path is None:
            return f"Error: {quoted(file)} is not among the indexed files; list_indexed_files shows them."
        count, total = _clamped(line_count, 1, MAX_VIEW_LINES), self.text.line_count(path)
        first = max(start_line or 1, 1)
        if search_term:
            at = self.text.matching_lines(LineQuery(search_term).compiled(), path)
            if not at:
                return f"Error: {quoted(search_term)} does not occur in {path} ({total} lines)."
            first = max(at[0] - count // 2, 1)
        if first > total:
            return f"Error: {path} has {total} lines; start_line {first} lies behind its end."
        return self._page(path, first, count, cap)

    def _page(self, path: str, first: int, count: int, cap: int) -> str:
        """Print as many whole lines as fit the cap together with what is said below them."""
        lines = self.text.lines(path, first, first + count - 1)
        sizes = accumulate(len(f"{number}: {line}") + 1 for number, line in enumerate(lines, first))
        fitting = sum(size <= cap for size in sizes)
        while len(page := self._printed(path, first, lines[:fitting], len(lines))) > cap and fitting:
            fitting -= 1
        return page

    def _printed(self, path: str, first: int, lines: list[str], wanted: int) -> str:
        last = first + len(lines) - 1
        numbered = [f"{number}: {line}" for number, line in enumerate(lines, first)]
        if len(lines) < wanted:
            numbered.append(f"[The size limit ends this view; continue with start_line {last + 1}.]")
        opening = [f for line in range(first, first + 3) if (f := self.definitions.function_at(path, line))]
        pointed = bool(opening) and opening[0].last > last
        notes = self._notes([(path, line) for line in range(first, last + 1)], pointed)
        return "\n".join([f"--- {path}:L{first}-L{last} ---", *numbered]) + notes

    def _viewable(self, file: str) -> str | None:
        if not file.strip():
            raise ToolFailure("The parameter 'file' is missing or blank.")
        path = self.text.path(file)
        if not file.strip().lower().endswith(EXTENSIONS):
            raise ToolFailure(f"{quoted(file)} cannot be viewed: only {' '.join(EXTENSIONS)} files can.")
        return path

    def search_definitions(self, symbol: str, kind: str = "any") -> str:
        """Answer ``search_definitions``: at most ten places where a symbol is defined.

        Raises
        ------
        ToolFailure
            If the symbol is blank.
        """
        if not symbol.strip():
            raise ToolFailure("The parameter 'symbol' is missing or blank.")
        return definitiontext.definitions_text(self.text, self.definitions, symbol, kind)

    def function_definition(
        self, name: str, type: str = "any", start_line: int | None = None, cap: int = 10_000
    ) -> str:
        """Answer ``get_function_definition``: a whole body, 150 lines at a time, at most ``cap`` characters.

        Raises
        ------
        ToolFailure
            If the name is blank.
        """
        if not name.strip():
            raise ToolFailure("The parameter 'name' is missing or blank.")
        return definitiontext.function_definition_text(
            self.text, self.definitions, name, type, start_line, cap
        )

    def constants(self, name: str | None = None, prefix_filter: str | None = None) -> str:
        """Answer ``get_constants``: at most a hundred, by name.

        Raises
        ------
        ToolFailure
            If both conditions are blank.
        """
        return constants.constants_text(self._constants, name, prefix_filter)

    def listing(self, path_filter: str | None = None) -> str:
        """Answer ``list_indexed_files``."""
        paths = self.text.filtered(path_filter)
        if not paths:
            return f"No indexed file has {quoted(path_filter or '')} in its path."
        lines = [f"{path} ({self.text.line_count(path)} lines)" for path in paths]
        return "\n".join([*lines, f"Total: {len(paths)} files"])

    def has_file(self, path: str) -> bool:
        """Tell whether a citation's file is indexed: a relative path, or a file name alone (R11)."""
        return bool(self.cited(path))

    def has_symbol(self, symbol: str, file: str | None = None) -> bool:
        """Tell whether a symbol occurs as a whole word, its case observed, in the file or anywhere (R11)."""
        near = self.cited(file) if file else self.text.paths
        name = symbol.strip()
        if not re.fullmatch(r"\w+", name):
            return False
        return any(self.text.lines_with(name.encode("utf-8"), path, whole_word=True) for path in near)

    def quoted_at(self, path: str, quote: str) -> list[tuple[str, int]]:
        """Return path and first line of every place in a file where a quotation stands (R34).

        White space and the tools' line numbers do not matter.
        """
        wanted = " ".join(_TOOL_MARKS.sub("", quote).split())
        if not wanted:
            return []
        return [
            (cited, line)
            for cited in self.cited(path)
            for line in _lines_holding(self.text.content(cited).decode("utf-8"), wanted)
        ]

    def why_dead(self, path: str, line: int) -> str:
        """Return why a line never runs as far as the indexed source shows, empty if nothing says so (R34)."""
        if self._liveness.is_dead(path, line):
            return f"{path}:{line} is inside '#if 0'"
        function = self.definitions.enclosing(path, line)
        if function and not self.has_call_site(function.name):
            return f"nothing calls the function {function.name}, in which {path}:{line} stands"
        return ""

    def has_call_site(self, function: str) -> bool:
        """Tell whether live code calls the function or refers to it (R34)."""
        return self._liveness.has_call_site(function)

    def cited(self, path: str) -> list[str]:
        """Return the indexed files that a citation's file stands for: one by path, or all of that name (R11)."""
        try:
            exact = self.text.path(path)
        except ToolFailure:
            return []
        name = f"/{path.strip().lower()}"
        return [exact] if exact else [known for known in self.text.paths if known.lower().endswith(name)]

    def _notes(self, shown: list[tuple[str, int]], pointed: bool = True) -> str:
        return notes_on(shown, self.definitions, self._liveness, pointed)


def _lines_holding(content: str, wanted: str) -> list[int]:
    """Return the lines on which occurrences of a text begin; its runs of white space are single blanks."""
    text = " ".join(content.split())
    starts = [match.start() for match in re.finditer(re.escape(wanted), text)]
    if not starts:
        return []
    line_of_word = [number for number, line in enumerate(content.split("\n"), 1) for _ in line.split()]
    return [line_of_word[text.count(" ", 0, start)] for start in starts]


def _clamped(value: int, low: int, high: int) -> int:
    return min(max(value, low), high)
