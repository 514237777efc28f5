"""Scoring profile, scoring methods and difficulty bands (R5, R24, R45)."""

from dataclasses import dataclass
from enum import StrEnum
from math import isclose
from typing import Annotated, Any

from pydantic import Field, model_validator

from gnollbench.errors import Refusal
from gnollbench.scoring.part import Part

Points = Annotated[float, Field(ge=0, le=100)]
Share = Annotated[float, Field(ge=0, le=1)]


class Band(StrEnum):
    """The three difficulty bands, authored by hand and read off the assessed difficulty (R5)."""

    SIMPLE = "simple"
    INTERMEDIATE = "intermediate"
    ADVANCED = "advanced"


def band_of(difficulty: int) -> Band:
    """Return the band of an assessed difficulty: 1-35, 36-70, 71-100 (R5).

    Raises
    ------
    ValueError
        If the difficulty is outside 1-100.
    """
    if not 1 <= difficulty <= 100:
        raise ValueError(f"assessed difficulty {difficulty} is outside 1-100")
    if difficulty <= 35:
        return Band.SIMPLE
    return Band.INTERMEDIATE if difficulty <= 70 else Band.ADVANCED


class Weights(Part):
    """The exponents of the weighted geometric mean; they sum to 1 (R20)."""

    accuracy: Share
    completeness: Share
    conciseness: Share
    readability: Share

    @model_validator(mode="after")
    def _sum_to_one(self) -> "Weights":
        total = self.accuracy + self.completeness + self.conciseness + self.readability
        if not isclose(total, 1, abs_tol=1e-9):
            raise ValueError(f"the weights sum to {total:g}, not to 1")
        return self


class SpeedConstants(Part):
    """Target time at difficulty 0 in milliseconds, and the points that each doubling of it costs (R38)."""

    base_ms: Annotated[float, Field(gt=0)]
    points_per_doubling: Annotated[float, Field(gt=0)]


class ReaderThresholds(Part):
    """What selects an answer for a reader, and what counts as disagreement; all in points (R31)."""

    outlier_points: Points
    minimum: Annotated[int, Field(ge=0)]
    low_quality: Points
    disagreement_points: Points


class Profile(Part):
    """The constants that a run is scored with; a copy stands in every record (R24).

    Attributes
    ----------
    points : tuple of 7 float
        Points of the levels 0-6, never falling.
    critical_error_ceiling : int
        Whole, because it can become a member's score, which is whole.
    """

    name: str
    weights: Weights
    points: Annotated[tuple[Points, ...], Field(min_length=7, max_length=7)]
    critical_error_ceiling: Annotated[int, Field(ge=0, le=100)]
    not_attempted_score: Points
    speed: SpeedConstants
    reader: ReaderThresholds

    @model_validator(mode="after")
    def _never_falling(self) -> "Profile":
        if list(self.points) != sorted(self.points):
            raise ValueError("points: a higher level has fewer points than a lower one")
        return self

    def scoring_semantics(self) -> dict[str, Any]:
        """Return what the key ``scoring_profile`` is computed from: no name, no speed constants (R45)."""
        return self.model_dump(mode="json", exclude={"name", "speed"})

    def speed_calibration(self) -> dict[str, Any]:
        """Return what the key ``speed_calibration`` is computed from (R45)."""
        return self.speed.model_dump(mode="json")


@dataclass(frozen=True, slots=True)
class Method:
    """The rules that a scoring method version has (R24)."""

    version: int
    not_attempted_floor: bool
    panel: bool
    outcomes: bool


METHODS = {
    12: Method(12, not_attempted_floor=False, panel=False, outcomes=False),
    13: Method(13, not_attempted_floor=True, panel=True, outcomes=True),
}


def method_of(version: int) -> Method:
    """Return the rules of a scoring method version.

    Raises
    ------
    Refusal
        If this program does not know the version.
    """
    if version not in METHODS:
        raise Refusal(
            f"scoring under method {version} is refused",
            f"this program knows the methods {', '.join(map(str, METHODS))}",
            "name one of them, or use a program that knows the method",
        )
    return METHODS[version]
