"""From a record to its figures: which answers count, what is withheld, what no record can claim."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gnollbench.errors import Refusal
from gnollbench.records.figures import evaluate, score_document, scored
from gnollbench.records.files import read_record
from gnollbench.records.results import Score
from gnollbench.records.run import (
    Answer,
    Failure,
    FailureKind,
    FailureSource,
    LimitHit,
    RunRecord,
    Synthesis,
    Unscored,
    UnscoredCode,
)
from gnollbench.scoring.outcomes import Integrity, Outcome, RunStatus
from gnollbench.scoring.verdict import CriticalError, Levels, Markers, Member, Verdict

RECORDS = Path(__file__).parents[1] / "oracles" / "records"
NAMES = sorted(path.stem.removeprefix("record-") for path in RECORDS.glob("record-*.json"))
PROVIDER = Failure(source=FailureSource.PROVIDER, kind=FailureKind.OUTAGE, code="503")
HARNESS = Failure(source=FailureSource.HARNESS, kind=FailureKind.INTERNAL)
TOP = Levels(accuracy=6, completeness=6, conciseness=6, readability=6)


def load(name: str) -> RunRecord:
    return read_record(RECORDS / f"record-{name}.json")


def with_answers(record: RunRecord, *answers: Answer) -> RunRecord:
    """The record with these answers in the place of those to the same questions."""
    new = {answer.question: answer for answer in answers}
    return record.model_copy(update={"answers": tuple(new.get(a.question, a) for a in record.answers)})


def altered(record: RunRecord, place: int, **fields: Any) -> RunRecord:
    """The record with some fields of one answer set."""
    return with_answers(record, record.answers[place].model_copy(update=fields))


def with_status(record: RunRecord, status: RunStatus) -> RunRecord:
    return record.model_copy(update={"run": record.run.model_copy(update={"status": status})})


def failed(answer: Answer, failure: Failure | None) -> Answer:
    fields = {"failure": failure, "integrity": Integrity.TRANSPORT_DEFECT, "text": "", "verdicts": {}}
    return answer.model_copy(update=fields)


def unanswered(answer: Answer) -> Answer:
    return answer.model_copy(update={"integrity": Integrity.UNANSWERED, "text": "", "verdicts": {}})


def test_record_cannot_claim_its_figures():
    """record.md: scores, results and found quotes are recomputed."""
    record = load("edge")
    lie = Score(quality=100.0, members={Member.A: 100, Member.B: 100})
    forged = record.model_copy(
        update={
            "answers": tuple(a.model_copy(update={"score": lie, "disputed": True}) for a in record.answers)
        }
    )
    assert evaluate(forged) == evaluate(record)
    assert scored(forged) == scored(record)


def test_another_method():
    """R24: 12 on a single-assessor record drops floor and outcomes; 13 gives an old record both."""
    new = load("single13")
    abstention = Verdict(levels=TOP.model_copy(update={"completeness": 0}), not_attempted=True)
    new = altered(new, 0, verdicts={Member.A: abstention})
    under_12, under_13 = evaluate(new, method=12), evaluate(new)
    assert (under_12.answers["q01"].quality, under_13.answers["q01"].quality) == (32, 50)
    assert under_12.results.outcomes is None
    assert {score.outcome for score in under_12.answers.values()} == {None}
    assert evaluate(load("single12"), method=13).results.outcomes is not None


@pytest.mark.parametrize("method", [12, 14])
def test_method_that_has_no_rule_is_refused(method):
    """R24: 12 for a panel record, any that is not known."""
    with pytest.raises(Refusal, match="refused"):
        evaluate(load("panel"), method=method)


def test_another_profile():
    """R24: the wide record's profile has another ceiling."""
    record, other = load("panel"), load("wide").profile
    assert other.critical_error_ceiling == 30
    assert evaluate(record, profile=other).answers["q09"].quality == 30
    assert evaluate(record).answers["q09"].quality == 25


def nulls(value: Any, path: str = "") -> Iterator[str]:
    if value is None:
        yield path.removeprefix(".")
    if isinstance(value, dict):
        for name, item in value.items():
            yield from nulls(item, f"{path}.{name}")


def tiny(n: int) -> RunRecord:
    """A panel record of its first n questions."""
    record = load("panel")
    exam = record.exam.model_copy(update={"questions": record.exam.questions[:n]})
    return record.model_copy(update={"exam": exam, "answers": record.answers[:n]})


def silent(record: RunRecord) -> RunRecord:
    return record.model_copy(update={"answers": tuple(map(unanswered, record.answers))})


def not_streamed(record: RunRecord) -> RunRecord:
    return record.model_copy(
        update={"answers": tuple(a.model_copy(update={"ttft_ms": None}) for a in record.answers)}
    )


