"""The one canonical JSON and the one fingerprint of the project."""

import hashlib
import json
import re
from math import isfinite
from typing import Any, cast

_SURROGATE = re.compile("[\ud800-\udfff]")


def canonical_json(value: Any) -> str:
    """Write a JSON value in its one canonical form.

    Sorted keys, no insignificant white space, numbers in shortest form (``2.0`` is ``2``).

    Raises
    ------
    ValueError
        If a number is NaN or infinite.
    """
    return json.dumps(
        _shortest(value), sort_keys=True, separators=(",", ":"), allow_nan=False, ensure_ascii=False
    )


def fingerprint(value: Any) -> str:
    """Return the first 16 hex digits of the SHA-256 over ``canonical_json(value)``."""
    return hash_text(canonical_json(value))


def hash_text(text: str) -> str:
    """Return the first 16 hex digits of the SHA-256 over the text's UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def as_object(value: Any) -> dict[str, Any]:
    """Return a foreign value if it is a JSON object, else an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the JSON objects of a foreign list; an empty one where it is none."""
    return [as_object(item) for item in cast("list[Any]", value)] if isinstance(value, list) else []


def strict_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object that a text is; None where it is none, or holds NaN or an infinity."""
    try:
        value: Any = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError):
        return None
    return as_object(value) if isinstance(value, dict) else None


def safe_text(text: str) -> str:
    """Return the text with lone surrogates, which no file takes, replaced by U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)


def _finite(number: str) -> float:
    value = float(number)
    if not isfinite(value):
        raise ValueError(number)
    return value


def _shortest(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {str(key): _shortest(item) for key, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_shortest(item) for item in cast("list[Any]", value)]
    return value
