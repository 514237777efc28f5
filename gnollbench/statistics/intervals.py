"""Spread, Student's t and 95 % intervals: the small formulas that every other statistic uses.

scipy is imported where it is needed; ``scipy.special`` alone loads in a third of ``scipy.stats``' time.
"""

from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
import numpy.typing as npt

from gnollbench.errors import Withheld

Vector = npt.NDArray[np.float64]

CONFIDENCE = 0.95  # R37, R48, R50: every interval of the specification is a 95 % interval
NORMAL_CRITICAL = 1.96  # R37, R48 write the normal quantile so, to two decimals
RUNS_FOR_REPRODUCIBILITY = 3  # R3, R48: a spread measured from two runs is no measurement


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval that is not clamped.

    Attributes
    ----------
    value, low, high : float
        Estimate and bounds, in the unit of the data.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ScaleInterval:
    """Bounds on the 0-100 scale: clamped, and marked where the clamp cut (R37, R48)."""

    low: float
    high: float
    low_truncated: bool
    high_truncated: bool


def t_critical(df: float) -> float:
    """Return the two-sided 95 % critical value of Student's t (R48); 4.30 at two degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + CONFIDENCE) / 2))


def t_two_sided_p(t: float, df: float) -> float:
    """Return the two-sided p-value of a Student's t statistic."""
    from scipy.special import stdtr

    return float(2 * stdtr(df, -abs(t)))


def sample_sd(values: Vector) -> float | Withheld:
    """Return the sample standard deviation (divisor n - 1); withheld below two values (R49)."""
    if len(values) < 2:
        return too_few("sd", len(values), "value", 2)
    return float(np.std(values, ddof=1))


def standard_error(values: Vector) -> float | Withheld:
    """Return sd / sqrt(n); withheld below two values."""
    sd = sample_sd(values)
    return sd if isinstance(sd, Withheld) else sd / sqrt(len(values))


def t_half_width(values: Vector, at_least: int = 2) -> float | Withheld:
    """Return the half-width of the 95 % t interval of a mean (R49).

    Parameters
    ----------
    values : ndarray, shape (n,)
        Independent values.
    at_least : int
        Fewest values that give an interval, two or more.
    """
    if len(values) < at_least:
        return too_few("half_width", len(values), "value", at_least)
    error = standard_error(values)
    return error if isinstance(error, Withheld) else t_critical(len(values) - 1) * error


def t_interval(values: Vector, at_least: int = 2) -> Interval | Withheld:
    """Return the mean with its 95 % t interval; withheld below `at_least` values (R50, R52)."""
    half = t_half_width(values, at_least)
    if isinstance(half, Withheld):
        return half
    mean = float(np.mean(values))
    return Interval(mean, mean - half, mean + half)


def combined_half_width(
    reproducibility_se: float | None, critical: float | None, item_se: float | None
) -> float | None:
    """Combine the two error sources, ``h = sqrt((t SE_r)^2 + (1.96 SE_i)^2)`` (R48).

    A source that is withheld (None) is left out; None where both are. 1.0 and 3.0 at three runs give 7.3.
    """
    if reproducibility_se is None or critical is None:
        return None if item_se is None else NORMAL_CRITICAL * item_se
    if item_se is None:
        return critical * reproducibility_se
    return hypot(critical * reproducibility_se, NORMAL_CRITICAL * item_se)


def on_scale(value: float, half_width: float) -> ScaleInterval:
    """Clamp ``value ± half_width`` to 0-100 and mark what the clamp cut; the half-width stays (R48)."""
    low, high = value - half_width, value + half_width
    return ScaleInterval(max(low, 0.0), min(high, 100.0), low < 0, high > 100)


def too_few(figure: str, count: int, unit: str, needed: int) -> Withheld:
    """Say that a figure is withheld for want of data (R3)."""
    plural = unit if count == 1 else f"{unit}s"
    return Withheld(figure, f"{count} {plural}, fewer than {needed}", f"{needed} or more {unit}s")
