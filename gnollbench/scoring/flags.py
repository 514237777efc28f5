"""The advisory layer: consistency flags, reader triggers and selection, disputes (R30-R32).

Nothing here moves a score.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median

from gnollbench.scoring.evidence import (
    describes_fabrication,
    names_defect,
    names_only_omissions,
    rests_on_own_knowledge,
)
from gnollbench.scoring.profile import ReaderThresholds
from gnollbench.scoring.quality import has_critical_error, normalised
from gnollbench.scoring.verdict import (
    Basis,
    Claim,
    ClaimKind,
    Dimension,
    Flag,
    FlagName,
    Member,
    ReaderMode,
    Ruling,
    Trigger,
    Verdict,
)

TOP = 6  # the level that needs no ground: every lower one is a deduction (R28)
CONTESTABLE_ACCURACY = 4  # above it, a fabrication that the prose describes was not held to be material (R30)
OUTLYING = 1  # a dimension at 0 or 1 ...
BESIDE_OUTLIER = 3  # ... beside three at 3 or above (R30)

_UNCHECKED = (ClaimKind.UNVERIFIED, ClaimKind.SUSPECTED_FALSE)
_CLAIM_FLAGS = (
    (FlagName.REFUTED_CLAIM, _UNCHECKED, Ruling.REFUTED),
    (FlagName.CONTESTED_CRITICAL_ERROR, (ClaimKind.CRITICAL_ERROR,), Ruling.SUPPORTED),
    (FlagName.CONTESTED_ACCURACY_DEDUCTION, (ClaimKind.ASSESSOR_STATEMENT,), Ruling.REFUTED),
    (FlagName.CONTESTED_ACCURACY_DEDUCTION, (ClaimKind.CHARGED,), Ruling.SUPPORTED),
)
CONTESTING = frozenset({FlagName.CONTESTED_CRITICAL_ERROR, FlagName.CONTESTED_ACCURACY_DEDUCTION})
"""The flags by which the verifier's findings contest a verdict: they call for a re-grade (R35)."""


def flags_of(verdicts: Mapping[Member, Verdict], claims: Iterable[Claim], text: str) -> tuple[Flag, ...]:
    """Return the consistency flags of one answer, in the order of the closed set, then by member (R30).

    Parameters
    ----------
    verdicts : mapping of Member to Verdict
        The scoring members' verdicts.
    claims : iterable of Claim
        What the verifier ruled on; empty without a verifier.
    text : str
        The scrubbed answer: a critical error whose quote is not in it is no flag.
    """
    by_verdict = (
        (name, member, detail)
        for member, verdict in verdicts.items()
        for name, detail in _verdict_flags(verdict, text)
    )
    order = list(FlagName)
    raised = {*by_verdict, *_claim_flags(claims)}
    return tuple(
        Flag(name=name, member=member, detail=detail)
        for name, member, detail in sorted(raised, key=lambda flag: (order.index(flag[0]), *flag[1:]))
    )


def _verdict_flags(verdict: Verdict, text: str) -> Iterator[tuple[FlagName, str]]:
    """The five flags that a verdict raises by itself, each with what raised it."""
    fabrication = _contesting_sentence(verdict, text)
    if fabrication is not None:
        yield FlagName.CONTESTED_VERDICT, fabrication
    for dimension in (Dimension.ACCURACY, Dimension.COMPLETENESS):
        if unexplained(verdict, dimension):
            yield FlagName.UNEVIDENCED_DEDUCTION, f"{dimension}: {verdict.evidence.of(dimension)}"
    if verdict.levels.accuracy < TOP:
        if _only_omissions(verdict):
            yield FlagName.OMISSION_CHARGED_AS_ACCURACY, verdict.evidence.accuracy
        if _out_of_rubric(verdict):
            yield FlagName.OUT_OF_RUBRIC_DEDUCTION, verdict.evidence.accuracy
    outlier = _outlying_dimension(verdict)
    if outlier is not None:
        yield FlagName.DIMENSION_OUTLIER, outlier


def _claim_flags(claims: Iterable[Claim]) -> Iterator[tuple[FlagName, Member, str]]:
    """The three flags that a cited ruling raises, one a member that raised the claim."""
    for claim in claims:
        for name, kinds, ruling in _CLAIM_FLAGS:
            if claim.kind in kinds and claim.effective_ruling is ruling:
                for member in claim.raised_by:
                    yield name, member, claim.quote


def unexplained(verdict: Verdict, dimension: Dimension) -> bool:
    """Return whether a dimension is below 6 and neither charge nor evidence names a defect (R28, R30)."""
    return verdict.levels.of(dimension) < TOP and not _defect_named(verdict, dimension)


def _charges(verdict: Verdict, dimension: Dimension) -> list[Basis]:
    """The grounds of the charges on one dimension, those without a ground left out."""
    return [c.basis for c in verdict.charges if c.dimension is dimension and c.basis is not Basis.NONE]


def _defect_named(verdict: Verdict, dimension: Dimension) -> bool:
    return bool(_charges(verdict, dimension)) or names_defect(verdict.evidence.of(dimension))


def _contesting_sentence(verdict: Verdict, text: str) -> str | None:
    if verdict.levels.accuracy > CONTESTABLE_ACCURACY or has_critical_error(verdict, text):
        return None
    prose = [verdict.evidence.of(dimension) for dimension in Dimension]
    if verdict.critical_error is not None:
        prose.append(verdict.critical_error.reason)
    return describes_fabrication("\n".join(prose))


