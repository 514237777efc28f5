"""The one canonical JSON and the one fingerprint of the project."""

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """Write a JSON value in its one canonical form.

    Sorted keys, no insignificant white space, numbers in shortest form (``2.0`` is ``2``).

    Raises
    ------
    ValueError
        If a number is NaN or infinite.
    """
    return json.dumps(_shortest(value), sort_keys=True, separators=(",", ":"), allow_nan=False, ensure_ascii=False)


def fingerprint(value: Any) -> str:
    """Return the first 16 hex digits of the SHA-256 over ``canonical_json(value)``."""
    return hash_text(canonical_json(value))


def hash_text(text: str) -> str:
    """Return the first 16 hex digits of the SHA-256 over the text's UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _shortest(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {str(key): _shortest(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_shortest(item) for item in value]
    return value
