"""Runs made for tests: records of the real format, with scores put in by hand or worked out from levels."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from gnollbench.records import figures
from gnollbench.records.results import Intelligence, MarkerCounts, Results, Score, SpeedFigures, Truncated
from gnollbench.records.run import (
    KEY_KINDS,
    Answer,
    Cost,
    Exam,
    ExamQuestion,
    Key,
    Mode,
    ModelIdentity,
    Role,
    RunHead,
    RunRecord,
)
from gnollbench.scoring.indices import weighted_index
from gnollbench.scoring.outcomes import Integrity, RunStatus
from gnollbench.scoring.profile import Band, Profile, ReaderThresholds, SpeedConstants, Weights
from gnollbench.scoring.verdict import Claim, Levels, Member, UnverifiedClaim, Verdict

PROFILE = Profile(
    name="standard",
    weights=Weights(accuracy=0.55, completeness=0.25, conciseness=0.10, readability=0.10),
    points=(1, 15, 35, 55, 72, 87, 100),
    critical_error_ceiling=25,
    not_attempted_score=50,
    speed=SpeedConstants(base_ms=2000, points_per_doubling=12),
    reader=ReaderThresholds(outlier_points=25, minimum=4, low_quality=50, disagreement_points=15),
)


def keys(**changed: Any) -> dict[str, Key]:
    """The 27 keys, each with the value ``<name>-1`` (snapshot null) but for the changed ones."""
    values = {name: f"{name}-1" for name in KEY_KINDS} | {"snapshot": None} | changed
    return {name: Key.of(name, value) for name, value in values.items()}


def names(count: int) -> list[str]:
    """q01, q02, …"""
    return [f"q{number:02}" for number in range(1, count + 1)]


def question(ident: str, difficulty: int = 50, revision: str = "r1") -> ExamQuestion:
    """An exam's question."""
    return ExamQuestion(
        id=ident, revision=revision, text=f"What of {ident}?", band=Band.SIMPLE, difficulty=difficulty
    )


def answer(ident: str, **fields: Any) -> Answer:
    """An answer in text, 5 s of model time, 10 of 45 tool calls."""
    given: dict[str, Any] = {
        "text": "It is so.",
        "integrity": Integrity.CLEAN,
        "turn_ms": 6000,
        "tool_ms": 1000,
        "model_calls": 3,
        "tool_calls": 10,
        "tool_rounds": 2,
        "tool_call_budget": 45,
    }
    return Answer(question=ident, **given | fields)


def verdict(
    accuracy: int = 6,
    completeness: int = 6,
    conciseness: int = 6,
    readability: int = 6,
    unverified: Sequence[str] = (),
) -> Verdict:
    """A verdict with these levels."""
    levels = Levels(
        accuracy=accuracy, completeness=completeness, conciseness=conciseness, readability=readability
    )
    return Verdict(levels=levels, unverified_claims=tuple(UnverifiedClaim(quote=text) for text in unverified))


def record(
    ident: str,
    answers: Sequence[Answer],
    questions: Sequence[ExamQuestion] | None = None,
    changed: Mapping[str, Any] | None = None,
    families: Mapping[Role, str | None] | None = None,
    mode: Mode = Mode.PANEL,
) -> RunRecord:
    """A completed run of these answers, without scores; its own keys where `changed` says so."""
    exam = questions or [question(item.question) for item in answers]
    own = {
        "question_revisions": {item.id: item.revision for item in exam},
        "difficulties": {item.id: item.difficulty for item in exam},
    }
    return RunRecord(
        run=RunHead(
            id=ident,
            status=RunStatus.COMPLETED,
            mode=mode,
            started_at=datetime(2026, 11, 1, 10, tzinfo=UTC),
            elapsed_s=600,
            harness_version=45,
            scoring_method=13,
        ),
        models={
            role: ModelIdentity(provider="acme", model="m", family=family)
            for role, family in (families or {}).items()
        },
        keys=keys(**own | dict(changed or {})),
        exam=Exam(suite="standard", questions=tuple(exam)),
        profile=PROFILE,
        answers=tuple(answers),
    )


def graded(ident: str, answers: Sequence[Answer], **fields: Any) -> RunRecord:
    """A run whose scores and results are worked out from its verdicts."""
    return figures.scored(record(ident, answers, **fields))


def run(
    ident: str,
    quality: Mapping[str, float | None] | Sequence[float | None],
    critical: Sequence[str] = (),
    usd: float | None = None,
    **fields: Any,
) -> RunRecord:
    """A run with these qualities put in as they are; None is an answer that is excluded."""
    values = quality if isinstance(quality, Mapping) else dict(zip(names(len(quality)), quality, strict=True))
    answers = [
        answer(
            ident_of,
            verdicts={Member.A: verdict(), Member.B: verdict(completeness=4)},
            score=value if value is None else _score(value, ident_of in critical),
        )
        for ident_of, value in values.items()
    ]
    made = record(ident, answers, **fields)
    costs = {} if usd is None else {Role.CANDIDATE: Cost(usd=usd)}
    return made.model_copy(update={"results": _results(made), "costs": costs})


def unpublished(ident: str, quality: Sequence[float | None], **fields: Any) -> RunRecord:
    """A run that publishes no results."""
    return run(ident, quality, **fields).model_copy(update={"results": None})


def claim(
    kind: Any, ruling: Any, raised_by: Sequence[Member], cited: bool = True, quote: str = "It is so."
) -> Claim:
    """A claim that the verifier ruled on."""
    citation = {"kind": "source", "where": "src/potion.c", "lines": "10-12"} if cited else None
    fields = {"kind": kind, "quote": quote, "raised_by": list(raised_by), "ruling": ruling}
    return Claim.model_validate(fields | {"citation": citation}, strict=False)


def _score(quality: float, critical: bool) -> Score:
    members = {Member.A: round(quality), Member.B: round(quality)}
    return Score(quality=quality, members=members, confirmed_critical_error=critical, speed=80.0)


def _results(made: RunRecord) -> Results:
    difficulty = {item.id: item.difficulty for item in made.exam.questions}
    scores = {item.question: item.score.quality for item in made.answers if item.score is not None}
    index = weighted_index(list(scores.values()), [difficulty[name] for name in scores])
    intelligence = Intelligence(
        index=index,
        se=None,
        low=None,
        high=None,
        truncated=Truncated(),
        unweighted=index,
        n=len(scores),
        n_questions=len(difficulty),
    )
    speed = SpeedFigures(
        index=80, mean_model_ms=5000, total_model_ms=5000 * len(scores), ttft_p50_ms=None, saturated=False
    )
    markers = MarkerCounts(out_of_scope=0, form=0, beside_unexplained=0)
    return Results(intelligence=intelligence, speed=speed, outcomes=None, panel=None, markers=markers)
