"""The exception tree, by who must act, and the value that stands where a figure is withheld.

Foreign errors are translated into these once, at the edge where they arise.
"""

from dataclasses import dataclass


class GnollBenchError(Exception):
    """Root of every error that GnollBench raises on purpose."""


class Refusal(GnollBenchError):
    """The user must act: a launch or a command that is not carried out (exit code 2).

    Parameters
    ----------
    what : str
        What is refused, one line.
    why : str
        The reason, one line.
    lifted_by : str
        What would lift the refusal, one line.
    """

    def __init__(self, what: str, why: str, lifted_by: str) -> None:
        super().__init__(what, why, lifted_by)
        self.what, self.why, self.lifted_by = what, why, lifted_by

    def __str__(self) -> str:
        return f"{self.what}\n{self.why}\n{self.lifted_by}"


class InvalidFile(Refusal):
    """The user must act: a file (record, suite, profile) does not hold what its format demands."""


class ProviderFailure(GnollBenchError):
    """The provider must act: a call that failed for good after its retries (R41).

    Parameters
    ----------
    kind : str
        One of the provider failure kinds of the record format.
    code : str or None
        The HTTP status or the provider's own code.
    message : str
        What was said, without any secret.
    wait_ms : float
        What of the call's time was waiting: queue, failed attempts, pauses.
    heard : bool
        Whether a part of a reply had come: its provider may charge for it.
    """

    def __init__(
        self, kind: str, code: str | None, message: str, wait_ms: float = 0.0, *, heard: bool = False
    ) -> None:
        super().__init__(kind, code, message)
        self.kind, self.code, self.message = kind, code, message
        self.wait_ms, self.heard = wait_ms, heard

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


class HarnessFailure(GnollBenchError):
    """We must act: a fault of GnollBench itself, never booked as a provider's (R41)."""

    def __init__(self, kind: str, message: str, code: str | None = None) -> None:
        super().__init__(kind, message, code)
        self.kind, self.message, self.code = kind, message, code

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


@dataclass(frozen=True, slots=True)
class Withheld:
    """A figure that is not given, why, and what would lift it (R3).

    Attributes
    ----------
    figure : str
        Dotted name of the figure, as in the record's ``results``.
    reason : str
        Why it is withheld.
    lifted_by : str
        What would make it available.
    """

    figure: str
    reason: str
    lifted_by: str
