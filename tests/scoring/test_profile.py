"""Profile, methods, bands (R5, R24, R45)."""

import pytest
from pydantic import ValidationError

from gnollbench.errors import Refusal
from gnollbench.scoring.profile import METHODS, Band, Profile, band_of, method_of


def test_shipped_profile_is_the_specification_s(profile):
    """R19-R21, R23, R31, R38: every constant of the page."""
    assert profile.points == (1, 15, 35, 55, 72, 87, 100)
    assert profile.weights.model_dump() == {
        "accuracy": 0.55,
        "completeness": 0.25,
        "conciseness": 0.10,
        "readability": 0.10,
    }
    assert (profile.critical_error_ceiling, profile.not_attempted_score) == (25, 50)
    assert (profile.speed.base_ms, profile.speed.points_per_doubling) == (2000, 12)
    assert profile.reader.model_dump() == {
        "outlier_points": 25,
        "minimum": 4,
        "low_quality": 50,
        "disagreement_points": 15,
    }


@pytest.mark.parametrize(
    ("difficulty", "band"),
    [
        (1, "simple"),
        (35, "simple"),
        (36, "intermediate"),
        (70, "intermediate"),
        (71, "advanced"),
        (100, "advanced"),
    ],
)
def test_bands(difficulty, band):
    """R5: 1-35, 36-70, 71-100."""
    assert band_of(difficulty) is Band(band)


@pytest.mark.parametrize("difficulty", [0, 101, -5])
def test_no_band_outside_the_scale(difficulty):
    """R5."""
    with pytest.raises(ValueError, match="outside 1-100"):
        band_of(difficulty)


def test_methods_12_and_13():
    """R24: method 12 has no floor, no resolution of splits (one assessor), no outcomes."""
    old, new = METHODS[12], METHODS[13]
    assert (old.not_attempted_floor, old.panel, old.outcomes) == (False, False, False)
    assert (new.not_attempted_floor, new.panel, new.outcomes) == (True, True, True)


def test_unknown_method_is_refused():
    """R24, R3: the refusal names what is known."""
    with pytest.raises(Refusal, match="12, 13"):
        method_of(14)


def changed(profile: Profile, **fields) -> Profile:
    return Profile.model_validate({**dict(profile), **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {"weights": {"accuracy": 0.6, "completeness": 0.25, "conciseness": 0.1, "readability": 0.1}},
        {"points": (1.0, 15.0, 35.0, 55.0, 72.0, 87.0)},
        {"points": (1.0, 15.0, 35.0, 30.0, 72.0, 87.0, 100.0)},
        {"points": (1.0, 15.0, 35.0, 55.0, 72.0, 87.0, 101.0)},
        {"points": (-1.0, 15.0, 35.0, 55.0, 72.0, 87.0, 100.0)},
        {"critical_error_ceiling": 25.5},
        {"not_attempted_score": float("nan")},
        {"speed": {"base_ms": 0, "points_per_doubling": 12}},
        {"colour": "blue"},
    ],
)
def test_profile_that_means_nothing_is_refused(profile, fields):
    """R24: weights sum to 1, points never fall, nothing is unknown, NaN or out of range."""
    with pytest.raises(ValidationError):
        changed(profile, **fields)


def test_profile_is_frozen(profile):
    """R24: the copy in a record cannot be edited in place."""
    with pytest.raises(ValidationError):
        profile.name = "other"


def test_semantics_leave_out_name_and_speed(profile):
    """R45: a renamed profile is the same key; speed constants are another key."""
    renamed = changed(profile, name="other")
    faster = changed(profile, speed={"base_ms": 1000, "points_per_doubling": 12})
    milder = changed(profile, critical_error_ceiling=30)
    assert renamed.scoring_semantics() == faster.scoring_semantics() == profile.scoring_semantics()
    assert milder.scoring_semantics() != profile.scoring_semantics()
    assert faster.speed_calibration() != profile.speed_calibration() == milder.speed_calibration()
