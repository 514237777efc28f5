"""Several models side by side: each source one point, never pooled (R51).

There is no cost per index point (a ratio of two noisy estimates) and no all-pairs significance matrix
(uncorrected multiple testing), here or in any report.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gnollbench.errors import Refusal, Withheld
from gnollbench.records.run import KeyKind, Role, RunRecord
from gnollbench.scoring.indices import saturated
from gnollbench.statistics.comparability import Comparability, comparability
from gnollbench.statistics.costs import role_usd, run_usd
from gnollbench.statistics.estimate import Estimate, estimate
from gnollbench.statistics.families import judge_families
from gnollbench.statistics.intervals import Vector, too_few
from gnollbench.statistics.ledger import Ledger
from gnollbench.statistics.replicates import index_figures
from gnollbench.statistics.runs import counting, graded_answers, keys_of, publishing

# Speed compares only within one thinking level and one timing mode (R38).
TIMING_KEYS = frozenset({"thinking_level", "question_parallelism", "speed_calibration"})


def models(sources: Mapping[str, Sequence[RunRecord]]) -> dict[str, Any]:
    """Return several models side by side: the JSON of ``gnollbench models``.

    Parameters
    ----------
    sources : mapping
        Source name (a run or a group) to its runs. The first is the reference.

    Raises
    ------
    Refusal
        If the reference has no run with results or its runs may not be pooled.
    """
    ledger = Ledger()
    runs = {name: publishing(records, ledger) for name, records in sources.items()}
    reference = next(iter(sources))
    reasons = {name: not_measured(source, runs[reference]) for name, source in runs.items()}
    unfit = reasons[reference]
    if unfit is not None:
        raise Refusal(f"{reference} cannot be the reference", unfit, "name another source first")
    measured = {name: source for name, source in runs.items() if reasons[name] is None}
    return {
        "reference": reference,
        "sources": [_source(name, runs, reasons[name], reference, ledger) for name in runs],
        "judge_families": judge_families(measured, ledger.within("judge_families")),
        "withheld": ledger.document(),
    }


def not_measured(runs: Sequence[RunRecord], reference: Sequence[RunRecord]) -> str | None:
    """Return why a source is listed without measures; None where it is measured (R51)."""
    if not runs or not reference:
        return "no run publishes results"
    own = comparability(keys_of(runs))
    if not own.poolable:
        return f"its runs may not be pooled. {own.explanation}"
    both = comparability(keys_of(reference) | keys_of(runs))
    moved = [*both.unknown, *both.changed(KeyKind.FUNDAMENTAL), *both.instrument_moved]
    if not moved:
        return None
    differences = [str(difference) for difference in both.differences if difference.key in moved]
    unknown = [f"{key} is unknown" for key in both.unknown]
    return f"another exam or instrument than the reference. {'; '.join(unknown + differences)}"


def _source(
    name: str, runs: Mapping[str, Sequence[RunRecord]], reason: str | None, reference: str, ledger: Ledger
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": name,
        "measured": reason is None,
        "reason": reason,
        "n_runs": len(runs[name]),
    }
    if reason is not None:
        unmeasured = Withheld("measures", reason, "runs under the reference's exam and instrument")
        return row | dict.fromkeys(
            ("intelligence", "speed", "cost"), ledger.take(f"sources.{name}", unmeasured)
        )
    own, within = runs[name], ledger.within(f"sources.{name}")
    both = comparability(keys_of(runs[reference]) | keys_of(own))
    return row | {
        "intelligence": index_figures(own, within.within("intelligence")),
        "speed": _speed(own, both, within.within("speed")),
        "cost": _cost(own, within.within("cost")),
        "degraded": comparability(keys_of(own)).degraded,
    }


def _speed(runs: Sequence[RunRecord], with_reference: Comparability, ledger: Ledger) -> dict[str, Any]:
    """Return the four speed axes (R38), those of each run with the interval over the runs."""
    speeds = [score.speed for run in runs for _, score in counting(run) if score.speed is not None]
    waits = [answer.ttft_ms for answer in graded_answers(runs) if answer.ttft_ms is not None]
    ttft = float(np.median(waits)) if waits else too_few("ttft", 0, "streamed answer", 1)
    full = saturated(speeds) if speeds else too_few("saturated", 0, "timed answer", 1)
    axes = ("mean_model_ms", "total_model_ms", "index")
    return {
        **{axis: estimate(axis, _of_each_run(axis, runs), ledger) for axis in axes},
        "ttft_p50_ms": ledger.take("ttft_p50_ms", ttft),
        "saturated": ledger.take("saturated", full),
        "comparable": not TIMING_KEYS.intersection(with_reference.changed()),
    }


def _of_each_run(axis: str, runs: Sequence[RunRecord]) -> Vector | Withheld:
    figures = [getattr(run.results.speed, axis) for run in runs if run.results is not None]
    if None in figures:
        return Withheld(axis, "a run has no timed answer", "runs with timed answers")
    return np.array(figures, dtype=np.float64)


def _cost(runs: Sequence[RunRecord], ledger: Ledger) -> dict[str, Estimate]:
    """Return what a run cost, in US dollars: the candidate alone, and every role of the run together."""
    return {
        "candidate_usd": estimate("candidate_usd", role_usd(Role.CANDIDATE, runs), ledger),
        "total_usd": estimate("total_usd", run_usd(runs), ledger),
    }
