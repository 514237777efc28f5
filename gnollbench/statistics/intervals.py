"""Spread, Student's t and 95 % intervals: the small formulas that every other statistic uses.

scipy is imported where it is needed; ``scipy.special`` alone loads in a third of ``scipy.stats``' time.
"""

from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
import numpy.typing as npt

from gnollbench.errors import Withheld
from gnollbench.scoring.indices import Z_95

Vector = npt.NDArray[np.float64]

CONFIDENCE = 0.95  # R37, R48, R50: every interval of the specification is a 95 % interval
COMPARED_DECIMALS = (
    9  # values that agree to so many decimals are equal: cross-run means leave noise in the 14th
)
RUNS_FOR_REPRODUCIBILITY = 3  # R3, R48: a spread measured from two runs is no measurement


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval that is not clamped, in the unit of the data."""

    low: float
    high: float


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
    """Return the 95 % t interval of the mean (R50, R52).

    Withheld below `at_least` values, and where the values do not vary: no interval has width zero.
    """
    half = t_half_width(values, at_least)
    if isinstance(half, Withheld):
        return half
    if not varies(values):
        return Withheld("interval", "the values do not vary", "values that vary")
    mean = float(np.mean(values))
    return Interval(mean - half, mean + half)


def varies(values: Vector) -> bool:
    """Tell whether the values differ by more than the rounding of sums and thirds."""
    return bool(np.ptp(np.round(values, COMPARED_DECIMALS)))


def combined_half_width(
    reproducibility_se: float | None, critical: float | None, item_se: float | None
) -> float | None:
    """Combine the two error sources, ``h = sqrt((t SE_r)^2 + (1.96 SE_i)^2)`` (R48).

    A source that is withheld (None) is left out; None where both are. 1.0 and 3.0 at three runs give 7.3.
    """
    if reproducibility_se is None or critical is None:
        return None if item_se is None else Z_95 * item_se
    if item_se is None:
        return critical * reproducibility_se
    return hypot(critical * reproducibility_se, Z_95 * item_se)


def too_few(figure: str, count: int, unit: str, needed: int) -> Withheld:
    """Say that a figure is withheld for want of data (R3)."""
    have = f"no {unit}" if count == 0 else f"{_counted(count, unit)}, fewer than {needed}"
    return Withheld(figure, have, f"at least {_counted(needed, unit)}")


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
