"""The evidence-informed re-grade: what a single assessor may withdraw with the findings in hand (R35)."""

from collections.abc import Iterable, Sequence

from gnollbench.scoring.quality import normalised
from gnollbench.scoring.verdict import Basis, Charge, Claim, ClaimKind, Dimension, Ruling, Verdict

_TOP = 6


class BeyondFindings(Exception):
    """A re-grade changes what no finding bears on."""


def withdrawn(first: Verdict, second: Verdict, claims: Sequence[Claim]) -> Verdict:
    """Return the first verdict without the deductions that the second withdraws and the findings bear on.

    Only the level, the evidence and the charges of Accuracy and the critical error can differ from the first;
    all else is the first's, word for word.

    Parameters
    ----------
    first, second : Verdict
        The assessor's verdict, and what it returned with the findings in hand.
    claims : sequence of Claim
        The verifier's findings on this answer.

    Raises
    ------
    BeyondFindings
        If a level falls, a level of another dimension moves, a critical error or the not-attempted flag
        changes without a finding on it, if Accuracy rises and nothing was withdrawn, or reaches the top over
        a charge that still stands.
    """
    true = [normalised(claim.quote) for claim in claims if _supports_charged(claim)]
    grounds_fell = any(_refutes_ground(claim) for claim in claims)
    kept_error = _critical_error_stands(first, second, claims)
    gone = [
        charge
        for charge in first.charges
        if charge not in second.charges and _withdrawable(charge, true, grounds_fell)
    ]
    charges = tuple(charge for charge in first.charges if charge not in gone)
    _levels_hold(first, second)
    if second.not_attempted != first.not_attempted:
        raise BeyondFindings("the not-attempted flag changed")
    if second.levels.accuracy == _TOP > first.levels.accuracy and (kept_error or any(map(_costs, charges))):
        raise BeyondFindings("Accuracy reached the top over a charge that no finding bears on")
    lost_error = first.critical_error is not None and not kept_error
    rises = second.levels.accuracy > first.levels.accuracy
    if rises and not (gone or lost_error or grounds_fell):
        raise BeyondFindings("Accuracy rose, and no deduction was withdrawn")
    moved = rises or bool(gone) or lost_error
    prose = second.evidence.accuracy if moved else first.evidence.accuracy
    return first.model_copy(
        update={
            "levels": first.levels.model_copy(update={"accuracy": second.levels.accuracy}),
            "evidence": first.evidence.model_copy(update={"accuracy": prose}),
            "critical_error": first.critical_error if kept_error else None,
            "charges": charges,
        }
    )


def _supports_charged(claim: Claim) -> bool:
    charged = claim.kind in (ClaimKind.CRITICAL_ERROR, ClaimKind.CHARGED)
    return charged and claim.effective_ruling is Ruling.SUPPORTED


def _refutes_ground(claim: Claim) -> bool:
    return claim.kind is ClaimKind.ASSESSOR_STATEMENT and claim.effective_ruling is Ruling.REFUTED


def _withdrawable(charge: Charge, true: Iterable[str], grounds_fell: bool) -> bool:
    """Whether a finding bears on a charge: its sentence was supported, or a ground of the grader refuted."""
    if charge.dimension is not Dimension.ACCURACY:
        return False
    quote = normalised(charge.quote)
    return grounds_fell or any(quote and (quote in sentence or sentence in quote) for sentence in true)


def _critical_error_stands(first: Verdict, second: Verdict, claims: Iterable[Claim]) -> bool:
    """Return whether the re-grade keeps the critical error; it may withdraw a supported one alone."""
    before, after = (v.critical_error and normalised(v.critical_error.quote) for v in (first, second))
    if before == after:
        return before is not None
    if after is None and first.critical_error is not None and not first.critical_error.found:
        return True  # void from the first: there was nothing to withdraw
    supported = any(
        claim.kind is ClaimKind.CRITICAL_ERROR
        and claim.effective_ruling is Ruling.SUPPORTED
        and normalised(claim.quote) == before
        for claim in claims
    )
    if after is not None or not supported:
        raise BeyondFindings("the critical error changed without a finding on it")
    return False


def _levels_hold(first: Verdict, second: Verdict) -> None:
    for dimension in Dimension:
        before, after = first.levels.of(dimension), second.levels.of(dimension)
        if after < before or (after > before and dimension is not Dimension.ACCURACY):
            raise BeyondFindings(f"{dimension} went from {before} to {after}")


def _costs(charge: Charge) -> bool:
    return charge.dimension is Dimension.ACCURACY and charge.basis is not Basis.NONE
