"""Everything that went wrong in a run, was flagged, or bears on how its figures may be read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from gnollbench.records.figures import Standing, standing
from gnollbench.records.run import Answer, Mode
from gnollbench.reports.text import counted, number, signed, words
from gnollbench.reports.view import Judgement, Reply, View, cost_row
from gnollbench.scoring.outcomes import Integrity
from gnollbench.scoring.verdict import Citation, FlagName, Ruling


class Topic(StrEnum):
    """What an issue is about, the gravest first; the value is its heading."""

    EXCLUDED = "Answers that do not count"
    MISSING = "Parts that are missing"
    CRITICAL = "Critical errors"
    DISPUTED = "Disputed answers"
    DISAGREEMENT = "Members far apart"
    LIMITS = "Limits and integrity"
    REFUTED = "Refuted claims"
    FLAGS = "Consistency flags"
    EXAM = "The exam"
    READING = "How the figures may be read"
    LAUNCH = "Warnings and acknowledgements"
    COST = "Cost"


@dataclass(frozen=True, slots=True)
class Issue:
    """One issue: the questions that it concerns, and what it is."""

    topic: Topic
    text: str
    questions: tuple[str, ...] = ()


def issues_of(view: View) -> dict[Topic, list[Issue]]:
    """Return the issues of a run by topic, the gravest topic first; a topic without one is left out."""
    found = [issue for source in _SOURCES for issue in source(view)]
    by_topic = {topic: [issue for issue in found if issue.topic is topic] for topic in Topic}
    return {topic: issues for topic, issues in by_topic.items() if issues}


def _excluded(view: View) -> Iterator[Issue]:
    for answer in view.record.answers:
        if standing(answer, view.record.run.mode) is Standing.MISSING:
            lacking = [m for m in view.record.run.mode.members if m not in answer.verdicts]
            why = "; ".join(f"{member}: {_why(answer, member)}" for member in lacking)
            yield Issue(Topic.EXCLUDED, f"no verdict of every member ({why})", (answer.question,))
        failure = answer.failure
        if failure is not None:
            code = f" {failure.code}" if failure.code else ""
            message = f": {failure.message}" if failure.message else ""
            text = f"failure of the {failure.source}, {words(failure.kind)}{code}{message}"
            yield Issue(Topic.EXCLUDED, text, (answer.question,))
        elif standing(answer, view.record.run.mode) is Standing.FAILED:
            yield Issue(Topic.EXCLUDED, "transport defect, its failure not recorded", (answer.question,))


def _missing(view: View) -> Iterator[Issue]:
    for answer in view.record.answers:
        for part in ("reader", "regrade"):
            if part in answer.unscored:
                name = {"reader": "the reading", "regrade": "the re-grade"}[part]
                yield Issue(Topic.MISSING, f"{name} is missing: {_why(answer, part)}", (answer.question,))
    for synthesis in view.record.syntheses:
        if synthesis.unscored is not None:
            why = f"{words(synthesis.unscored.code)} {synthesis.unscored.message}".strip()
            yield Issue(Topic.MISSING, f"the synthesis of member {synthesis.member} is missing: {why}")


def _critical(view: View) -> Iterator[Issue]:
    for reply in view.replies:
        charges: dict[tuple[str, str], list[str]] = {}
        for judgement in reply.judgements:
            charge = judgement.verdict.critical_error
            if charge is not None and judgement.judge in ("a", "b"):
                key = _fate(reply, judgement), charge.quote
                charges.setdefault(key, []).append(judgement.judge)
        for (fate, quote), judges in charges.items():
            text = f"{fate}; quoted by {' and '.join(judges)}: “{quote}”"
            yield Issue(Topic.CRITICAL, text, (reply.question.id,))


def _fate(reply: Reply, judgement: Judgement) -> str:
    """What became of a member's critical error (R21, R36)."""
    if not judgement.grade.flagged:
        return "void, because the quote does not occur in the answer"
    if reply.answer.score is None:
        return "the answer does not count"
    return str(reply.answer.score.resolution or "confirmed by the single assessor")


def _disputed(view: View) -> Iterator[Issue]:
    for reply in view.replies:
        score = reply.answer.score
        readings = [entry.grade.score for entry in reply.judgements if entry.judge == "reader"]
        if reply.answer.disputed and score is not None and readings:
            text = f"published {number(score.quality)}, reference reader {readings[0]}: for a human to settle"
            yield Issue(Topic.DISPUTED, text, (reply.question.id,))


def _disagreements(view: View) -> Iterator[Issue]:
    agreement = view.record.results and view.record.results.panel
    apart = set(agreement.disagreements) if agreement else set[str]()
    for reply in view.replies:
        if reply.question.id in apart:
            a, b = (j.grade for j in reply.judgements if j.judge in ("a", "b"))
            split = ", split on the critical error" if a.flagged is not b.flagged else ""
            text = f"a {a.score}, b {b.score}: {signed(b.score - a.score, 0)} points{split}"
            yield Issue(Topic.DISAGREEMENT, text, (reply.question.id,))


