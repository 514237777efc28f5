"""Reading one JSON object out of a model's reply, and asking for it: the last one wins, a number is a number (R28).

Order: fenced blocks, last to first; then the reply as a whole. The first of these that has the object's key
decides. Where it cannot be read, no earlier one takes its place: that may be one that an answer forged.
"""

import json
import re
from math import isfinite
from typing import Any, cast

from pydantic import BaseModel

from gnollbench.records.canonical import as_object
from gnollbench.records.run import UnscoredCode

_FENCED = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n`]*\n(.*?)(?:^[ \t]*(?:`{3,}|~{3,})[ \t]*$|\Z)", re.M | re.S)
_UNCHECKED = frozenset({"title", "description", "default", "minimum", "maximum"})
"""Words of a JSON schema that some provider refuses in a schema that it enforces; pydantic checks the bounds."""


_OPENINGS = 1000  # braces looked back from a key to its object's: some hundred claims and charges


class NoReplyObject(Exception):
    """The reply holds no JSON object that can be used; ``code`` says why."""

    def __init__(self, code: UnscoredCode, message: str) -> None:
        super().__init__(message)
        self.code = code


def last_object(reply: str, key: str) -> dict[str, Any]:
    """Return the JSON object that decides: the last of a reply that has a key of that name.

    A float that is whole is the integer that it equals, as JSON schema has it.

    Raises
    ------
    NoReplyObject
        ``no_json`` where there is none or it cannot be read, ``not_finite`` where it holds NaN or an
        infinity, ``schema`` where a key stands twice.
    """
    name = re.compile(rf'"{key}"\s*:')
    for text in (*reversed(_FENCED.findall(reply)), reply):
        named = [match.start() for match in name.finditer(text)]
        if named:
            return _strict(_object_at(text, named[-1]))
    raise NoReplyObject(UnscoredCode.NO_JSON, f"the reply holds no JSON object with {key}")


def reply_schema(form: type[BaseModel]) -> dict[str, Any]:
    """Return a form's JSON schema as providers enforce it: no references, every field required."""
    whole = form.model_json_schema()
    return as_object(_plain(whole, whole.get("$defs", {})))


def _object_at(text: str, position: int) -> str:
    """Return the innermost JSON object that spans a position: whose key stands there."""
    decoder, start = json.JSONDecoder(), position
    for _ in range(_OPENINGS):
        start = text.rfind("{", 0, start)
        if start < 0:
            break
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if position < end:
            return text[start:end]
    raise NoReplyObject(UnscoredCode.NO_JSON, "the last object of the reply cannot be read as JSON")


def _strict(text: str) -> dict[str, Any]:
    value = json.loads(text, parse_constant=_refuse_constant, parse_float=_number, object_pairs_hook=_unique)
    return as_object(value)


def _refuse_constant(name: str) -> Any:
    raise NoReplyObject(UnscoredCode.NOT_FINITE, f"the reply holds {name}")


def _number(text: str) -> int | float:
    value = float(text)
    if not isfinite(value):
        raise NoReplyObject(UnscoredCode.NOT_FINITE, f"the reply holds {text}, which is no finite number")
    return int(value) if value.is_integer() else value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        raise NoReplyObject(UnscoredCode.SCHEMA, "an object of the reply holds a key twice")
    return content


def _plain(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_plain(item, definitions) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    entries = as_object(node)
    if "$ref" in entries:
        return _plain(definitions[str(entries["$ref"]).rpartition("/")[2]], definitions)
    if "properties" in entries:
        fields = {name: _plain(field, definitions) for name, field in entries["properties"].items()}
        return {
            "type": "object",
            "properties": fields,
            "required": list(fields),
            "additionalProperties": False,
        }
    return {
        name: _plain(value, definitions)
        for name, value in entries.items()
        if name not in _UNCHECKED and name != "$defs"
    }
