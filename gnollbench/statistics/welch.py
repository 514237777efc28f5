"""Per-item differences between two groups: Welch's t-test under Benjamini-Hochberg (R50, exploratory)."""

import numpy as np

from gnollbench.errors import Withheld
from gnollbench.statistics.intervals import Vector, t_two_sided_p, too_few

FALSE_DISCOVERY_RATE = 0.05  # R50: q = 0.05


def welch_p(baseline: Vector, treatment: Vector) -> float | Withheld:
    """Return Welch's two-sided p-value for one item's qualities in two groups of runs.

    Parameters
    ----------
    baseline, treatment : ndarray, shapes (m,) and (n,)
        One item's quality in each run of either side. Withheld below two runs a side, and where neither
        side varies.
    """
    fewest = min(len(baseline), len(treatment))
    if fewest < 2:
        return too_few("p", fewest, "scored run", 2)
    mean_variance = [float(np.var(side, ddof=1)) / len(side) for side in (baseline, treatment)]
    variance = sum(mean_variance)
    if variance == 0:
        return Withheld("p", "neither side varies from run to run", "runs whose scores vary")
    t = (float(np.mean(treatment)) - float(np.mean(baseline))) / variance**0.5
    b, c = mean_variance
    df = variance**2 / (b**2 / (len(baseline) - 1) + c**2 / (len(treatment) - 1))
    return t_two_sided_p(t, df)


def benjamini_hochberg(p: Vector) -> Vector:
    """Return the Benjamini-Hochberg adjusted p-values, in the order given.

    From the largest down, each sorted p times m / rank, never above the one after it. An item is a finding
    at false discovery rate q where its adjusted value is at most q.

    Parameters
    ----------
    p : ndarray, shape (m,)
        P-values of the m tests that were made; withheld ones are not among them.
    """
    m = len(p)
    largest_first = np.argsort(p)[::-1]
    scaled = p[largest_first] * m / np.arange(m, 0, -1)
    adjusted = np.empty(m)
    adjusted[largest_first] = np.minimum.accumulate(np.minimum(scaled, 1.0))
    return adjusted
