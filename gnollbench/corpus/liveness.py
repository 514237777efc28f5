"""Which lines and which functions of the source are live: ``#if 0`` regions and call sites (R34)."""

import re
from functools import cache

from gnollbench.corpus.definitions import Definitions, Kind
from gnollbench.corpus.sourcetext import SourceText

_CONDITIONAL = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b([^\n]*)", re.MULTILINE)
_NEVER = re.compile(rb"\s*\(?\s*0\s*\)?\s*(?:/[/*].*)?$")
_DECLARES = re.compile(  # what stands before a name that is declared or defined there
    r"\s*extern\b.*|#\s*define\s+|[A-Za-z_][\w \t*]*[ \t*](?:[FN]DECL\s*\(\s*)?"
)
_CLOSED = re.compile(r'"(?:\\.|[^"\\])*"|/\*.*?\*/')  # a whole string or comment
_LONGEST_COMMENT = 400  # lines looked back for the start of a block comment


class Liveness:
    """Answers whether code of the source is compiled and called."""

    def __init__(self, text: SourceText, definitions: Definitions) -> None:
        self._text, self._definitions = text, definitions
        self._dead_of = cache(self._dead_regions)
        self._called = cache(self._has_call_site)

    def is_dead(self, path: str, line: int) -> bool:
        """Tell whether a line lies inside ``#if 0``."""
        return any(first < line < last for first, last in self._dead_of(path))

    def has_call_site(self, function: str) -> bool:
        """Tell whether live code calls the function or refers to it.

        Its own body, declarations, comments, strings and ``#if 0`` do not count; an entry in a table
        of functions does.
        """
        return self._called(function.strip())

    def _has_call_site(self, name: str) -> bool:
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            return False
        code = [path for path in self._text.paths if path.endswith((".c", ".h"))]
        return any(
            self._is_live_use(path, line, name)
            for path in code
            for line in self._text.lines_with(name.encode(), path, whole_word=True)
            if not self._is_own_body(path, line, name)
        )

    def _is_own_body(self, path: str, line: int, name: str) -> bool:
        own = self._definitions.named(name, Kind.FUNCTION)
        return any(body.path == path and body.line <= line <= body.last for body in own)

    def _is_live_use(self, path: str, line: int, name: str) -> bool:
        content = self._text.lines(path, line, line)[0]
        return (
            any(_uses(content, match.start()) for match in re.finditer(rf"\b{name}\b", content))
            and not self.is_dead(path, line)
            and not self._is_comment(path, line)
        )

    def _is_comment(self, path: str, line: int) -> bool:
        """Tell whether the line starts inside a block comment."""
        above = "\n".join(self._text.lines(path, max(line - _LONGEST_COMMENT, 1), line - 1))
        return above.rfind("/*") > above.rfind("*/")

    def _dead_regions(self, path: str) -> list[tuple[int, int]]:
        """Return the lines of the directives that open and close each dead region."""
        regions: list[tuple[int, int]] = []
        open_at: list[int | None] = []  # one for each open conditional: where a dead branch began
        content = self._text.content(path)
        for match in _CONDITIONAL.finditer(content):
            line, kind = self._text.line_at(path, match.start()), match[1]
            if kind not in (b"if", b"ifdef", b"ifndef") and open_at:
                began = open_at.pop()
                if began is not None:
                    regions.append((began, line))
            if kind != b"endif":
                dead = kind in (b"if", b"elif") and _NEVER.match(match[2])
                open_at.append(line if dead else None)
        return regions


def _uses(line: str, at: int) -> bool:
    """Tell whether the name at an offset of a line is used there: no declaration, comment or string."""
    before = line[:at]
    if _DECLARES.fullmatch(before) or (not before and re.match(r"\w+\s*\(", line)):
        return False
    code = _CLOSED.sub("", before)
    return not any(mark in code for mark in ('"', "//", "/*"))
