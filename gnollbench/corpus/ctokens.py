"""C as tokens: logical lines without comments, calls and their arguments, tokens back to text."""

import re

_COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
_TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'|[A-Za-z_]\w*|\.?\d[\w.]*|##|<<|>>|<=|>=|==|!=|&&|\|\||\.\.\.|\S'
)
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*")
_NAME = re.compile(r"[A-Za-z_]\w*")
_OPERATORS = frozenset(("||", "&&", "==", "!=", "<=", ">=", "<<", ">>", *"|&^+-*/%<>?:"))


class Unresolved(Exception):
    """A construct whose meaning the indexed source does not give; the message says which and why."""


def logical_lines(content: str) -> list[tuple[int, str]]:
    """Return number and text of each logical line: comments blanked, continued lines joined.

    The number is that of the first physical line, from 1. Blank lines are left out.
    """
    joined: list[tuple[int, str]] = []
    parts: list[str] = []
    first = 1
    for number, line in enumerate(_COMMENT_OR_STRING.sub(_blanked, content).split("\n"), 1):
        stripped = line.rstrip()
        if not parts:
            first = number
        if stripped.endswith("\\"):
            parts.append(stripped[:-1])
            continue
        text = " ".join([*parts, stripped]) if parts else stripped
        parts = []
        if text:
            joined.append((first, text))
    return joined


def _blanked(match: re.Match[str]) -> str:
    found = match[0]
    return found if found[0] in "\"'" else " " + "\n" * found.count("\n")


def tokens(text: str) -> list[str]:
    """Return the tokens of a text without comments."""
    return _TOKEN.findall(text)


def is_name(token: str) -> bool:
    """Tell whether a token is an identifier."""
    return _NAME.fullmatch(token) is not None


def integer(token: str) -> int | None:
    """Return the value of an integer literal, or None for any other token."""
    match = _INTEGER.fullmatch(token)
    if match is None:
        return None
    digits = match[1]
    return int(digits, 8) if re.fullmatch("0[0-7]+", digits) else int(digits, 0)


def arguments(code: list[str], opening: int) -> tuple[list[list[str]], int]:
    """Return the arguments of a call and the index behind its closing parenthesis.

    Parameters
    ----------
    code : list of str
        Tokens.
    opening : int
        Index of the call's ``(``.

    Raises
    ------
    Unresolved
        If the parenthesis never closes.
    """
    found: list[list[str]] = [[]]
    depth = 0
    for index in range(opening, len(code)):
        token = code[index]
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
        if depth == 0:
            return ([] if found == [[]] else found), index + 1
        if token == "," and depth == 1:
            found.append([])
        elif index > opening:
            found[-1].append(token)
    raise Unresolved("a parenthesis never closes")


def called(code: list[str]) -> str | None:
    """Return the name that the tokens call as a whole, or None where they are no single call."""
    if len(code) > 2 and code[1] == "(" and is_name(code[0]) and arguments(code, 1)[1] == len(code):
        return code[0]
    return None


def bare(code: list[str]) -> list[str]:
    """Return the tokens without parentheses that enclose them all."""
    while len(code) > 1 and code[0] == "(" and arguments(code, 0)[1] == len(code):
        code = code[1:-1]
    return code


def alternatives(code: list[str]) -> list[list[str]]:
    """Split at each ``|`` outside parentheses, as in a set of flags."""
    found: list[list[str]] = [[]]
    depth = 0
    for token in bare(code):
        depth += (token in "([") - (token in ")]")
        if token == "|" and not depth:
            found.append([])
        else:
            found[-1].append(token)
    return found


def written(code: list[str]) -> str:
    """Return the tokens as readable source text."""
    text, previous = "", ""
    unary = False
    for token in code:
        tight = not text or previous == "(" or unary or token in "),;" or (token == "(" and is_name(previous))
        text += token if tight else f" {token}"
        unary = token in "-+~!" and (not previous or previous in "(,?:" or previous in _OPERATORS)
        previous = token
    return text