def _only_omissions(verdict: Verdict) -> bool:
    bases = _charges(verdict, Dimension.ACCURACY)
    if bases:
        return all(basis is Basis.OMISSION for basis in bases)
    return names_only_omissions(verdict.evidence.accuracy)


def _out_of_rubric(verdict: Verdict) -> bool:
    bases = _charges(verdict, Dimension.ACCURACY)
    if bases:
        return Basis.OWN_KNOWLEDGE in bases and not {Basis.RUBRIC, Basis.BOARD} & set(bases)
    return rests_on_own_knowledge(verdict.evidence.accuracy)


def _outlying_dimension(verdict: Verdict) -> Dimension | None:
    for dimension in Dimension:
        others = [verdict.levels.of(other) for other in Dimension if other is not dimension]
        if verdict.levels.of(dimension) <= OUTLYING and min(others) >= BESIDE_OUTLIER:
            return None if _own_kind_of_defect(verdict, dimension) else dimension
    return None


def _own_kind_of_defect(verdict: Verdict, dimension: Dimension) -> bool:
    omitted = dimension is Dimension.ACCURACY and _only_omissions(verdict)
    return _defect_named(verdict, dimension) and not omitted


_TRIGGER_OF_FLAG = {
    FlagName.REFUTED_CLAIM: Trigger.REFUTED_CLAIM,
    FlagName.CONTESTED_VERDICT: Trigger.CONTESTED_VERDICT,
    FlagName.OUT_OF_RUBRIC_DEDUCTION: Trigger.OUT_OF_RUBRIC_DEDUCTION,
    FlagName.UNEVIDENCED_DEDUCTION: Trigger.UNEVIDENCED_DEDUCTION,
    FlagName.OMISSION_CHARGED_AS_ACCURACY: Trigger.OMISSION_CHARGED_AS_ACCURACY,
    FlagName.DIMENSION_OUTLIER: Trigger.DIMENSION_OUTLIER,
}


def triggers_of(
    verdicts: Mapping[Member, Verdict],
    claims: Sequence[Claim],
    text: str,
    quality: float,
    thresholds: ReaderThresholds,
) -> tuple[Trigger, ...]:
    """Return the per-answer triggers that fire, in their order of strength (R31)."""
    fired = {
        _TRIGGER_OF_FLAG[flag.name]
        for flag in flags_of(verdicts, claims, text)
        if flag.name in _TRIGGER_OF_FLAG
    }
    if any(has_critical_error(verdict, text) for verdict in verdicts.values()):
        fired.add(Trigger.CRITICAL_ERROR)
    if _has_unresolved_claim(verdicts.values(), claims):
        fired.add(Trigger.UNRESOLVED_CLAIMS)
    if quality < thresholds.low_quality:
        fired.add(Trigger.LOW_QUALITY)
    return _in_order(fired)


def _has_unresolved_claim(verdicts: Iterable[Verdict], claims: Iterable[Claim]) -> bool:
    settled = {
        normalised(claim.quote) for claim in claims if claim.effective_ruling is not Ruling.INDETERMINATE
    }
    return any(normalised(c.quote) not in settled for verdict in verdicts for c in verdict.unverified_claims)


def _in_order(triggers: set[Trigger]) -> tuple[Trigger, ...]:
    return tuple(trigger for trigger in Trigger if trigger in triggers)


def reader_selection(
    mode: ReaderMode,
    triggers: Mapping[str, Sequence[Trigger]],
    qualities: Mapping[str, float],
    thresholds: ReaderThresholds,
) -> dict[str, tuple[Trigger, ...]]:
    """Return which answers are read a second time, and why (R31).

    Parameters
    ----------
    mode : ReaderMode
        What the configuration asks for; a panel run passes ``ALL`` (R32).
    triggers : mapping of str to sequence of Trigger
        By question, what :func:`triggers_of` gave: one entry for every answer that can be read.
    qualities : mapping of str to float
        By question, 0-100, of every answer that counts, the unanswered ones at 0 included.
    thresholds : ReaderThresholds
        Of the profile.

    Returns
    -------
    dict of str to tuple of Trigger
        The selected questions in the order given. A top-up takes the lowest quality first, and of equal ones
        the first given.
    """
    added = dict.fromkeys(triggers, Trigger.ALL) if mode is ReaderMode.ALL else {}
    flagged = [question for question, fired in triggers.items() if fired]
    if mode is ReaderMode.OFF:
        flagged = []
    if mode is ReaderMode.FLAGGED_AND_OUTLIERS and qualities:
        line = median(qualities.values()) - thresholds.outlier_points
        added = {question: Trigger.OUTLIER for question in triggers if qualities[question] < line}
    if mode is ReaderMode.FLAGGED_PLUS_SAMPLE:
        rest = sorted((q for q in triggers if not triggers[q]), key=lambda question: qualities[question])
        added = dict.fromkeys(rest[: max(thresholds.minimum - len(flagged), 0)], Trigger.SAMPLE)
    return {
        question: _in_order({*fired, *([added[question]] if question in added else [])})
        for question, fired in triggers.items()
        if question in flagged or question in added
    }


def reader_split(members: Sequence[bool], reader: bool) -> bool:
    """Return whether a reader stands against the critical-error flags of members that all agree (R32)."""
    return len(set(members)) == 1 and reader is not members[0]
