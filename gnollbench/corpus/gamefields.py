"""How a field of a table is said in a tool's answer: a number, a text, or a list of flags."""

from gnollbench.corpus.cpreprocessor import Preprocessor, bind
from gnollbench.corpus.ctables import Fields, Tables
from gnollbench.corpus.ctokens import (
    Unresolved,
    alternatives,
    arguments,
    bare,
    called,
    integer,
    is_name,
    written,
)

Plain = int | str
Value = Plain | list[Plain]


def plain(code: list[str]) -> Plain:
    """Return an integer literal as a number, anything else as text; enclosing parentheses go."""
    code = bare(code)
    signed = code[1:] if code[:1] == ["-"] else code
    number = integer(signed[0]) if len(signed) == 1 else None
    if number is None:
        return written(code)
    return -number if code is not signed else number


def flags(code: list[str]) -> Value:
    """Return the parts of a set of flags as a list, a single one alone."""
    parts = [plain(part) for part in alternatives(code)]
    return parts if len(parts) > 1 else parts[0]


def strings(tables: Tables, given: Fields, names: dict[str, str]) -> dict[str, str]:
    """Return the strings among the fields, renamed; null pointers are left out."""
    texts = {field: tables.string(given.get(param, [])) for param, field in names.items()}
    return {field: text for field, text in texts.items() if text is not None}


def number(source: Preprocessor, code: list[str]) -> Plain:
    """Return the value of an expression as a number, as text where the source does not give it."""
    try:
        return source.value(code)
    except Unresolved:
        return plain(code)


def dice(source: Preprocessor, count: list[str], sides: list[str], plus: list[str]) -> str | None:
    """Return dice such as ``2d6+1``, None for none."""
    rolled, size, added = (number(source, code) for code in (count, sides, plus))
    if not any((rolled, size, added)):
        return None
    base = f"{rolled}d{size}" if rolled and size else ""
    if not added:
        return base or None
    sign = "" if not base or (isinstance(added, int) and added < 0) else "+"
    return f"{base}{sign}{added}"


def nested(source: Preprocessor, code: list[str]) -> Fields | None:
    """Return the arguments of a call by parameter name, None where the tokens are no call of a macro.

    Raises
    ------
    Unresolved
        If the number of arguments is wrong.
    """
    name = called(code)
    macro = source.macros.get(name) if name else None
    return bind(code[0], macro, arguments(code, 1)[0]) if macro else None


def aliased(source: Preprocessor, code: list[str], path: str) -> list[str]:
    """Replace the names that a table's own file makes stand for another, as ``P`` for ``PIERCE``."""
    replaced: list[str] = []
    for token in code:
        macro = source.macros.get(token)
        stands_for = macro.body if macro and macro.path == path and macro.params is None else []
        replaced.append(stands_for[0] if len(stands_for) == 1 and is_name(stands_for[0]) else token)
    return replaced
