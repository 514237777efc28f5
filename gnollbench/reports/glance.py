"""A run at a glance: some twenty plain lines for a terminal."""

from collections.abc import Iterator
from pathlib import PurePath

from gnollbench.records.results import Results
from gnollbench.records.run import Role, RunRecord
from gnollbench.reports.issues import issues_of
from gnollbench.reports.text import counted, duration, number, percent, signed, visible, words
from gnollbench.reports.view import View, cost_row
from gnollbench.scoring.outcomes import Integrity, RunStatus

_NAMES = 16  # columns of the lines' names


def glance(record: RunRecord) -> str:
    """Return what a person wants to know first of a scored run, one line a figure, without a last line end."""
    lines = [(name, " ".join(visible(text).replace("*", "").split())) for name, text in _lines(View(record))]
    return "\n".join(f"{name:<{_NAMES}}{text}" for name, text in lines)


def _lines(view: View) -> Iterator[tuple[str, str]]:
    record = view.record
    yield "run", f"{record.run.name or '(no name)'} · {record.run.id}"
    yield "status", words(record.run.status)
    if record.run.status in (RunStatus.FAILED, RunStatus.CANCELED):  # a repair may have made it whole
        yield from (("", warning) for warning in record.run.warnings if " was broken off: " in warning)
    if view.embedded:
        roles = ", ".join(words(role) for role in view.embedded)
        yield "EMBEDDED", f"{roles}: no language model; the scores say nothing about one"
    asked, questions = len(record.answers), len(record.exam.questions)
    yield "suite", f"{record.exam.suite}, {asked} of {questions} questions asked"
    yield "graded by", f"{record.run.mode}, method {record.run.scoring_method}, profile {record.profile.name}"
    for role, model in record.models.items():
        yield words(role), f"{model.provider}/{model.model}"
    yield from _figures(record.results) if record.results else (("indices", _no_indices(view)),)
    yield "cost", _cost(view)
    yield "integrity", ", ".join(f"{n} {words(bucket)}" for bucket, n in _buckets(view) if n) or "no answer"
    yield "issues", _issues(view)
    yield from (
        ("withheld", f"{entry.figure}: {entry.reason}") for entry in record.withheld if record.results
    )
    outputs = record.config.get("outputs")
    if isinstance(outputs, str):
        yield "files", str(PurePath(outputs, record.run.id))


def _figures(results: Results) -> Iterator[tuple[str, str]]:
    own, speed, outcomes, panel, reader = (
        results.intelligence,
        results.speed,
        results.outcomes,
        results.panel,
        results.reader,
    )
    yield (
        "intelligence",
        f"{number(own.index)}, {_interval(own.low, own.high)}, "
        f"unweighted {number(own.unweighted)}, {own.n} of {own.n_questions} questions",
    )
    saturated = " (saturated)" if speed.saturated else ""
    yield "speed", f"{number(speed.index)}{saturated}, mean model time {duration(speed.mean_model_ms)}"
    if outcomes:
        yield (
            "outcomes",
            f"{outcomes.correct} correct, {outcomes.partial} partial, {outcomes.incorrect} incorrect, "
            f"{outcomes.not_attempted} not attempted, {outcomes.no_answer} without answer",
        )
        errors, rate = outcomes.critical_errors, outcomes.critical_error_rate
        yield (
            "critical errors",
            f"{len(errors.confirmed)} confirmed ({percent(rate.rate)}, {percent(rate.low)} to "
            f"{percent(rate.high)}), {len(errors.unresolved)} unresolved, {len(errors.overturned)} overturned",
        )
    if panel:
        yield (
            "panel",
            f"mean difference {number(panel.mean_absolute)}, b − a {signed(panel.mean_signed)}, "
            f"ICC(A,1) {number(panel.icc_a1, 2)}, {len(panel.disagreements)} of {panel.n} far apart",
        )
    if reader:
        conditioned = ", conditioned" if reader.conditioned else ""
        yield (
            "reader",
            f"mean difference {number(reader.mean_absolute)} over {counted(reader.n, 'answer')}"
            f"{conditioned}, {len(reader.disputed)} disputed",
        )


def _interval(low: float | None, high: float | None) -> str:
    known = low is not None and high is not None
    return f"95 % {number(low)} to {number(high)}" if known else "interval withheld"


def _no_indices(view: View) -> str:
    reasons = [entry.reason for entry in view.record.withheld if entry.figure == "results"]
    return f"none: {'; '.join(reasons) or 'no reason is recorded'}"


def _cost(view: View) -> str:
    total, own = view.total_cost, view.record.costs.get(Role.CANDIDATE)
    if total is None:
        return "not recorded"
    candidate = f", candidate {cost_row(own).text}" if own else ""
    return f"{total.text}{candidate}"


def _buckets(view: View) -> list[tuple[Integrity, int]]:
    return list(reversed(view.integrity.items()))


def _issues(view: View) -> str:
    by_topic = issues_of(view)
    topics = ", ".join(f"{topic.lower()} {len(issues)}" for topic, issues in by_topic.items())
    total = sum(map(len, by_topic.values()))
    return f"{total}: {topics}" if total else "none"
