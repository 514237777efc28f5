"""The run record, format ``gnollbench.run/1``: everything that a run was and found, in one document.

The one interchange format: the engine writes it, tracking stores it, every later figure is a pure function of
one or more of it. It holds no secret.
"""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, Field, model_validator

from gnollbench.records.canonical import canonical_json, fingerprint
from gnollbench.records.results import Results, Score, WithheldFigure
from gnollbench.records.suite import MAX_QUESTIONS, Rubric
from gnollbench.scoring.outcomes import Integrity, RunStatus
from gnollbench.scoring.part import Part
from gnollbench.scoring.profile import Band, Profile
from gnollbench.scoring.verdict import Claim, Count, Flag, Member, Trigger, Verdict

FORMAT = "gnollbench.run/1"


class Mode(StrEnum):
    """Who grades: the two-company panel, or one assessor."""

    PANEL = "panel"
    SINGLE = "single"

    @property
    def members(self) -> tuple[Member, ...]:
        """The members whose verdicts score an answer."""
        return (Member.A, Member.B) if self is Mode.PANEL else (Member.A,)


class Role(StrEnum):
    """The roles that use tokens; the writer's stand outside the totals (R39)."""

    CANDIDATE = "candidate"
    ASSESSOR = "assessor"
    CO_ASSESSOR = "co_assessor"
    READER = "reader"
    VERIFIER = "verifier"
    SYNTHESIS = "synthesis"
    CO_ASSESSOR_SYNTHESIS = "co_assessor_synthesis"
    WRITER = "writer"


class KeyKind(StrEnum):
    """What a difference in a key means (R43)."""

    FUNDAMENTAL = "fundamental"
    CANDIDATE = "candidate"
    INSTRUMENT = "instrument"
    SPEED_COST = "speed_cost"


_KEYS_OF = {
    KeyKind.FUNDAMENTAL: "suite question_revisions difficulties snapshot",
    KeyKind.CANDIDATE: "provider model endpoint thinking_level reasoning_mode reasoning_summary service_tier "
    "output_limit parallel_execution prompt_options",
    KeyKind.INSTRUMENT: "system_prompt tool_guides knowledge_base harness_version scoring_method "
    "scoring_profile assessor reader verifier limits",
    KeyKind.SPEED_COST: "question_parallelism speed_calibration price_snapshot",
}
KEY_KINDS = {name: kind for kind, names in _KEYS_OF.items() for name in names.split()}
"""The 27 comparability keys and their kinds, in the order of the table (R43)."""


class LimitHit(StrEnum):
    """The caps that an answer can run into (R15)."""

    TOOL_CALLS = "tool_calls"
    TOOL_ROUNDS = "tool_rounds"
    MODEL_CALLS = "model_calls"
    TIMEOUT = "timeout"
    OUTPUT = "output"
    CONTEXT = "context"


class FailureSource(StrEnum):
    """Whose fault a failed answer is; a model's own failure is no failure here but a score (R41)."""

    PROVIDER = "provider"
    HARNESS = "harness"


class FailureKind(StrEnum):
    """What failed (R41). The last two are the harness's, the rest a provider's."""

    RATE_LIMIT = "rate_limit"
    OVERLOADED = "overloaded"
    OUTAGE = "outage"
    CONNECTION = "connection"
    TIMEOUT = "timeout"
    STREAM_CUT = "stream_cut"
    MALFORMED = "malformed"
    CONFIGURATION = "configuration"
    BAD_REQUEST = "bad_request"
    INTERNAL = "internal"


HARNESS_KINDS = frozenset({FailureKind.BAD_REQUEST, FailureKind.INTERNAL})


class UnscoredCode(StrEnum):
    """Why a verdict is missing."""

    NO_JSON = "no_json"
    SCHEMA = "schema"
    NOT_FINITE = "not_finite"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    PROVIDER = "provider"
    LIMIT = "limit"


