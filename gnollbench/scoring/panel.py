"""The two-company panel: resolution of a split, member mean, agreement (R26, R27, R36)."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from math import fsum

from gnollbench.errors import Withheld
from gnollbench.scoring.quality import Graded, normalised
from gnollbench.scoring.verdict import Claim, ClaimKind, Member, Ruling

ICC_PAIRS = 5  # below five pairs the spread of the answers, which ICC divides by, is not known (R27)


class Resolution(StrEnum):
    """How a critical error in a panel run was resolved (R36)."""

    AGREED = "agreed"
    UPHELD = "upheld"
    OVERTURNED = "overturned"
    UNRESOLVED = "unresolved"

    @property
    def confirmed(self) -> bool:
        """Whether the critical error stands."""
        return self in (Resolution.AGREED, Resolution.UPHELD)


def ruling_on(quote: str, member: Member, claims: Iterable[Claim]) -> Ruling | None:
    """Return the ruling on a member's critical-error quote: the first that it raised itself, or None (R36).

    Supported or refuted without a citation is indeterminate (R34).
    """
    own = (
        claim.effective_ruling
        for claim in claims
        if claim.kind is ClaimKind.CRITICAL_ERROR
        and member in claim.raised_by
        and normalised(claim.quote) == normalised(quote)
    )
    return next(own, None)


def resolution_of(a: Graded, b: Graded, ruling: Ruling | None) -> Resolution | None:
    """Return how a critical error was resolved, None where neither member flags one (R36).

    ``ruling`` is the verifier's on the flagging member's quote; it is not read where both flag.
    """
    if not a.flagged and not b.flagged:
        return None
    if a.flagged and b.flagged:
        return Resolution.AGREED
    if ruling is Ruling.REFUTED:
        return Resolution.UPHELD
    return Resolution.OVERTURNED if ruling is Ruling.SUPPORTED else Resolution.UNRESOLVED


def member_scores(a: Graded, b: Graded, resolution: Resolution | None, ceiling: int) -> tuple[int, int]:
    """Return both members' scores as the panel's mean uses them (R36).

    As graded, but for a split that the verifier settled: upheld caps the member that did not flag, overturned
    takes the flagging member's score from before the ceiling.
    """
    if resolution is Resolution.UPHELD:
        return min(a.score, ceiling), min(b.score, ceiling)
    if resolution is Resolution.OVERTURNED:
        return (a.before_ceiling, b.score) if a.flagged else (a.score, b.before_ceiling)
    return a.score, b.score


def mean_difference(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Return the mean absolute and the mean signed difference, second - first, in points (R27, R31).

    Raises
    ------
    ValueError
        If there is no pair, or the lengths differ.
    """
    differences = [y - x for x, y in zip(first, second, strict=True)]
    if not differences:
        raise ValueError("no pairs")
    n = len(differences)
    return fsum(map(abs, differences)) / n, fsum(differences) / n


def disagrees(first: float, second: float, split: bool, points: float) -> bool:
    """Return whether two scores disagree: too far apart, or split on the critical error (R27)."""
    return split or abs(second - first) > points


def icc_a1(a: Sequence[float], b: Sequence[float]) -> float | Withheld:
    """Return ICC(A,1) of two raters over n answers (R27).

    Two-way random effects, absolute agreement, single rating:
    ``(MSR - MSE) / (MSR + MSE + 2 (MSC - MSE) / n)`` with the mean squares of rows
    (answers), columns (raters) and the rest.

    Returns
    -------
    float or Withheld
        At most 1. Withheld below 5 pairs, and where every score is the same.
    """
    n = len(a)
    if n < ICC_PAIRS:
        return Withheld(
            "panel.icc_a1", f"{n} answers were graded by both members", f"at least {ICC_PAIRS} such answers"
        )
    if len({*a, *b}) == 1:
        return Withheld(
            "panel.icc_a1", "every score is the same", "answers that the members score differently"
        )
    mean_a, mean_b = fsum(a) / n, fsum(b) / n
    grand = (mean_a + mean_b) / 2
    rows = [(x + y) / 2 for x, y in zip(a, b, strict=True)]
    msr = 2 * fsum((row - grand) ** 2 for row in rows) / (n - 1)
    msc = n * ((mean_a - grand) ** 2 + (mean_b - grand) ** 2)
    residuals = [
        (x - row - mean_a + grand, y - row - mean_b + grand) for x, y, row in zip(a, b, rows, strict=True)
    ]
    mse = fsum(e * e + f * f for e, f in residuals) / (n - 1)
    return (msr - mse) / (msr + mse + 2 * (msc - mse) / n)
