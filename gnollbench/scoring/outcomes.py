"""Outcome classes and rates, the integrity bucket of an answer, the status of a run (R40-R42)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

from gnollbench.errors import Withheld
from gnollbench.scoring.indices import Z_95
from gnollbench.scoring.verdict import Verdict

# The mean levels that divide the classes (R40).
INCORRECT_ACCURACY = 2
CORRECT_ACCURACY = 5
CORRECT_COMPLETENESS = 4


class Outcome(StrEnum):
    """What an answer amounted to (R40)."""

    CORRECT = "correct"
    PARTIAL = "partial"
    INCORRECT = "incorrect"
    NOT_ATTEMPTED = "not_attempted"
    NO_ANSWER = "no_answer"


class Integrity(StrEnum):
    """The integrity buckets, in the order in which they are tried (R41)."""

    TRANSPORT_DEFECT = "transport_defect"
    UNANSWERED = "unanswered"
    HARNESS_LIMIT = "harness_limit"
    RECOVERED = "recovered"
    CLEAN = "clean"


class RunStatus(StrEnum):
    """How a run ended (R42)."""

    COMPLETED = "completed"
    COMPLETED_WITH_LIMITS = "completed_with_limits"
    COMPLETED_WITH_ERRORS = "completed_with_errors"
    FAILED = "failed"
    CANCELED = "canceled"

    @property
    def aborted(self) -> bool:
        """Whether the run was broken off, by a person or a fault, and so gets no score."""
        return self in (RunStatus.FAILED, RunStatus.CANCELED)


@dataclass(frozen=True, slots=True)
class Proportion:
    """A share k/n with its 95 % Wilson interval, all 0-1."""

    rate: float
    low: float
    high: float


def outcome_of(verdicts: Sequence[Verdict], confirmed: bool, any_flag: bool) -> Outcome:
    """Return the class of an answer that has text, the first that holds (R40).

    Parameters
    ----------
    verdicts : sequence of Verdict
        Both members', or the single assessor's.
    confirmed : bool
        Whether a critical error is confirmed.
    any_flag : bool
        Whether any member's critical-error flag counts, confirmed or not.
    """
    accuracy = sum(verdict.levels.accuracy for verdict in verdicts) / len(verdicts)
    completeness = sum(verdict.levels.completeness for verdict in verdicts) / len(verdicts)
    if confirmed or accuracy <= INCORRECT_ACCURACY:
        return Outcome.INCORRECT
    if all(verdict.not_attempted for verdict in verdicts):
        return Outcome.NOT_ATTEMPTED
    if accuracy >= CORRECT_ACCURACY and completeness >= CORRECT_COMPLETENESS and not any_flag:
        return Outcome.CORRECT
    return Outcome.PARTIAL


def wilson(k: int, n: int) -> Proportion | Withheld:
    """Return k/n with its 95 % Wilson score interval; 1 of 18 is 5.6 %, 1.0 % to 25.8 % (R40).

    Withheld where n is 0.
    """
    if n == 0:
        figure = "outcomes.critical_error_rate"
        return Withheld(figure, "no answer was classified", "an answer with text that counts")
    p, z2 = k / n, Z_95**2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return Proportion(p, max(centre - half, 0.0), min(centre + half, 1.0))


def correct_when_attempted(correct: int, partial: int, incorrect: int) -> float | Withheld:
    """Return correct ÷ (correct + partial + incorrect), 0-1; withheld where nothing was attempted (R40)."""
    attempted = correct + partial + incorrect
    if attempted == 0:
        return Withheld("outcomes.correct_when_attempted", "no answer was attempted", "an attempted answer")
    return correct / attempted


def wrong_instead_of_abstaining(incorrect: int, not_attempted: int) -> float | Withheld:
    """Return incorrect ÷ (incorrect + not attempted), 0-1; withheld where there is neither (R40)."""
    wrong_or_declined = incorrect + not_attempted
    if wrong_or_declined == 0:
        figure = "outcomes.wrong_instead_of_abstaining"
        return Withheld(figure, "no answer was wrong or declined", "an answer that is one of the two")
    return incorrect / wrong_or_declined


def integrity_of(failed: bool, text: str, limit_hit: bool, scrubbed: bool) -> Integrity:
    """Return the one bucket of an answer, the first that holds (R41).

    Parameters
    ----------
    failed : bool
        Whether the turn ended in a failure of the provider or the harness.
    text : str
        The scrubbed answer.
    limit_hit : bool
        Whether a configured cap was reached.
    scrubbed : bool
        Whether artifacts were taken out of the answer.
    """
    if failed:
        return Integrity.TRANSPORT_DEFECT
    if not text.strip():
        return Integrity.UNANSWERED
    if limit_hit:
        return Integrity.HARNESS_LIMIT
    return Integrity.RECOVERED if scrubbed else Integrity.CLEAN


def status_of(counted: int, errors: bool, limits: bool) -> RunStatus:
    """Return how a run that was not broken off ended: errors outrank limits (R42).

    ``counted`` is how many answers count; where none does, the run failed.
    """
    if counted == 0:
        return RunStatus.FAILED
    if errors:
        return RunStatus.COMPLETED_WITH_ERRORS
    return RunStatus.COMPLETED_WITH_LIMITS if limits else RunStatus.COMPLETED
