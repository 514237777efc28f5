"""Model calls over HTTP on loopback, through litellm as a run makes them (R16, R39, R41)."""

import asyncio
import json
import time
from typing import Any

import pytest

from gnollbench.errors import HarnessFailure, ProviderFailure
from gnollbench.llm.failures import ContextFull, DeadlineReached
from gnollbench.llm.gateway import ModelGateway
from gnollbench.llm.messages import Message, Reply, Request, ToolCall, Usage
from gnollbench.records.launch import ModelConfig, Retries
from tests.llm.wire import Answer, Wire, anthropic, openai, serving

pytestmark = pytest.mark.xdist_group("litellm")  # its import takes seconds: once is enough

TOOL = {
    "name": "wiki_search",
    "description": "Searches the wiki.",
    "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
}
RETRIES = Retries(attempts=3, waits_s=(0.01,), retry_after_most_s=0.3)
PROTOCOLS = ("openai", "anthropic")


def model(wire: Wire, protocol: str = "openai", **fields: Any) -> ModelConfig:
    suffix = "/v1" if protocol == "openai" else ""
    base = {
        "provider": "local",
        "model": "some-model",
        "endpoint": wire.url + suffix,
        "protocol": protocol,
        "max_output_tokens": 500,
    }
    return ModelConfig.model_validate_json(json.dumps(base | fields))


def request(wire: Wire, protocol: str = "openai", **fields: Any) -> Request:
    messages = (Message("system", "THE PROMPT"), Message("user", "How fast is a lich?"))
    return Request(model(wire, protocol), messages, (TOOL,), **fields)


def complete(asked: Request, seconds: float = 20.0, environ: dict[str, str] | None = None) -> Reply:
    gateway = ModelGateway({}, RETRIES, 4, environ or {})
    gateway.body(asked)  # imports litellm before the clock runs
    return asyncio.run(gateway.complete(asked, time.monotonic() + seconds))


def test_chat_completion_is_read() -> None:
    """R39: text, usage, served model and reason as the server stated them."""
    with serving(openai("Speed 12.")) as wire:
        reply = complete(request(wire))
    assert (reply.text, reply.finish_reason, reply.served_model) == ("Speed 12.", "stop", "served-2026-11-30")
    assert reply.usage == Usage(100, 60, None, 20, 5)
    assert len(wire.received) == 1


def test_anthropic_message_is_read() -> None:
    """R39: cached and written tokens are part of the prompt."""
    with serving(anthropic("Speed 12.")) as wire:
        reply = complete(request(wire, "anthropic"))
    assert reply.text == "Speed 12."
    assert (reply.usage.input_tokens, reply.usage.cached_tokens, reply.usage.cache_write_tokens) == (
        100,
        50,
        10,
    )


