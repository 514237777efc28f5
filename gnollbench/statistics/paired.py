"""Tests on paired differences: Wilcoxon signed-rank, paired t, effect size, detectable difference (R50)."""

from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np
import numpy.typing as npt

from gnollbench.errors import Withheld
from gnollbench.statistics.intervals import (
    COMPARED_DECIMALS,
    Vector,
    sample_sd,
    t_critical,
    t_two_sided_p,
    too_few,
    varies,
)

Ranks = npt.NDArray[np.int64]

EXACT_UP_TO = 25  # R50: exact p-value up to 25 non-zero differences
POWER = 0.80  # the usual chance of seeing a true effect; 5 % level as in every test here


@dataclass(frozen=True, slots=True)
class SignedRank:
    """Wilcoxon's signed-rank test, two-sided.

    Attributes
    ----------
    p : float
        Two-sided p-value, 0-1.
    w_plus, w_minus : float
        Rank sums of the positive and of the negative differences.
    n_nonzero : int
        Differences that are not zero; the others take no part.
    method : str
        ``exact`` or ``normal``.
    """

    p: float
    w_plus: float
    w_minus: float
    n_nonzero: int
    method: str


@dataclass(frozen=True, slots=True)
class PairedT:
    """Student's paired t-test, two-sided."""

    t: float
    p: float
    df: int


def wilcoxon(differences: Vector) -> SignedRank | Withheld:
    """Test whether paired differences are symmetric about zero (R50, primary test).

    Differences are rounded to 9 decimals, so that thirds from cross-run means do not split ties. Zero
    differences are dropped, ties share their mid-rank. Up to 25 non-zero differences the p-value is
    exact, conditional on those mid-ranks; above, normal with continuity and tie correction. Where every
    difference is zero, nothing speaks against the null: p is 1.

    Parameters
    ----------
    differences : ndarray, shape (n,)
        Treatment minus baseline, in points; withheld where n is 0.
    """
    if len(differences) == 0:
        return too_few("wilcoxon", 0, "pair", 1)
    rounded = np.round(differences, COMPARED_DECIMALS)
    nonzero = rounded[rounded != 0]
    doubled = doubled_mid_ranks(np.abs(nonzero))
    w_plus = int(doubled[nonzero > 0].sum()) / 2
    w_minus = int(doubled[nonzero < 0].sum()) / 2
    exact = len(nonzero) <= EXACT_UP_TO
    p = exact_p(doubled, w_plus) if exact else normal_p(doubled, w_plus)
    return SignedRank(p, w_plus, w_minus, len(nonzero), "exact" if exact else "normal")


def doubled_mid_ranks(magnitudes: Vector) -> Ranks:
    """Return twice the mid-rank of each value: whole numbers even where ranks are shared.

    A value that stands at sorted places i..j (from 1) has the mid-rank (i + j) / 2.
    """
    _, group, sizes = np.unique(magnitudes, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    return (2 * last - sizes + 1)[group].astype(np.int64)


def exact_p(doubled: Ranks, w_plus: float) -> float:
    """Return the exact two-sided p-value of a rank sum, given the (doubled) mid-ranks.

    Under the null each rank carries either sign with equal chance. `ways[s]` counts the sign patterns
    whose positive doubled ranks sum to s; each rank in turn either joins the sum or does not. The p-value
    is the share of patterns at least as far from the middle as the observed one.
    """
    total = int(doubled.sum())
    ways = np.zeros(total + 1, dtype=np.int64)
    ways[0] = 1
    for rank in doubled:
        ways[rank:] += ways[: total + 1 - rank]
    from_middle = np.abs(2 * np.arange(total + 1) - total)
    observed = abs(4 * w_plus - total)
    return int(ways[from_middle >= observed].sum()) / 2 ** len(doubled)


def normal_p(doubled: Ranks, w_plus: float) -> float:
    """Return the normal two-sided p-value of a rank sum, with continuity and tie correction.

    The sum of squared mid-ranks over 4 is the variance n(n+1)(2n+1)/24 less sum(t^3 - t)/48 over ties of t.
    """
    ranks = doubled / 2
    away = max(abs(w_plus - ranks.sum() / 2) - 0.5, 0.0)
    z = away / sqrt(float((ranks**2).sum()) / 4)
    return erfc(z / sqrt(2))


def paired_t(differences: Vector) -> PairedT | Withheld:
    """Test whether the mean paired difference is zero (R50, secondary test).

    Withheld below two pairs and where the differences do not vary.
    """
    sd = _spread("paired_t", differences)
    if isinstance(sd, Withheld):
        return sd
    df = len(differences) - 1
    t = float(np.mean(differences)) / (sd / sqrt(len(differences)))
    return PairedT(t, t_two_sided_p(t, df), df)


def cohens_dz(differences: Vector) -> float | Withheld:
    """Return the mean of the differences over their sample standard deviation (R50)."""
    sd = _spread("dz", differences)
    return sd if isinstance(sd, Withheld) else float(np.mean(differences)) / sd


def smallest_detectable_difference(differences: Vector) -> float | Withheld:
    """Return the true mean difference that the paired t-test would find with 80 % power at the 5 % level.

    The noncentrality that puts 80 % of the noncentral t beyond the critical value, times sd / sqrt(n),
    with the sd of these differences taken as the true one. It says what a set of this size can see at all,
    in points; a smaller effect that was not found is not thereby absent.
    """
    from scipy.special import nctdtrinc

    sd = _spread("smallest_detectable_difference", differences)
    if isinstance(sd, Withheld):
        return sd
    df = len(differences) - 1
    return float(nctdtrinc(df, 1 - POWER, t_critical(df))) * sd / sqrt(len(differences))


def _spread(figure: str, differences: Vector) -> float | Withheld:
    """Return the sample sd of the differences; withheld below two, or where they do not vary."""
    sd = sample_sd(differences)
    if isinstance(sd, Withheld):
        return too_few(figure, len(differences), "pair", 2)
    if not varies(differences):
        return Withheld(figure, "the differences do not vary", "differences that vary")
    return sd
