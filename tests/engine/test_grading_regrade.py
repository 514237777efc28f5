"""The re-grade in a run: once, where findings contest, single assessor only, stored apart, moving nothing (R35)."""

from pathlib import Path
from typing import Any

import pytest

from gnollbench.llm.messages import Reply, Request
from gnollbench.records.run import Answer, UnscoredCode
from tests.engine.rig import one, run
from tests.engine.said import TEXT, Watched, charged, claimed, critical, grades, rules, text_of
from tests.engine.scripted import says

CANDIDATE = says(TEXT)
FIRST: dict[str, Any] = {
    "levels": {"accuracy": 3},
    "evidence": {"accuracy": "Wrong: speed 6 where the rubric says 12."},
    "charges": [charged()],
}
SECOND: dict[str, Any] = {"evidence": {"accuracy": "The page says so too: nothing is wrong."}}


def assessor(first: dict[str, Any], second: dict[str, Any]) -> Watched:
    """An assessor with one verdict at first, and another with the findings in hand."""

    def model(request: Request) -> Reply:
        return grades(**(second if "# Your first verdict" in text_of(request) else first))(request)

    return Watched(model)


def regraded(folder: Path, first: Any, second: Any, verifier: Any, *words: str) -> tuple[Answer, Watched]:
    grader = assessor(first, second)
    answer = one(folder, {"candidate": CANDIDATE, "a": grader, "verifier": verifier}, *words)
    return answer, grader


def test_contested_verdict_is_graded_once_more(tmp_path: Path) -> None:
    """R35: with question, rubric, answer, its own verdict and the findings; the score is the first verdict's."""
    answer, grader = regraded(tmp_path, FIRST, SECOND, rules("supported"))
    assert len(grader.requests) == 2
    assert answer.regrade is not None
    assert answer.regrade.levels.accuracy == 6
    assert answer.regrade.charges == ()
    assert answer.verdicts["a"].levels.accuracy == 3
    assert answer.score is not None
    assert answer.score.quality == 72
    text = grader.texts[1]
    mark = text.rpartition("\n")[2].removesuffix(">>>")
    assert text.count(f"<<<{mark}\n") == 3
    for shown in ("supported: “A lich has speed 6.”", FIRST["evidence"]["accuracy"], TEXT):
        assert shown in text
    assert grader.requests[0].messages[0] == grader.requests[1].messages[0]
    assert answer.usage["assessor"].input_tokens == 20


@pytest.mark.parametrize(
    ("first", "verifier"),
    [
        (FIRST, rules("refuted")),
        (FIRST, rules("indeterminate")),
        (FIRST, rules("supported", None)),
        (FIRST | {"levels": {"accuracy": 6}}, rules("supported")),
        ({"unverified_claims": [claimed()]}, rules("refuted")),
        ({}, rules("supported")),
    ],
)
def test_verdict_that_no_finding_contests_is_left_alone(tmp_path: Path, first: Any, verifier: Any) -> None:
    """R35: confirming and open findings, and a refuted claim that cost nothing, call for no re-grade."""
    answer, grader = regraded(tmp_path, first, SECOND, verifier)
    assert len(grader.requests) == 1
    assert answer.regrade is None
    assert answer.unscored == {}


@pytest.mark.parametrize(
    "second",
    [
        {"levels": {"accuracy": 2}},
        {"levels": {"accuracy": 6, "completeness": 5}},
        {"not_attempted": True},
        critical(),
    ],
)
def test_a_regrade_beyond_the_findings_is_none(tmp_path: Path, second: dict[str, Any]) -> None:
    """R35: code checks; it is unscored with the reason, and the run is no worse for it."""
    answer, _ = regraded(tmp_path, FIRST, second, rules("supported"))
    assert answer.regrade is None
    assert answer.unscored["regrade"].code is UnscoredCode.SCHEMA
    assert "beyond the findings" in answer.unscored["regrade"].message
    assert answer.score is not None
    assert answer.score.quality == 72


def test_an_unreadable_regrade_is_none(tmp_path: Path) -> None:
    """R35: as any verdict, unscored with a code."""

    def model(request: Request) -> Reply:
        return (says("no") if "# Your first verdict" in text_of(request) else grades(**FIRST))(request)

    answer = one(tmp_path, {"candidate": CANDIDATE, "a": model, "verifier": rules("supported")})
    assert answer.unscored["regrade"].code is UnscoredCode.NO_JSON


def test_withdrawn_critical_error_still_caps(tmp_path: Path) -> None:
    """R35, R36: a verifier never changes the score of a single-assessor run, nor does a re-grade."""
    answer, _ = regraded(tmp_path, critical(), {"levels": {"accuracy": 5}}, rules("supported"))
    assert answer.regrade is not None
    assert answer.regrade.critical_error is None
    assert answer.score is not None
    assert answer.score.quality == 25
    assert answer.score.confirmed_critical_error


def test_panel_has_no_regrade(tmp_path: Path) -> None:
    """R35: it would give one family's judge a second word."""
    grader = assessor(FIRST, SECOND)
    answer = one(
        tmp_path, {"candidate": CANDIDATE, "a": grader, "b": grades(), "verifier": rules("supported")}
    )
    assert len(grader.requests) == 1
    assert answer.regrade is None
    assert "contested_accuracy_deduction" in [flag.name for flag in answer.flags]


def test_sensitivity_is_reported_beside_the_index(tmp_path: Path) -> None:
    """R35: what the index would be, and no scoring path reads it."""
    models = {"candidate": CANDIDATE, "a": assessor(FIRST, SECOND), "verifier": rules("supported")}
    results = run(tmp_path, models).record.results
    assert results is not None
    assert results.regrade is not None
    assert results.intelligence.index == pytest.approx(72)
    assert (results.regrade.n, results.regrade.index) == (4, pytest.approx(100))
    assert results.regrade.difference == pytest.approx(28)
