"""Reading one JSON object out of a model's reply: the last one wins, and a number is a number (R28).

Order: the whole reply; fenced blocks, last to first; the last balanced object in the prose.
"""

import json
import re
from typing import Any

from gnollbench.records.canonical import as_object
from gnollbench.records.run import UnscoredCode

_FENCED = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)


class NoReplyObject(Exception):
    """The reply holds no JSON object that can be used; ``code`` says why."""

    def __init__(self, code: UnscoredCode, message: str) -> None:
        super().__init__(message)
        self.code = code


def last_object(reply: str) -> dict[str, Any]:
    """Return the last JSON object of a reply.

    Raises
    ------
    NoReplyObject
        ``no_json`` where there is none, ``not_finite`` where it holds NaN or an infinity, ``schema`` where
        a key stands twice.
    """
    problem: NoReplyObject | None = None
    for text in (reply.strip(), *reversed(_FENCED.findall(reply)), *_balanced(reply)):
        try:
            value = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
        except NoReplyObject as error:
            problem = problem or error
            continue
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return as_object(value)
    raise problem or NoReplyObject(UnscoredCode.NO_JSON, "the reply holds no JSON object")


def _balanced(reply: str) -> list[str]:
    """Return the outermost ``{...}`` stretches that end last, at most three, last first."""
    stretches: list[str] = []
    decoder = json.JSONDecoder(strict=True)
    position = 0
    while (start := reply.find("{", position)) >= 0:
        try:
            _, end = decoder.raw_decode(reply, start)
        except (ValueError, RecursionError):
            position = start + 1
            continue
        stretches.append(reply[start:end])
        position = end
    return stretches[:-4:-1]


def _refuse_constant(name: str) -> Any:
    raise NoReplyObject(UnscoredCode.NOT_FINITE, f"the reply holds {name}")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        raise NoReplyObject(UnscoredCode.SCHEMA, "an object of the reply holds a key twice")
    return content
