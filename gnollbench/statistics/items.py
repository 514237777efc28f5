"""Item analysis: how each question at a revision behaves over stored runs (R53).

Nothing here is ever written back into an assessed difficulty (R8): a difficulty that came from the scores
it weights would be circular.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum
from typing import Any

import numpy as np

from gnollbench.errors import Withheld
from gnollbench.records.run import Answer, ExamQuestion, RunRecord
from gnollbench.statistics.intervals import Vector, too_few
from gnollbench.statistics.ledger import Ledger
from gnollbench.statistics.runs import counting, distinct

RUNS_FOR_ITEMS = 4  # R3, R53: runs that scored an item, from which it is analysed
SATURATED_MEAN, SATURATED_SPREAD = 97, 3  # R53, in points
MISCALIBRATED = 25  # R53: points between empirical and assessed difficulty
UNSTABLE_SPREAD = 30  # R53, in points
BUDGET_SHARE, BUDGET_RUNS = 0.9, 0.5  # R53: used share of the tool budget, and the share of runs that used it


class ItemFlag(StrEnum):
    """The six flags of an item; the last two confound its other statistics (R53)."""

    SATURATED = "saturated"
    MISCALIBRATED = "miscalibrated"
    UNSTABLE = "unstable"
    BUDGET_BOUND = "budget_bound"
    ASSESSOR_CONFOUNDED = "assessor_confounded"
    SCORING_METHOD_MIXED = "scoring_method_mixed"


CONFOUNDS = frozenset({ItemFlag.ASSESSOR_CONFOUNDED, ItemFlag.SCORING_METHOD_MIXED})


@dataclass(frozen=True, slots=True)
class Observation:
    """One run's scored answer to an item; ``quality`` 0-100."""

    run: RunRecord
    question: ExamQuestion
    answer: Answer
    quality: float


def items(records: Sequence[RunRecord]) -> dict[str, Any]:
    """Return the item analysis over stored runs: the JSON of ``gnollbench items``.

    Runs that were broken off take no part: they get no score (R41). A row is one question at one revision;
    where fewer than four runs scored it, it shows its counts and is marked insufficient.
    """
    runs = [record for record in distinct(records) if not record.run.status.aborted]
    ledger = Ledger()
    rows = [_row(observations, ledger) for observations in by_item(runs)]
    return {"n_runs": len(runs), "items": rows, "withheld": ledger.document()}


def by_item(runs: Sequence[RunRecord]) -> list[list[Observation]]:
    """Return the scored answers grouped by question and revision, as each run's own exam has them."""
    found: dict[tuple[str, str], list[Observation]] = {}
    for run in runs:
        exam = {question.id: question for question in run.exam.questions}
        for answer, score in counting(run):
            question = exam[answer.question]
            observation = Observation(run, question, answer, score.quality)
            found.setdefault((question.id, question.revision), []).append(observation)
    return [found[item] for item in sorted(found)]


def discrimination(qualities: Sequence[float], indices: Sequence[float | None]) -> float | Withheld:
    """Return the mean quality in the top half of the runs by index minus that in the bottom half (R53).

    Parameters
    ----------
    qualities : sequence of float
        The item's quality in each run, 0-100.
    indices : sequence of float or None
        Each run's Intelligence Index. A run without one takes no part, nor does the middle run of an odd
        number.

    Returns
    -------
    float or Withheld
        In points. Withheld where two runs do not remain, and where it hangs on the order of runs of equal
        index.
    """
    pairs = [(index, q) for index, q in zip(indices, qualities, strict=True) if index is not None]
    half = len(pairs) // 2
    if half == 0:
        return too_few("discrimination", len(pairs), "run with an index", 2)
    most = _top_minus_bottom(sorted(pairs), half)
    least = _top_minus_bottom(sorted(pairs, key=lambda pair: (pair[0], -pair[1])), half)
    if most != least:
        return Withheld("discrimination", "runs of equal index stand where the halves meet", "more runs")
    return most


def is_saturated(quality: Vector) -> bool:
    """Tell whether nearly every run scores full marks: mean at least 97, spread at most 3 (R53)."""
    return float(quality.mean()) >= SATURATED_MEAN and float(np.ptp(quality)) <= SATURATED_SPREAD


