"""Cuts a key out of what a provider, or whoever answers for it, repeats (R61)."""

import re
from typing import Any, TypeVar, cast

_KEY_CHARACTERS = 8  # what is shorter is a placeholder ("none", "test"), no secret, and a word of any answer

Value = TypeVar("Value")


def without_key(value: Value, key: str | None) -> Value:
    r"""Return a JSON value without a key in any of its strings.

    A string may itself be JSON, so each character counts in every way that JSON writes it (``/``, ``\/``,
    ``\u002f``). The names of fields are a protocol's, and stay.
    """
    if key is None or len(key) < _KEY_CHARACTERS:
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
    return rf"(?:\\*{re.escape(character)}|(?i:{escaped}))"
