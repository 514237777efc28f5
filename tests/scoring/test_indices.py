"""Intelligence, speed, cost (R37-R39)."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.errors import Withheld
from gnollbench.scoring.indices import (
    Z_95,
    index_error,
    interval,
    model_time_ms,
    saturated,
    speed_score,
    target_ms,
    total_usd,
    weighted_index,
)
from gnollbench.scoring.profile import band_of


def test_index_matches_the_independent_values(statistics):
    """R37: index, standard error and clamped interval, to 1e-9."""
    assert statistics["index"]
    for case in statistics["index"]:
        quality, weight, expected = case["quality"], case["weight"], case["expected"]
        index, error = weighted_index(quality, weight), index_error(quality, weight)
        assert isinstance(error, float)
        bounds = interval(index, Z_95 * error)
        assert index == pytest.approx(expected["index"], abs=1e-9)
        assert error == pytest.approx(expected["se"], abs=1e-9)
        assert Z_95 * error == pytest.approx(expected["half_width"], abs=1e-9)
        assert bounds.low == pytest.approx(expected["low"], abs=1e-9)
        assert bounds.high == pytest.approx(expected["high"], abs=1e-9)


def test_single_run_index_by_hand():
    """R37: (80·90 + 20·50) / 100 = 82."""
    assert weighted_index([90, 50], [80, 20]) == 82


def test_no_item_is_an_error():
    """R37: an index of nothing is not 0."""
    with pytest.raises(ValueError, match="no items"):
        weighted_index([], [])


def test_error_is_withheld_below_three_items():
    """R37, R3."""
    assert isinstance(index_error([50, 60], [1, 2]), Withheld)
    assert isinstance(index_error([50, 60, 70], [1, 2, 3]), float)


def test_interval_marks_what_it_clamps():
    """R37, R48: bounds stay within 0-100 and say so."""
    both, none = interval(50, 60), interval(50, 50)
    assert (both.low, both.high, both.low_truncated, both.high_truncated) == (0, 100, True, True)
    assert (none.low, none.high, none.low_truncated, none.high_truncated) == (0, 100, False, False)


ITEMS = st.lists(st.tuples(st.integers(0, 200), st.integers(1, 100)), min_size=3, max_size=50)


@given(ITEMS, st.randoms())
def test_index_does_not_depend_on_order(items, random):
    """R37: not even in the last digit; half points included."""
    shuffled = items[:]
    random.shuffle(shuffled)
    both = []
    for order in (items, shuffled):
        quality, weight = [half / 2 for half, _ in order], [w for _, w in order]
        both.append((weighted_index(quality, weight), index_error(quality, weight)))
    assert both[0] == both[1]
    assert 0 <= both[0][0] <= 100


def test_worked_speed_is_76(profile):
    """R38: d = 50, T = 2000 · 1.5 = 3000 ms; 12 s = 2 doublings; 100 - 12 · 2 = 76."""
    assert target_ms(50, profile.speed) == 3000
    assert speed_score(12_000, 50, profile.speed) == 76


def test_speeds_of_the_guide(profile):
    """R38: at the base target, 4, 8, 16 and 32 s are 88, 76, 64 and 52 of 100."""
    at_base = [speed_score(seconds * 1000, 0, profile.speed) for seconds in (2, 4, 8, 16, 32)]
    assert at_base == [100, 88, 76, 64, 52]


def test_model_time_is_turn_without_tools(profile):
    """R38: a turn not above its tool time is no time, and scores 100."""
    assert model_time_ms(8123, 1200) == 6923
    assert model_time_ms(3000, 3000) == model_time_ms(3000, 3500) == 0
    assert speed_score(0, 50, profile.speed) == 100


@pytest.mark.parametrize("difficulty", range(1, 101))
def test_floor_is_unreachable_within_the_timeout(profile, timeouts_ms, difficulty):
    """R38: the first invariant, at every difficulty, under the shipped timeout of its band."""
    timeout_ms = timeouts_ms[band_of(difficulty)]
    assert speed_score(timeout_ms, difficulty, profile.speed) > 1


def test_floor_lies_at_304_targets(profile):
    """R38: 100 - 12 · log2(x) = 1 at x = 2^(99/12) = 304.4."""
    assert round(2 ** (99 / 12), 1) == 304.4
    target = target_ms(1, profile.speed)
    assert speed_score(304 * target, 1, profile.speed) > 1
    assert speed_score(305 * target, 1, profile.speed) == 1


def test_timeouts_are_the_specification_s(timeouts_ms):
    """R15: 420, 600 and 720 s."""
    assert timeouts_ms == {"simple": 420_000, "intermediate": 600_000, "advanced": 720_000}


@given(st.integers(1, 100), st.floats(0, 720_000))
def test_hundred_is_reserved_for_fast_turns(profile, difficulty, model_ms):
    """R38: the second invariant: 100 only within the target, which is never above 4 s."""
    score = speed_score(model_ms, difficulty, profile.speed)
    target = target_ms(difficulty, profile.speed)
    assert 1 <= score <= 100
    assert target <= 4000
    if model_ms > target * 1.0001:
        assert score < 100
        assert score == pytest.approx(max(1, 100 - 12 * log2(model_ms / target)))
    if model_ms <= target:
        assert score == 100


def test_saturation_starts_at_half():
    """R38."""
    assert saturated([100, 70])
    assert not saturated([100, 70, 80])


def test_unknown_cost_is_no_zero():
    """R39: one unknown part leaves the sum unknown; parts that are nothing are 0."""
    assert total_usd([0.1, 0.2, 0.3]) == pytest.approx(0.6)
    assert total_usd([0.1, None, 0.3]) is None
    assert total_usd([]) == 0
