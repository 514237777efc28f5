"""A C preprocessor that obeys conditionals, definitions and inclusions, and expands only when asked.

What a real preprocessor loses it keeps: names of flags, and lines. Macros are known as defined at
the line that is being read; enumerators of live enums are known by value.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from gnollbench.corpus.cexpressions import evaluate
from gnollbench.corpus.ctokens import Unresolved, arguments, is_name, logical_lines, tokens, written

_FOLDERS = ("include", "src")  # where an included file is looked for
_DIRECTIVE = re.compile(r"\s*#\s*(\w+)(.*)")
_CONDITIONALS = frozenset(("if", "ifdef", "ifndef", "elif", "else", "endif"))
_MAX_INCLUSION_DEPTH = 32  # deeper than the games go; ends a file that includes itself unguarded


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro: its parameters (None for one without a list), its body, and the file that defines it."""

    params: tuple[str, ...] | None
    body: list[str]
    path: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A live logical line of a file."""

    path: str
    number: int
    text: str


class Preprocessor:
    """Macros and enumerators of the files that were read so far.

    Parameters
    ----------
    read : callable
        Gives the content of a file by its path in the repository, or None.
    defined : iterable of str
        Names that are defined from the start, with an empty body.
    """

    def __init__(self, read: Callable[[str], str | None], defined: tuple[str, ...] = ()) -> None:
        self._read = read
        self.macros: dict[str, Macro] = {name: Macro(None, []) for name in defined}
        self.enumerators: dict[str, int] = {}
        self._lines: dict[str, list[tuple[int, str]]] = {}
        self._enum: str | None = None  # an enum's text so far, from its keyword on

    def lines(self, path: str, depth: int = 0) -> Iterator[Line]:
        """Yield the live lines of a file and of what it includes, taking notice of every directive.

        Whoever reads the lines one by one sees the macros as they are defined at each.
        """
        branches: list[_Branch] = []
        for number, text in self._logical_lines(path):
            if directive := _DIRECTIVE.match(text):
                kind, rest = directive[1], directive[2].strip()
                if kind in _CONDITIONALS:
                    self._branch(branches, kind, rest)
                elif all(branch.live for branch in branches):
                    yield from self._directive(path, kind, rest, depth)
            elif all(branch.live for branch in branches):
                self._note_enum(text)
                yield Line(path, number, text)

    def read(self, path: str) -> None:
        """Take in a file's definitions."""
        for _ in self.lines(path):
            pass

    def value(self, code: list[str]) -> int:
        """Return the value of an integer expression, its macros expanded.

        Raises
        ------
        Unresolved
            If it has none in the indexed source.
        """
        return evaluate(self.expanded(code), self.enumerators.get)

    def expanded(self, code: list[str], hidden: frozenset[str] = frozenset()) -> list[str]:
        """Return the tokens with every macro expanded.

        Raises
        ------
        Unresolved
            If a call has the wrong number of arguments.
        """
        result: list[str] = []
        index = 0
        while index < len(code):
            name = code[index]
            macro = self.macros.get(name) if name not in hidden else None
            index += 1
            if macro is None or (macro.params is not None and code[index : index + 1] != ["("]):
                result.append(name)
            elif macro.params is None:
                result += self.expanded(macro.body, hidden | {name})
            else:
                given, index = arguments(code, index)
                given = [self.expanded(argument, hidden) for argument in given]
                result += self.expanded(self.substituted(name, given), hidden | {name})
        return result

    def substituted(self, name: str, given: list[list[str]]) -> list[str]:
        """Return the body of a macro with its parameters replaced, nothing else expanded.

        Raises
        ------
        Unresolved
            If the number of arguments is wrong.
        """
        macro = self.macros[name]
        bound = bind(name, macro, given)
        result: list[str] = []
        index = 0
        while index < len(macro.body):
            token = macro.body[index]
            if token == "#" and macro.body[index + 1] in bound:
                index += 1
                result.append(_quoted(bound[macro.body[index]]))
            elif token == "##" and result and index + 1 < len(macro.body):
                index += 1
                following = bound.get(macro.body[index], [macro.body[index]])
                result[-1:] = [result[-1] + "".join(following[:1]), *following[1:]]
            else:
                result += bound.get(token, [token])
            index += 1
        return result

    def _logical_lines(self, path: str) -> list[tuple[int, str]]:
        if path not in self._lines:
            self._lines[path] = logical_lines(self._read(path) or "")
        return self._lines[path]

    def _directive(self, path: str, kind: str, rest: str, depth: int) -> Iterator[Line]:
        if kind == "define":
            self._define(path, rest)
        elif kind == "undef":
            self.macros.pop(rest, None)
        elif kind == "include" and rest.startswith('"') and depth < _MAX_INCLUSION_DEPTH:
            name = PurePosixPath(rest[1:].partition('"')[0]).name
            for folder in _FOLDERS:
                yield from self.lines(f"{folder}/{name}", depth + 1)

    def _define(self, path: str, text: str) -> None:
        name = tokens(text)[0]
        rest = text[len(name) :]
        if not rest.startswith("("):
            self.macros[name] = Macro(None, tokens(rest), path)
            return
        given, _, body = rest[1:].partition(")")
        params = tuple(param.strip() for param in given.split(",") if param.strip())
        self.macros[name] = Macro(params, tokens(body), path)

    def _branch(self, branches: list["_Branch"], kind: str, condition: str) -> None:
        outside = all(branch.live for branch in branches[:-1])
        if kind in ("if", "ifdef", "ifndef"):
            reached = all(branch.live for branch in branches)
            branches.append(_Branch(reached and self._holds(kind, condition)))
        elif branches and kind == "endif":
            branches.pop()
        elif branches:
            last = branches[-1]
            live = not last.taken and (kind == "else" or (outside and self._holds("if", condition)))
            branches[-1] = _Branch(live, last.taken or live)

    def _holds(self, kind: str, condition: str) -> bool:
        if kind != "if":
            return (condition.split()[0] in self.macros) is (kind == "ifdef")
        try:
            code = self.expanded(self._definedness(tokens(condition)))
            return bool(evaluate(code, lambda _: 0))
        except Unresolved:
            return False

    def _definedness(self, code: list[str]) -> list[str]:
        """Replace ``defined X`` and ``defined(X)`` by 1 or 0."""
        result: list[str] = []
        index = 0
        while index < len(code):
            if code[index] == "defined":
                in_parentheses = code[index + 1 : index + 2] == ["("]
                name = code[index + 1 + in_parentheses]
                result.append(str(int(name in self.macros)))
                index += 4 if in_parentheses else 2
            else:
                result.append(code[index])
                index += 1
        return result

    def _note_enum(self, text: str) -> None:
        if self._enum is None:
            start = text.find("enum")
            if start < 0:
                return
            self._enum = text[start:]
        else:
            self._enum += f" {text}"
        head, brace, body = self._enum.partition("{")
        if "}" in body or any(mark in head for mark in ";)=,") or (brace and not head.startswith("enum")):
            if brace and "}" in body and not any(mark in head for mark in ";)=,"):
                self._take_enumerators(tokens(body.partition("}")[0]))
            self._enum = None

    def _take_enumerators(self, body: list[str]) -> None:
        value: int | None = -1
        for member in arguments(["(", *body, ")"], 0)[0]:
            if not member or not is_name(member[0]):
                continue
            try:
                value = self.value(member[2:]) if len(member) > 2 else (None if value is None else value + 1)
            except Unresolved:
                value = None
            if value is not None:
                self.enumerators[member[0]] = value


@dataclass(frozen=True, slots=True)
class _Branch:
    """The branch of an open conditional that is being read."""

    live: bool
    taken: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "taken", self.taken or self.live)


def bind(name: str, macro: Macro, given: list[list[str]]) -> dict[str, list[str]]:
    """Return a macro's parameters with the arguments of a call.

    Raises
    ------
    Unresolved
        If their numbers differ.
    """
    params = macro.params or ()
    if params[-1:] == ("...",):
        fixed = len(params) - 1
        rest: list[str] = []
        for argument in given[fixed:]:
            rest += [*([","] if rest else []), *argument]
        params, given = (*params[:-1], "__VA_ARGS__"), [*given[:fixed], rest]
    if len(params) == 1 and not given:
        given = [[]]
    if len(params) != len(given):
        raise Unresolved(f"{name} takes {len(params)} arguments, {len(given)} are given")
    return dict(zip(params, given, strict=True))


def _quoted(code: list[str]) -> str:
    text = written(code).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
