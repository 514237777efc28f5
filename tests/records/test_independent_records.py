"""Figures of whole records against values that were worked out apart from the project (R20-R41)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.records.figures import evaluate, score_document, scored
from gnollbench.records.files import read_record
from gnollbench.records.run import RunRecord

RECORDS = Path(__file__).parents[1] / "oracles" / "records"
NAMES = sorted(path.stem.removeprefix("record-") for path in RECORDS.glob("record-*.json"))


def load(name: str) -> RunRecord:
    return read_record(RECORDS / f"record-{name}.json")


def differences(expected: Any, found: Any, path: str = "") -> Iterator[str]:
    """Where a document differs from what is expected; more fields may be present."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for name, value in expected.items():
            yield from differences(value, found.get(name, "absent"), f"{path}.{name}")
    elif isinstance(expected, int | float) and isinstance(found, int | float):
        tolerance = 1e-6 if path.endswith("icc_a1") else 1e-9
        if abs(expected - found) > tolerance or isinstance(expected, bool) is not isinstance(found, bool):
            yield f"{path}: {found}, not {expected}"
    elif expected != found:
        yield f"{path}: {found}, not {expected}"


@pytest.mark.parametrize("name", NAMES)
def test_independent_values_are_met(name):
    """R20-R41: every score and figure that was worked out apart from the project, to 1e-9, ICC 1e-6."""
    expected = json.loads((RECORDS / f"expected-{name}.json").read_text("utf-8"))
    found = score_document(load(name))
    assert len(expected["answers"]) == len(found["answers"])
    assert list(differences(expected, found)) == []


def test_comparison_of_documents_can_fail():
    """The check above sees a wrong number, a missing field, a null, a swapped type."""
    assert list(differences({"a": {"b": 1.0}}, {"a": {"b": 1.0 + 1e-8}}))
    assert list(differences({"a": 1}, {}))
    assert list(differences({"a": 1}, {"a": None}))
    assert list(differences({"a": None}, {"a": 0}))
    assert list(differences({"a": True}, {"a": 1}))
    assert list(differences({"a": ["q1"]}, {"a": ["q2"]}))
    assert not list(differences({"a": 1}, {"a": 1.0, "b": 2}))


@pytest.mark.parametrize("name", NAMES)
def test_status_is_derived(name):
    """R42: the independent records carry the status that their answers give."""
    record = load(name)
    assert evaluate(record).status is record.run.status


@pytest.mark.parametrize("name", NAMES)
def test_scoring_a_scored_record_changes_nothing(name):
    """R24: what is derived is never an input."""
    once = scored(load(name))
    assert scored(once) == once
    assert [a.score for a in once.answers] == [evaluate(once).answers[a.question] for a in once.answers]


@pytest.mark.parametrize("name", NAMES)
def test_method_and_profile_of_the_record_are_the_default(name):
    """R24."""
    record = load(name)
    assert evaluate(record) == evaluate(record, record.run.scoring_method, record.profile)


@pytest.mark.parametrize("name", ["panel", "edge", "unanswered", "fifty"])
@given(random=st.randoms())
def test_order_of_the_answers_is_no_matter(name, random):
    """R37: every figure and list is the same to the last digit."""
    record = load(name)
    shuffled = list(record.answers)
    random.shuffle(shuffled)
    assert evaluate(record.model_copy(update={"answers": tuple(shuffled)})) == evaluate(record)
