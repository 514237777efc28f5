"""What a report shows of a record beyond its own figures: breakdowns, each judge's scores, what to warn of.

Everything is computed from the record, and nothing here is rounded or written as text.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Any, cast

from gnollbench.errors import Withheld
from gnollbench.records.launch import EMBEDDED
from gnollbench.records.run import KEY_KINDS, Answer, Cost, ExamQuestion, Key, KeyKind, Role, RunRecord
from gnollbench.records.scores import count, rules_of
from gnollbench.reports.disclosure import CLOSED_KEYS, Disclosure, disclosed
from gnollbench.reports.text import Markdown, counted, usd
from gnollbench.scoring.indices import model_time_ms
from gnollbench.scoring.outcomes import Integrity
from gnollbench.scoring.profile import Band, band_of, method_of
from gnollbench.scoring.quality import Graded, graded
from gnollbench.scoring.verdict import Dimension, Member, Verdict
from gnollbench.statistics.icc_table import IccRow, icc_table

TRAILING_POINTS = 13  # from there, Completeness below Accuracy may be obedience to the concise style (R59)
_SHORT = 60  # characters of a key's value that a table's cell still shows well


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judge's verdict on one answer, with the score it gives by itself."""

    judge: str
    verdict: Verdict
    grade: Graded

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the verdict says beside its levels."""
        found = {
            "critical error": self.grade.flagged,
            "void critical error": self.verdict.critical_error is not None and not self.grade.flagged,
            "not attempted": self.verdict.not_attempted,
        }
        return tuple(remark for remark, holds in found.items() if holds)


@dataclass(frozen=True, slots=True)
class Reply:
    """One question with its answer and all verdicts on it, the reader's and a re-grade's last."""

    question: ExamQuestion
    answer: Answer
    judgements: tuple[Judgement, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a table of all answers points out about this one."""
        answer, score = self.answer, self.answer.score
        found = {
            str(answer.integrity): answer.integrity is not Integrity.CLEAN,
            f"critical error {score and score.resolution}": score is not None
            and score.resolution is not None,
            "critical error": score is not None
            and score.resolution is None
            and score.confirmed_critical_error,
            "disputed": answer.disputed,
            "flags": bool(answer.flags),
            "unreviewed": not self.question.reviewed,
        }
        return tuple(note.replace("_", " ") for note, holds in found.items() if holds)

    @property
    def model_ms(self) -> float | None:
        """Model time; None where the question was not answered (R38)."""
        if self.answer.integrity in (Integrity.UNANSWERED, Integrity.TRANSPORT_DEFECT):
            return None
        return model_time_ms(self.answer.turn_ms, self.answer.tool_ms)


@dataclass(frozen=True, slots=True)
class BandRow:
    """The answers that count of one band of assessed difficulty; means are None where there is none."""

    band: Band
    asked: int
    counted: int
    quality: float | None
    speed: float | None
    model_ms: float | None


@dataclass(frozen=True, slots=True)
class DimensionRow:
    """One dimension over the answers that count: mean level by member, mean points over both."""

    dimension: Dimension
    levels: dict[str, float]
    points: float


@dataclass(frozen=True, slots=True)
class CostRow:
    """What a role, or all of them, cost (R39).

    ``at_least`` where a part is unknown; ``unpriced`` is of how many calls, as far as the record tells.
    """

    usd: float | None
    at_least: bool
    unpriced: int = 0

    @property
    def text(self) -> Markdown:
        """The cost as it is printed everywhere."""
        if self.usd is None or not self.at_least:
            return usd(self.usd)
        calls = f", {counted(self.unpriced, 'call')} unknown" if self.unpriced else ""
        return Markdown(f"at least {usd(self.usd)}{calls}")


