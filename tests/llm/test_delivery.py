"""What an adapter leaves out is not sent (R16)."""

import json
from pathlib import Path
from typing import Any

import pytest

from gnollbench.errors import HarnessFailure, Refusal
from gnollbench.llm.failures import NOT_DELIVERED
from gnollbench.records.suite import load_suite
from tests.llm.asked import complete, gateway_to, model, request
from tests.llm.runs import behaves, run, two_questions, words
from tests.llm.wire import PROTOCOLS, Said, serving

pytestmark = pytest.mark.xdist_group("litellm")

CLAUDE = {"wire_protocol": "anthropic"}
GEMINI = {"wire_protocol": "google"}
GPT = {"wire_protocol": "responses"}


@pytest.mark.parametrize(
    ("where", "settings"),
    [
        (CLAUDE, {"thinking_level": "high", "reasoning_summary": "omitted"}),
        (CLAUDE, {"thinking_level": "none"}),
        (CLAUDE, {"model": "claude-sonnet-4-5", "thinking_level": "low", "max_output_tokens": 9000}),
        (CLAUDE, {"service_tier": "standard_only", "parallel_execution": "disabled"}),
        (GEMINI, {"thinking_level": "high", "service_tier": "flex"}),
        (GEMINI, {"model": "gemini-2.5-pro", "thinking_level": "none"}),
        (GEMINI, {"model": "gemini-3.1-pro-preview", "sampling": {"temperature": 0.2, "seed": 3}}),
        (GEMINI, {"model": "a-model-nobody-knows", "thinking_level": "high"}),
        (GPT, {"thinking_level": "max", "reasoning_summary": "detailed", "service_tier": "flex"}),
        (GPT, {"model": "gpt-5.6-sol", "thinking_level": "high", "reasoning_mode": "pro"}),
        (GPT, {"thinking_level": "none", "parallel_execution": "disabled"}),
        ({}, {"thinking_level": "whatever", "service_tier": "flex", "sampling": {"seed": 3, "top_p": 0.5}}),
        ({}, {"parallel_execution": "disabled"}),
    ],
)
def test_what_a_provider_takes_is_delivered(where: dict[str, str], settings: dict[str, Any]) -> None:
    """R16: the settings of each protocol arrive as the provider reads them."""
    with serving(Said()) as wire:
        asked = request(wire, **where, **settings)
        gateway_to(wire).check([asked.model])
        assert wire.requests == []
        complete(wire, asked)
        assert len(wire.requests) == 1


@pytest.mark.parametrize(
    ("endpoint", "name"),
    [
        ("https://ours.openai.azure.com/openai/v1", "max_completion_tokens"),
        ("https://openai.azure.com.example/v1", "max_tokens"),
    ],
)
def test_azure_knows_the_output_limit_by_its_new_name(endpoint: str, name: str) -> None:
    """R16: its models that think refuse the old one, which other servers' want."""
    with serving(Said()) as wire:
        complete(wire, request(wire, endpoint=endpoint))
    assert {key: value for key, value in wire.received[0].items() if key.startswith("max_")} == {name: 500}


@pytest.mark.parametrize(
    ("where", "settings", "named"),
    [
        (GEMINI, {"thinking_level": "none"}, "thinking_level=none (it says low)"),
        (GEMINI, {"thinking_level": "minimal"}, "thinking_level=minimal (it says low)"),
        (GEMINI, {"thinking_level": "xhigh"}, "xhigh"),
        (GEMINI, {"service_tier": "auto"}, "service_tier=auto (it says priority)"),
        (GEMINI, {"parallel_execution": "disabled"}, "parallel_execution=disabled"),
        (GEMINI, {"reasoning_summary": "auto"}, "reasoning_summary=auto"),
        (GEMINI, {"sampling": {"temperature": 0.2}}, "temperature"),
        (CLAUDE, {"service_tier": "flex"}, "flex"),
        (CLAUDE, {"service_tier": "default"}, "service_tier=default (it says standard_only)"),
        (CLAUDE, {"sampling": {"seed": 3}}, "seed"),
        (CLAUDE, {"sampling": {"temperature": 0.2}}, "temperature"),
        (CLAUDE, {"reasoning_mode": "pro"}, "reasoning_mode=pro"),
        (CLAUDE, {"model": "a-model-nobody-knows", "thinking_level": "high"}, "reasoning_effort"),
        (GPT, {"sampling": {"seed": 3}}, "sampling.seed=3"),
        (GPT, {"model": "gpt-4o", "thinking_level": "high"}, "reasoning.effort"),
        ({}, {"reasoning_summary": "auto"}, "reasoning_summary=auto"),
        ({}, {"reasoning_mode": "pro"}, "reasoning_mode=pro"),
    ],
)
def test_what_would_be_dropped_is_refused(
    where: dict[str, str], settings: dict[str, Any], named: str
) -> None:
    """R16: a setting that the adapter drops or replaces is a refusal that names it, before anything is sent."""
    with serving(Said()) as wire:
        with pytest.raises(Refusal) as refused:
            gateway_to(wire).check([model(wire, **where, **settings)])
        assert named in refused.value.why
        assert wire.requests == []


