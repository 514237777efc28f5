"""From a record to its scores, results and status, as a pure function of record, method and profile."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import median
from typing import Any, TypeVar

from gnollbench.errors import Withheld
from gnollbench.records.results import (
    CriticalErrors,
    Intelligence,
    MarkerCounts,
    OutcomeFigures,
    PanelAgreement,
    Rate,
    ReaderAgreement,
    RegradeSensitivity,
    Results,
    Score,
    SpeedFigures,
    Truncated,
    WithheldFigure,
)
from gnollbench.records.run import Mode, RunRecord
from gnollbench.records.scores import (
    Counted,
    Rules,
    Standing,
    count,
    failed_by_provider,
    model_ms,
    rules_of,
    standing,
)
from gnollbench.scoring import indices, outcomes, panel
from gnollbench.scoring.flags import reader_split, unexplained
from gnollbench.scoring.outcomes import Outcome, RunStatus
from gnollbench.scoring.panel import Resolution
from gnollbench.scoring.profile import Profile
from gnollbench.scoring.quality import Graded
from gnollbench.scoring.verdict import Dimension, Member, Trigger

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What scoring a record gives.

    Attributes
    ----------
    answers : dict of str to Score or None
        By question, in the exam's order; None where the answer is excluded. Given for an aborted run too.
    results : Results or None
        None where the run publishes none; ``withheld`` says why.
    missing : tuple of str
        Questions that lack a member's verdict (R26); failed answers are not among them.
    withheld : tuple of WithheldFigure
        Every figure that is None, why, and what lifts it (R3).
    status : RunStatus
        An aborted run keeps its status.
    disputed : tuple of str
        Questions on which the reference reader stands against the panel (R32).
    """

    answers: dict[str, Score | None]
    results: Results | None
    missing: tuple[str, ...]
    withheld: tuple[WithheldFigure, ...]
    status: RunStatus
    disputed: tuple[str, ...]


class _Withholding(list[Withheld]):
    """The figures that could not be given."""

    def given(self, value: T | Withheld) -> T | None:
        """Return the value, or None after noting why it is withheld."""
        if isinstance(value, Withheld):
            self.append(value)
            return None
        return value


def evaluate(record: RunRecord, method: int | None = None, profile: Profile | None = None) -> Evaluation:
    """Score a record: by its own method and profile, or by others (R24).

    Raises
    ------
    Refusal
        If the method is unknown, or has one assessor and the record is a panel's.
    """
    rules = rules_of(record, method, profile)
    answers = {answer.question: answer for answer in record.answers}
    pairs = [(question, answers[question.id]) for question in record.exam.questions if question.id in answers]
    tried = {question.id: count(question, answer, rules) for question, answer in pairs}
    counted = [item for item in tried.values() if item is not None]
    reader = _reader(counted, rules)
    withheld = _Withholding(_no_results(record, len(counted)))
    results = None if withheld else _results(counted, len(record.exam.questions), reader, rules, withheld)
    standings = {question.id: standing(answer, rules.mode) for question, answer in pairs}
    return Evaluation(
        answers={question: item and item.score for question, item in tried.items()},
        results=results,
        missing=tuple(question for question, stands in standings.items() if stands is Standing.MISSING),
        withheld=tuple(map(WithheldFigure.of, withheld)),
        status=_status(record, standings.values(), len(counted)),
        disputed=reader.disputed if isinstance(reader, ReaderAgreement) else (),
    )


def scored(record: RunRecord) -> RunRecord:
    """Return the record with its scores, disputes, results, withheld figures and status filled in."""
    evaluation = evaluate(record)
    answers = tuple(
        answer.model_copy(
            update={
                "score": evaluation.answers[answer.question],
                "disputed": answer.question in evaluation.disputed,
            }
        )
        for answer in record.answers
    )
    return record.model_copy(
        update={
            "run": record.run.model_copy(update={"status": evaluation.status}),
            "answers": answers,
            "results": evaluation.results,
            "withheld": evaluation.withheld,
        }
    )


def score_document(
    record: RunRecord, method: int | None = None, profile: Profile | None = None
) -> dict[str, Any]:
    """Return the JSON document of the command ``score``: answers, results, missing, withheld, status."""
    evaluation = evaluate(record, method, profile)
    return {
        "answers": {
            question: score and score.model_dump(mode="json")
            for question, score in evaluation.answers.items()
        },
        "results": evaluation.results and evaluation.results.model_dump(mode="json"),
        "missing": list(evaluation.missing),
        "withheld": [entry.model_dump(mode="json") for entry in evaluation.withheld],
        "status": evaluation.status.value,
    }


