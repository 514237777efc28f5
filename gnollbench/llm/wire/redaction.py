"""Cuts a key out of what a provider, or whoever answers for it, repeats (R61)."""

import html
import re
from typing import Any, TypeVar, cast

# all else is a placeholder ("none", "anything"), a word of any answer
_SECRET = re.compile(r".{12,}|(?=.*\d).{8,}", re.DOTALL)

Value = TypeVar("Value")


def without_key(value: Value, key: str | None) -> Value:
    r"""Return a JSON value without a key in any of its strings.

    A string may itself be JSON, an address or HTML, so each character counts in every way that these write it
    (``/``, ``\/``, ``\u002f``, ``%2F``, ``&#47;``). The names of fields are a protocol's, and stay.
    """
    if key is None or not _SECRET.fullmatch(key):
        return value
    return _cut(value, re.compile("".join(_written(character) for character in key)))


def _cut(value: Any, key: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return key.sub("***", value)
    if isinstance(value, dict):
        return {name: _cut(item, key) for name, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_cut(item, key) for item in cast("list[Any]", value)]
    return value


def _written(character: str) -> str:
    units = re.findall("....", character.encode("utf-16-be").hex())
    escaped = "".join(rf"\\+u{unit}" for unit in units)
    quoted = "".join(f"%{byte:02x}" for byte in character.encode())
    entities = f"&#0*{ord(character)};|&#x0*{ord(character):x};"
    if character in "&<>\"'":
        entities += f"|{html.escape(character)}"
    return rf"(?:\\*{re.escape(character)}|(?i:{escaped}|{quoted}|{entities}))"