def test_parallel_tool_calls_keep_their_order() -> None:
    """Calls of every protocol come in one shape."""
    asked = [("wiki_search", '{"query": "a"}'), ("wiki_search", '{"query": "b"}')]
    with serving(openai(None, asked)) as wire:
        one = complete(request(wire))
    with serving(anthropic("", [(name, json.loads(arguments)) for name, arguments in asked])) as wire:
        other = complete(request(wire, "anthropic"))
    for reply in (one, other):
        assert reply.finish_reason == "tool_calls"
        assert [json.loads(call.arguments)["query"] for call in reply.tool_calls] == ["a", "b"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_probe_is_the_body_that_is_sent(protocol: str) -> None:
    """R16: what the probe builds without sending is what the server then receives."""
    with serving(openai("x") if protocol == "openai" else anthropic("x")) as wire:
        asked = request(wire, protocol)
        body = ModelGateway({}, RETRIES, 4, {}).body(asked)
        assert wire.received == []
        complete(asked)
    assert "THE PROMPT" in json.dumps(body)
    assert {key: value for key, value in body.items() if key != "extra_body"} == wire.received[0]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_closed_tools_cannot_be_called(protocol: str) -> None:
    """R15: the forced final call offers no tool, with tool results in its history."""
    with serving(openai("x") if protocol == "openai" else anthropic("x")) as wire:
        asked = request(wire, protocol, tools_closed=True)
        history = (
            Message("assistant", "", (ToolCall("c1", "wiki_search", '{"query": "a"}'),)),
            Message("tool", "found", tool_call_id="c1"),
            Message("user", "Answer now."),
        )
        complete(Request(asked.model, (*asked.messages, *history), asked.tools, tools_closed=True))
    body = wire.received[0]
    assert "tools" not in body or body["tool_choice"] == {"type": "none"}


def test_retry_waits_as_asked_and_counts_as_neither() -> None:
    """R38: one retry layer that honours Retry-After; the wait is told apart."""
    busy = Answer({"error": {"message": "slow down"}}, 429, {"retry-after": "0.2"})
    with serving(busy, openai("x")) as wire:
        reply = complete(request(wire))
    assert (reply.attempts, len(wire.received)) == (2, 2)
    assert 200 <= reply.wait_ms < 5000


@pytest.mark.parametrize(
    ("answer", "kind", "requests"),
    [
        (Answer({"error": {"message": "no"}}, 429), "rate_limit", 3),
        (Answer({"error": {"message": "no"}}, 500), "outage", 3),
        (Answer("<html>bad gateway</html>", 502), "outage", 3),
        (Answer({"error": {"message": "no"}}, 529), "overloaded", 3),
        (Answer({"error": {"message": "no"}}, 401), "configuration", 1),
        (Answer({"error": {"message": "no", "code": "insufficient_quota"}}, 429), "configuration", 1),
        (Answer("not json"), "malformed", 3),
        (Answer({"choices": []}), "malformed", 1),
    ],
)
def test_provider_failures_by_kind(answer: Answer, kind: str, requests: int) -> None:
    """R41: told by status and code; what cannot pass is not tried again."""
    with serving(answer) as wire, pytest.raises(ProviderFailure) as failure:
        complete(request(wire))
    assert failure.value.kind == kind
    assert len(wire.received) == requests


def test_wrong_request_is_ours() -> None:
    """R41: a 400 is a harness failure."""
    with serving(Answer({"error": {"message": "no such field"}}, 400)) as wire, pytest.raises(HarnessFailure):
        complete(request(wire))


def test_full_context_is_a_limit() -> None:
    """R41: not a failure of anybody."""
    said = {"error": {"message": "maximum context length is 10", "code": "context_length_exceeded"}}
    with serving(Answer(said, 400)) as wire, pytest.raises(ContextFull):
        complete(request(wire))


def test_refused_connection_is_the_providers() -> None:
    """R41: nobody listens."""
    with serving(openai("x")) as wire:
        asked = request(wire)
    with pytest.raises(ProviderFailure) as failure:
        complete(asked)
    assert failure.value.kind == "connection"


def test_deadline_cuts_a_slow_call() -> None:
    """R15: the question's wall clock is ours, not a socket's."""
    with serving(Answer(openai("x").body, delay_s=3.0)) as wire:
        started = time.monotonic()
        with pytest.raises(DeadlineReached):
            complete(request(wire), seconds=0.5)
        assert time.monotonic() - started < 2.5


def test_wait_past_the_deadline_is_the_providers_fault() -> None:
    """R41: a rate limit never turns into a timeout of the model."""
    busy = Answer({"error": {"message": "slow down"}}, 429, {"retry-after": "60"})
    with serving(busy) as wire, pytest.raises(ProviderFailure) as failure:
        complete(request(wire), seconds=0.2)
    assert failure.value.kind == "rate_limit"


def test_missing_usage_is_unknown() -> None:
    """R39: never an invented figure."""
    body = openai("x").body
    del body["usage"]
    with serving(Answer(body)) as wire:
        reply = complete(request(wire))
    assert reply.usage == Usage()


def test_key_goes_by_the_environment_alone() -> None:
    """The key is read by its variable's name and is not in the body."""
    with serving(openai("x")) as wire:
        asked = request(wire)
        keyed = Request(asked.model.model_copy(update={"api_key_env": "MY_KEY"}), asked.messages)
        complete(keyed, environ={"MY_KEY": "sk-secret"})
    assert "sk-secret" not in json.dumps(wire.received)
