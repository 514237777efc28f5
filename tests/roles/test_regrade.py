"""The evidence-informed re-grade: it may withdraw what the findings bear on, and nothing else (R35)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnollbench.roles.regrade import BeyondFindings, withdrawn
from gnollbench.scoring.verdict import (
    Basis,
    Charge,
    Citation,
    CitationKind,
    Claim,
    ClaimKind,
    CriticalError,
    Dimension,
    Evidence,
    Levels,
    Markers,
    Member,
    Ruling,
    UnverifiedClaim,
    Verdict,
)

SPEED, COLD = "A lich has speed 6.", "It casts cold."
PAGE = Citation(kind=CitationKind.WIKI, where="Monsters/Lich")


def charge(quote: str, dimension: Dimension = Dimension.ACCURACY, basis: Basis = Basis.RUBRIC) -> Charge:
    return Charge(dimension=dimension, quote=quote, basis=basis)


OMITTED = charge("", Dimension.COMPLETENESS, Basis.OMISSION)


def verdict(accuracy: int = 3, completeness: int = 4, readability: int = 6, **fields: Any) -> Verdict:
    return Verdict(
        model="m",
        levels=Levels(accuracy=accuracy, completeness=completeness, conciseness=5, readability=readability),
        evidence=Evidence(accuracy=fields.pop("prose", "Both are wrong."), completeness="Half."),
        charges=fields.pop("charges", (charge(SPEED), charge(COLD), OMITTED)),
        **fields,
    )


def claim(kind: ClaimKind, ruling: Ruling, quote: str = SPEED, cited: bool = True) -> Claim:
    return Claim(
        kind=kind, quote=quote, raised_by=(Member.A,), ruling=ruling, citation=PAGE if cited else None
    )


TRUE = claim(ClaimKind.CHARGED, Ruling.SUPPORTED)


def test_a_supported_sentence_is_withdrawn() -> None:
    """R35: its charge goes, Accuracy rises, the ground of Accuracy is the new one; all else is the first's."""
    second = verdict(4, charges=(charge(COLD),), prose="Only the second is wrong.")
    second = second.model_copy(
        update={"evidence": second.evidence.model_copy(update={"completeness": "Reworded."})}
    )
    result = withdrawn(verdict(), second, [TRUE])
    assert result == verdict(
        4,
        prose="Only the second is wrong.",
        charges=(charge(COLD), OMITTED),
    )


def test_nothing_withdrawn_is_the_first_verdict() -> None:
    """R35: a grader may stand by its verdict; its new prose is not taken then."""
    assert withdrawn(verdict(), verdict(prose="Still wrong."), [TRUE]) == verdict()


def test_a_charge_without_a_finding_stays() -> None:
    """R35: dropping it from the list withdraws nothing."""
    result = withdrawn(verdict(), verdict(4, charges=()), [TRUE])
    assert charge(COLD) in result.charges
    assert charge(SPEED) not in result.charges


def test_a_refuted_ground_bears_on_every_charge_of_accuracy() -> None:
    """R30, R35: a grader whose basis was refuted may withdraw what it rested on it."""
    refuted = claim(ClaimKind.ASSESSOR_STATEMENT, Ruling.REFUTED, "The rubric says 12.")
    result = withdrawn(verdict(), verdict(6, charges=()), [refuted])
    assert [c.dimension for c in result.charges] == [Dimension.COMPLETENESS]


def with_error(accuracy: int = 2, **fields: Any) -> Verdict:
    return verdict(
        accuracy, critical_error=CriticalError(quote=SPEED, reason="It is 12.", found=True), **fields
    )


SUPPORTED_ERROR = claim(ClaimKind.CRITICAL_ERROR, Ruling.SUPPORTED)


def test_a_supported_critical_error_is_withdrawn() -> None:
    """R35: the quote was found to be true."""
    result = withdrawn(with_error(), verdict(5, charges=(charge(COLD),)), [SUPPORTED_ERROR])
    assert result.critical_error is None
    assert withdrawn(with_error(), with_error(), [SUPPORTED_ERROR]) == with_error()


