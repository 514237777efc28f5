"""The figures that advise: reference and second reader, re-grades, markers (R28, R31, R32, R35)."""

from pathlib import Path
from typing import Any

import pytest

from gnollbench.records.figures import evaluate, scored
from gnollbench.records.files import read_record
from gnollbench.records.results import RegradeSensitivity
from gnollbench.records.run import RunRecord
from gnollbench.scoring.outcomes import Integrity
from gnollbench.scoring.verdict import CriticalError, Evidence, Levels, Markers, Member, Trigger, Verdict

RECORDS = Path(__file__).parents[1] / "oracles" / "records"
TOP = Levels(accuracy=6, completeness=6, conciseness=6, readability=6)


def load(name: str) -> RunRecord:
    return read_record(RECORDS / f"record-{name}.json")


def altered(record: RunRecord, place: int, **fields: Any) -> RunRecord:
    """The record with some fields of one answer set."""
    answers = list(record.answers)
    answers[place] = answers[place].model_copy(update=fields)
    return record.model_copy(update={"answers": tuple(answers)})


def flagged(quote: str) -> Verdict:
    return Verdict(levels=TOP, critical_error=CriticalError(quote=quote))


@pytest.mark.parametrize(
    ("place", "reading", "gap", "disputed"),
    [
        (8, flagged("freezes water"), 0, False),  # both members flag q09, and so does the reader: 25 and 25
        (8, Verdict(levels=TOP), 75, True),
        (0, Verdict(levels=TOP.model_copy(update={"accuracy": 2})), 24, True),  # 32.0 against 56
        (0, Verdict(levels=TOP.model_copy(update={"accuracy": 1})), 3, False),  # 32.0 against 35
        (0, flagged("freezes water"), -7, True),  # neither member flags q01, the reader does: 32.0 against 25
        (16, flagged("freezes water"), -14, False),  # the members split on q17: 39.0 against 25
    ],
)
def test_reference_reader(place, reading, gap, disputed):
    """R32: against the panel score; a split counts only where both members agree."""
    record = altered(load("panel"), place, reader=reading)
    question = record.answers[place].question
    found = evaluate(record)
    agreement = found.results.reader
    assert (agreement.n, agreement.mean_signed, agreement.mean_absolute) == (1, gap, abs(gap))
    assert agreement.disagreements == agreement.disputed == ((question,) if disputed else ())
    assert found.disputed == agreement.disputed
    assert not agreement.conditioned
    assert [answer.disputed for answer in scored(record).answers].count(True) == disputed


@pytest.mark.parametrize(("trigger", "conditioned"), [(Trigger.ALL, False), (Trigger.SAMPLE, True)])
def test_second_reader(trigger, conditioned):
    """R31: a single-assessor run disputes nothing; any mode but all is conditioned."""
    record = altered(load("single13"), 0, reader=Verdict(levels=TOP), triggers=(trigger,))
    found = evaluate(record)
    agreement, quality = found.results.reader, found.answers["q01"].quality
    assert agreement.conditioned is conditioned
    assert agreement.mean_signed == 100 - quality
    assert (agreement.disagreements, agreement.disputed, found.disputed) == (("q01",), (), ())


def test_unanswered_questions_are_not_read():
    """R32: a reading of an unanswered question compares nothing."""
    silence = {"integrity": Integrity.UNANSWERED, "text": "", "verdicts": {}}
    record = altered(load("panel"), 0, reader=Verdict(levels=TOP), **silence)
    assert evaluate(record).results.reader is None


def test_regrade_sensitivity():
    """R35: what the index would be; single-assessor runs only."""
    record = load("single13")
    regraded = altered(record, 0, regrade=Verdict(levels=TOP))
    raised = altered(record, 0, verdicts={Member.A: Verdict(levels=TOP)})
    before, after = evaluate(record).results, evaluate(raised).results
    found = evaluate(regraded).results.regrade
    expected = after.intelligence.index
    assert found == RegradeSensitivity(n=1, index=expected, difference=expected - before.intelligence.index)
    assert evaluate(altered(load("panel"), 0, regrade=Verdict(levels=TOP))).results.regrade is None


def marked(levels: dict[str, int], evidence: dict[str, str]) -> Verdict:
    return Verdict(
        levels=TOP.model_copy(update=levels),
        evidence=Evidence(**evidence),
        markers=Markers(out_of_scope=2, form=1),
    )


@pytest.mark.parametrize(
    ("verdict", "beside"),
    [
        (marked({}, {}), 0),
        (marked({"completeness": 4}, {"completeness": "no fault"}), 2),
        (marked({"readability": 4}, {"readability": "no fault"}), 1),
        (marked({"completeness": 4, "readability": 4}, {}), 3),
        (marked({"completeness": 4}, {"completeness": "Omits the price."}), 0),
    ],
)
def test_markers(verdict, beside):
    """R28: recorded points, and those beside a deduction on their own dimension that names no defect."""
    record = load("single13")
    counts = evaluate(altered(record, 0, verdicts={Member.A: verdict})).results.markers
    assert (counts.out_of_scope, counts.form, counts.beside_unexplained) == (2, 1, beside)