def _no_results(record: RunRecord, counted: int) -> Iterator[Withheld]:
    """Every reason for which the run publishes no results (R3, R41, R42)."""
    status, asked, questions = record.run.status, len(record.answers), len(record.exam.questions)
    if status.aborted:
        lifted = "a new run" if status is RunStatus.CANCELED else "a repair of the run, or a new one"
        yield Withheld("results", f"the run is {status}", lifted)
    failed = [answer.question for answer in record.answers if failed_by_provider(answer)]
    if failed:
        yield Withheld("results", f"a provider failed on {', '.join(sorted(failed))}", "a repair of the run")
    if asked < questions and not status.aborted:
        yield Withheld("results", f"{asked} of {questions} questions were asked", "a run of the whole suite")
    if counted == 0:
        yield Withheld("results", "no answer counts", "a repair of the run, or a new one")


def _status(record: RunRecord, standings: Iterable[Standing], counted: int) -> RunStatus:
    """How the run ended: a reading or synthesis that was asked for and is missing is an error too (R42)."""
    if record.run.status.aborted:
        return record.run.status
    errors = (
        not all(stands.counts for stands in standings)
        or any("reader" in answer.unscored for answer in record.answers)
        or any(synthesis.unscored is not None for synthesis in record.syntheses)
    )
    return outcomes.status_of(counted, errors, limits=any(answer.limits_hit for answer in record.answers))


def _results(
    counted: Sequence[Counted],
    n_questions: int,
    reader: ReaderAgreement | Withheld,
    rules: Rules,
    withheld: _Withholding,
) -> Results:
    return Results(
        intelligence=_intelligence(counted, n_questions, withheld),
        speed=_speed(counted, withheld),
        outcomes=_outcomes(counted, rules, withheld),
        panel=_panel(counted, rules, withheld),
        reader=withheld.given(reader),
        regrade=withheld.given(_regrade(counted, rules)),
        markers=_markers(counted),
    )


def _weights(counted: Sequence[Counted]) -> list[float]:
    return [item.question.difficulty for item in counted]


def _intelligence(counted: Sequence[Counted], n_questions: int, withheld: _Withholding) -> Intelligence:
    qualities, weights = [item.score.quality for item in counted], _weights(counted)
    index = indices.weighted_index(qualities, weights)
    error = indices.index_error(qualities, weights)
    if isinstance(error, Withheld):
        for figure in ("se", "low", "high"):
            withheld.append(Withheld(f"intelligence.{figure}", error.reason, error.lifted_by))
        se, bounds = None, None
    else:
        se, bounds = error, indices.interval(index, indices.Z_95 * error)
    return Intelligence(
        index=index,
        se=se,
        low=bounds.low if bounds else None,
        high=bounds.high if bounds else None,
        truncated=Truncated(low=bounds.low_truncated, high=bounds.high_truncated) if bounds else Truncated(),
        unweighted=fsum(qualities) / len(qualities),
        n=len(counted),
        n_questions=n_questions,
    )


def _speed(counted: Sequence[Counted], withheld: _Withholding) -> SpeedFigures:
    speeds = [item.score.speed for item in counted if item.score.speed is not None]
    if not speeds:
        withheld.append(Withheld("speed", "every question is unanswered", "an answer with text"))
        return SpeedFigures()
    answers = [item.answer for item in counted if item.graded]
    total_ms = fsum(map(model_ms, answers))
    first_text_ms = [answer.ttft_ms for answer in answers if answer.ttft_ms is not None]
    unseen = Withheld("speed.ttft_p50_ms", "no answer was streamed", "an endpoint that streams")
    return SpeedFigures(
        index=fsum(speeds) / len(speeds),
        mean_model_ms=total_ms / len(answers),
        total_model_ms=total_ms,
        ttft_p50_ms=withheld.given(median(first_text_ms) if first_text_ms else unseen),
        saturated=indices.saturated(speeds),
    )


def _outcomes(counted: Sequence[Counted], rules: Rules, withheld: _Withholding) -> OutcomeFigures | None:
    if not rules.method.outcomes:
        reason = f"method {rules.method.version} has no outcomes"
        return withheld.given(Withheld("outcomes", reason, "a scoring under method 13"))
    n = {outcome: sum(item.score.outcome is outcome for item in counted) for outcome in Outcome}
    correct, incorrect = n[Outcome.CORRECT], n[Outcome.INCORRECT]
    classified = len(counted) - n[Outcome.NO_ANSWER]
    errors = _critical_errors(counted)
    rate = withheld.given(outcomes.wilson(len(errors.confirmed), classified))
    return OutcomeFigures(
        **{outcome.value: number for outcome, number in n.items()},
        critical_errors=errors,
        critical_error_rate=Rate(rate=rate.rate, low=rate.low, high=rate.high, n=classified)
        if rate
        else Rate(n=classified),
        correct_when_attempted=withheld.given(
            outcomes.correct_when_attempted(correct, n[Outcome.PARTIAL], incorrect)
        ),
        wrong_instead_of_abstaining=withheld.given(
            outcomes.wrong_instead_of_abstaining(incorrect, n[Outcome.NOT_ATTEMPTED])
        ),
    )


