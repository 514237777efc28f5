"""What ``conf/`` must validate to: the resolved launch, checked once at the door (R61).

Below the door nothing knows Hydra. A secret never stands here: a configuration names the environment
variable that holds it.
"""

import re
from enum import StrEnum
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, StringConstraints, field_validator, model_validator

from gnollbench.scoring.part import Part
from gnollbench.scoring.profile import Band, Profile
from gnollbench.scoring.verdict import ReaderMode

EnvironmentName = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]{0,99}$")]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Location = Annotated[str, StringConstraints(min_length=1, max_length=4096)]  # PATH_MAX of Linux
Count = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(gt=0)]
Rate = Annotated[float, Field(ge=0, le=1_000_000)]  # a dollar a token is a slip of the pen

_NO_MODEL = re.compile(r"[\s?#\\\x00-\x1f]|(^|/)\.*(/|$)")  # Google's has its place in an address
EMBEDDED = "embedded"  # the endpoint of a model that runs inside this process


class ParallelExecution(StrEnum):
    """How many tool calls a model is told to make at once; a candidate key (R43)."""

    DISABLED = "disabled"
    ON_REQUEST = "on_request"
    ENABLED = "enabled"


class Protocol(StrEnum):
    """The wire protocol that an endpoint speaks."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GOOGLE = "google"


class Sampling(Part):
    """Sampling settings; a null is not sent."""

    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    seed: int | None = None


class Rates(Part):
    """Prices in USD per million tokens (R39). A null cache rate is charged as the input rate."""

    input_per_million: Rate
    output_per_million: Rate
    cached_input_per_million: Rate | None = None
    cache_write_per_million: Rate | None = None


class LongContext(Part):
    """Rates of a whole request whose prompt exceeds a threshold (R39)."""

    threshold_input_tokens: Count
    rates: Rates


class TierPrice(Part):
    """What a service tier costs where no one factor says it (R39)."""

    rates: Rates
    long_context: LongContext | None = None


class Price(Part):
    """One model's price with where it came from (R39).

    ``service_tiers`` says what a served tier costs: a factor on everything, or rates of its own.
    """

    rates: Rates
    long_context: LongContext | None = None
    service_tiers: dict[str, Annotated[float, Field(ge=0, le=100)] | TierPrice] = Field(default_factory=dict)
    source: Name = "configuration"
    as_of: str | None = None


class ModelConfig(Part):
    """A model as configured everywhere: candidate, panel members, reader, verifier, writer."""

    provider: Name
    model: Name
    family: Name | None = None
    endpoint: str | None = None
    protocol: Protocol | None = None
    api_key_env: EnvironmentName | None = None
    thinking_level: Name | None = None
    reasoning_mode: Name | None = None
    reasoning_summary: Name | None = None
    service_tier: Name | None = None
    max_output_tokens: Count
    sampling: Sampling = Sampling()
    parallel_execution: ParallelExecution = ParallelExecution.ENABLED
    streaming: bool = True  # off: for an endpoint that cannot; the time to the first text is then unmeasured
    prices: Price | None = None

    @field_validator("model")
    @classmethod
    def _plain_name(cls, model: str) -> str:
        if _NO_MODEL.search(model):
            raise ValueError(
                "a name as the provider lists it: without blanks, ?, # and empty or dotted steps"
            )
        return model

    @field_validator("endpoint")
    @classmethod
    def _base_url(cls, endpoint: str | None) -> str | None:
        if endpoint in (None, EMBEDDED):
            return endpoint
        parts = urlsplit(endpoint)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
            raise ValueError(f"an http or https URL, or {EMBEDDED!r}")
        if "@" in parts.netloc or "?" in endpoint or "#" in endpoint:
            raise ValueError("a base URL without user, password, query or #; a key goes by api_key_env")
        return endpoint

    @property
    def embedded(self) -> bool:
        """Whether the model runs inside this process."""
        return self.endpoint == EMBEDDED

    @property
    def lineage(self) -> str:
        """The model family: as configured, else the provider."""
        return self.family or self.provider


class PanelConfig(Part):
    """Who scores: two members of two providers, or a single assessor (R25)."""

    mode: Literal["panel", "single"]
    assessor: ModelConfig
    co_assessor: ModelConfig | None = None

    @model_validator(mode="after")
    def _members(self) -> Self:
        if (self.mode == "panel") != (self.co_assessor is not None):
            raise ValueError("mode 'panel' takes a co_assessor, mode 'single' takes none")
        return self

    @property
    def members(self) -> dict[str, ModelConfig]:
        """The scoring members by letter, ``a`` first."""
        return {"a": self.assessor} | ({"b": self.co_assessor} if self.co_assessor else {})


class ReaderConfig(Part):
    """The reader: second reader of a single-assessor run, reference reader of a panel run (R31, R32)."""

    mode: ReaderMode = ReaderMode.FLAGGED_PLUS_SAMPLE
    blind: bool = True
    llm: ModelConfig | None = None


class VerifierConfig(Part):
    """The claim verifier and its budget per answer (R33)."""

    llm: ModelConfig | None = None
    tool_calls: Count  # before one more per item
    tool_calls_most: Count
    tool_rounds: Count
    model_calls: Count
    timeout_s: Seconds


class WriterConfig(Part):
    """The optional report writer (R60)."""

    llm: ModelConfig | None = None


class BandSeconds(Part):
    """Seconds per band of the assessed difficulty."""

    simple: Seconds
    intermediate: Seconds
    advanced: Seconds

    def of(self, band: Band) -> float:
        """Return the seconds of a band."""
        return float(getattr(self, band))


class Limits(Part):
    """What the candidate may use on one question (R15), and what a run may cost."""

    tool_calls: Count
    tool_rounds: Count
    model_calls: Count
    timeout_s: BandSeconds
    tool_s: Seconds
    call_idle_s: Seconds
    result_cap: Annotated[int, Field(ge=1000, le=100_000)]
    batch_cap: Count
    turn_cap: Count
    run_usd: float | None = Field(default=None, gt=0)


class PromptFiles(Part):
    """A system prompt exported from production, as two segments; null: the shipped template."""

    frozen: str | None = None
    stable: str | None = None


class Chat(Part):
    """The chat's options as the candidate meets them (R13)."""

    mode: Literal["gameplay_help"] = "gameplay_help"
    response_style: Literal["concise", "verbose"]
    tool_use: Literal[True] = True
    source_references: bool
    web_search: Literal[False] = False
    sub_agents: Literal[False] = False
    spoiler_free: Literal[False] = False
    prompt: PromptFiles = PromptFiles()
    guides: str | None = None  # folder of tool guides; null: the shipped ones

    def options(self) -> dict[str, Any]:
        """The prompt options that are recorded, printed and keyed (R13, R43)."""
        return self.model_dump(mode="json", exclude={"prompt", "guides"})


