"""The one JSON object of a reply: the last wins, a number is a number (R28)."""

import pytest

from gnollbench.records.run import UnscoredCode
from gnollbench.roles.reply_json import NoReplyObject, last_object


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        ('  {"a": 1}\n', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('first\n```json\n{"a": 1}\n```\nthen\n```\n{"a": 2}\n```', {"a": 2}),
        ('prose {"a": {"b": 1}} more', {"a": {"b": 1}}),
        ('{"a": 1} and then {"a": 2}', {"a": 2}),
        ('a brace { in prose, then {"a": 3}', {"a": 3}),
        ('{"a": "}{"}', {"a": "}{"}),
        ('```json\n{"a": 1,}\n```\n{"a": 4}', {"a": 4}),
        ('Antwort: {"a": "Größe"}', {"a": "Größe"}),
    ],
)
def test_object_is_found(reply: str, expected: dict) -> None:
    """R28: schema, fenced blocks last to first, then prose."""
    assert last_object(reply) == expected


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ("", UnscoredCode.NO_JSON),
        ("full marks!", UnscoredCode.NO_JSON),
        ("[1]", UnscoredCode.NO_JSON),
        ('{"a": ', UnscoredCode.NO_JSON),
        ('{"a": NaN}', UnscoredCode.NOT_FINITE),
        ('{"a": -Infinity}', UnscoredCode.NOT_FINITE),
        ('{"a": 1, "a": 2}', UnscoredCode.SCHEMA),
        ("{" * 100_000, UnscoredCode.NO_JSON),
    ],
)
def test_no_object_has_a_code(reply: str, code: UnscoredCode) -> None:
    """R28: what holds no usable object says why."""
    with pytest.raises(NoReplyObject) as problem:
        last_object(reply)
    assert problem.value.code is code
