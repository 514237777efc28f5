"""What graders and the claim verifier said about one answer, and the closed sets that they speak in."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from gnollbench.scoring.part import Part

Level = Annotated[int, Field(ge=0, le=6)]
Count = Annotated[int, Field(ge=0)]


class Member(StrEnum):
    """The scoring graders: the assessor (a) and the co-assessor (b)."""

    A = "a"
    B = "b"


class Dimension(StrEnum):
    """The four dimensions that an answer is rated on (R19)."""

    ACCURACY = "accuracy"
    COMPLETENESS = "completeness"
    CONCISENESS = "conciseness"
    READABILITY = "readability"


class Basis(StrEnum):
    """What a grader rests a charge on (R28)."""

    RUBRIC = "rubric"
    BOARD = "board"
    OWN_KNOWLEDGE = "own_knowledge"
    OMISSION = "omission"
    FORM = "form"
    NONE = "none"


class ClaimKind(StrEnum):
    """Why a statement went to the claim verifier (R33)."""

    CRITICAL_ERROR = "critical_error"
    UNVERIFIED = "unverified"
    SUSPECTED_FALSE = "suspected_false"
    CHARGED = "charged"
    ASSESSOR_STATEMENT = "assessor_statement"


class Ruling(StrEnum):
    """What the claim verifier found a statement to be (R34)."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    INDETERMINATE = "indeterminate"


class CitationKind(StrEnum):
    """Where a ruling's deciding passage stands (R34)."""

    SOURCE = "source"
    WIKI = "wiki"
    SNAPSHOT = "snapshot"


class FlagName(StrEnum):
    """The eight consistency flags (R30)."""

    CONTESTED_VERDICT = "contested_verdict"
    UNEVIDENCED_DEDUCTION = "unevidenced_deduction"
    OMISSION_CHARGED_AS_ACCURACY = "omission_charged_as_accuracy"
    OUT_OF_RUBRIC_DEDUCTION = "out_of_rubric_deduction"
    DIMENSION_OUTLIER = "dimension_outlier"
    REFUTED_CLAIM = "refuted_claim"
    CONTESTED_CRITICAL_ERROR = "contested_critical_error"
    CONTESTED_ACCURACY_DEDUCTION = "contested_accuracy_deduction"


class Trigger(StrEnum):
    """Why a reader is asked: nine triggers in their order of strength, then three of the modes (R31)."""

    CRITICAL_ERROR = "critical_error"
    REFUTED_CLAIM = "refuted_claim"
    CONTESTED_VERDICT = "contested_verdict"
    OUT_OF_RUBRIC_DEDUCTION = "out_of_rubric_deduction"
    UNEVIDENCED_DEDUCTION = "unevidenced_deduction"
    OMISSION_CHARGED_AS_ACCURACY = "omission_charged_as_accuracy"
    DIMENSION_OUTLIER = "dimension_outlier"
    UNRESOLVED_CLAIMS = "unresolved_claims"
    LOW_QUALITY = "low_quality"
    OUTLIER = "outlier"
    SAMPLE = "sample"
    ALL = "all"


class ReaderMode(StrEnum):
    """Which answers of a single-assessor run are read a second time (R31)."""

    OFF = "off"
    FLAGGED = "flagged"
    FLAGGED_AND_OUTLIERS = "flagged_and_outliers"
    FLAGGED_PLUS_SAMPLE = "flagged_plus_sample"
    ALL = "all"


class Levels(Part):
    """The four levels of a verdict, each 0-6 (R19)."""

    accuracy: Level
    completeness: Level
    conciseness: Level
    readability: Level

    def of(self, dimension: Dimension) -> int:
        """Return the level of one dimension."""
        return int(getattr(self, dimension))


class Evidence(Part):
    """The grader's stated ground for each level."""

    accuracy: str = ""
    completeness: str = ""
    conciseness: str = ""
    readability: str = ""

    def of(self, dimension: Dimension) -> str:
        """Return the stated ground of one dimension."""
        return str(getattr(self, dimension))


class CriticalError(Part):
    """A grader's charge of a critical error (R21).

    Attributes
    ----------
    quote : str
        The offending sentence, as the grader quotes it.
    found : bool
        Whether the quote occurs in the answer. Recomputed on every scoring, never trusted.
    """

    quote: str
    reason: str = ""
    found: bool = False


class UnverifiedClaim(Part):
    """A statement of the answer that the rubric neither states nor contradicts (R22, R28)."""

    quote: str
    suspected_false: bool = False


class Charge(Part):
    """One sentence held against an answer on one dimension, and what the charge rests on (R28)."""

    dimension: Dimension
    quote: str
    basis: Basis


class Markers(Part):
    """How many rubric points were recorded and not deducted, out of scope or of form (R28)."""

    out_of_scope: Count = 0
    form: Count = 0


class Verdict(Part):
    """One grader's verdict on one answer."""

    model: str = ""
    levels: Levels
    evidence: Evidence = Evidence()
    critical_error: CriticalError | None = None
    not_attempted: bool = False
    unverified_claims: tuple[UnverifiedClaim, ...] = ()
    charges: tuple[Charge, ...] = ()
    markers: Markers = Markers()


class Citation(Part):
    """The passage that a ruling rests on: a source file with lines, a wiki page, a snapshot line (R34)."""

    kind: CitationKind
    where: str
    lines: str = ""
    quote: str = ""


def _as_ruled(fields: dict[str, Any]) -> Ruling:
    return fields.get("ruling", Ruling.INDETERMINATE)


class Claim(Part):
    """A statement that the claim verifier checked, who raised it, and the ruling (R33, R34).

    Attributes
    ----------
    original_ruling : Ruling
        The ruling before the checks of code, which can only turn it into indeterminate.
    """

    kind: ClaimKind
    quote: str
    raised_by: tuple[Member, ...]
    ruling: Ruling
    original_ruling: Ruling = Field(default_factory=_as_ruled)
    citation: Citation | None = None
    reason: str = ""

    @property
    def effective_ruling(self) -> Ruling:
        """The ruling as it counts: supported or refuted without a citation is indeterminate (R34)."""
        return self.ruling if self.citation is not None else Ruling.INDETERMINATE


class Flag(Part):
    """One raised consistency flag; ``member`` is the grader whose verdict or claim it concerns (R30)."""

    name: FlagName
    member: Member | None = None
    detail: str = ""