class View:
    """A record as it may be shown, and what a report says of it besides."""

    def __init__(self, record: RunRecord, disclosure: Disclosure = Disclosure.INTERNAL) -> None:
        self.record = disclosed(record, disclosure)
        self.limited = disclosure is Disclosure.PROVIDER
        self.closed_keys = CLOSED_KEYS if self.limited else ()
        self.embedded = tuple(_embedded(record))

    @property
    def title(self) -> str:
        """The run's name, else its id."""
        return self.record.run.name or self.record.run.id

    @property
    def partial(self) -> bool:
        """Whether only some of the suite's questions were asked, by choice or because the run was broken off."""
        return len(self.record.answers) < len(self.record.exam.questions)

    @cached_property
    def icc(self) -> IccRow | Withheld:
        """ICC(A,1) of the members' scores as graded, with its interval (R27); importing its library takes seconds."""
        rules, answers = rules_of(self.record), {a.question: a for a in self.record.answers}
        counted = [
            count(question, answers[question.id], rules)
            for question in self.record.exam.questions
            if question.id in answers
        ]
        both = [item.graded for item in counted if item is not None and len(item.graded) == 2]
        return icc_table([g[Member.A].score for g in both], [g[Member.B].score for g in both])

    @cached_property
    def replies(self) -> tuple[Reply, ...]:
        """The questions asked, in the suite's order."""
        answers = {answer.question: answer for answer in self.record.answers}
        return tuple(
            Reply(question, answers[question.id], tuple(self._judgements(answers[question.id])))
            for question in self.record.exam.questions
            if question.id in answers
        )

    @property
    def not_asked(self) -> tuple[str, ...]:
        """The suite's questions that were not asked."""
        asked = {answer.question for answer in self.record.answers}
        return tuple(question.id for question in self.record.exam.questions if question.id not in asked)

    @property
    def unreviewed(self) -> tuple[str, ...]:
        """The questions that no human has reviewed (R10)."""
        return tuple(reply.question.id for reply in self.replies if not reply.question.reviewed)

    @property
    def bands(self) -> tuple[BandRow, ...]:
        """The breakdown by band of the assessed difficulty."""
        return tuple(row for band in Band if (row := self._band(band)).asked)

    @cached_property
    def dimensions(self) -> tuple[DimensionRow, ...]:
        """The four dimensions over the answers that count; empty where none was graded."""
        verdicts = [
            (str(member), verdict)
            for reply in self.replies
            if reply.answer.score is not None
            for member, verdict in reply.answer.verdicts.items()
        ]
        return tuple(self._dimension(dimension, verdicts) for dimension in Dimension) if verdicts else ()

    @property
    def trailing(self) -> float | None:
        """How far Completeness trails Accuracy, in points, where that is to be pointed out (R59)."""
        points = {row.dimension: row.points for row in self.dimensions}
        if not points:
            return None
        gap = points[Dimension.ACCURACY] - points[Dimension.COMPLETENESS]
        return gap if gap >= TRAILING_POINTS else None

    @property
    def options(self) -> dict[str, Any] | None:
        """The chat's options, as they entered the key; None where a record does not tell them (R13)."""
        value = self.record.keys["prompt_options"].value
        return cast("dict[str, Any]", value) if isinstance(value, dict) else None

    @property
    def style(self) -> str | None:
        """The response style that the candidate was told, where the record says it."""
        return (self.options or {}).get("response_style")

    @property
    def integrity(self) -> dict[Integrity, int]:
        """How many answers fell into each bucket (R41)."""
        found = Counter(answer.integrity for answer in self.record.answers)
        return {bucket: found[bucket] for bucket in Integrity}

    @property
    def total_cost(self) -> CostRow | None:
        """What the run cost without the writer; None where the record holds no cost (R39)."""
        rows = [cost_row(cost) for role, cost in self.record.costs.items() if role is not Role.WRITER]
        known = [row.usd for row in rows if row.usd is not None]
        if not rows:
            return None
        return CostRow(
            fsum(known) if known else None,
            any(row.at_least for row in rows),
            sum(row.unpriced for row in rows),
        )

    @property
    def keys(self) -> dict[KeyKind, dict[str, Key]]:
        """The 27 keys by kind (R43)."""
        return {
            kind: {name: self.record.keys[name] for name, of in KEY_KINDS.items() if of is kind}
            for kind in KeyKind
        }

    def _judgements(self, answer: Answer) -> Iterator[Judgement]:
        method = method_of(self.record.run.scoring_method)
        named: dict[str, Verdict | None] = {str(m): verdict for m, verdict in sorted(answer.verdicts.items())}
        for judge, verdict in {**named, "re-grade": answer.regrade, "reader": answer.reader}.items():
            if verdict is not None:
                yield Judgement(judge, verdict, graded(verdict, answer.text, self.record.profile, method))

    def _band(self, band: Band) -> BandRow:
        replies = [reply for reply in self.replies if band_of(reply.question.difficulty) is band]
        scores = [(reply, reply.answer.score) for reply in replies if reply.answer.score is not None]
        return BandRow(
            band=band,
            asked=len(replies),
            counted=len(scores),
            quality=mean(score.quality for _, score in scores),
            speed=mean(score.speed for _, score in scores),
            model_ms=mean(reply.model_ms for reply, _ in scores),
        )

    def _dimension(self, dimension: Dimension, verdicts: Sequence[tuple[str, Verdict]]) -> DimensionRow:
        members = sorted({member for member, _ in verdicts})
        levels = {
            member: mean(v.levels.of(dimension) for m, v in verdicts if m == member) for member in members
        }
        points = [self.record.profile.points[verdict.levels.of(dimension)] for _, verdict in verdicts]
        return DimensionRow(
            dimension,
            {m: level for m, level in levels.items() if level is not None},
            fsum(points) / len(points),
        )


def cost_row(cost: Cost) -> CostRow:
    """Return a role's cost; a price with a reason beside it is known in part only (R39)."""
    return CostRow(cost.usd, cost.whole_usd is None, cost.unpriced)


def is_long(text: str) -> bool:
    """Return whether a key's value is too long for a table."""
    return len(text) > _SHORT


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are given; None where none is."""
    given = [value for value in values if value is not None]
    return fsum(given) / len(given) if given else None


def _embedded(record: RunRecord) -> Iterator[Role]:
    """Yield the roles that were played by embedded models, which are no language models."""
    keys = {name: key.value for name, key in record.keys.items()}
    members = _endpoints(keys["assessor"])
    played = {
        Role.CANDIDATE: [keys["endpoint"]],
        Role.ASSESSOR: members[:1],
        Role.CO_ASSESSOR: members[1:],
        Role.READER: _endpoints(keys["reader"]),
        Role.VERIFIER: _endpoints(keys["verifier"]),
    }
    return (role for role, endpoints in played.items() if EMBEDDED in endpoints)


def _endpoints(value: Any) -> list[Any]:
    """Return the endpoints within a grader's key, in order."""
    if isinstance(value, dict):
        content = cast("dict[str, Any]", value)
        own = [content["endpoint"]] if "endpoint" in content else []
        return own + [found for item in content.values() for found in _endpoints(item)]
    return (
        [found for item in cast("list[Any]", value) for found in _endpoints(item)]
        if isinstance(value, list)
        else []
    )
