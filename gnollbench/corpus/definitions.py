"""Where the source defines its functions, macros, structs, types and enums: a scanner of lines (R14).

It reads single files without preprocessing, so both twins of an ``#ifdef`` are found, and so is
code inside ``#if 0``. It relies on the layout of the game's C: a function's name or type and its
body's last brace stand at column 0.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from gnollbench.corpus.sourcetext import SourceText


class Kind(StrEnum):
    """What a definition defines."""

    FUNCTION = "function"
    STRUCT = "struct"
    MACRO = "macro"
    ENUM = "enum"
    TYPE = "type"


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition.

    Attributes
    ----------
    kind : Kind
        A union counts as a struct, an enumerator as an enum.
    name, path : str
        The symbol and its file.
    line, last : int
        The line of the name and the last line of the body, from 1.
    """

    kind: Kind
    name: str
    path: str
    line: int
    last: int


_HEAD_CHARACTERS = 4000  # more than the longest parameter list between a function's name and its brace
_UNCLOSED_LINES = 10  # lines taken where a brace never closes, as the Overseer does

# Expressions start with literal text where they can: the engine skips to it at memory speed.
_BRACE = re.compile(r"(?<=\n)\{|\)[ \t]*\{")
_CANDIDATE = re.compile(r"^[A-Za-z_][\w \t*]*\s*\(", re.MULTILINE)
_BARRIERS = ("\n}", "\n{", "#define")
_PARAMETERS = r"\((?:[^();{}]|\((?:[^();{}]|\([^();{}]*\))*\))*\)"
_SIGNATURE = re.compile(
    rf"(?P<before>[\w\s*]*?)\b(?P<name>\w+)\s*{_PARAMETERS}[\w\s]*?(?:\n[ \t]*[A-Za-z_][^;{{}}]*;\s*)*"
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_OTHER_BRANCH = re.compile(r"^[ \t]*#[ \t]*el(?:se|if)\b.*?(?=^[ \t]*#[ \t]*endif)", re.DOTALL | re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)

_MACRO = re.compile(r"define[ \t]+(\w+)(?:[^\n]*\\\n)*")
_STRUCT = re.compile(r"struct[ \t]+(\w+)\s*(?=\{)")
_UNION = re.compile(r"union[ \t]+(\w+)\s*(?=\{)")
_ENUM = re.compile(r"enum\b[ \t]*(\w*)[^;{}()]*(?=\{)")
_TYPEDEF = re.compile(
    r"typedef\b(?:[^;{}\n]*?(?:\(\s*\*\s*(\w+)\s*\)|\b(\w+)[ \t]*(?:\[[^\]\n]*\])?[ \t]*;)|"
    r"\s+(?:struct|union|enum)\b[^;{}]*(?=\{))"
)
_TYPEDEF_CLOSE = re.compile(r"\}\s*(\w+)\s*;")
_ENUMERATOR = re.compile(r"(?:^|,)\s*([A-Za-z_]\w*)")
_BRACKETS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/|([{}])', re.DOTALL)
_WORDS = re.compile(r"[\w \t]*")
_HASH = re.compile(r"[ \t]*#[ \t]*")


class Definitions:
    """Definitions by name and by place, in the order given."""

    def __init__(self, found: list[Definition]) -> None:
        self._by_name: dict[str, list[Definition]] = defaultdict(list)
        for definition in found:
            self._by_name[definition.name].append(definition)
        self._functions = {(d.path, d.line): d for d in found if d.kind is Kind.FUNCTION}
        self._count = len(found)
        self._in_file: dict[str, list[Definition]] = defaultdict(list)
        for definition in self._functions.values():
            self._in_file[definition.path].append(definition)

    def __len__(self) -> int:
        """Return the number of definitions."""
        return self._count

    def names(self) -> list[str]:
        """Return every name that is defined, each once."""
        return list(self._by_name)

    def named(self, name: str, kind: str = "any") -> list[Definition]:
        """Return the definitions of a name, letter case observed, of one kind or of any."""
        found = self._by_name.get(name, [])
        return [definition for definition in found if kind in ("any", definition.kind)]

    def function_at(self, path: str, line: int) -> Definition | None:
        """Return the function whose name stands in this line, or None."""
        return self._functions.get((path, line))

    def enclosing(self, path: str, line: int) -> Definition | None:
        """Return the function in whose body, or between whose name and body, a line stands, or None."""
        for function in self._in_file.get(path, []):
            if function.line <= line <= function.last:
                return function
        return None


def all_definitions(text: SourceText) -> list[Definition]:
    """Return every definition of the source; ``.c`` files first, then by path and line."""
    found = [
        definition for path in text.paths for definition in scan(path, text.content(path).decode("utf-8"))
    ]
    return sorted(
        found, key=lambda definition: (not definition.path.endswith(".c"), definition.path, definition.line)
    )


def scan(path: str, content: str) -> Iterator[Definition]:
    """Yield the definitions of one C source or header file; none for any other file."""
    if not path.endswith((".c", ".h")):
        return
    line_starts = [0, *(match.end() for match in re.finditer("\n", content))]
    for kind, name, start, end in _spans(path, content):
        yield Definition(kind, name, path, bisect_right(line_starts, start), bisect_right(line_starts, end))


def _spans(path: str, content: str) -> Iterator[tuple[Kind, str, int, int]]:
    """Yield kind, name, offset of the name and offset of the last character."""
    for match in _at_line_start(_MACRO, content, _HASH):
        yield Kind.MACRO, match[1], match.start(1), match.end()
    for expression in (_STRUCT, _UNION):
        for match in _at_line_start(expression, content):
            yield Kind.STRUCT, match[1], match.start(1), closing_brace(content, match.end())
    for match in _at_line_start(_ENUM, content):
        end = closing_brace(content, match.end())
        if match[1]:
            yield Kind.ENUM, match[1], match.start(1), end
        for name, offset in _enumerators(content, match.end() + 1, end):
            yield Kind.ENUM, name, offset, offset
    for match in _at_line_start(_TYPEDEF, content):
        if name := match[1] or match[2]:
            yield Kind.TYPE, name, match.start(), match.end()
        elif close := _TYPEDEF_CLOSE.match(content, closing_brace(content, match.end())):
            yield Kind.TYPE, close[1], match.start(), close.end()
    if path.endswith(".c"):
        for name, offset, end in functions(content):
            yield Kind.FUNCTION, name, offset, end


def _at_line_start(
    expression: re.Pattern[str], content: str, before: re.Pattern[str] = _WORDS
) -> Iterator[re.Match[str]]:
    """Yield the matches that only ``before`` parts from the start of their line."""
    for match in expression.finditer(content):
        line_start = content.rfind("\n", 0, match.start()) + 1
        if before.fullmatch(content, line_start, match.start()):
            yield match


def functions(content: str) -> Iterator[tuple[str, int, int]]:
    """Yield name, offset of the name and offset of the last brace of each function with a body."""
    for brace in _BRACE.finditer(content):
        head_end = brace.end() - 1
        line_start = content.rfind("\n", 0, head_end) + 1
        if line_start < head_end and not (content[line_start].isalpha() or content[line_start] == "_"):
            continue
        earliest = max(head_end - _HEAD_CHARACTERS, 0)
        begin = max(content.rfind(barrier, earliest, line_start) for barrier in _BARRIERS)
        begin = content.find("\n", begin + 1, head_end) + 1 if begin >= 0 else earliest
        if name := _function_name(content[begin:head_end]):
            end = content.find("\n}", head_end)
            yield name[0], begin + name[1], end + 1 if end >= 0 else head_end


def _function_name(head: str) -> tuple[str, int] | None:
    """Return the name that the text before a brace defines as a function, and its offset in that text."""
    for candidate in reversed(list(_CANDIDATE.finditer(head))):
        code = _COMMENT.sub("", head[candidate.start() :])
        code = _DIRECTIVE.sub("", _OTHER_BRANCH.sub("", code)) if "#" in code else code
        if (match := _SIGNATURE.fullmatch(code)) and (name := _named(match, head[: candidate.start()])):
            place = re.compile(rf"\b{name}\b").search(head, candidate.start())
            return name, place.start() if place else head.rindex(name)
    return None


def _named(signature: re.Match[str], above: str) -> str | None:
    """Return the defined name; a ``VA_DECL`` head names its function in the words before it."""
    if not signature["name"].startswith("VA_DECL"):
        return signature["name"]
    words = re.findall(r"\w+", signature["before"] or above)
    return words[-1] if words else None


def _enumerators(content: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """Yield name and offset of every enumerator between two braces."""
    body = _BRACKETS.sub(lambda found: " " * len(found[0]), content[start:end])
    body = _DIRECTIVE.sub(lambda found: " " * len(found[0]), body)
    for found in _ENUMERATOR.finditer(body):
        yield found[1], start + found.start(1)


def closing_brace(content: str, opening: int) -> int:
    """Return the offset of the brace that closes the one at ``opening``, strings and comments aside.

    Where none does, the offset ten lines further down.
    """
    depth = 0
    for match in _BRACKETS.finditer(content, opening):
        if match[1]:
            depth += 1 if match[1] == "{" else -1
            if not depth:
                return match.start()
    end = opening
    for _ in range(_UNCLOSED_LINES):
        end = content.find("\n", end + 1)
        if end < 0:
            return len(content) - 1
    return end
