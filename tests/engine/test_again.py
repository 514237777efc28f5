"""Scoring a run again: beside the first scoring, by other rules, without touching an answer (R24, R42, R45)."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gnollbench.engine.again import rescored
from gnollbench.errors import Refusal
from gnollbench.records.figures import scored
from gnollbench.records.files import parse_record, read_record, record_json
from gnollbench.records.run import RunRecord, Scoring
from gnollbench.scoring.outcomes import RunStatus

RECORDS = Path(__file__).parents[1] / "oracles" / "records"
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


def record(name: str) -> RunRecord:
    return scored(read_record(RECORDS / f"record-{name}.json"))


def last(run: RunRecord) -> Scoring:
    return run.scorings[-1]


@pytest.mark.parametrize("name", ["panel", "single12", "single13", "edge", "missing", "provider", "fifty"])
def test_a_scoring_by_the_runs_own_rules_gives_its_own_figures(name: str) -> None:
    """R24: the independent values; nothing else of the record changes."""
    run = record(name)
    again = rescored(run, NOW)
    expected = json.loads((RECORDS / f"expected-{name}.json").read_text("utf-8"))
    assert again.model_copy(update={"scorings": ()}) == run
    assert last(again).results == run.results
    assert last(again).scores == {answer.question: answer.score for answer in run.answers}
    assert (last(again).results is None) == (expected["results"] is None)
    assert last(again).keys == run.keys
    assert (last(again).method, last(again).time) == (run.run.scoring_method, NOW)
    assert parse_record(record_json(again), "again") == again


def test_another_method_moves_its_key_alone() -> None:
    """R24, R45: method 13 gives a record of method 12 outcomes, and the not-attempted floor."""
    run = record("single12")
    scoring = last(rescored(run, NOW, method=13))
    assert run.results is not None
    assert scoring.results is not None
    assert run.results.outcomes is None
    assert scoring.results.outcomes is not None
    moved = [name for name, key in scoring.keys.items() if key.hash != run.keys[name].hash]
    assert moved == ["scoring_method"]
    assert scoring.keys["scoring_method"].value == 13
    first = {answer.question: answer.score for answer in run.answers}
    moved = {q for q, score in first.items() if score and score.quality != _quality(scoring, q)}
    assert moved == {"q01"}  # not attempted at Accuracy 6, of quality 32: lifted to the profile's 50
    assert _quality(scoring, "q01") == run.profile.not_attempted_score


def test_another_profile_moves_its_keys() -> None:
    """R24, R45: a ceiling of 10 lowers the answers that were capped at 25, and the profile's key moves."""
    run = record("panel")
    strict = run.profile.model_copy(update={"name": "strict", "critical_error_ceiling": 10})
    scoring = last(rescored(run, NOW, profile=strict))
    assert scoring.profile == strict
    assert scoring.keys["scoring_profile"].value == strict.scoring_semantics()
    renamed = last(rescored(run, NOW, profile=strict.model_copy(update={"name": "by another name"})))
    assert renamed.keys == scoring.keys
    first = {answer.question: answer.score for answer in run.answers}
    capped = [
        q for q, score in first.items() if score and score.members and set(score.members.values()) == {25}
    ]
    assert capped
    assert all(_quality(scoring, question) == 10 for question in capped)


def test_each_scoring_stands_beside_the_others() -> None:
    """R24: none takes another's place."""
    run = rescored(rescored(record("single12"), NOW), NOW, method=13)
    assert [scoring.method for scoring in run.scorings] == [12, 13]


@pytest.mark.parametrize("status", [RunStatus.CANCELED, RunStatus.FAILED])
def test_a_broken_off_run_is_refused(status: RunStatus) -> None:
    """R42: it gets no score, later either."""
    run = record("panel")
    broken = run.model_copy(update={"run": run.run.model_copy(update={"status": status})})
    with pytest.raises(Refusal, match="again is refused"):
        rescored(broken, NOW)
    with pytest.raises(Refusal, match="again is refused"):
        rescored(record("canceled"), NOW)


def test_a_run_without_a_counted_answer_is_refused() -> None:
    """R42: that is a failed run, whatever status it was given."""
    run = record("panel")
    unread = tuple(answer.model_copy(update={"verdicts": {}}) for answer in run.answers)
    with pytest.raises(Refusal, match="again is refused"):
        rescored(run.model_copy(update={"answers": unread}), NOW)


@pytest.mark.parametrize(("method", "why"), [(12, "one assessor"), (14, "knows the methods")])
def test_a_method_that_cannot_be_is_refused(method: int, why: str) -> None:
    """R24: method 12 has no rule for a panel."""
    with pytest.raises(Refusal, match=why):
        rescored(record("panel"), NOW, method=method)


def _quality(scoring: Scoring, question: str) -> float:
    score = scoring.scores[question]
    assert score is not None
    return score.quality
