"""Formulas over repeated runs: the multi-run index with its two error sources, and one item (R47-R49)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gnollbench.errors import Withheld
from gnollbench.scoring.indices import index_error, weighted_index
from gnollbench.statistics.intervals import (
    RUNS_FOR_REPRODUCIBILITY,
    Vector,
    sample_sd,
    standard_error,
    t_critical,
    t_half_width,
    too_few,
)

Matrix = npt.NDArray[np.float64]

UNSTABLE_SD = 15  # R49: points of sample standard deviation from which an item is unstable


@dataclass(frozen=True, slots=True)
class MultiRunIndex:
    """The index over several runs and its two error sources, kept apart (R47, R48).

    Attributes
    ----------
    index, index_from_items : float
        Mean of the per-run indices; weighted mean of the per-item means. Equal where every item has a score
        in every run.
    route : str
        ``items`` where the two are equal by construction; ``runs`` where an item lacks a score in some run,
        so that they may differ and `index` shows the per-run route.
    se_reproducibility, t_critical : float or Withheld
        sd of the per-run indices / sqrt(R), with Student's t for R - 1; withheld below three runs.
    se_item : float or Withheld
        The single-run formula on the per-item means; withheld below three items.
    """

    index: float
    index_from_items: float
    route: str
    se_reproducibility: float | Withheld
    t_critical: float | Withheld
    se_item: float | Withheld


@dataclass(frozen=True, slots=True)
class ItemStatistics:
    """One item over the runs that scored it (R49).

    Attributes
    ----------
    n : int
        Runs that scored it.
    mean, median, sd, iqr, half_width : float or Withheld
        In points. Spread needs two runs; the interval and the unstable mark, which claim reproducibility,
        three (R3). Quartiles interpolate linearly (R's type 7).
    cv : float or Withheld
        sd / mean, no unit.
    unstable : bool or Withheld
        Whether sd is 15 points or more.
    """

    n: int
    mean: float | Withheld
    median: float | Withheld
    sd: float | Withheld
    iqr: float | Withheld
    cv: float | Withheld
    half_width: float | Withheld
    unstable: bool | Withheld


def multi_run_index(quality: Matrix, weight: Vector) -> MultiRunIndex:
    """Return the multi-run index with its two error sources (R47, R48).

    Parameters
    ----------
    quality : ndarray, shape (runs, items)
        Qualities 0-100, NaN where a run lacks a score. Every run has at least one.
    weight : ndarray, shape (items,)
        Assessed difficulties, fixed over the runs.
    """
    per_run = np.array([index_of(row, weight) for row in quality])
    scored = ~np.isnan(quality).all(axis=0)
    item_means = np.nanmean(quality[:, scored], axis=0)
    return MultiRunIndex(
        index=float(per_run.mean()),
        index_from_items=index_of(item_means, weight[scored]),
        route="runs" if np.isnan(quality).any() else "items",
        se_reproducibility=_of_enough_runs(len(per_run)) or standard_error(per_run),
        t_critical=_of_enough_runs(len(per_run)) or t_critical(len(per_run) - 1),
        se_item=index_error(item_means.tolist(), weight[scored].tolist()),
    )


def index_of(quality: Vector, weight: Vector) -> float:
    """Return the index over the items that have a score, the others NaN (R37)."""
    scored = ~np.isnan(quality)
    return weighted_index(quality[scored].tolist(), weight[scored].tolist())


def item_statistics(values: Vector) -> ItemStatistics:
    """Return one item's statistics over its scored runs (R49).

    Parameters
    ----------
    values : ndarray, shape (n,)
        The item's quality in each run that scored it.
    """
    mean = float(values.mean()) if len(values) else too_few("mean", 0, "scored run", 1)
    sd = sample_sd(values)
    half_width = t_half_width(values, RUNS_FOR_REPRODUCIBILITY)
    return ItemStatistics(
        n=len(values),
        mean=mean,
        median=float(np.median(values)) if len(values) else too_few("median", 0, "scored run", 1),
        sd=sd,
        iqr=sd if isinstance(sd, Withheld) else interquartile_range(values),
        cv=coefficient_of_variation(values),
        half_width=half_width,
        unstable=half_width if isinstance(half_width, Withheld) else is_unstable(values),
    )


def interquartile_range(values: Vector) -> float:
    """Return the third quartile minus the first, with linear interpolation (R's type 7)."""
    first, third = np.quantile(values, [0.25, 0.75])
    return float(third - first)


def coefficient_of_variation(values: Vector) -> float | Withheld:
    """Return the sample sd over the mean (R49); withheld below two values and at mean 0."""
    sd = sample_sd(values)
    if isinstance(sd, Withheld):
        return sd
    mean = float(values.mean())
    if mean == 0:
        return Withheld("cv", "the mean is 0", "a mean above 0")
    return sd / mean


def is_unstable(values: Vector) -> bool:
    """Tell whether the sample sd is 15 points or more (R49)."""
    return round(float(np.std(values, ddof=1)), 9) >= UNSTABLE_SD


def _of_enough_runs(count: int) -> Withheld | None:
    if count < RUNS_FOR_REPRODUCIBILITY:
        return too_few("reproducibility", count, "run", RUNS_FOR_REPRODUCIBILITY)
    return None