def is_miscalibrated(quality: Vector, difficulty: float) -> bool:
    """Tell whether empirical (100 - mean) and assessed difficulty lie 25 points or more apart (R53)."""
    return abs(100 - float(quality.mean()) - difficulty) >= MISCALIBRATED


def is_budget_bound(tool_calls: Sequence[int], budgets: Sequence[int | None]) -> bool | Withheld:
    """Tell whether at least half the runs used 90 % of their tool budget (R53).

    Withheld where a run does not record its budget.
    """
    known = [budget for budget in budgets if budget is not None]
    if len(known) < len(budgets):
        return Withheld("budget_bound", "a run does not record its tool budget", "runs that record it")
    used = sum(calls >= BUDGET_SHARE * budget for calls, budget in zip(tool_calls, known, strict=True))
    return used >= BUDGET_RUNS * len(known)


def _top_minus_bottom(ranked: Sequence[tuple[float, float]], half: int) -> float:
    top, bottom = ranked[-half:], ranked[:half]
    return (fsum(quality for _, quality in top) - fsum(quality for _, quality in bottom)) / half


def _row(observations: Sequence[Observation], ledger: Ledger) -> dict[str, Any]:
    item = observations[0].question
    subject = f"{item.id} ({item.revision})"
    counts, difficulty = _counts(observations), _difficulty(observations)
    figures = {**_figures(observations), "difficulty": difficulty}
    marks = _marks(observations, counts, difficulty)
    held = [mark for mark, value in marks.items() if ledger.take(f"items.{mark}", value, subject)]
    return {
        "question": item.id,
        "revision": item.revision,
        **counts,
        **{name: ledger.take(f"items.{name}", value, subject) for name, value in figures.items()},
        "flags": [str(mark) for mark in held],
        "confounded": not CONFOUNDS.isdisjoint(held),
        "insufficient": not _enough(observations),
    }


def _enough(observations: Sequence[Observation]) -> bool:
    return len(observations) >= RUNS_FOR_ITEMS


def _counts(observations: Sequence[Observation]) -> dict[str, int]:
    """Count what a mean was taken over: three runs of one model say something else than twelve of four."""
    keys = [seen.run.keys for seen in observations]
    return {
        "runs": len(observations),
        "models": len({(key["provider"].hash, key["model"].hash) for key in keys}),
        "assessors": len({key["assessor"].hash for key in keys}),
        "methods": len({seen.run.run.scoring_method for seen in observations}),
    }


def _difficulty(observations: Sequence[Observation]) -> int | Withheld:
    rated = {seen.question.difficulty for seen in observations}
    if len(rated) == 1:
        return rated.pop()
    return Withheld("difficulty", "the runs were rated differently", "runs under one rating")


def _figures(observations: Sequence[Observation]) -> dict[str, float | Withheld]:
    if not _enough(observations):
        few = too_few("item", len(observations), "scored run", RUNS_FOR_ITEMS)
        return dict.fromkeys(("mean", "spread", "empirical_difficulty", "discrimination"), few)
    quality = [seen.quality for seen in observations]
    results = [seen.run.results for seen in observations]
    mean = float(np.mean(quality))
    return {
        "mean": mean,
        "spread": max(quality) - min(quality),
        "empirical_difficulty": 100 - mean,
        "discrimination": discrimination(quality, [r and r.intelligence.index for r in results]),
    }


def _marks(
    observations: Sequence[Observation], counts: Mapping[str, int], difficulty: int | Withheld
) -> dict[ItemFlag, bool | Withheld]:
    """Return which flags hold; none is tried below four runs."""
    if not _enough(observations):
        return {}
    quality = np.array([seen.quality for seen in observations])
    answers = [seen.answer for seen in observations]
    return {
        ItemFlag.SATURATED: is_saturated(quality),
        ItemFlag.MISCALIBRATED: difficulty
        if isinstance(difficulty, Withheld)
        else is_miscalibrated(quality, difficulty),
        ItemFlag.UNSTABLE: float(np.ptp(quality)) >= UNSTABLE_SPREAD,
        ItemFlag.BUDGET_BOUND: is_budget_bound(
            [answer.tool_calls for answer in answers], [answer.tool_call_budget for answer in answers]
        ),
        ItemFlag.ASSESSOR_CONFOUNDED: counts["assessors"] > 1,
        ItemFlag.SCORING_METHOD_MIXED: counts["methods"] > 1,
    }