class SuiteConfig(Part):
    """Which suite: a shipped one by name, or a folder."""

    path: Location


class CorpusConfig(Part):
    """What the tools read: ``starter``, a path, ``path@commit``, or a git URL each."""

    wiki: Location
    nethack_wiki: Location
    knowledge: Location
    source: Location
    nethack_source: Location | None = None
    flags: Location | None = None
    ranking: Literal["production", "best"] = "production"
    cache: Location | None = None


class PricesConfig(Part):
    """An administrator's own price list, ``provider/model`` -> price; comes before litellm's map."""

    models: dict[str, Price] = Field(default_factory=dict)


class Compliance(Part):
    """Provider terms: volume limits, purpose statement, acknowledgements (R55, R56)."""

    runs_per_hour: Count
    runs_per_day: Count
    purpose: Name
    acknowledge_same_provider: bool = False
    confirm_writer_provider: bool = False


class Tracking(Part):
    """The MLflow store; a null URI is MLFLOW_TRACKING_URI, else SQLite in the working directory."""

    uri: str | None = None
    experiment: Name
    traces: bool = True


class Concurrency(Part):
    """What runs at once: questions (a speed-and-cost key) and calls to one provider."""

    questions: Count
    calls_per_provider: Count


class Retries(Part):
    """The one retry layer of model calls; no comparability key."""

    attempts: Count
    waits_s: Annotated[tuple[Annotated[float, Field(ge=0)], ...], Field(min_length=1)]
    retry_after_most_s: Seconds


class Patience(Part):
    """How long one call may take where no question's clock runs: graders', writers'. No comparability key.

    ``call_s`` is the whole call with its retries, ``call_idle_s`` a streamed one's silence.
    """

    call_s: Seconds
    call_idle_s: Seconds


class Launch(Part):
    """One validated launch: all that a run is made from."""

    candidate: ModelConfig
    panel: PanelConfig
    reader: ReaderConfig
    verifier: VerifierConfig
    writer: WriterConfig
    profile: Profile
    limits: Limits
    chat: Chat
    suite: SuiteConfig
    corpus: CorpusConfig
    prices: PricesConfig
    compliance: Compliance
    tracking: Tracking
    concurrency: Concurrency
    retries: Retries
    patience: Patience
    name: Name | None = None
    outputs: Location = "outputs"
    questions: tuple[Name, ...] | None = Field(default=None, min_length=1)
    dry_run: bool = False

    @property
    def models(self) -> dict[str, ModelConfig]:
        """The models by role, for the roles in use."""
        roles = {
            "candidate": self.candidate,
            "assessor": self.panel.assessor,
            "co_assessor": self.panel.co_assessor,
            "reader": self.reader.llm,
            "verifier": self.verifier.llm,
            "writer": self.writer.llm,
        }
        return {role: model for role, model in roles.items() if model is not None}
