"""From levels to the score of one answer under one grader, and the matching of quotes (R19-R23)."""

import re
from dataclasses import dataclass
from math import floor, prod

from gnollbench.scoring.profile import Method, Profile
from gnollbench.scoring.verdict import Dimension, Levels, Verdict

ABSTENTION_ACCURACY = 5  # the lowest Accuracy level whose abstention is lifted: it states nothing false (R23)

# What a quotation may change without being another quotation (R21).
_QUOTATION_MARKS = "\"'\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u00b4\uff02\uff07«»‹›"
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_STYLES = str.maketrans(dict.fromkeys(_QUOTATION_MARKS, "'") | dict.fromkeys(_DASHES, "-"))
_DASH_RUN = re.compile("-{2,3}")
_BLANKS = re.compile("[\\s\u200b\u2060\ufeff]+")
_BOLD = re.compile(r"\*\*(?=\S)([^*]+?)(?<=\S)\*\*")
# A run of * or _ is emphasis at a word's edge; inside a word it is a product or a name (2*3, snake_case).
_EMPHASIS = re.compile(r"(?<![\w*])[*_]+(?=[^\s*_])|(?<=[^\s*_])[*_]+(?![\w*])")


@dataclass(frozen=True, slots=True)
class Graded:
    """One member's score of one answer.

    Attributes
    ----------
    score : int
        As graded: floor, rounding and ceiling applied.
    before_ceiling : int
        Q rounded, without ceiling and not-attempted floor: what an overturned split uses (R36).
    flagged : bool
        Whether the member's critical error counts: it has a quote, and the answer has it too.
    """

    score: int
    before_ceiling: int
    flagged: bool


def weighted_geometric_mean(levels: Levels, profile: Profile) -> float:
    """Return Q = A^0.55 · C^0.25 · Cn^0.10 · R^0.10 over the levels' points, clamped to 1-100 (R20).

    The exponents and points are the profile's. Levels 5, 4, 6, 5 give 84.1, published as 84.
    """
    q = prod(profile.points[levels.of(d)] ** getattr(profile.weights, d) for d in Dimension)
    return min(max(q, 1.0), 100.0)


def round_half_up(value: float) -> int:
    """Round to a whole number, halves upward: the one rounding of a score."""
    return floor(value + 0.5)


def graded(verdict: Verdict, text: str, profile: Profile, method: Method) -> Graded:
    """Score an answer's text under one verdict (R19-R23).

    In this order: Q; the not-attempted floor, where the flag is true, there is no critical error and Accuracy
    is at level 5 or above; rounding; the ceiling on a critical error.
    """
    q = weighted_geometric_mean(verdict.levels, profile)
    flagged = has_critical_error(verdict, text)
    lifted = max(q, profile.not_attempted_score) if _honest_abstention(verdict, flagged, method) else q
    score = round_half_up(lifted)
    return Graded(
        score=min(score, profile.critical_error_ceiling) if flagged else score,
        before_ceiling=round_half_up(q),
        flagged=flagged,
    )


def _honest_abstention(verdict: Verdict, flagged: bool, method: Method) -> bool:
    return (
        method.not_attempted_floor
        and verdict.not_attempted
        and not flagged
        and verdict.levels.accuracy >= ABSTENTION_ACCURACY
    )


def has_critical_error(verdict: Verdict, text: str) -> bool:
    """Return whether the verdict flags a critical error whose quote occurs in the answer (R21)."""
    return verdict.critical_error is not None and occurs(verdict.critical_error.quote, text)


def occurs(quote: str, text: str) -> bool:
    """Return whether a quote occurs in a text, case and every word the same (R21).

    Differences of white space, of quotation-mark and dash style and of Markdown emphasis are none. An empty
    quote occurs nowhere.
    """
    sought = normalised(quote)
    return bool(sought) and sought in normalised(text)


def normalised(text: str) -> str:
    """Return the text as quotes are compared: without white space and emphasis, one style of marks (R21)."""
    plain = _EMPHASIS.sub("", _BOLD.sub(r"\1", text))
    return _BLANKS.sub("", _DASH_RUN.sub("-", plain.translate(_STYLES)))
