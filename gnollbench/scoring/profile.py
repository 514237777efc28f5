"""Scoring profile and difficulty bands."""

from enum import StrEnum


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
