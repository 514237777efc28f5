"""Which runs a statistic takes, and what it reads of their answers.

Every entry of this package takes records whose scores and results stand in them, as
``gnollbench.records.figures.scored`` fills them in; a record from outside goes through it first.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from gnollbench.errors import Refusal, Withheld
from gnollbench.records.results import Score
from gnollbench.records.run import Answer, Key, RunRecord
from gnollbench.scoring.outcomes import Integrity
from gnollbench.statistics.ledger import Ledger

Matrix = npt.NDArray[np.float64]


def distinct(records: Iterable[RunRecord]) -> list[RunRecord]:
    """Return each run once, in the order given: a run that two groups hold is no replicate of itself."""
    return list({record.run.id: record for record in records}.values())


def keys_of(records: Iterable[RunRecord]) -> dict[str, dict[str, Key]]:
    """Return each run's 27 keys by the run's id."""
    return {record.run.id: record.keys for record in records}


def publishing(records: Iterable[RunRecord], ledger: Ledger) -> list[RunRecord]:
    """Return the distinct runs that publish results; the others are named in the ledger (R3, R41)."""
    named = distinct(records)
    for record in named:
        if record.results is None:
            reason = f"left out, because it publishes no results ({record.run.status})"
            ledger.take("runs", Withheld("runs", reason, "repair the run"), record.run.id)
    return [record for record in named if record.results is not None]


def with_results(what: str, records: Iterable[RunRecord], ledger: Ledger) -> list[RunRecord]:
    """Return the runs of `publishing`.

    Raises
    ------
    Refusal
        If there is none.
    """
    named = distinct(records)
    kept = publishing(named, ledger)
    if not kept:
        raise Refusal(
            f"{what} is refused",
            f"no run with results among: {', '.join(record.run.id for record in named) or 'none named'}",
            "repair the runs, or name runs that completed",
        )
    return kept


def counting(record: RunRecord) -> Iterator[tuple[Answer, Score]]:
    """Yield the answers that count, with their scores; an excluded answer takes part in no figure."""
    return ((answer, answer.score) for answer in record.answers if answer.score is not None)


def graded_answers(runs: Iterable[RunRecord]) -> list[Answer]:
    """Return the answers that have levels and a speed: an unanswered question counts, but has neither."""
    return [a for run in runs for a, _ in counting(run) if a.integrity is not Integrity.UNANSWERED]


def qualities(record: RunRecord) -> dict[str, float]:
    """Return the quality of each answer that counts, by question, 0-100."""
    return {answer.question: score.quality for answer, score in counting(record)}


def quality_grid(records: Sequence[RunRecord], questions: Sequence[str]) -> Matrix:
    """Return the qualities of several runs, shape (runs, questions); NaN where a run lacks a score."""
    rows = [qualities(record) for record in records]
    return np.array([[row.get(question, np.nan) for question in questions] for row in rows], dtype=np.float64)