def _limits(view: View) -> Iterator[Issue]:
    for answer in view.record.answers:
        if answer.limits_hit:
            caps = ", ".join(words(hit) for hit in answer.limits_hit)
            yield Issue(Topic.LIMITS, f"cap reached: {caps}", (answer.question,))
        if answer.integrity is Integrity.UNANSWERED:
            yield Issue(Topic.LIMITS, "no answer was produced: quality 0", (answer.question,))
        if answer.integrity is Integrity.RECOVERED:
            yield Issue(
                Topic.LIMITS, "artifacts were scrubbed; the text beneath was graded", (answer.question,)
            )
        if answer.finish_reason in ("refused", "unknown"):
            yield Issue(Topic.LIMITS, f"finish reason: {answer.finish_reason}", (answer.question,))


def _refuted(view: View) -> Iterator[Issue]:
    for answer in view.record.answers:
        refuted: dict[tuple[str, str], list[str]] = {}
        for claim in answer.claims:
            if claim.effective_ruling is Ruling.REFUTED and claim.citation is not None:
                refuted.setdefault((claim.quote, cited(claim.citation)), []).append(words(claim.kind))
        for (quote, where), kinds in refuted.items():
            yield Issue(Topic.REFUTED, f"“{quote}” ({', '.join(kinds)}), by {where}", (answer.question,))


def _flags(view: View) -> Iterator[Issue]:
    for name in FlagName:
        raised = [
            (answer.question, flag)
            for answer in view.record.answers
            for flag in answer.flags
            if flag.name is name
        ]
        if raised:
            questions = tuple(dict.fromkeys(question for question, _ in raised))
            yield Issue(Topic.FLAGS, f"{words(name)}, raised {counted(len(raised), 'time')}", questions)


def _exam(view: View) -> Iterator[Issue]:
    if view.not_asked:
        yield Issue(Topic.EXAM, "not asked, so that this is no exam and has no indices", view.not_asked)
    if view.unreviewed:
        yield Issue(Topic.EXAM, "written by a model and reviewed by no human yet", view.unreviewed)
    for reply in view.replies:
        for fact in reply.question.board_missing or ():
            text = f"a board fact of the rubric is not in the snapshot verbatim: “{fact}”"
            yield Issue(Topic.EXAM, text, (reply.question.id,))


def _reading(view: View) -> Iterator[Issue]:
    results = view.record.results
    if view.trailing is not None:
        style = view.style
        cause = (
            f"the response style is {style}, so the concise style does not explain it"
            if style not in (None, "concise")
            else "under the concise style that may be obedience, not inability; "
            "a controlled run in the verbose style tells the two apart"
        )
        text = f"Completeness trails Accuracy by {number(view.trailing)} points: {cause}"
        yield Issue(Topic.READING, text)
    if results is not None and results.speed.saturated:
        text = (
            "at least half the answers score 100 on speed: the Speed Index no longer tells fast models apart"
        )
        yield Issue(Topic.READING, text)
    if results is not None and results.reader is not None and results.reader.conditioned:
        text = "the reader's agreement is conditioned: it is measured on answers that the assessor itself doubted"
        yield Issue(Topic.READING, text)
    if view.record.run.mode is Mode.PANEL and results is not None and results.reader is None:
        yield Issue(Topic.READING, "no reference reader anchors the panel's balance")


def _launch(view: View) -> Iterator[Issue]:
    for text in view.record.run.acknowledgements:
        yield Issue(Topic.LAUNCH, f"acknowledged: {text}")
    for text in view.record.run.warnings:
        yield Issue(Topic.LAUNCH, text)


def _cost(view: View) -> Iterator[Issue]:
    for role, cost in view.record.costs.items():
        if cost_row(cost).at_least:
            reason = cost.reason or "no price or no usage is known"
            what = "is not known" if cost.usd is None else "is known in part only"
            yield Issue(Topic.COST, f"the cost of the {words(role)} {what}: {reason}")


def _why(answer: Answer, part: str) -> str:
    unscored = {str(name): why for name, why in answer.unscored.items()}.get(part)
    return f"{words(unscored.code)} {unscored.message}".strip() if unscored else "no reason is recorded"


def cited(citation: Citation) -> str:
    """Return where a citation points, with its lines."""
    lines = f", lines {citation.lines}" if citation.lines else ""
    return f"{citation.kind} {citation.where}{lines}"


_SOURCES: tuple[Callable[[View], Iterator[Issue]], ...] = (
    _excluded,
    _missing,
    _critical,
    _disputed,
    _disagreements,
    _limits,
    _refuted,
    _flags,
    _exam,
    _reading,
    _launch,
    _cost,
)
