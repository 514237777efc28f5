"""Which answers of a record count, and what each of them scored (R23, R24, R26, R36, R41).

Nothing that a record claims to be a score or a found quote is read.
"""

from dataclasses import dataclass
from enum import Enum, auto

from gnollbench.errors import Refusal
from gnollbench.records.results import Score
from gnollbench.records.run import Answer, ExamQuestion, FailureSource, Mode, RunRecord
from gnollbench.scoring import indices, panel
from gnollbench.scoring.outcomes import Integrity, Outcome, outcome_of
from gnollbench.scoring.panel import Resolution
from gnollbench.scoring.profile import Method, Profile, method_of
from gnollbench.scoring.quality import Graded, graded
from gnollbench.scoring.verdict import Member, Verdict


class Standing(Enum):
    """What an answer is to the figures: graded and unanswered ones count, the others take no part."""

    GRADED = auto()
    UNANSWERED = auto()
    MISSING = auto()
    FAILED = auto()

    @property
    def counts(self) -> bool:
        """Whether the answer takes part in the figures."""
        return self in (Standing.GRADED, Standing.UNANSWERED)


@dataclass(frozen=True, slots=True)
class Rules:
    """What answers are scored under: who grades, the scoring method, the profile."""

    mode: Mode
    method: Method
    profile: Profile

    def grade(self, verdict: Verdict, text: str) -> Graded:
        """Score a text under one verdict."""
        return graded(verdict, text, self.profile, self.method)


@dataclass(frozen=True, slots=True)
class Counted:
    """An answer that counts; ``graded`` is empty for an unanswered question."""

    question: ExamQuestion
    answer: Answer
    graded: dict[Member, Graded]
    score: Score

    def as_graded(self, member: Member) -> int:
        """Return the member's score before resolution; 0 for an unanswered question."""
        return self.graded[member].score if self.graded else 0


def rules_of(record: RunRecord, method: int | None = None, profile: Profile | None = None) -> Rules:
    """Return the record's own rules, or others (R24).

    Raises
    ------
    Refusal
        If the method is unknown, or has one assessor and the record is a panel's.
    """
    rules = method_of(record.run.scoring_method if method is None else method)
    if record.run.mode is Mode.PANEL and not rules.panel:
        raise Refusal(
            f"scoring a panel record under method {rules.version} is refused",
            "that method has one assessor and no rule for two",
            "score it under method 13",
        )
    return Rules(record.run.mode, rules, profile or record.profile)


def standing(answer: Answer, mode: Mode) -> Standing:
    """Return whether and how an answer counts (R26, R41)."""
    if answer.failure is not None or answer.integrity is Integrity.TRANSPORT_DEFECT:
        return Standing.FAILED
    if answer.integrity is Integrity.UNANSWERED:
        return Standing.UNANSWERED
    return Standing.GRADED if all(m in answer.verdicts for m in mode.members) else Standing.MISSING


def failed_by_provider(answer: Answer) -> bool:
    """Return whether a provider failed on the answer for good (R41).

    A transport defect whose failure the record does not tell counts as the provider's: its side is the
    transport.
    """
    if answer.failure is None:
        return answer.integrity is Integrity.TRANSPORT_DEFECT
    return answer.failure.source is FailureSource.PROVIDER


def count(question: ExamQuestion, answer: Answer, rules: Rules) -> Counted | None:
    """Return the answer with its score, or None where it takes no part in any figure.

    A question without an answer scores 0 for every member and has no speed (R41).
    """
    stands = standing(answer, rules.mode)
    if not stands.counts:
        return None
    if stands is Standing.UNANSWERED:
        outcome = Outcome.NO_ANSWER if rules.method.outcomes else None
        nothing = Score(quality=0.0, members=dict.fromkeys(rules.mode.members, 0), outcome=outcome)
        return Counted(question, answer, {}, nothing)
    grades = {member: rules.grade(answer.verdicts[member], answer.text) for member in rules.mode.members}
    return Counted(question, answer, grades, _score(question, answer, grades, rules))


def model_ms(answer: Answer) -> float:
    """Return the answer's model time in milliseconds (R38)."""
    return indices.model_time_ms(answer.turn_ms, answer.tool_ms)


def _score(question: ExamQuestion, answer: Answer, grades: dict[Member, Graded], rules: Rules) -> Score:
    resolution, members = _resolved(answer, grades, rules.profile.critical_error_ceiling)
    any_flag = any(grade.flagged for grade in grades.values())
    confirmed = any_flag if rules.mode is Mode.SINGLE else resolution is not None and resolution.confirmed
    verdicts = [answer.verdicts[member] for member in grades]
    return Score(
        quality=sum(members.values()) / len(members),
        members=members,
        resolution=resolution,
        confirmed_critical_error=confirmed,
        outcome=outcome_of(verdicts, confirmed, any_flag) if rules.method.outcomes else None,
        speed=indices.speed_score(model_ms(answer), question.difficulty, rules.profile.speed),
    )


def _resolved(
    answer: Answer, grades: dict[Member, Graded], ceiling: int
) -> tuple[Resolution | None, dict[Member, int]]:
    if Member.B not in grades:
        return None, {member: grade.score for member, grade in grades.items()}
    a, b = grades[Member.A], grades[Member.B]
    flagger = Member.A if a.flagged else Member.B
    charge = answer.verdicts[flagger].critical_error
    ruling = panel.ruling_on(charge.quote, flagger, answer.claims) if charge is not None else None
    resolution = panel.resolution_of(a, b, ruling)
    score_a, score_b = panel.member_scores(a, b, resolution, ceiling)
    return resolution, {Member.A: score_a, Member.B: score_b}
