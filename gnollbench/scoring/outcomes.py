"""Outcome classes and rates, the integrity bucket of an answer, the status of a run (R40-R42)."""

from enum import StrEnum


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
