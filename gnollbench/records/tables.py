"""Runs as pandas tables: answers, verdicts, claims, costs, keys.

Each function takes a run, or any iterable of runs (a group, a set), and gives one row a thing with the run's
id first, so that tables of one set join on ``run`` and ``question``. A figure that is withheld or unknown is
missing (``NaN``, ``None``), never 0. pandas is imported inside.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gnollbench.records.canonical import canonical_json
from gnollbench.records.run import Answer, ExamQuestion, Role, RunRecord
from gnollbench.records.scores import Rules, model_ms, rules_of
from gnollbench.scoring.outcomes import Integrity
from gnollbench.scoring.verdict import Dimension, Verdict

if TYPE_CHECKING:
    import pandas as pd

Runs = RunRecord | Iterable[RunRecord]
Row = dict[str, Any]

ANSWERS = (
    "run candidate question band difficulty revision quality outcome resolution critical_error integrity "
    "limits_hit disputed model_ms turn_ms tool_ms ttft_ms speed model_calls tool_calls tool_rounds text"
).split()
VERDICTS = (
    "run question grader model accuracy completeness conciseness readability score critical_error "
    "critical_error_quote not_attempted unverified charges out_of_scope form"
).split()
CLAIMS = "run question kind quote raised_by ruling original_ruling citation_kind where lines reason".split()
COSTS = "run candidate role input_tokens output_tokens usd reason".split()
KEYS = "run key kind value hash".split()

_MAY_BE_MISSING = {
    **dict.fromkeys("quality model_ms ttft_ms speed input_tokens output_tokens usd".split(), "float64"),
    "critical_error": "boolean",
}


def answers_table(runs: Runs) -> "pd.DataFrame":
    """Return one row an answer: what was asked, how it scored, how long it took (times in ms).

    ``quality`` and ``speed`` are 0-100 and missing where the answer is excluded or the record is not scored;
    ``speed`` and ``model_ms`` are missing for an unanswered question too (R37, R38, R40, R41).
    """
    return _table(ANSWERS, (_answer(run, *pair) for run in _each(runs) for pair in _asked(run)))


def verdicts_table(runs: Runs) -> "pd.DataFrame":
    """Return one row a verdict: the members' ``a`` and ``b``, the ``reader``'s, a ``regrade``'s.

    Levels are 0-6; ``score`` is the verdict's own under the run's rules, before any resolution;
    ``critical_error`` says whether one is charged by a quote that the answer has (R19-R23, R31, R35).
    """
    return _table(VERDICTS, (row for run in _each(runs) for row in _verdicts(run)))


def claims_table(runs: Runs) -> "pd.DataFrame":
    """Return one row a claim that the verifier checked; ``ruling`` as it counts (R33, R34)."""
    return _table(CLAIMS, (row for run in _each(runs) for row in _claims(run)))


def costs_table(runs: Runs) -> "pd.DataFrame":
    """Return one row a run and role: tokens and US dollars; what is known in part only is missing, with why (R39)."""
    return _table(COSTS, (row for run in _each(runs) for row in _costs(run)))


def keys_table(runs: Runs) -> "pd.DataFrame":
    """Return one row a run and comparability key, 27 a run; composite values as canonical JSON (R43)."""
    return _table(KEYS, (row for run in _each(runs) for row in _keys(run)))


def _table(columns: Sequence[str], rows: Iterable[Row]) -> "pd.DataFrame":
    import pandas as pd

    frame: Any = pd.DataFrame(list(rows), columns=list(columns))
    return frame.astype({name: kind for name, kind in _MAY_BE_MISSING.items() if name in columns})


def _each(runs: Runs) -> Iterable[RunRecord]:
    return [runs] if isinstance(runs, RunRecord) else runs


def _asked(run: RunRecord) -> Iterator[tuple[ExamQuestion, Answer]]:
    exam = {question.id: question for question in run.exam.questions}
    return ((exam[answer.question], answer) for answer in run.answers)


def _candidate(run: RunRecord) -> str | None:
    identity = run.models.get(Role.CANDIDATE)
    return f"{identity.provider}/{identity.model}" if identity else None


def _answer(run: RunRecord, question: ExamQuestion, answer: Answer) -> Row:
    score = answer.score
    timed = answer.failure is None and answer.integrity is not Integrity.UNANSWERED
    return {
        "run": run.run.id,
        "candidate": _candidate(run),
        "question": question.id,
        "band": str(question.band),
        "difficulty": question.difficulty,
        "revision": question.revision,
        "quality": score and score.quality,
        "outcome": score and _word(score.outcome),
        "resolution": score and _word(score.resolution),
        "critical_error": score and score.confirmed_critical_error,
        "integrity": str(answer.integrity),
        "limits_hit": ", ".join(answer.limits_hit),
        "disputed": answer.disputed,
        "model_ms": model_ms(answer) if timed else None,
        "turn_ms": answer.turn_ms,
        "tool_ms": answer.tool_ms,
        "ttft_ms": answer.ttft_ms,
        "speed": score and score.speed,
        "model_calls": answer.model_calls,
        "tool_calls": answer.tool_calls,
        "tool_rounds": answer.tool_rounds,
        "text": answer.text,
    }


def _verdicts(run: RunRecord) -> Iterator[Row]:
    rules = rules_of(run)
    for answer in run.answers:
        graders: Mapping[str, Verdict | None] = {
            **{str(member): verdict for member, verdict in answer.verdicts.items()},
            "reader": answer.reader,
            "regrade": answer.regrade,
        }
        for grader, verdict in graders.items():
            if verdict is not None:
                yield {"run": run.run.id, "question": answer.question, "grader": grader} | _verdict(
                    verdict, answer, rules
                )


def _verdict(verdict: Verdict, answer: Answer, rules: Rules) -> Row:
    graded = rules.grade(verdict, answer.text)
    error = verdict.critical_error
    return {
        "model": verdict.model,
        **{str(dimension): verdict.levels.of(dimension) for dimension in Dimension},
        "score": graded.score,
        "critical_error": graded.flagged,
        "critical_error_quote": error and error.quote,
        "not_attempted": verdict.not_attempted,
        "unverified": len(verdict.unverified_claims),
        "charges": len(verdict.charges),
        "out_of_scope": verdict.markers.out_of_scope,
        "form": verdict.markers.form,
    }


def _claims(run: RunRecord) -> Iterator[Row]:
    for answer in run.answers:
        for claim in answer.claims:
            citation = claim.citation
            yield {
                "run": run.run.id,
                "question": answer.question,
                "kind": str(claim.kind),
                "quote": claim.quote,
                "raised_by": ", ".join(claim.raised_by),
                "ruling": str(claim.effective_ruling),
                "original_ruling": str(claim.original_ruling),
                "citation_kind": citation and str(citation.kind),
                "where": citation and citation.where,
                "lines": citation and citation.lines,
                "reason": claim.reason,
            }


def _costs(run: RunRecord) -> Iterator[Row]:
    for role, cost in run.costs.items():
        yield {
            "run": run.run.id,
            "candidate": _candidate(run),
            "role": str(role),
            "input_tokens": None if cost.unmetered else cost.input_tokens,
            "output_tokens": None if cost.unmetered else cost.output_tokens,
            "usd": cost.whole_usd,
            "reason": cost.reason,
        }


def _keys(run: RunRecord) -> Iterator[Row]:
    for name, key in run.keys.items():
        value = key.value if isinstance(key.value, str) else canonical_json(key.value)
        yield {"run": run.run.id, "key": name, "kind": str(key.kind), "value": value, "hash": key.hash}


def _word(value: object | None) -> str | None:
    return None if value is None else str(value)