def _finite(value: Any) -> Any:
    try:
        canonical_json(value)
    except ValueError as error:
        raise ValueError("NaN and infinity are no JSON numbers") from error
    return value


Json = Annotated[Any, AfterValidator(_finite)]
Text = Annotated[str, Field(min_length=1)]
Milliseconds = Annotated[float, Field(ge=0)]
Usd = Annotated[float, Field(ge=0)]


class RunHead(Part):
    """What the run was, and how it ended."""

    id: Text
    name: str = ""
    series: str | None = None
    status: RunStatus
    mode: Mode
    purpose: str = ""
    started_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    elapsed_s: Annotated[float, Field(ge=0)]
    harness_version: int
    scoring_method: int
    acknowledgements: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class ModelIdentity(Part):
    """The model behind a role; ``family`` None is unknown, ``served`` what the provider said it ran."""

    provider: str
    model: str
    family: str | None = None
    served: tuple[str, ...] = ()


class Key(Part):
    """One comparability key: a value for people, a fingerprint that is compared (R43)."""

    kind: KeyKind
    value: Json
    hash: Text

    @classmethod
    def of(cls, name: str, value: Any) -> "Key":
        """Return the key of that name, hashed over the canonical JSON of its value."""
        return cls(kind=KEY_KINDS[name], value=value, hash=fingerprint(value))


class RecordedSnapshot(Part):
    """The board of a snapshot suite, as every role got it (R9)."""

    hash: str
    text: str


class ExamQuestion(Part):
    """One question as it was asked and graded.

    Attributes
    ----------
    board_missing : tuple of str or None
        Board facts that do not occur verbatim in the snapshot; None where that was not looked at (R9).
    """

    id: Text
    revision: Text
    text: str
    band: Band
    difficulty: Annotated[int, Field(ge=1, le=100)]
    rated_by: str = ""
    reviewed: bool = True
    rubric: Rubric = Rubric()
    board_missing: tuple[str, ...] | None = None


class Exam(Part):
    """The whole suite as it stood when the run began, asked in part or in full."""

    suite: str
    snapshot: RecordedSnapshot | None = None
    questions: Annotated[tuple[ExamQuestion, ...], Field(min_length=1, max_length=MAX_QUESTIONS)]

    @model_validator(mode="after")
    def _one_question_an_id(self) -> "Exam":
        _refuse_repeats("questions", "id", [question.id for question in self.questions])
        return self


class Failure(Part):
    """A terminal failure of the candidate's turn (R41)."""

    source: FailureSource
    kind: FailureKind
    code: str | None = None
    message: str = ""

    @model_validator(mode="after")
    def _kind_of_source(self) -> "Failure":
        if (self.kind in HARNESS_KINDS) != (self.source is FailureSource.HARNESS):
            raise ValueError(f"kind: {self.kind} is no failure of source {self.source}")
        return self


class Unscored(Part):
    """Why a verdict or a synthesis is missing."""

    code: UnscoredCode
    message: str = ""


class Usage(Part):
    """Tokens of one role on one answer, and their price; None is unknown, never zero (R39).

    ``input_tokens`` hold the cached ones, read or written, ``output_tokens`` the reasoning ones.

    Attributes
    ----------
    unmetered, unpriced : int
        Calls whose tokens, whose price, nobody knows; where there is one, tokens, or ``usd``, are at least that.
    """

    input_tokens: Count | None = None
    cached_tokens: Count | None = None
    cache_write_tokens: Count | None = None
    output_tokens: Count | None = None
    reasoning_tokens: Count | None = None
    service_tier: str | None = None
    usd: Usd | None = None
    unmetered: Count = 0
    unpriced: Count = 0


class Cost(Part):
    """A role's tokens and price over the run (R39).

    Attributes
    ----------
    reason : str or None
        Why the price is unknown; beside a ``usd``, why it is known in part only, and at least that.
    unmetered, unpriced : int
        As in `Usage`.
    """

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    usd: Usd | None = None
    reason: str | None = None
    unmetered: Count = 0
    unpriced: Count = 0

    @property
    def whole_usd(self) -> float | None:
        """The price where all of it is known."""
        return None if self.reason or self.unpriced else self.usd


