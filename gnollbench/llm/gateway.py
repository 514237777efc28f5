"""How a model is called: embedded ones in process, all others through litellm.

The only user of litellm's calls. One retry layer (litellm's and the SDKs' are off), one deadline, one
shape of reply. Litellm is imported at the first model that needs it: it takes seconds.
"""

import asyncio
import json
import os
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Protocol

from gnollbench.errors import HarnessFailure, ProviderFailure, Refusal
from gnollbench.llm.failures import ContextFull, DeadlineReached, Fault, classify
from gnollbench.llm.messages import Message, Reply, Request, ToolCall, Usage
from gnollbench.records.canonical import as_object
from gnollbench.records.launch import ModelConfig, ParallelExecution, Retries
from gnollbench.records.launch import Protocol as Wire

EmbeddedModel = Callable[[Request], Reply]
_KEYLESS = "unused"  # the SDKs demand a key where a local server takes none
_FINISH = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "length": "length",
    "content_filter": "refused",
    "model_context_window_exceeded": "context",
}
_PREFIX = {Wire.OPENAI: "hosted_vllm/", Wire.ANTHROPIC: "anthropic/", Wire.GOOGLE: "gemini/"}


class Gateway(Protocol):
    """What roles and engine know of model calls."""

    def body(self, request: Request) -> Any:
        """Return the request body as the provider's adapter would send it; nothing is sent (R16)."""
        ...

    async def complete(self, request: Request, deadline: float) -> Reply:
        """Call the model.

        Parameters
        ----------
        deadline : float
            ``time.monotonic()`` at which the call is cut.

        Raises
        ------
        ProviderFailure
            When retries are used up, or would wait past the deadline.
        DeadlineReached
            When the clock ran out while the model worked.
        ContextFull
            When the request does not fit the model's context window.
        HarnessFailure
            For a fault of ours.
        """
        ...


class ModelGateway:
    """The gateway of a run.

    Parameters
    ----------
    embedded : mapping
        Embedded models by name.
    retries : Retries
        Waits and attempts of the one retry layer.
    calls_per_provider : int
        How many calls to one provider may be in flight.
    environ : mapping
        Where API keys are read, by the name that a configuration gives.
    """

    def __init__(
        self,
        embedded: Mapping[str, EmbeddedModel],
        retries: Retries,
        calls_per_provider: int,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._embedded, self._retries, self._environ = embedded, retries, environ
        self._calls_per_provider = calls_per_provider
        self._permits: dict[str, asyncio.Semaphore] = {}

    def check(self, models: Iterable[ModelConfig]) -> None:
        """Refuse an embedded model that nobody knows, before anything runs."""
        for model in models:
            if model.embedded and model.model not in self._embedded:
                raise Refusal(
                    f"embedded model {model.model!r} is not known",
                    f"known are {', '.join(sorted(self._embedded))}",
                    "name one of these, or an endpoint",
                )

    def body(self, request: Request) -> Any:
        """Return the body that would be sent."""
        if request.model.embedded:
            return {
                "messages": [message.as_dict() for message in request.messages],
                "tools": [dict(tool) for tool in request.tools],
            }
        return _probe(_arguments(request))

    async def complete(self, request: Request, deadline: float) -> Reply:
        """Call the model; see `Gateway.complete`."""
        permit = self._permits.setdefault(request.model.provider, asyncio.Semaphore(self._calls_per_provider))
        waited = time.monotonic()
        async with permit:
            queued_ms = (time.monotonic() - waited) * 1000
            if request.model.embedded:
                return await asyncio.to_thread(self._embedded[request.model.model], request)
            return await self._attempts(request, deadline, queued_ms)

    async def _attempts(self, request: Request, deadline: float, waited_ms: float) -> Reply:
        arguments = _arguments(request)
        secret = self._key(request.model)
        arguments["api_key"] = secret or _KEYLESS
        for attempt in range(1, self._retries.attempts + 1):
            started = time.monotonic()
            try:
                answer = await _within(deadline, lambda: _acompletion(arguments))
            except DeadlineReached:
                raise
            except Exception as error:
                fault = classify(error, secret)
                pause_s = self._pause(fault, attempt, deadline)
                await asyncio.sleep(pause_s)
                waited_ms += (time.monotonic() - started) * 1000
                continue
            return _reply(answer, waited_ms, attempt)
        raise HarnessFailure("internal", "the retry loop ended without a verdict")

    def _pause(self, fault: Fault, attempt: int, deadline: float) -> float:
        if fault.kind == "context":
            raise ContextFull(fault.message)
        if fault.source == "harness":
            raise HarnessFailure(fault.kind, fault.message, fault.code)
        waits = self._retries.waits_s
        pause_s = waits[min(attempt, len(waits)) - 1]
        if fault.retry_after_s is not None:
            pause_s = min(fault.retry_after_s, self._retries.retry_after_most_s)
        last = attempt >= self._retries.attempts or time.monotonic() + pause_s >= deadline
        if not fault.retry or last:
            raise ProviderFailure(fault.kind, fault.code, fault.message)
        return pause_s

    def _key(self, model: ModelConfig) -> str | None:
        return self._environ.get(model.api_key_env) if model.api_key_env else None


async def _within(deadline: float, call: Callable[[], Awaitable[Any]]) -> Any:
    scope = asyncio.timeout(max(0.0, deadline - time.monotonic()))
    try:
        async with scope:
            return await call()
    except TimeoutError as error:
        if scope.expired():
            raise DeadlineReached("the question's time ran out while the model worked") from error
        raise


async def _acompletion(arguments: dict[str, Any]) -> Any:
    litellm = await asyncio.to_thread(_litellm)
    return await litellm.acompletion(**arguments)


def _litellm() -> Any:
    import litellm  # 4.6 s: only a run that reaches a provider pays it

    litellm.suppress_debug_info = True
    litellm.drop_params = False  # a setting that would be dropped silently is an error
    return litellm


def _probe(arguments: dict[str, Any]) -> Any:
    litellm = _litellm()
    raw: Any = litellm.utils.return_raw_request(litellm.utils.CallTypes.completion, arguments)
    if raw.get("error"):
        raise HarnessFailure("bad_request", f"the request cannot be built: {raw['error']}")
    return raw["raw_request_body"]


def wire_of(model: ModelConfig) -> Wire:
    """Return the protocol that a model's endpoint speaks: as configured, else the provider's own."""
    own = {"anthropic": Wire.ANTHROPIC, "google": Wire.GOOGLE}
    return model.protocol or own.get(model.provider, Wire.OPENAI)


def _arguments(request: Request) -> dict[str, Any]:
    model, wire = request.model, wire_of(request.model)
    prefix = "openai/" if model.provider == "openai" and wire == Wire.OPENAI else _PREFIX[wire]
    arguments: dict[str, Any] = {
        "model": prefix + model.model,
        "messages": [
            _wire_message(message, index, request, wire) for index, message in enumerate(request.messages)
        ],
        "max_tokens": model.max_output_tokens,
        "num_retries": 0,
        "max_retries": 0,
    }
    optional = {
        "api_base": model.endpoint,
        "temperature": model.sampling.temperature,
        "top_p": model.sampling.top_p,
        "seed": model.sampling.seed,
        "reasoning_effort": model.thinking_level,
        "service_tier": model.service_tier,
    }
    arguments |= {name: value for name, value in optional.items() if value is not None}
    if request.tools:
        arguments |= _tools(request, wire)
    if request.schema is not None:
        arguments["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": dict(request.schema), "strict": True},
        }
    return arguments


