"""The run record's types: what is refused, what may lack, what is fixed (R13, R24, R39, R41, R43)."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from gnollbench.records.run import KEY_KINDS, Answer, FailureKind, FailureSource, Key, RunRecord

RECORDS = Path(__file__).parents[1] / "oracles" / "records"
RAW: dict[str, Any] = json.loads((RECORDS / "record-panel.json").read_text("utf-8"))
OPTIONAL_IN_ANSWER = (
    *("raw", "failure", "limits_hit", "wait_ms", "ttft_ms", "tool_call_budget", "unscored", "verdicts"),
    *("claims", "reader", "regrade", "flags", "triggers", "disputed", "usage", "score"),
)
OPTIONAL = (
    *("models", "config", "provenance", "prices", "syntheses", "costs", "results", "withheld", "scorings"),
    *(f"answers.0.{name}" for name in OPTIONAL_IN_ANSWER),
    *("answers.1.claims.0.original_ruling", "answers.1.claims.0.citation", "run.series", "exam.snapshot"),
)
NOT_NULL = {"wait_ms": 0, "disputed": False, "raw": "", "original_ruling": "indeterminate"}
REQUIRED = (
    *("run", "keys", "exam", "profile", "answers", "run.status", "run.mode", "run.scoring_method"),
    *("exam.questions", "exam.questions.0.difficulty", "exam.questions.0.id", "exam.questions.0.band"),
    *("profile.points", "profile.weights.accuracy", "profile.speed", "profile.reader.minimum"),
    *("answers.0.question", "answers.0.text", "answers.0.integrity", "answers.0.turn_ms"),
    *("answers.0.verdicts.a.levels", "answers.0.verdicts.a.levels.readability", "answers.1.claims.0.ruling"),
)


def steps(path: str) -> list[str | int]:
    return [int(step) if step.isdigit() else step for step in path.split(".")]


def changed(path: str, value: Any = None, remove: bool = False) -> str:
    """The JSON of the record with one field set, or removed."""
    raw = copy.deepcopy(RAW)
    *way, last = steps(path)
    place: Any = raw
    for step in way:
        place = place[step]
    if remove:
        place.pop(last, None)
    else:
        place[last] = value
    return json.dumps(raw)


def fault(text: str) -> str:
    """Where and what the first fault is."""
    with pytest.raises(ValidationError) as caught:
        RunRecord.model_validate_json(text)
    first = caught.value.errors()[0]
    return f"{'.'.join(map(str, first['loc']))} {first['msg']}"


@pytest.mark.parametrize("path", OPTIONAL)
def test_field_that_a_record_may_lack_takes_its_empty_value(path):
    """record.md: an older or imported record loads, and no empty value is an invented figure."""
    record: Any = RunRecord.model_validate_json(changed(path, remove=True))
    for step in steps(path):
        record = record[step] if isinstance(step, int) else getattr(record, step)
    name = path.split(".")[-1]
    assert record == NOT_NULL[name] if name in NOT_NULL else record in (None, (), {})


@pytest.mark.parametrize("path", REQUIRED)
def test_field_that_a_record_may_not_lack(path):
    """record.md: no default stands for a measured or judged value."""
    assert fault(changed(path, remove=True)).startswith(path)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("answers.0.turn_ms", "8123"),
        ("answers.0.turn_ms", True),
        ("answers.0.turn_ms", -1),
        ("answers.0.turn_ms", float("nan")),
        ("answers.0.ttft_ms", float("inf")),
        ("answers.0.tool_calls", 1.5),
        ("answers.0.tool_calls", -1),
        ("answers.0.text", None),
        ("answers.0.integrity", "broken"),
        ("answers.0.verdicts.a.levels.accuracy", 7),
        ("answers.0.verdicts.a.levels.accuracy", -1),
        ("answers.0.verdicts.a.levels.accuracy", 5.5),
        ("answers.0.verdicts.a.levels.accuracy", "5"),
        ("answers.0.verdicts.a.levels.accuracy", True),
        ("answers.0.verdicts.a.not_attempted", 1),
        ("answers.0.verdicts.c", {}),
        ("answers.0.limits_hit", ["patience"]),
        ("answers.0.triggers", ["whim"]),
        ("answers.0.usage.candidate", {"input_tokens": -1}),
        ("answers.0.unscored", {"b": {"code": "tired"}}),
        ("answers.0.failure", {"source": "provider", "kind": "internal"}),
        ("answers.0.failure", {"source": "harness", "kind": "rate_limit"}),
        ("answers.1.claims.0.ruling", "maybe"),
        ("exam.questions.0.difficulty", 0),
        ("exam.questions.0.difficulty", 101),
        ("exam.questions.0.band", "hard"),
        ("run.status", "done"),
        ("run.started_at", 5),
        ("run.started_at", "2026-11-01T10:00:00"),
        ("run.elapsed_s", float("-inf")),
        ("profile.points", [1, 15, 35, 55, 72, 87]),
        ("profile.weights.accuracy", float("nan")),
        ("costs.candidate", {"usd": float("nan")}),
        ("costs.cook", {"usd": 1}),
        ("config.x", {"y": [float("nan")]}),
        ("keys.suite.value", float("inf")),
        ("keys.suite.hash", ""),
        ("format", "gnollbench.run/2"),
        ("results", {}),
    ],
)
def test_wrong_value_is_refused_where_it_stands(path, value):
    """record.md: types, ranges, NaN and infinity; the fault names the field."""
    named = fault(changed(path, value)).split(" ")[0]
    assert named.startswith(path) or path.startswith(named)
    assert named


@pytest.mark.parametrize(
    "path",
    ["extra", "run.extra", "answers.0.extra", "answers.0.verdicts.a.levels.extra", "profile.reader.extra"],
)
def test_unknown_field_is_refused_with_its_path(path):
    """record.md."""
    assert fault(changed(path, 1)).startswith(f"{path} Extra")


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("answers.3.question", "q01", "answers.3.question: q01 is there a second time"),
        ("answers.3.question", "q99", "answers.3.question: the exam has no question q99"),
        ("exam.questions.1.id", "q01", "questions.1.id: q01 is there a second time"),
        ("keys.colour", RAW["keys"]["suite"], "keys.colour: not one of the 27 keys"),
        ("keys.suite.kind", "candidate", "keys.suite.kind: candidate, where fundamental belongs"),
    ],
)
def test_whole_that_does_not_hold_together_is_refused(path, value, named):
    """record.md: two answers to one question, an answer to none, another key than the 27."""
    assert named in fault(changed(path, value))


def test_every_key_is_needed():
    """R43."""
    for name in KEY_KINDS:
        assert f"keys.{name}: missing" in fault(changed(f"keys.{name}", remove=True))


def test_kinds_of_the_27_keys():
    """R43: 4, 10, 10 and 3; the records of the oracle agree on each."""
    kinds = list(KEY_KINDS.values())
    assert [kinds.count(kind) for kind in dict.fromkeys(kinds)] == [4, 10, 10, 3]
    assert {name: key["kind"] for name, key in RAW["keys"].items()} == KEY_KINDS


def test_key_is_hashed_over_its_value():
    """R43: the fingerprints of the independent records are met."""
    for name, key in RAW["keys"].items():
        assert Key.of(name, key["value"]).model_dump(mode="json") == key


def test_failure_kinds_belong_to_one_source():
    """R41: eight of a provider, two of the harness."""
    taken = dict.fromkeys(FailureSource, 0)
    for kind in FailureKind:
        for source in FailureSource:
            text = changed("answers.0.failure", {"source": source, "kind": kind})
            try:
                RunRecord.model_validate_json(text)
            except ValidationError:
                continue
            taken[source] += 1
    assert taken == {FailureSource.PROVIDER: 8, FailureSource.HARNESS: 2}


def test_record_is_frozen():
    """R24: what was measured is not edited in place."""
    record = RunRecord.model_validate_json(json.dumps(RAW))
    with pytest.raises(ValidationError):
        record.answers[0].text = "other"


def test_schema_is_published():
    """record.md: a JSON Schema that names every field of an answer."""
    schema = RunRecord.model_json_schema()
    assert set(schema["$defs"]["Answer"]["properties"]) == set(Answer.model_fields)
    assert schema["additionalProperties"] is False
