"""Resolution of an admitted launch: prompt, tools, prices, the 27 keys, and the delivery probe (R16, R43)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from gnollbench import HARNESS_VERSION
from gnollbench.corpus.library import Library
from gnollbench.corpus.tools import Guides, Toolset
from gnollbench.errors import Refusal
from gnollbench.llm.gateway import Gateway
from gnollbench.llm.messages import Request
from gnollbench.llm.prices import name_of
from gnollbench.llm.prices import snapshot as price_snapshot
from gnollbench.records.canonical import as_object, canonical_json
from gnollbench.records.launch import Launch, ModelConfig, Price
from gnollbench.records.run import KEY_KINDS, ExamQuestion, Key
from gnollbench.records.suite import Question, Suite
from gnollbench.roles.candidate import SystemPrompt, candidate_request, system_prompt
from gnollbench.scoring.profile import band_of
from gnollbench.scoring.verdict import ReaderMode

SCORING_METHOD = 13


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
        "tool_guides": guides.fingerprint_value(launch.candidate.parallel_execution),
        "knowledge_base": library.knowledge.revision,
        "question_parallelism": launch.concurrency.questions,
        "speed_calibration": launch.profile.speed_calibration(),
        "price_snapshot": _price_values(prices[name_of(model)] for model in _keyed(launch)),
    }
    keys = {name: Key.of(name, values[name]) for name in KEY_KINDS}
    keys["system_prompt"] = keys["system_prompt"].model_copy(update={"hash": prompt.hash})
    toolset = Toolset(library, guides, launch.limits.result_cap)
    return Resolved(launch, suite, exam, asked, prompt, toolset, library, prices, keys)


def _bound_is_watched(launch: Launch, prices: Mapping[str, Price | None]) -> None:
    """Refuse a bound on what a run may cost where a role's cost would not be known (R39)."""
    unpriced = dict.fromkeys(name_of(model) for model in _keyed(launch) if prices[name_of(model)] is None)
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
        "endpoint": _endpoint(candidate.endpoint),
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
    reading = reader.llm is not None and (forced or reader.mode is not ReaderMode.OFF)
    return {
        "harness_version": HARNESS_VERSION,
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
        if reading and reader.llm
        else "none",
        "verifier": {**verifier.model_dump(mode="json", exclude={"llm"}), "llm": _grader(verifier.llm)}
        if verifier.llm
        else "none",
        "limits": launch.limits.model_dump(mode="json", exclude={"run_usd"}),
    }


def _grader(model: ModelConfig) -> dict[str, Any]:
    return {
        "provider": model.provider,
        "model": model.model,
        "endpoint": _endpoint(model.endpoint),
        "thinking_level": model.thinking_level,
        "reasoning_mode": model.reasoning_mode,
        "reasoning_summary": model.reasoning_summary,
        "service_tier": model.service_tier,
        **_output(model),
    }


def _output(model: ModelConfig) -> dict[str, Any]:
    return {"max_output_tokens": model.max_output_tokens, **model.sampling.model_dump(mode="json")}


def _endpoint(endpoint: str | None) -> str:
    """Return the API base without credentials, query or trailing slash; a provider's own is ``default``."""
    if endpoint is None:
        return "default"
    parts = urlsplit(endpoint)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))


def _keyed(launch: Launch) -> list[ModelConfig]:
    """Return the models whose prices are a key: all but the report writer, which is none (R45)."""
    return [model for role, model in launch.models.items() if role != "writer"]


def _price_values(prices: Iterable[Price | None]) -> list[Any]:
    """Return the distinct prices in force; which model has which is said by the models' own keys."""
    values = [
        price.model_dump(mode="json", exclude={"as_of", "source"}) if price else None for price in prices
    ]
    distinct = {canonical_json(value): value for value in values}
    return [distinct[text] for text in sorted(distinct)]
