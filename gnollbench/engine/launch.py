"""Resolution of an admitted launch: prompt, tools, prices, the 27 keys, and the delivery probe (R16, R43)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from gnollbench import HARNESS_VERSION
from gnollbench.corpus.library import Library
from gnollbench.corpus.tools import Guides, Toolset
from gnollbench.errors import Refusal
from gnollbench.llm.arguments import protocol_of
from gnollbench.llm.gateway import Gateway
from gnollbench.llm.messages import Request
from gnollbench.llm.prices import name_of
from gnollbench.llm.prices import snapshot as price_snapshot
from gnollbench.records.canonical import as_object
from gnollbench.records.launch import Launch, ModelConfig, Price, Rates
from gnollbench.records.run import KEY_KINDS, ExamQuestion, Key
from gnollbench.records.suite import Question, Suite
from gnollbench.roles.candidate import SystemPrompt, candidate_request, system_prompt
from gnollbench.scoring.profile import band_of
from gnollbench.scoring.verdict import ReaderMode

SCORING_METHOD = 13
_FREE = Price(rates=Rates(input_per_million=0, output_per_million=0)).model_dump(
    mode="json", exclude={"as_of", "source"}
)


@dataclass(frozen=True, slots=True)
class Resolved:
    """All that a run stands on, settled before the first question.

    Attributes
    ----------
    exam : tuple of ExamQuestion
        The whole suite as it stands.
    asked : tuple of ExamQuestion
        What is asked of it, in suite order; only a part is no exam and gives no indices.
    """

    launch: Launch
    suite: Suite
    exam: tuple[ExamQuestion, ...]
    asked: tuple[ExamQuestion, ...]
    prompt: SystemPrompt
    toolset: Toolset
    library: Library
    prices: dict[str, Price | None]
    keys: dict[str, Key]

    def request(self, question: ExamQuestion) -> Request:
        """Return the candidate's first request of a question."""
        return candidate_request(
            self.launch.candidate, self.prompt, self.suite.snapshot, question.text, self.toolset
        )

    @property
    def snapshot(self) -> str | None:
        """The board's text, as every grading role gets it (R9)."""
        return self.suite.snapshot.text if self.suite.snapshot else None


def resolve(launch: Launch, suite: Suite, library: Library) -> Resolved:
    """Settle prompt, tools, prices and keys of an admitted launch."""
    guides = Guides.load(launch.chat.guides)
    parallel = guides.parallel_text(launch.candidate.parallel_execution)
    policy = "\n\n".join(filter(None, (guides.policy, parallel)))
    topics = "\n".join(f"- **{topic.key}**: {topic.summary}" for topic in library.knowledge.topics)
    prompt = system_prompt(launch.chat, topics, policy, suite.snapshot)
    exam = tuple(_exam_question(suite, question) for question in suite.questions)
    asked = tuple(q for q in exam if launch.questions is None or q.id in launch.questions)
    prices = price_snapshot(launch.models.values(), launch.prices)
    _bound_is_watched(launch, prices)
    values = {
        **_exam_values(suite, exam),
        **_candidate_values(launch),
        **_instrument_values(launch),
        "system_prompt": f"{prompt.hash} ({len(prompt.keyed)} characters)",
        "tool_guides": guides.fingerprint_value(),
        "knowledge_base": library.knowledge.revision,
        "question_parallelism": launch.concurrency.questions,
        "speed_calibration": launch.profile.speed_calibration(),
        "price_snapshot": _price_values(
            {role: prices[name_of(model)] for role, model in _keyed(launch).items()}
        ),
    }
    keys = {name: Key.of(name, values[name]) for name in KEY_KINDS}
    keys["system_prompt"] = keys["system_prompt"].model_copy(update={"hash": prompt.hash})
    toolset = Toolset(library, guides, launch.limits.result_cap)
    return Resolved(launch, suite, exam, asked, prompt, toolset, library, prices, keys)


def _bound_is_watched(launch: Launch, prices: Mapping[str, Price | None]) -> None:
    """Refuse a bound on what a run may cost where a role's cost would not be known (R39)."""
    names = map(name_of, _keyed(launch).values())
    unpriced = dict.fromkeys(name for name in names if prices[name] is None)
    if launch.limits.run_usd is not None and unpriced:
        raise Refusal(
            "limits.run_usd is refused",
            f"no price is known of {', '.join(unpriced)}, so what a run has cost would not be known (R39)",
            "set its prices (its own field, or prices.models), or leave limits.run_usd out",
        )


def probe(resolved: Resolved, gateway: Gateway, question: ExamQuestion) -> None:
    """Check that prompt, snapshot and tools are in the body that the provider's adapter would send (R16).

    This is before the run. In it, every body is checked as it is sent, and one that lacks something ends the
    run (`gnollbench.llm.wire.carrier`).

    Raises
    ------
    Refusal
        If one of them is not.
    """
    request = resolved.request(question)
    strings = list(_strings(gateway.body(request)))
    wanted = {"the system prompt": resolved.prompt.text, "the question": question.text}
    if resolved.snapshot:
        wanted["the game snapshot"] = resolved.snapshot
    wanted |= {f"the tool {tool['name']}": str(tool["name"]) for tool in request.tools}
    missing = [what for what, text in wanted.items() if not any(text in string for string in strings)]
    if missing:
        raise Refusal(
            "the launch is refused: the delivery probe failed",
            f"the request to {resolved.launch.candidate.provider} lacks {', '.join(missing)} (R16)",
            "mend the candidate's configuration, or the adapter",
        )


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _strings(list(as_object(value).values()))
    elif isinstance(value, list | tuple):
        for item in cast("list[Any]", value):
            yield from _strings(item)