def _tools(request: Request, wire: Wire) -> dict[str, Any]:
    if request.tools_closed and wire != Wire.ANTHROPIC:
        return {}
    arguments: dict[str, Any] = {
        "tools": [{"type": "function", "function": dict(tool)} for tool in request.tools]
    }
    if request.tools_closed:  # Anthropic refuses tool results in the history without declared tools
        arguments["tool_choice"] = "none"
    elif request.model.parallel_execution == ParallelExecution.DISABLED and wire != Wire.GOOGLE:
        arguments["parallel_tool_calls"] = False
    return arguments


def _wire_message(message: Message, index: int, request: Request, wire: Wire) -> dict[str, Any]:
    shape = message.as_dict()
    if wire == Wire.ANTHROPIC and index + 1 == request.cache_prefix:
        shape["cache_control"] = {"type": "ephemeral"}
    return shape


def _reply(answer: Any, waited_ms: float, attempts: int) -> Reply:
    content = as_object(answer.model_dump())
    choices: list[Any] = content.get("choices") or []
    choice = as_object(choices[0]) if choices else {}
    message = as_object(choice.get("message"))
    if not message:
        raise ProviderFailure("malformed", None, "the reply holds no choice")
    native = as_object(choice.get("provider_specific_fields")).get("native_finish_reason")
    reason = choice.get("finish_reason")
    calls = tuple(
        ToolCall(
            id=str(call.get("id") or f"call_{position}"),
            name=str(call["function"].get("name") or ""),
            arguments=_text(call["function"].get("arguments")),
        )
        for position, call in enumerate(message.get("tool_calls") or [])
    )
    return Reply(
        text=_text(message.get("content")),
        finish_reason="tool_calls" if calls else _FINISH.get(str(reason), "unknown"),
        tool_calls=calls,
        usage=_usage(as_object(content.get("usage"))),
        native_finish_reason=native or reason,
        served_model=content.get("model"),
        service_tier=content.get("service_tier") or as_object(content.get("usage")).get("service_tier"),
        wait_ms=waited_ms,
        attempts=attempts,
    )


def _text(content: Any) -> str:
    if content is None:
        return ""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _usage(stated: dict[str, Any]) -> Usage:
    if not stated.get("total_tokens"):
        return Usage()  # litellm writes zeros where the provider stated nothing
    prompt = as_object(stated.get("prompt_tokens_details"))
    completion = as_object(stated.get("completion_tokens_details"))
    return Usage(
        input_tokens=stated.get("prompt_tokens"),
        cached_tokens=prompt.get("cached_tokens"),
        cache_write_tokens=stated.get("cache_creation_input_tokens"),
        output_tokens=stated.get("completion_tokens"),
        reasoning_tokens=completion.get("reasoning_tokens"),
    )
