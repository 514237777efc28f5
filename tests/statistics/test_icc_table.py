import pytest

from gnollbench.errors import Withheld
from gnollbench.scoring.panel import icc_a1
from gnollbench.statistics.icc_table import icc_table
from tests.statistics.oracle import load, near


@pytest.mark.parametrize("case", load("statistics.json")["icc"])
def test_the_row_of_absolute_agreement_is_the_one_taken(case):
    """R27: ICC(A,1) by pingouin, by R, and by the closed form that the figures use."""
    row = icc_table(case["a"], case["b"])
    assert row.icc == near(case["expected"]["icc_a1"], 1e-6)
    assert row.icc == near(icc_a1(case["a"], case["b"]))
    assert row.low < row.icc < row.high <= 1
    assert row.n == len(case["a"])


def test_bounds_are_not_rounded():
    """R27: full precision, whatever the library prints."""
    row = icc_table([92, 66, 100, 40, 78], [96, 68, 100, 53, 82])
    assert round(row.low, 2) != row.low


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([1, 2, 3, 4], [1, 2, 3, 5]),
        ([5] * 6, [5] * 6),
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
        ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]),
        ([5, 6, 5, 6, 5], [6, 5, 6, 5, 6]),
    ],
)
def test_no_interval_for_want_of_data_or_spread(a, b):
    """R3, R27: withheld below five pairs and without spread, never NaN."""
    assert isinstance(icc_table(a, b), Withheld)
