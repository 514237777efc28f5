"""The indexed source files as one text, with the offset of every line (R14)."""

import hashlib
import os
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Protocol

from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.result import quoted
from gnollbench.errors import InvalidFile
from gnollbench.records.canonical import fingerprint

ROOTS = ("src", "include", "dat", "win/win32/xpl")
EXTENSIONS = (".c", ".h", ".des", ".txt")
MAX_FILE_BYTES = 800 * 1024  # the Overseer's limit; in GnollHack it drops src/soundset.c alone
_GENERATED = ("vis_tab.c", "vis_tab.h", "date.h")
_PLATFORM_PREFIXES = ("win", "mac", "qt")  # headers of single platforms
_KEPT = ("wintype.h", "winprocs.h")
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class Found(Protocol):
    """A regular expression's match."""

    def start(self, group: int | str = 0, /) -> int:
        """Return the offset at which the group starts."""
        ...


class Expression(Protocol):
    """A compiled regular expression over bytes: re2's or the standard library's."""

    def finditer(self, text: bytes, pos: int, endpos: int, /) -> Iterator[Found]:
        """Yield the matches between two offsets."""
        ...


def is_indexed(path: str, size: int) -> bool:
    """Tell whether the Overseer's source tools index a file of this relative path and size in bytes."""
    name = PurePosixPath(path).name
    if not path.startswith(tuple(f"{root}/" for root in ROOTS)) or not name.endswith(EXTENSIONS):
        return False
    if name in _GENERATED or name.endswith("conf.h"):
        return False
    platform = name.endswith(".h") and name.startswith(_PLATFORM_PREFIXES) and name not in _KEPT
    return not platform and size <= MAX_FILE_BYTES


def read_tree(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield relative path and content of every indexed file under a checkout.

    A symbolic link that leads out of the checkout is never followed, nor is a linked folder.

    Raises
    ------
    InvalidFile
        If one of them cannot be read.
    """
    inside = root.resolve()
    for folder in ROOTS:
        for directory, _, names in os.walk(root / folder):
            for name in names:
                file = Path(directory, name)
                try:
                    if file.is_file() and file.resolve().is_relative_to(inside):
                        path = file.relative_to(root).as_posix()
                        if is_indexed(path, file.stat().st_size):
                            yield path, file.read_bytes()
                except OSError as error:
                    raise InvalidFile(
                        f"source {file} cannot be read",
                        error.strerror or type(error).__name__,
                        "give yourself access to it, or name another checkout",
                    ) from error


def decoded(content: bytes) -> str:
    """Decode a source file: UTF-8, a byte-order mark allowed, else Latin-1; line ends become LF."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(frozen=True, slots=True)
class _Span:
    start: int  # offset of the file's first byte
    end: int  # offset behind its last byte
    first: int  # number of lines before the file
    lines: int  # number of its lines


class SourceText:
    """Every indexed file in one bytes object.

    Parameters
    ----------
    files : iterable of (str, bytes)
        Relative paths with forward slashes, and contents. Files that are not indexed are left out.
    """

    def __init__(self, files: Iterable[tuple[str, bytes]]) -> None:
        texts = {path: _bytes(content) for path, content in files if is_indexed(path, len(content))}
        self.paths = sorted(texts)
        self.text = b"".join(texts[path] for path in self.paths)
        lengths = (len(line) + 1 for line in self.text.split(b"\n"))
        self._line_starts = array("Q", accumulate(lengths, initial=0))[:-1]
        self._spans: dict[str, _Span] = {}
        start = first = 0
        for path in self.paths:
            span = _Span(start, start + len(texts[path]), first, texts[path].count(b"\n"))
            self._spans[path] = span
            start, first = span.end, first + span.lines
        self._by_lower = {path.lower(): path for path in reversed(self.paths)}

    @cached_property
    def revision(self) -> str:
        """Hash over the files' paths, sizes and contents."""
        layout = [[path, span.start, span.end] for path, span in self._spans.items()]
        return fingerprint([layout, hashlib.sha256(self.text).hexdigest()])

    def __len__(self) -> int:
        """Return the number of lines of all files."""
        return len(self._line_starts) - 1

    def __contains__(self, path: str) -> bool:
        """Tell whether a file of this exact path is indexed."""
        return path in self._spans

    def path(self, asked: str) -> str | None:
        """Return the indexed path that is asked for, letter case aside, or None.

        Raises
        ------
        ToolFailure
            For an absolute path, a ``..`` segment or a NUL character.
        """
        path = asked.strip().replace("\\", "/")
        if "\0" in path or path.startswith("/") or ":" in path or ".." in path:
            raise ToolFailure(
                f"The path {quoted(asked)} is not allowed: give a path relative to the repository, without '..'."
            )
        return self._by_lower.get(path.lower())

    def filtered(self, part: str | None) -> list[str]:
        """Return the paths that contain the text, letter case aside; all for an empty one."""
        wanted = (part or "").strip().replace("\\", "/").lower()
        return [path for path in self.paths if wanted in path.lower()]

    def line_count(self, path: str) -> int:
        """Return the number of lines of a file."""
        return self._spans[path].lines

    def content(self, path: str) -> bytes:
        """Return a file's text."""
        span = self._spans[path]
        return self.text[span.start : span.end]

    def lines(self, path: str, first: int, last: int) -> list[str]:
        """Return the lines first to last of a file, counted from 1, as far as they exist."""
        span = self._spans[path]
        begin, end = span.first + max(first, 1) - 1, span.first + min(last, span.lines)
        if begin >= end:
            return []
        block = self.text[self._line_starts[begin] : self._line_starts[end] - 1]
        return block.decode("utf-8").split("\n")

    def matching_lines(self, expression: Expression, path: str) -> list[int]:
        """Return the numbers of the lines in which a match starts, ascending, each once."""
        span = self._spans[path]
        found: list[int] = []
        if span.lines:
            for match in expression.finditer(self.text, span.start, span.end - 1):
                line = bisect_right(self._line_starts, match.start()) - span.first
                if not found or found[-1] != line:
                    found.append(line)
        return found

    def lines_with(
        self, needle: bytes, path: str, any_case: bool = False, whole_word: bool = False
    ) -> list[int]:
        """Return the numbers of the lines that hold a text, ascending, each once.

        It must be of one line, and in lower case where ``any_case``, which reaches ASCII letters alone.
        """
        text, starts, span = self._lower if any_case else self.text, self._line_starts, self._spans[path]
        found: list[int] = []
        at = text.find(needle, span.start, span.end)
        while at >= 0:
            after = at + len(needle)
            if whole_word and (text[at - 1] in _WORD_BYTES or text[after] in _WORD_BYTES):
                at = text.find(needle, at + 1, span.end)
                continue
            line = bisect_right(starts, at)
            found.append(line - span.first)
            at = text.find(needle, starts[line], span.end)
        return found

    def holding(self, needle: bytes) -> list[str]:
        """Return the files that hold a text, which is in lower case, ASCII case aside."""
        text, spans = self._lower, self._spans
        return [path for path in self.paths if text.find(needle, spans[path].start, spans[path].end) >= 0]

    @cached_property
    def _lower(self) -> bytes:
        return self.text.lower()

    def line_at(self, path: str, offset: int) -> int:
        """Return the line, counted from 1, that holds an offset into the file's own text."""
        span = self._spans[path]
        return bisect_right(self._line_starts, span.start + offset) - span.first


def _bytes(content: bytes) -> bytes:
    text = decoded(content).encode("utf-8")
    return text if not text or text.endswith(b"\n") else text + b"\n"