SITUATIONS = {
    **{name: load(name) for name in NAMES},
    "one": tiny(1),
    "two": tiny(2),
    "silent": silent(load("panel")),
    "not streamed": not_streamed(load("panel")),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_null_is_explained(situation):
    """R3: each null figure has an entry of that name or of the part that it stands in, and no other has."""
    document = score_document(SITUATIONS[situation])
    named = {entry["figure"] for entry in document["withheld"]}
    empty = ["results"] if document["results"] is None else list(nulls(document["results"]))
    for path in empty:
        assert any(path == figure or path.startswith(f"{figure}.") for figure in named), path
    for figure in named:
        assert any(path == figure or path.startswith(f"{figure}.") for path in empty), figure
    assert all(entry["reason"] and entry["lifted_by"] for entry in document["withheld"])


def test_no_answered_question_leaves_no_false_zero():
    """R3, R38, R41: all unanswered is an index of 0, with no speed, no rate, no agreement."""
    results = evaluate(silent(load("panel"))).results
    assert (results.intelligence.index, results.intelligence.n) == (0, 18)
    assert results.speed.index is results.speed.mean_model_ms is results.speed.saturated is None
    assert (results.outcomes.no_answer, results.outcomes.critical_error_rate.n) == (18, 0)
    assert results.outcomes.critical_error_rate.rate is None
    assert results.panel.mean_absolute is None
    assert results.panel.member_index == {Member.A: 0, Member.B: 0}


def test_unanswered_question_scores_zero():
    """R41: for every member, without speed; the clean turn is not left out of the index."""
    record = load("panel")
    found = evaluate(with_answers(record, unanswered(record.answers[0])))
    zero = Score(quality=0, members={Member.A: 0, Member.B: 0}, outcome=Outcome.NO_ANSWER)
    assert found.answers["q01"] == zero
    assert (found.results.intelligence.n, found.results.panel.n) == (18, 17)
    assert found.missing == ()


def test_unanswered_question_of_a_single_assessor():
    """R41, R24: one member; under method 12 without a class."""
    record = load("single12")
    found = evaluate(with_answers(record, unanswered(record.answers[0]))).answers["q01"]
    assert found == Score(quality=0, members={Member.A: 0})


def test_provider_failure_withholds_every_result():
    """R3, R41: one is enough; the other answers keep their scores, and a repair lifts it."""
    record = load("panel")
    found = evaluate(with_answers(record, failed(record.answers[2], PROVIDER)))
    assert found.results is None
    assert [(entry.figure, entry.lifted_by) for entry in found.withheld] == [
        ("results", "a repair of the run")
    ]
    assert "q03" in found.withheld[0].reason
    assert found.answers["q03"] is None
    assert found.answers["q01"] == evaluate(record).answers["q01"]
    assert (found.missing, found.status) == ((), RunStatus.COMPLETED_WITH_ERRORS)


def test_provider_failure_counts_whatever_the_bucket_says():
    """R41: also with verdicts beside it."""
    found = evaluate(altered(load("panel"), 2, failure=PROVIDER))
    assert found.results is None
    assert found.answers["q03"] is None


def test_untold_transport_defect_counts_as_the_provider_s():
    """R41, R3: refuse rather than mislead."""
    record = load("panel")
    found = evaluate(with_answers(record, failed(record.answers[2], None)))
    assert (found.results, found.answers["q03"], found.missing) == (None, None, ())


def test_harness_failure_excludes_its_answer_alone():
    """R41: completed with errors, indices over n of n_questions."""
    record = load("panel")
    found = evaluate(with_answers(record, failed(record.answers[2], HARNESS)))
    assert (found.results.intelligence.n, found.results.intelligence.n_questions) == (17, 18)
    assert (found.answers["q03"], found.missing) == (None, ())
    assert found.status is RunStatus.COMPLETED_WITH_ERRORS


@pytest.mark.parametrize("member", Member)
def test_missing_verdict_excludes_its_answer(member):
    """R26: never indexed on one member; listed, no part in any figure, completed with errors."""
    record = load("panel")
    kept = {m: v for m, v in record.answers[0].verdicts.items() if m is not member}
    lacking = altered(record, 0, verdicts=kept, reader=Verdict(levels=TOP))
    found = evaluate(lacking)
    assert (found.answers["q01"], found.missing) == (None, ("q01",))
    assert found.status is RunStatus.COMPLETED_WITH_ERRORS
    results = found.results
    assert results.intelligence.n == results.panel.n == results.outcomes.critical_error_rate.n == 17
    assert results.reader is None
    others = tiny(18).model_copy(update={"answers": record.answers[1:]})
    exam = record.exam.model_copy(update={"questions": record.exam.questions[1:]})
    alone = evaluate(others.model_copy(update={"exam": exam})).results
    n_questions = results.intelligence.model_copy(update={"n_questions": 17})
    assert results.model_copy(update={"intelligence": n_questions}) == alone


def test_single_assessor_needs_one_verdict():
    """R26: the mode says who must have graded."""
    record = load("single13")
    assert all(set(answer.verdicts) == {Member.A} for answer in record.answers)
    assert evaluate(record).missing == ()
    assert evaluate(altered(record, 0, verdicts={})).missing == ("q01",)


def test_nothing_counted():
    """R42, R3: a run of which no answer counts failed, and publishes nothing."""
    record = load("panel")
    found = evaluate(
        record.model_copy(update={"answers": tuple(failed(answer, HARNESS) for answer in record.answers)})
    )
    assert (found.results, found.status) == (None, RunStatus.FAILED)
    assert [entry.reason for entry in found.withheld] == ["no answer counts"]


def test_questions_that_were_not_asked_make_no_exam():
    """R3: an index over some of the questions describes a part of the instrument."""
    record = load("panel")
    found = evaluate(record.model_copy(update={"answers": record.answers[:2]}))
    assert found.results is None
    assert [entry.reason for entry in found.withheld] == ["2 of 18 questions were asked"]
    assert list(found.answers) == ["q01", "q02"]


@pytest.mark.parametrize("status", [RunStatus.FAILED, RunStatus.CANCELED])
def test_aborted_run_gets_no_score(status):
    """R42: answers keep theirs for whoever debugs; the status stays."""
    record = load("panel")
    found = evaluate(with_status(record, status))
    assert (found.results, found.status) == (None, status)
    assert found.answers == evaluate(record).answers
    assert str(status) in found.withheld[0].reason


def test_every_reason_is_given():
    """R3: lifting one of two reasons would not be enough."""
    record = load("panel")
    short = record.model_copy(update={"answers": (failed(record.answers[0], PROVIDER), record.answers[1])})
    assert len(evaluate(short).withheld) == 2


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, RunStatus.COMPLETED),
        ({"limits_hit": (LimitHit.TOOL_CALLS,)}, RunStatus.COMPLETED_WITH_LIMITS),
        ({"unscored": {"reader": Unscored(code=UnscoredCode.REFUSED)}}, RunStatus.COMPLETED_WITH_ERRORS),
        ({"unscored": {"regrade": Unscored(code=UnscoredCode.REFUSED)}}, RunStatus.COMPLETED),
    ],
)
def test_status_follows_the_answers(fields, status):
    """R42: a reading that was asked for and is missing is an error, a re-grade is not."""
    assert evaluate(altered(load("wide"), 0, **fields)).status is status