def _critical_errors(counted: Sequence[Counted]) -> CriticalErrors:
    def resolved(resolution: Resolution) -> tuple[str, ...]:
        return tuple(item.question.id for item in counted if item.score.resolution is resolution)

    return CriticalErrors(
        confirmed=tuple(item.question.id for item in counted if item.score.confirmed_critical_error),
        unresolved=resolved(Resolution.UNRESOLVED),
        overturned=resolved(Resolution.OVERTURNED),
    )


def _panel(counted: Sequence[Counted], rules: Rules, withheld: _Withholding) -> PanelAgreement | None:
    if rules.mode is Mode.SINGLE:
        return withheld.given(Withheld("panel", "one assessor graded the run", "a run graded by a panel"))
    both = [item for item in counted if item.graded]
    a, b = ([item.as_graded(member) for item in both] for member in Member)
    differences = panel.mean_difference(a, b) if both else (None, None)
    if not both:
        for figure in ("panel.mean_absolute", "panel.mean_signed"):
            withheld.append(Withheld(figure, "no answer was graded by both members", "one that both grade"))
    return PanelAgreement(
        n=len(both),
        mean_absolute=differences[0],
        mean_signed=differences[1],
        icc_a1=withheld.given(panel.icc_a1(a, b)),
        disagreements=tuple(item.question.id for item in both if _members_disagree(item, rules.profile)),
        member_index={
            member: indices.weighted_index([item.as_graded(member) for item in counted], _weights(counted))
            for member in Member
        },
    )


def _members_disagree(item: Counted, profile: Profile) -> bool:
    a, b = item.graded[Member.A], item.graded[Member.B]
    return panel.disagrees(a.score, b.score, a.flagged is not b.flagged, profile.reader.disagreement_points)


def _reader(counted: Sequence[Counted], rules: Rules) -> ReaderAgreement | Withheld:
    """How the reader's scores agree with the published ones; a dispute is a panel run's alone (R31, R32)."""
    read = [
        (item, rules.grade(item.answer.reader, item.answer.text))
        for item in counted
        if item.graded and item.answer.reader is not None
    ]
    if not read:
        return Withheld("reader", "no answer was read by a reader", "a run with a reader")
    absolute, signed = panel.mean_difference([i.score.quality for i, _ in read], [r.score for _, r in read])
    disagreements = tuple(
        i.question.id for i, reading in read if _reader_disagrees(i, reading, rules.profile)
    )
    forced = rules.mode is Mode.PANEL
    return ReaderAgreement(
        n=len(read),
        conditioned=not forced and not all(Trigger.ALL in item.answer.triggers for item, _ in read),
        mean_absolute=absolute,
        mean_signed=signed,
        disagreements=disagreements,
        disputed=disagreements if forced else (),
    )


def _reader_disagrees(item: Counted, reading: Graded, profile: Profile) -> bool:
    split = reader_split([grade.flagged for grade in item.graded.values()], reading.flagged)
    return panel.disagrees(item.score.quality, reading.score, split, profile.reader.disagreement_points)


def _regrade(counted: Sequence[Counted], rules: Rules) -> RegradeSensitivity | Withheld:
    """The index with the evidence-informed re-grades in place; single-assessor runs only (R35)."""
    regrades = {
        item.question.id: rules.grade(item.answer.regrade, item.answer.text).score
        for item in counted
        if rules.mode is Mode.SINGLE and item.graded and item.answer.regrade is not None
    }
    if not regrades:
        return Withheld("regrade", "no answer was graded again", "findings that contest a single assessor")
    revised = [regrades.get(item.question.id, item.score.quality) for item in counted]
    index = indices.weighted_index(revised, _weights(counted))
    published = indices.weighted_index([item.score.quality for item in counted], _weights(counted))
    return RegradeSensitivity(n=len(regrades), index=index, difference=index - published)


def _markers(counted: Sequence[Counted]) -> MarkerCounts:
    """Recorded points, and those beside a deduction on their dimension that names no defect (R28)."""
    verdicts = [item.answer.verdicts[member] for item in counted for member in item.graded]
    return MarkerCounts(
        out_of_scope=sum(verdict.markers.out_of_scope for verdict in verdicts),
        form=sum(verdict.markers.form for verdict in verdicts),
        beside_unexplained=sum(
            verdict.markers.out_of_scope * unexplained(verdict, Dimension.COMPLETENESS)
            + verdict.markers.form * unexplained(verdict, Dimension.READABILITY)
            for verdict in verdicts
        ),
    )
