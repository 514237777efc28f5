"""One source's grades under each grader: both members as graded, panel, reference reader (R52)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from gnollbench.errors import Withheld
from gnollbench.records.results import Score
from gnollbench.records.run import Answer, RunRecord
from gnollbench.records.scores import Rules, rules_of
from gnollbench.scoring.outcomes import Integrity
from gnollbench.scoring.verdict import Member
from gnollbench.statistics.intervals import Vector
from gnollbench.statistics.multirun import index_of
from gnollbench.statistics.runs import counting

Array = npt.NDArray[np.float64]


class Grader(StrEnum):
    """Whose grades an index or a gap is read under."""

    A = "a"
    B = "b"
    PANEL = "panel"
    READER = "reader"


PLACE = {grader: place for place, grader in enumerate(Grader)}
"""Each grader's place on the last axis of an array of grades."""


@dataclass(frozen=True, slots=True)
class Readings:
    """One source's grades.

    Attributes
    ----------
    weight : ndarray, shape (questions,)
        Assessed difficulties.
    grades : ndarray, shape (runs, questions, 4)
        0-100 under a, b, panel and reader; NaN where there is none.
    """

    weight: Vector
    grades: Array

    def index(self, grader: Grader) -> float | Withheld:
        """Return the mean per-run index under one grader, over the answers that the panel scored (R27)."""
        own, panel = self.grades[:, :, PLACE[grader]], self.grades[:, :, PLACE[Grader.PANEL]]
        unread = int((np.isnan(own) & ~np.isnan(panel)).sum())
        if unread:
            reason = f"answers that the panel scored and the reader did not read: {unread}"
            return Withheld("index", reason, "a reading of every answer")
        return float(np.mean([index_of(row, self.weight) for row in own]))

    def question_means(self) -> Array:
        """Return each question's mean over the runs in which all four graded it, shape (questions, 4)."""
        complete = ~np.isnan(self.grades).any(axis=2, keepdims=True)
        total = np.where(complete, self.grades, 0.0).sum(axis=0)
        count = complete.sum(axis=0)
        return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def readings_of(runs: Sequence[RunRecord], questions: Sequence[str]) -> Readings:
    """Return the grades of one source's panel runs, on the questions in the order given."""
    difficulties = {question.id: question.difficulty for question in runs[0].exam.questions}
    grades = np.full((len(runs), len(questions), len(Grader)), np.nan)
    place = {question: number for number, question in enumerate(questions)}
    for number, run in enumerate(runs):
        rules = rules_of(run)
        for answer, score in counting(run):
            grades[number, place[answer.question]] = _grades(rules, answer, score)
    return Readings(np.array([difficulties[question] for question in questions], dtype=np.float64), grades)


def _grades(rules: Rules, answer: Answer, score: Score) -> list[float]:
    """Return one answer's four grades; an unanswered question is 0 under each (R41)."""
    if answer.integrity is Integrity.UNANSWERED:
        return [0.0] * len(Grader)
    verdicts = [answer.verdicts[Member.A], answer.verdicts[Member.B], answer.reader]
    a, b, reader = (np.nan if v is None else rules.grade(v, answer.text).score for v in verdicts)
    return [a, b, score.quality, reader]