def _exam_question(suite: Suite, question: Question) -> ExamQuestion:
    rating = suite.rating(question)
    if rating is None:
        raise ValueError(f"question {question.id} was admitted without a rating")
    board = suite.snapshot.text if suite.snapshot else None
    missing = None if board is None else tuple(fact for fact in question.rubric.board if fact not in board)
    return ExamQuestion(
        id=question.id,
        revision=question.revision,
        text=question.text,
        band=question.band,
        difficulty=rating.difficulty,
        rated_by=rating.rated_by,
        reviewed=question.reviewed,
        rubric=question.rubric,
        board_missing=missing,
    )


def timeout_s(resolved: Resolved, question: ExamQuestion) -> float:
    """Return the wall clock of a question, by the band of its assessed difficulty (R15)."""
    return resolved.launch.limits.timeout_s.of(band_of(question.difficulty))


def _exam_values(suite: Suite, exam: tuple[ExamQuestion, ...]) -> dict[str, Any]:
    return {
        "suite": suite.name,
        "question_revisions": {question.id: question.revision for question in exam},
        "difficulties": {question.id: question.difficulty for question in exam},
        "snapshot": suite.snapshot.hash if suite.snapshot else None,
    }


def _candidate_values(launch: Launch) -> dict[str, Any]:
    candidate = launch.candidate
    return {
        "provider": candidate.provider,
        "model": candidate.model,
        "endpoint": _endpoint(candidate),
        "thinking_level": candidate.thinking_level,
        "reasoning_mode": candidate.reasoning_mode,
        "reasoning_summary": candidate.reasoning_summary,
        "service_tier": candidate.service_tier,
        "output_limit": _output(candidate),
        "parallel_execution": candidate.parallel_execution,
        "prompt_options": launch.chat.options(),
    }


def _instrument_values(launch: Launch) -> dict[str, Any]:
    panel, reader, verifier = launch.panel, launch.reader, launch.verifier
    forced = panel.co_assessor is not None  # a panel forces the reader to all and blind (R32)
    return {
        "harness_version": _harness(launch),
        "scoring_method": SCORING_METHOD,
        "scoring_profile": launch.profile.scoring_semantics(),
        "assessor": {
            "mode": panel.mode,
            "members": [_grader(member) for member in panel.members.values()],
        },
        "reader": {
            "llm": _grader(reader.llm),
            "mode": ReaderMode.ALL if forced else reader.mode,
            "blind": forced or reader.blind,
        }
        if reader.llm and _reads(launch)
        else "none",
        "verifier": {
            **verifier.model_dump(mode="json", exclude={"llm"}),
            "llm": {**_grader(verifier.llm), "parallel_execution": verifier.llm.parallel_execution},
        }
        if verifier.llm
        else "none",
        "limits": launch.limits.model_dump(mode="json", exclude={"run_usd"}),
    }


def _harness(launch: Launch) -> int | str:
    """Return the harness version; a search ranking other than production's is told beside it.

    How a tool behaves belongs to the harness version (R43): the ranking is neither an article, a guide nor
    a limit, and it decides what a search returns.
    """
    ranking = launch.corpus.ranking
    return HARNESS_VERSION if ranking == "production" else f"{HARNESS_VERSION} with corpus.ranking={ranking}"


def _reads(launch: Launch) -> bool:
    """Whether a reader takes part: a panel's always does, where there is one (R32)."""
    in_use = launch.panel.co_assessor is not None or launch.reader.mode is not ReaderMode.OFF
    return launch.reader.llm is not None and in_use


def _grader(model: ModelConfig) -> dict[str, Any]:
    return {
        "provider": model.provider,
        "model": model.model,
        "endpoint": _endpoint(model),
        "thinking_level": model.thinking_level,
        "reasoning_mode": model.reasoning_mode,
        "reasoning_summary": model.reasoning_summary,
        "service_tier": model.service_tier,
        **_output(model),
    }


def _output(model: ModelConfig) -> dict[str, Any]:
    return {"max_output_tokens": model.max_output_tokens, **model.sampling.model_dump(mode="json")}


def _endpoint(model: ModelConfig) -> str:
    """Return the API base without credentials, query or trailing slash; a provider's own is ``default``.

    A protocol that is not the provider's own is told with it: it is another door of the same host.
    """
    base = "default"
    if model.endpoint is not None:
        parts = urlsplit(model.endpoint)
        host = parts.netloc.rpartition("@")[2]
        base = urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
    spoken, own = protocol_of(model), protocol_of(model.model_copy(update={"protocol": None}))
    return base if spoken is own else f"{base} speaking {spoken}"


def _keyed(launch: Launch) -> dict[str, ModelConfig]:
    """Return the models in use whose prices are a key, by role: all but the report writer, which is none (R45)."""
    idle = {"writer"} if _reads(launch) else {"writer", "reader"}
    return {role: model for role, model in launch.models.items() if role not in idle}


def _price_values(prices: Mapping[str, Price | None]) -> dict[str, Any]:
    """Return what the key ``price_snapshot`` is computed from: each role's price, null where it is unknown.

    By role, for the price of one role can become that of another and still change what a run costs. No model
    is named, and what costs nothing has no entry: another model at the same price, or a free role more or
    less, moves that role's own key alone. A role that costs something and is left out moves both.
    """
    values = {
        role: price.model_dump(mode="json", exclude={"as_of", "source"}) if price else None
        for role, price in prices.items()
    }
    return {role: value for role, value in values.items() if value != _FREE}
