from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.errors import Withheld
from gnollbench.statistics.intervals import combined_half_width, t_critical
from gnollbench.statistics.multirun import item_statistics, multi_run_index
from tests.statistics.oracle import load, near

SETS = load("statistics.json")["multi"]


@pytest.mark.parametrize("case", SETS)
def test_every_replicate_set_of_the_oracle(case):
    """R47, R48, R49: the index by both routes, both error sources, their combination, each item."""
    quality, weight = np.array(case["quality"], float), np.array(case["weight"], float)
    expected = case["expected"]
    found = multi_run_index(quality, weight)
    for name in ("index", "index_from_items", "se_reproducibility", "t_critical", "se_item"):
        assert getattr(found, name) == near(expected[name]), name
    half = combined_half_width(found.se_reproducibility, found.t_critical, found.se_item)
    assert half == near(expected["half_width"])
    for column, item in enumerate(expected["items"]):
        row = item_statistics(quality[:, column])
        for name, value in item.items():
            assert getattr(row, name) == (near(value) if name != "unstable" else value), (column, name)


def test_the_pages_example_of_two_error_sources():
    """R48: R = 3, 1.0 and 3.0 give sqrt((4.30 · 1.0)^2 + (1.96 · 3.0)^2) = sqrt(18.51 + 34.57) = 7.29."""
    assert t_critical(2) == pytest.approx(4.30, abs=0.005)
    assert round(combined_half_width(1.0, t_critical(2), 3.0), 1) == 7.3


def test_a_withheld_source_is_left_out():
    """R48: the interval then covers one source."""
    assert combined_half_width(None, None, 3.0) == pytest.approx(1.96 * 3)
    assert combined_half_width(1.0, 4.0, None) == 4.0
    assert combined_half_width(None, None, None) is None


@given(
    st.integers(1, 6).flatmap(
        lambda runs: st.lists(
            st.tuples(
                st.integers(1, 100),
                st.lists(st.floats(0, 100), min_size=runs, max_size=runs),
            ),
            min_size=1,
            max_size=20,
        )
    )
)
def test_both_routes_to_the_index_agree(items):
    """R47: mean of the per-run indices = weighted mean of the per-item means, to 1e-9."""
    weight = np.array([item[0] for item in items], float)
    quality = np.array([item[1] for item in items]).T
    found = multi_run_index(quality, weight)
    assert found.route == "items"
    assert found.index == near(found.index_from_items)


def test_where_an_item_lacks_a_score_the_route_is_by_runs():
    """R47: run 1 is 90, run 2 (30 · 90 + 70 · 40) / 100 = 55, so 72.5 by runs; by items 27 + 28 = 55."""
    quality = np.array([[90.0, np.nan], [90.0, 40.0]])
    found = multi_run_index(quality, np.array([30.0, 70.0]))
    assert found.route == "runs"
    assert found.index == pytest.approx(72.5)
    assert found.index_from_items == pytest.approx(55)


def test_an_item_that_no_run_scored_carries_no_weight():
    """R47."""
    quality = np.array([[90.0, np.nan, 50], [80.0, np.nan, 60]])
    assert multi_run_index(quality, np.array([50.0, 80.0, 50.0])).index_from_items == pytest.approx(70)


def test_below_three_runs_no_reproducibility_and_below_three_items_no_sampling_error():
    """R3, R48."""
    found = multi_run_index(np.array([[90.0, 40.0], [80, 50]]), np.array([30.0, 70.0]))
    assert found.se_reproducibility.reason == "2 runs, fewer than 3"
    assert isinstance(found.t_critical, Withheld)
    assert isinstance(found.se_item, Withheld)


@pytest.mark.parametrize(
    ("values", "given_parts"),
    [
        ([], set()),
        ([70.0], {"mean", "median"}),
        ([70.0, 80.0], {"mean", "median", "sd", "iqr", "cv"}),
        ([70.0, 80.0, 90.0], {"mean", "median", "sd", "iqr", "cv", "half_width", "unstable"}),
    ],
)
def test_an_item_shows_what_its_runs_suffice_for(values, given_parts):
    """R3, R49."""
    row = item_statistics(np.array(values))
    parts = {name: getattr(row, name) for name in row.__slots__ if name != "n"}
    assert {name for name, value in parts.items() if not isinstance(value, Withheld)} == given_parts


def test_unstable_from_a_standard_deviation_of_15():
    """R49: 40, 55, 70 have sd 15 exactly; a variation about mean 0 has no coefficient."""
    assert item_statistics(np.array([40.0, 55, 70])).unstable is True
    assert item_statistics(np.array([40.5, 55, 70])).unstable is False
    assert isinstance(item_statistics(np.zeros(3)).cv, Withheld)


def test_the_item_error_is_the_single_run_formula_the_slow_way():
    """R37, R48: SE = sqrt(n / (n - 1) · Σ w² (q - I)²) / Σ w on the cross-run means."""
    quality = np.array([[60.0, 70, 95], [70, 80, 85], [65, 75, 90]])
    weight, means = np.array([20.0, 50, 80]), [65.0, 75.0, 90.0]
    index = (20 * 65 + 50 * 75 + 80 * 90) / 150
    squares = sum((w * (q - index)) ** 2 for w, q in zip(weight, means, strict=True))
    assert multi_run_index(quality, weight).se_item == pytest.approx(sqrt(3 / 2 * squares) / 150)