class Answer(Part):
    """One question's turn, its verdicts and what became of them.

    Attributes
    ----------
    turn_ms, tool_ms : float
        The turn without waits between retries; of that, time spent in tools.
    ttft_ms : float or None
        Time to the first visible text; None where the answer was not streamed.
    verdicts : dict of Member to Verdict
        A missing member is absent, and ``unscored`` says why.
    unscored : dict
        By ``a``, ``b``, ``reader`` or ``regrade``.
    score : Score or None
        None where the answer is excluded. Derived, never an input.
    """

    question: Text
    text: str
    raw: str = ""
    integrity: Integrity
    failure: Failure | None = None
    finish_reason: str | None = None
    limits_hit: tuple[LimitHit, ...] = ()
    turn_ms: Milliseconds
    tool_ms: Milliseconds
    wait_ms: Milliseconds = 0
    ttft_ms: Milliseconds | None = None
    model_calls: Count
    tool_calls: Count
    tool_rounds: Count
    tool_call_budget: Count | None = None
    unscored: dict[Literal["a", "b", "reader", "regrade"], Unscored] = Field(default={})
    verdicts: dict[Member, Verdict] = Field(default={})
    claims: tuple[Claim, ...] = ()
    reader: Verdict | None = None
    regrade: Verdict | None = None
    flags: tuple[Flag, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    disputed: bool = False
    usage: dict[Role, Usage] = Field(default={})
    score: Score | None = None


class Synthesis(Part):
    """A member's closing assessment of the run (R17); ``unscored`` says why one is missing."""

    member: Member
    text: str
    unscored: Unscored | None = None


class Scoring(Part):
    """A later scoring of the stored answers; its ``keys`` carry its method and profile (R24)."""

    method: int
    profile: Profile
    time: AwareDatetime
    scores: dict[str, Score | None]
    results: Results | None
    withheld: tuple[WithheldFigure, ...] = ()
    keys: dict[str, Key]


class RunRecord(Part):
    """A run. Fields that an older or an imported record lacks take their empty value."""

    format: Literal["gnollbench.run/1"] = FORMAT
    run: RunHead
    models: dict[Role, ModelIdentity] = Field(default={})
    keys: dict[str, Key]
    config: dict[str, Json] = Field(default={})
    provenance: dict[str, str | None] = Field(default={})
    exam: Exam
    profile: Profile
    prices: dict[str, Json] = Field(default={})
    answers: tuple[Answer, ...]
    syntheses: tuple[Synthesis, ...] = ()
    costs: dict[Role, Cost] = Field(default={})
    results: Results | None = None
    withheld: tuple[WithheldFigure, ...] = ()
    scorings: tuple[Scoring, ...] = ()

    @model_validator(mode="after")
    def _whole(self) -> "RunRecord":
        asked = [answer.question for answer in self.answers]
        _refuse_repeats("answers", "question", asked)
        known = {question.id for question in self.exam.questions}
        for place, question in enumerate(asked):
            if question not in known:
                raise ValueError(f"answers.{place}.question: the exam has no question {question}")
        for name in sorted(KEY_KINDS.keys() ^ self.keys.keys()):
            raise ValueError(f"keys.{name}: {'missing' if name in KEY_KINDS else 'not one of the 27 keys'}")
        for name, key in self.keys.items():
            if key.kind is not KEY_KINDS[name]:
                raise ValueError(f"keys.{name}.kind: {key.kind}, where {KEY_KINDS[name]} belongs")
        return self


def _refuse_repeats(field: str, name: str, ids: list[str]) -> None:
    for place, ident in enumerate(ids):
        if ident in ids[:place]:
            raise ValueError(f"{field}.{place}.{name}: {ident} is there a second time")
