"""The value of an integer constant expression of C whose macros are expanded."""

from collections.abc import Callable

from gnollbench.corpus.ctokens import Unresolved, integer, is_name

_LEVELS = (  # from the loosest binding to the tightest
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_BINARY: dict[str, Callable[[int, int], int]] = {
    "||": lambda a, b: int(bool(a) or bool(b)),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "|": int.__or__,
    "^": int.__xor__,
    "&": int.__and__,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "<<": int.__lshift__,
    ">>": int.__rshift__,
    "+": int.__add__,
    "-": int.__sub__,
    "*": int.__mul__,
    "/": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "%": lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1),
}
_UNARY: dict[str, Callable[[int], int]] = {
    "-": int.__neg__,
    "+": int.__pos__,
    "~": int.__invert__,
    "!": lambda a: int(not a),
}
_C_TYPES = ("const", "volatile", "unsigned", "signed", "char", "short", "int", "long", "void")
_TYPES = frozenset((*_C_TYPES, "schar", "uchar", "xchar", "aligntyp", "boolean"))  # and the games' own


def evaluate(code: list[str], constant: Callable[[str], int | None]) -> int:
    """Return the value of an expression.

    Parameters
    ----------
    code : list of str
        Its tokens, macros expanded.
    constant : callable
        Gives the value of a name (an enumerator), or None.

    Raises
    ------
    Unresolved
        If a name has no value, or the tokens are no integer expression.
    """
    parser = _Parser(code, constant)
    value = parser.conditional()
    if parser.at < len(code):
        raise Unresolved(f"{' '.join(code)} is no integer expression")
    return value


class _Parser:
    """A parser by descent over the levels of binding."""

    def __init__(self, code: list[str], constant: Callable[[str], int | None]) -> None:
        self._code, self._constant, self.at = code, constant, 0

    def conditional(self) -> int:
        condition = self._binary(0)
        if not self._took("?"):
            return condition
        chosen = self.conditional()
        self._expect(":")
        other = self.conditional()
        return chosen if condition else other

    def _binary(self, level: int) -> int:
        if level == len(_LEVELS):
            return self._operand()
        value = self._binary(level + 1)
        while self._peek() in _LEVELS[level]:
            operator = self._take()
            value = self._applied(operator, value, self._binary(level + 1))
        return value

    def _applied(self, operator: str, left: int, right: int) -> int:
        if (operator in "/%" and right == 0) or (operator in ("<<", ">>") and not 0 <= right < 64):
            raise Unresolved(f"{' '.join(self._code)} has no value")
        return _BINARY[operator](left, right)

    def _operand(self) -> int:
        token = self._take()
        if token in _UNARY:
            return _UNARY[token](self._operand())
        if token == "(":
            if self._peek() in _TYPES or self._peek().endswith("_t"):
                self._skip_cast()
                return self._operand()
            value = self.conditional()
            self._expect(")")
            return value
        value = integer(token) if not token.startswith("'") else _character(token)
        if value is None and is_name(token):
            value = self._constant(token)
        if value is None:
            raise Unresolved(f"{token or 'an empty expression'} has no value in the indexed source")
        return value

    def _skip_cast(self) -> None:
        while self._take() not in (")", ""):
            pass

    def _peek(self) -> str:
        return self._code[self.at] if self.at < len(self._code) else ""

    def _take(self) -> str:
        token = self._peek()
        self.at += 1
        return token

    def _took(self, token: str) -> bool:
        if self._peek() == token:
            self.at += 1
            return True
        return False

    def _expect(self, token: str) -> None:
        if self._take() != token:
            raise Unresolved(f"{' '.join(self._code)} is no integer expression")


_ESCAPES = {"n": 10, "t": 9, "r": 13, "b": 8, "f": 12, "v": 11, "a": 7, "0": 0, "\\": 92, "'": 39, '"': 34}


def _character(token: str) -> int | None:
    body = token[1:-1]
    if len(body) == 1:
        return ord(body)
    if body.startswith("\\x"):
        return int(body[2:], 16)
    if body.startswith("\\") and body[1:].isdigit():
        return int(body[1:], 8)
    return _ESCAPES.get(body[1:])
