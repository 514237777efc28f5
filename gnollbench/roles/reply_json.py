"""Reading one JSON object out of a model's reply, and asking for it: the last one wins, a number is a number (R28).

Order: fenced blocks, last to first; then the reply as a whole. The first of these that has the object's key
decides. Where it cannot be read, no earlier one takes its place: that may be one that an answer forged. An
object that stands in the untrusted text too is its author's, not the model's, and is passed over.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from math import isfinite
from typing import Any, cast

from pydantic import BaseModel

from gnollbench.records.canonical import as_object
from gnollbench.records.run import UnscoredCode

_FENCED = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n`]*\n(.*?)(?:^[ \t]*(?:`{3,}|~{3,})[ \t]*$|\Z)", re.M | re.S)
_UNCHECKED = frozenset({"title", "description", "default", "minimum", "maximum"})
"""Words of a JSON schema that some provider refuses in a schema that it enforces; pydantic checks the bounds."""

_OPENINGS = 1000  # braces looked back from a key to its object's: some hundred claims and charges
_LAYOUT = (
    20  # an object with blanks beside its marks and escapes for its letters is at most so many times as long
)
_NO_WORDS = re.compile(r"(?:[\s\[\],`*\ufeff]|\{[^{}\n]*\})*")  # list marks, emphasis, other flat objects
_DECODER = json.JSONDecoder()


class NoReplyObject(Exception):
    """The reply holds no JSON object that can be used; ``code`` says why."""

    def __init__(self, code: UnscoredCode, message: str) -> None:
        super().__init__(message)
        self.code = code


def last_object(reply: str, key: str, untrusted: str = "") -> dict[str, Any]:
    """Return the JSON object that decides: the last of a reply that has a key of that name.

    A float that is whole is the integer that it equals, as JSON schema has it.

    Parameters
    ----------
    untrusted : str
        What the model was shown of another model's text: an object that occurs in it, however it is laid
        out there, is a quotation and decides nothing (R29).

    Raises
    ------
    NoReplyObject
        ``no_json`` where there is none, it cannot be read, or it stands in the middle of a sentence;
        ``not_finite`` where it holds NaN or an infinity, ``schema`` where a key stands twice.
    """
    name = re.compile(rf'"{key}"\s*:')
    blocks = _FENCED.findall(reply)
    for text in (*reversed(blocks), reply):
        quoted_from = len(text)
        for position in reversed([match.start() for match in name.finditer(text)]):
            if position >= quoted_from:
                continue  # inside an object that was passed over
            inner, outer = _objects_at(text, position)
            value = _strict(text[slice(*inner)])
            if _occurs(text[slice(*inner)], untrusted):
                quoted_from = inner[0]
            elif text is reply and _in_a_sentence(text, *outer):
                raise NoReplyObject(
                    UnscoredCode.NO_JSON, "the last object of the reply is part of a sentence"
                )
            else:
                return value
    raise NoReplyObject(UnscoredCode.NO_JSON, f"the reply holds no JSON object of its own with {key}")


@cache  # milliseconds, and every call of a grader asks for it
def reply_schema(form: type[BaseModel]) -> Mapping[str, Any]:
    """Return a form's JSON schema as providers enforce it: no references, every field required."""
    whole = form.model_json_schema()
    return as_object(_plain(whole, whole.get("$defs", {})))


def _objects_at(text: str, position: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return start and end of the innermost JSON object that spans a position, and of the outermost."""
    spans: list[tuple[int, int]] = []
    start = position
    for _ in range(_OPENINGS):
        start = text.rfind("{", 0, start)
        if start < 0:
            break
        try:
            _, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if position < end:
            spans.append((start, end))
    if not spans:
        raise NoReplyObject(UnscoredCode.NO_JSON, "the last object of the reply cannot be read as JSON")
    return spans[0], spans[-1]


def _occurs(written: str, text: str) -> bool:
    """Whether a JSON object stands in a text, with whatever white space and order of keys."""
    written, text = " ".join(written.split()), " ".join(text.split())
    value = json.loads(written)
    for opening in re.finditer(r'\{ ?"', text):
        part = text[opening.start() : opening.start() + _LAYOUT * len(written)]
        try:
            if _DECODER.raw_decode(part)[0] == value:
                return True
        except (ValueError, RecursionError):
            continue
    return False


def _in_a_sentence(text: str, start: int, end: int) -> bool:
    """Whether words stand beside an object on its line, and more than white space behind it."""
    beside = text[text.rfind("\n", 0, start) + 1 : start], text[end:].partition("\n")[0]
    alone = all(map(_NO_WORDS.fullmatch, beside))
    return not alone and re.fullmatch(r"[\s\]`*]*", text[end:]) is None


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
