"""The derived parts of a record: an answer's score and a run's results (R26, R27, R37-R40)."""

from gnollbench.errors import Withheld
from gnollbench.scoring.outcomes import Outcome
from gnollbench.scoring.panel import Resolution
from gnollbench.scoring.part import Part
from gnollbench.scoring.verdict import Member


class Score(Part):
    """What one answer scored.

    Attributes
    ----------
    quality : float
        0-100: the assessor's score, or the mean of both members' after resolution.
    members : dict of Member to int
        Each member's whole score as used in ``quality``.
    outcome : Outcome or None
        None under scoring method 12, which has no outcomes.
    speed : float or None
        1-100; None for an unanswered question.
    """

    quality: float
    members: dict[Member, int]
    resolution: Resolution | None = None
    confirmed_critical_error: bool = False
    outcome: Outcome | None = None
    speed: float | None = None


class WithheldFigure(Part):
    """A figure of ``results`` that is null, why, and what would lift it (R3)."""

    figure: str
    reason: str
    lifted_by: str

    @classmethod
    def of(cls, withheld: Withheld) -> "WithheldFigure":
        """Return the record's entry for a withheld figure."""
        return cls(figure=withheld.figure, reason=withheld.reason, lifted_by=withheld.lifted_by)


class Truncated(Part):
    """Which bounds of an interval were clamped to 0-100."""

    low: bool = False
    high: bool = False


class Intelligence(Part):
    """The Intelligence Index over ``n`` of ``n_questions`` answers, with its 95 % interval (R37)."""

    index: float
    se: float | None
    low: float | None
    high: float | None
    truncated: Truncated
    unweighted: float
    n: int
    n_questions: int


class SpeedFigures(Part):
    """Speed over the answered questions; times in milliseconds of model time (R38)."""

    index: float | None = None
    mean_model_ms: float | None = None
    total_model_ms: float | None = None
    ttft_p50_ms: float | None = None
    saturated: bool | None = None


class CriticalErrors(Part):
    """The questions with a critical error, by how it was resolved (R40)."""

    confirmed: tuple[str, ...]
    unresolved: tuple[str, ...]
    overturned: tuple[str, ...]


class Rate(Part):
    """A share of ``n`` with its 95 % Wilson interval; 0-1 (R40)."""

    rate: float | None = None
    low: float | None = None
    high: float | None = None
    n: int


class OutcomeFigures(Part):
    """Counts of the outcome classes and the three rates (R40)."""

    correct: int
    partial: int
    incorrect: int
    not_attempted: int
    no_answer: int
    critical_errors: CriticalErrors
    critical_error_rate: Rate
    correct_when_attempted: float | None
    wrong_instead_of_abstaining: float | None


class PanelAgreement(Part):
    """How the members agree on the answers that both graded; B - A, in points (R27)."""

    n: int
    mean_absolute: float | None
    mean_signed: float | None
    icc_a1: float | None
    disagreements: tuple[str, ...]
    member_index: dict[Member, float]


class ReaderAgreement(Part):
    """How a reader agrees with the score; reader - score, in points (R31, R32).

    Attributes
    ----------
    conditioned : bool
        True where the answers were picked by the first grader's own doubts, so that the agreement is biased.
    """

    n: int
    conditioned: bool
    mean_absolute: float
    mean_signed: float
    disagreements: tuple[str, ...]
    disputed: tuple[str, ...]


class MarkerCounts(Part):
    """Recorded points that cost nothing, and how many sit beside a deduction that is not explained (R28)."""

    out_of_scope: int
    form: int
    beside_unexplained: int


class RegradeSensitivity(Part):
    """The index as it would be with the ``n`` evidence-informed re-grades in place; advisory (R35)."""

    n: int
    index: float
    difference: float


class Results(Part):
    """Every figure of a run. A null figure has an entry in the record's ``withheld``."""

    intelligence: Intelligence
    speed: SpeedFigures
    outcomes: OutcomeFigures | None = None
    panel: PanelAgreement | None = None
    reader: ReaderAgreement | None = None
    regrade: RegradeSensitivity | None = None
    markers: MarkerCounts | None = None