def test_missing_synthesis_is_an_error():
    """R17, R42."""
    there = Synthesis(member=Member.A, text="Sound.")
    lacking = Synthesis(member=Member.B, text="", unscored=Unscored(code=UnscoredCode.PROVIDER))
    record = load("wide")
    assert evaluate(record.model_copy(update={"syntheses": (there,)})).status is RunStatus.COMPLETED
    with_lack = record.model_copy(update={"syntheses": (there, lacking)})
    assert evaluate(with_lack).status is RunStatus.COMPLETED_WITH_ERRORS
    assert evaluate(with_lack).results == evaluate(record).results


def test_nothing_but_scoring_roles_scores():
    """R2: reader, re-grade, flags, markers and usage move no score and no index."""
    record = load("panel")
    reading = Verdict(levels=Levels(accuracy=0, completeness=0, conciseness=0, readability=0))
    advised = record
    for place, answer in enumerate(record.answers):
        verdicts = {
            member: verdict.model_copy(update={"markers": Markers(out_of_scope=3, form=2)})
            for member, verdict in answer.verdicts.items()
        }
        advised = altered(advised, place, reader=reading, regrade=reading, verdicts=verdicts)
    before, after = evaluate(record), evaluate(advised)
    assert after.answers == before.answers
    assert after.results.intelligence == before.results.intelligence
    assert after.results.outcomes == before.results.outcomes


def flagged(quote: str) -> Verdict:
    return Verdict(levels=TOP, critical_error=CriticalError(quote=quote))


def test_ruling_moves_a_split_and_nothing_else():
    """R2, R36: every ruling on every quote turned around changes the scores of splits alone."""
    record = load("edge")
    turned = {"supported": "refuted", "refuted": "supported", "indeterminate": "indeterminate"}
    raw = json.loads(record.model_dump_json())
    for answer in raw["answers"]:
        for claim in answer["claims"]:
            claim["ruling"] = turned[claim["ruling"]]
    before, after = evaluate(record), evaluate(RunRecord.model_validate_json(json.dumps(raw)))
    moved = {question for question in before.answers if before.answers[question] != after.answers[question]}
    assert moved == {"q03", "q07", "q10"}


def test_worked_rate_of_a_run():
    """R40: one confirmed critical error in 18 classified answers: 5.6 %, 1.0 % to 25.8 %."""
    record = load("single13")
    for place in range(18):
        record = altered(record, place, verdicts={Member.A: Verdict(levels=TOP)})
    record = altered(record, 4, verdicts={Member.A: flagged("freezes water")})
    rate = evaluate(record).results.outcomes.critical_error_rate
    assert rate.n == 18
    assert [round(100 * x, 1) for x in (rate.rate, rate.low, rate.high)] == [5.6, 1.0, 25.8]