def test_a_void_critical_error_is_neither_kept_nor_lost() -> None:
    """R21: it was none; leaving it out changes nothing."""
    void = verdict(critical_error=CriticalError(quote="A lich has speed 7.", found=False))
    assert withdrawn(void, verdict(), [TRUE]) == void


@pytest.mark.parametrize(
    ("first", "second", "claims"),
    [
        (verdict(3), verdict(2), [TRUE]),
        (verdict(3), verdict(3, readability=5), [TRUE]),
        (verdict(3), verdict(4, completeness=5), [TRUE]),
        (verdict(3), verdict(6, charges=()), [TRUE]),
        (verdict(3), verdict(3, not_attempted=True), [TRUE]),
        (verdict(3), with_error(3), [TRUE]),
        (with_error(), verdict(2), [claim(ClaimKind.CRITICAL_ERROR, Ruling.REFUTED)]),
        (with_error(), verdict(2), [claim(ClaimKind.CRITICAL_ERROR, Ruling.SUPPORTED, cited=False)]),
        (with_error(), verdict(2), [claim(ClaimKind.CRITICAL_ERROR, Ruling.SUPPORTED, COLD)]),
        (with_error(), with_error(6), [SUPPORTED_ERROR]),
        (verdict(3), verdict(4), [TRUE]),
        (verdict(3), verdict(4, charges=()), []),
        (verdict(3), verdict(4, charges=()), [claim(ClaimKind.UNVERIFIED, Ruling.SUPPORTED)]),
    ],
)
def test_more_than_the_findings_bear_on_is_refused(
    first: Verdict, second: Verdict, claims: list[Claim]
) -> None:
    """R35: a level that falls or of another dimension, a flag that changes, the top over a standing charge."""
    with pytest.raises(BeyondFindings):
        withdrawn(first, second, claims)


LEVELS = st.integers(0, 6)
QUOTES = st.sampled_from([SPEED, COLD, "", "Nothing of the kind."])
CHARGES = st.lists(
    st.builds(charge, QUOTES, st.sampled_from(Dimension), st.sampled_from(Basis)), max_size=3
).map(tuple)
VERDICTS = st.builds(
    Verdict,
    model=st.just("m"),
    levels=st.builds(Levels, accuracy=LEVELS, completeness=LEVELS, conciseness=LEVELS, readability=LEVELS),
    evidence=st.builds(Evidence, accuracy=st.text(max_size=5), readability=st.text(max_size=5)),
    critical_error=st.none() | st.builds(CriticalError, quote=QUOTES, found=st.booleans()),
    not_attempted=st.booleans(),
    unverified_claims=st.lists(st.builds(UnverifiedClaim, quote=QUOTES), max_size=2).map(tuple),
    charges=CHARGES,
    markers=st.builds(Markers, form=st.integers(0, 2)),
)
CLAIMS = st.lists(
    st.builds(claim, st.sampled_from(ClaimKind), st.sampled_from(Ruling), QUOTES, st.booleans()), max_size=4
)


@settings(max_examples=400, deadline=None)
@given(VERDICTS, VERDICTS, CLAIMS)
def test_no_level_falls_and_nothing_else_changes(
    first: Verdict, second: Verdict, claims: list[Claim]
) -> None:
    """R35: over any first verdict, any reply and any findings."""
    try:
        result = withdrawn(first, second, claims)
    except BeyondFindings:
        return
    assert result.levels.accuracy >= first.levels.accuracy
    same = {"levels": first.levels.model_copy(update={"accuracy": result.levels.accuracy})}
    same |= {"evidence": first.evidence.model_copy(update={"accuracy": result.evidence.accuracy})}
    same |= {"critical_error": result.critical_error, "charges": result.charges}
    assert result == first.model_copy(update=same)
    assert set(map(repr, result.charges)) <= set(map(repr, first.charges))
    assert result.critical_error in (None, first.critical_error)
    bearing = [c for c in claims if c.citation is not None and c.ruling is not Ruling.INDETERMINATE]
    if not bearing:
        assert result == first
