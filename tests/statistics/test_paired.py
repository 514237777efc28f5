from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.errors import Withheld
from gnollbench.statistics.intervals import t_critical, t_interval
from gnollbench.statistics.paired import (
    cohens_dz,
    doubled_mid_ranks,
    paired_t,
    smallest_detectable_difference,
    wilcoxon,
)
from gnollbench.statistics.welch import FALSE_DISCOVERY_RATE, benjamini_hochberg, welch_p
from tests.statistics.oracle import load, near

ORACLE = load("statistics.json")


@pytest.mark.parametrize("case", ORACLE["paired"])
def test_every_paired_comparison_of_the_oracle(case):
    """R50: the mean difference and its interval, t, dz, Wilcoxon with ties and zeros, exact and normal."""
    differences = np.array(case["treatment"]) - np.array(case["baseline"])
    expected = case["expected"]
    ranks, t, interval = wilcoxon(differences), paired_t(differences), t_interval(differences)
    assert len(differences) == expected["n"]
    assert differences.mean() == near(expected["mean_difference"])
    assert (interval.low, interval.high) == (near(expected["ci_low"]), near(expected["ci_high"]))
    assert (t.t, t.p) == (near(expected["t"]), near(expected["t_p"]))
    assert t.df == expected["n"] - 1
    assert cohens_dz(differences) == near(expected["dz"])
    assert (ranks.w_plus, ranks.w_minus) == (expected["w_plus"], expected["w_minus"])
    assert ranks.n_nonzero == expected["n_nonzero"]
    assert expected["wilcoxon_method"].startswith(ranks.method)
    assert ranks.p == near(expected["wilcoxon_p"])


@pytest.mark.parametrize("case", ORACLE["welch"])
def test_every_welch_family_of_the_oracle(case):
    """R50: per-item p-values, adjusted by Benjamini-Hochberg at q = 0.05."""
    sides = [(np.array(item["baseline"]), np.array(item["treatment"])) for item in case["items"]]
    p = np.array([welch_p(baseline, treatment) for baseline, treatment in sides])
    adjusted = benjamini_hochberg(p)
    assert p.tolist() == near(case["expected"]["p"])
    assert adjusted.tolist() == near(case["expected"]["bh"])
    assert np.flatnonzero(adjusted <= FALSE_DISCOVERY_RATE).tolist() == case["expected"]["significant"]


def by_enumeration(differences):
    """The definition: every sign pattern over the mid-ranks, as likely as any other."""
    nonzero = [d for d in differences if d]
    size = [abs(d) for d in nonzero]
    rank = [sum(s < own for s in size) + (sum(s == own for s in size) + 1) / 2 for own in size]
    middle = sum(rank) / 2
    observed = abs(sum(r for r, d in zip(rank, nonzero, strict=True) if d > 0) - middle)
    sums = [
        sum(r for r, sign in zip(rank, signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(rank))
    ]
    return sum(abs(total - middle) >= observed for total in sums) / len(sums)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=12))
def test_the_exact_p_value_is_that_of_enumeration(differences):
    """R50: with ties and zeros, up to 12 pairs."""
    assert wilcoxon(np.array(differences, dtype=float)).p == pytest.approx(
        by_enumeration(differences), rel=1e-12
    )


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=40))
def test_swapping_the_sides_swaps_the_rank_sums_and_keeps_p(differences):
    """R50."""
    one, two = wilcoxon(np.array(differences, float)), wilcoxon(-np.array(differences, float))
    assert (one.w_plus, one.w_minus, one.p) == (two.w_minus, two.w_plus, pytest.approx(two.p, rel=1e-12))
    assert 0 < one.p <= 1
    assert one.w_plus + one.w_minus == one.n_nonzero * (one.n_nonzero + 1) / 2


def test_exact_to_25_non_zero_differences_and_normal_above():
    """R50: the count is without zeros."""
    differences = np.arange(1.0, 26) * np.where(np.arange(25) % 3, 1, -1)
    assert wilcoxon(np.append(differences, [0, 0, 0])).method == "exact"
    assert wilcoxon(np.append(differences, 26)).method == "normal"


def test_thirds_do_not_split_ties():
    """R50: differences of cross-run means over three runs are ranked after rounding to 9 decimals."""
    thirds = np.array([70 + 1 / 3, 64 + 2 / 3, 59.0]) - np.array([70.0, 64 + 1 / 3, 58 + 2 / 3])
    assert len(set(thirds.tolist())) > 1
    assert doubled_mid_ranks(np.round(thirds, 9)).tolist() == [4, 4, 4]
    assert wilcoxon(thirds).p == 2 / 2**3


def test_equal_sides_are_no_evidence():
    """R50: without a non-zero difference p is 1; what divides by the spread is withheld."""
    none = np.zeros(6)
    assert (wilcoxon(none).p, wilcoxon(none).n_nonzero) == (1, 0)
    for figure in (paired_t(none), cohens_dz(none), smallest_detectable_difference(none), t_interval(none)):
        assert isinstance(figure, Withheld)
        assert "vary" in figure.reason


def test_too_few_pairs_are_withheld():
    """R3, R50: never 0 or NaN for want of data."""
    assert isinstance(wilcoxon(np.array([])), Withheld)
    one = np.array([3.0])
    for figure in (paired_t(one), cohens_dz(one), smallest_detectable_difference(one), t_interval(one)):
        assert figure.reason == f"1 {'value' if figure.figure == 'half_width' else 'pair'}, fewer than 2"


def test_welch_needs_two_runs_a_side_and_some_spread():
    """R3, R50."""
    pair, one, flat = np.array([70.0, 80.0]), np.array([70.0]), np.array([70.0, 70.0])
    assert welch_p(one, pair).reason == "1 scored run, fewer than 2"
    assert "varies" in welch_p(flat, flat).reason
    assert welch_p(flat, pair) == pytest.approx(0.5)  # t = 5 / 5 = 1 at 1 degree of freedom


def test_the_smallest_detectable_difference_has_80_percent_power():
    """R50: by its definition, the noncentral t integrated over the distribution of the sample sd."""
    differences = np.array([4.0, -2, 7, 1, 3, 0, 5, -1, 2, 6])
    n, sd = len(differences), differences.std(ddof=1)
    shift = smallest_detectable_difference(differences) / (sd / sqrt(n))
    assert power(shift, n - 1) == pytest.approx(0.80, abs=1e-6)


def power(noncentrality, df):
    """P(T > t_critical) for T = (Z + noncentrality) / sqrt(chi2 / df)."""
    from scipy.integrate import quad
    from scipy.special import ndtr
    from scipy.stats import chi

    scaled = chi(df, scale=1 / sqrt(df))
    return quad(lambda s: ndtr(noncentrality - t_critical(df) * s) * scaled.pdf(s), 0, 6, epsabs=1e-12)[0]
