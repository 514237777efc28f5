"""Repeated runs of one configuration, from their records (R46-R49).

Run-to-run variance mixes candidate and grader: each run makes a new answer that is graded once.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gnollbench.errors import Withheld
from gnollbench.records.run import Answer, Role, RunRecord
from gnollbench.records.scores import model_ms
from gnollbench.scoring.indices import interval
from gnollbench.scoring.verdict import Dimension
from gnollbench.statistics.comparability import comparability, require_poolable
from gnollbench.statistics.costs import role_usd, roles_with_cost
from gnollbench.statistics.intervals import combined_half_width, sample_sd, too_few
from gnollbench.statistics.ledger import Ledger
from gnollbench.statistics.multirun import coefficient_of_variation, item_statistics, multi_run_index
from gnollbench.statistics.runs import counting, graded_answers, keys_of, quality_grid, with_results


def replicates(records: Sequence[RunRecord]) -> dict[str, Any]:
    """Return the multi-run statistics of one replicate set: the JSON of ``gnollbench replicates``.

    Runs without results are left out and named in ``withheld``.

    Raises
    ------
    Refusal
        If no run publishes results, or the runs are not of tier A or B.
    """
    ledger = Ledger()
    runs = with_results("pooling runs", records, ledger)
    verdict = comparability(keys_of(runs))
    require_poolable("pooling runs is refused", verdict)
    return {
        "n_runs": len(runs),
        "tier": str(verdict.tier),
        **index_figures(runs, ledger),
        "items": [_item(question.id, runs, ledger) for question in runs[0].exam.questions],
        "dimensions": {str(dimension): _dimension(dimension, runs, ledger) for dimension in Dimension},
        "speed": _speed(runs, ledger),
        "cost": {str(role): _cost(role, runs, ledger) for role in roles_with_cost(runs)},
        "degraded": verdict.degraded,
        "withheld": ledger.document(),
    }


def index_figures(runs: Sequence[RunRecord], ledger: Ledger) -> dict[str, Any]:
    """Return index, error sources and interval of runs that may be pooled (R47, R48)."""
    difficulties = {question.id: question.difficulty for question in runs[0].exam.questions}
    weight = np.array(list(difficulties.values()), dtype=np.float64)
    figures = multi_run_index(quality_grid(runs, list(difficulties)), weight)
    row = ledger.row(figures)
    half_width = combined_half_width(row["se_reproducibility"], row["t_critical"], row["se_item"])
    sources = {"reproducibility": row["se_reproducibility"], "item_sampling": row["se_item"]}
    return {
        **row,
        **_interval(figures.index, half_width, ledger),
        "covers": [source for source, error in sources.items() if error is not None],
    }


def _interval(index: float, half_width: float | None, ledger: Ledger) -> dict[str, Any]:
    if half_width is None:
        neither = Withheld("half_width", "neither error source can be given", "three runs, or three items")
        bounds = {figure: ledger.take(figure, neither) for figure in ("half_width", "low", "high")}
        return {**bounds, "truncated": {"low": False, "high": False}}
    bounds = interval(index, half_width)
    return {
        "half_width": half_width,
        "low": bounds.low,
        "high": bounds.high,
        "truncated": {"low": bounds.low_truncated, "high": bounds.high_truncated},
    }


def _item(question: str, runs: Sequence[RunRecord], ledger: Ledger) -> dict[str, Any]:
    scores = [score for run in runs for answer, score in counting(run) if answer.question == question]
    quality = np.array([score.quality for score in scores], dtype=np.float64)
    confirmed = np.array([score.confirmed_critical_error for score in scores], dtype=np.float64)
    rate = float(confirmed.mean()) if scores else too_few("rate", 0, "scored run", 1)
    return {
        "question": question,
        **ledger.within("items").row(item_statistics(quality), question),
        "critical_error_rate": ledger.take("items.critical_error_rate", rate, question),
        "critical_error_unsettled": bool(0 < confirmed.sum() < len(scores)),
    }


def _dimension(dimension: Dimension, runs: Sequence[RunRecord], ledger: Ledger) -> dict[str, Any]:
    """Pool a dimension's points over all graded answers of all runs, each answer once (R49)."""
    points = np.array(
        [points_of(dimension, run, a) for run in runs for a in graded_answers([run])], dtype=np.float64
    )
    mean = float(points.mean()) if len(points) else too_few("mean", 0, "graded answer", 1)
    row = {"mean": mean, "sd": sample_sd(points)}
    return {name: ledger.take(f"dimensions.{name}", value, str(dimension)) for name, value in row.items()}


def points_of(dimension: Dimension, run: RunRecord, answer: Answer) -> float:
    """Return a graded answer's points on a dimension, 0-100: the mean over the run's members."""
    levels = [answer.verdicts[member].levels.of(dimension) for member in run.run.mode.members]
    return sum(run.profile.points[level] for level in levels) / len(levels)


def _speed(runs: Sequence[RunRecord], ledger: Ledger) -> dict[str, float | None]:
    times = np.array([model_ms(answer) for answer in graded_answers(runs)])
    none = too_few("speed", 0, "timed answer", 1)
    figures: dict[str, float | Withheld] = {
        "p50_ms": float(np.quantile(times, 0.5)) if len(times) else none,
        "p90_ms": float(np.quantile(times, 0.9)) if len(times) else none,
        "max_ms": float(times.max()) if len(times) else none,
    }
    return {name: ledger.take(f"speed.{name}", value) for name, value in figures.items()}


def _cost(role: Role, runs: Sequence[RunRecord], ledger: Ledger) -> dict[str, float | None]:
    usd = role_usd(role, runs)
    figures: dict[str, float | Withheld] = (
        dict.fromkeys(("mean", "sd", "cv"), usd)
        if isinstance(usd, Withheld)
        else {"mean": float(usd.mean()), "sd": sample_sd(usd), "cv": coefficient_of_variation(usd)}
    )
    return {name: ledger.take(f"cost.{name}", value, str(role)) for name, value in figures.items()}