class Broken:
    """Stands before an adapter's transport, and loses a part of every body on the way."""

    def __init__(self, lose: Any) -> None:
        self._lose = lose

    def __call__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from litellm.llms.anthropic.chat.transformation import AnthropicConfig

        whole = AnthropicConfig.transform_request

        def transform_request(*args: Any, **kwargs: Any) -> Any:
            body = whole(*args, **kwargs)
            self._lose(body)
            return body

        monkeypatch.setattr(AnthropicConfig, "transform_request", transform_request)


LOSSES = {
    "the system prompt": lambda body: body.pop("system"),
    "a user message": lambda body: body.update(messages=[{"role": "user", "content": "Hello?"}]),
    "the tool wiki_search": lambda body: body.pop("tools"),
    "max_output_tokens=500 (it says 7)": lambda body: body.update(max_tokens=7),
}


@pytest.mark.parametrize("lost", LOSSES)
def test_a_broken_adapter_is_refused_before_the_run(lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """R16: the probe sees what the adapter really builds."""
    with serving(Said()) as wire:
        gateway_to(wire).body(request(wire, "anthropic"))
        Broken(LOSSES[lost])(monkeypatch)
        with pytest.raises(Refusal) as refused:
            gateway_to(wire).body(request(wire, "anthropic"))
    assert lost in refused.value.why
    assert wire.requests == []


@pytest.mark.parametrize("lost", LOSSES)
def test_an_adapter_that_breaks_later_sends_nothing(lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """R16: each question's own body is checked as it is sent; a hole in it is a failure of ours."""
    with serving(Said()) as wire:
        asked = request(wire, "anthropic")
        complete(wire, asked)
        monkeypatch.setattr("gnollbench.llm.gateway.ModelGateway.body", lambda *_: None)
        Broken(LOSSES[lost])(monkeypatch)
        with pytest.raises(HarnessFailure) as failure:
            complete(wire, asked)
    assert (failure.value.kind, failure.value.code) == ("bad_request", NOT_DELIVERED)
    assert lost in failure.value.message
    assert len(wire.requests) == 1


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_system_prompt_stands_where_a_provider_looks_for_it(protocol: str) -> None:
    """R16: in the system's own place, not somewhere in the user's words."""
    with serving(Said()) as wire:
        body = gateway_to(wire).body(request(wire, protocol))
    place = {
        "openai": "messages",
        "anthropic": "system",
        "google": "system_instruction",
        "responses": "input",
    }
    found = body[place[protocol]]
    first = found[0] if protocol in {"openai", "responses"} else found
    assert "THE PROMPT" in json.dumps(first)
    assert "lich" not in json.dumps(first)


def test_a_run_ends_where_its_adapter_breaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R16: the second question's own request lacks the prompt: it is not sent, and no third one is tried."""
    second = load_suite(two_questions()).questions[1].text

    def lose(body: dict[str, Any]) -> None:
        if second in str(body["messages"]):
            del body["system"]

    with serving(behaves) as wire:
        asked = (*words(wire.url, "candidate", candidate="anthropic"), f"suite.path='{two_questions()}'")
        gateway_to(wire).body(request(wire, "anthropic"))
        Broken(lose)(monkeypatch)
        record = run(tmp_path, asked).record
    first, last = record.answers
    assert first.integrity == "clean"
    assert last.failure is not None
    assert (last.failure.source, last.failure.kind, last.failure.code) == (
        "harness",
        "bad_request",
        NOT_DELIVERED,
    )
    assert record.run.status == "failed"
    assert any("the system prompt" in warning for warning in record.run.warnings)
    assert not any(second in sent.said for sent in wire.requests)
