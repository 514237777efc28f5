"""Model calls over HTTP on loopback, through litellm as a run makes them (R15, R16, R38, R39, R41)."""

import asyncio
import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from gnollbench.errors import HarnessFailure, ProviderFailure, Refusal
from gnollbench.llm.arguments import arguments
from gnollbench.llm.failures import ContextFull, DeadlineReached
from gnollbench.llm.gateway import ModelGateway
from gnollbench.llm.messages import Message, Reply, Request, ToolCall, Usage
from gnollbench.llm.wire.carrier import current_exchange
from tests.llm.asked import KEY, NOWHERE, PROMPT, RETRIES, Detour, complete, gateway_to, model, request
from tests.llm.clock import Clock
from tests.llm.wire import PROTOCOLS, Answer, Said, Wire, serving

pytestmark = pytest.mark.xdist_group("litellm")  # its import takes seconds: once is enough

EVERY_WAY = [(protocol, streaming) for protocol in PROTOCOLS for streaming in (True, False)]
PATIENT = RETRIES.model_copy(update={"retry_after_most_s": 90.0})
PARALLEL = (("wiki_search", '{"query": "a"}'), ("wiki_search", '{"query": "b"}'))
USED = {  # what each protocol can state of 100 prompt tokens, 50 read from a cache, 10 written to one
    "openai": Usage(100, 50, 10, 20, 5),
    "anthropic": Usage(100, 50, 10, 20, None),
    "google": Usage(100, 50, None, 20, 5),
    "responses": Usage(100, 50, 10, 20, 5),
}


@pytest.mark.parametrize(("protocol", "streaming"), EVERY_WAY)
def test_reply_is_read_as_it_was_stated(protocol: str, streaming: bool) -> None:
    """R39: text, usage, served model and tier, and the reason, in every protocol, streamed and not."""
    with serving(Said("Speed 12.", tier="flex", model="served-2026-11-30")) as wire:
        reply = complete(wire, request(wire, protocol, streaming=streaming))
    assert (reply.text, reply.finish_reason) == ("Speed 12.", "stop")
    assert (reply.served_model, reply.service_tier) == ("served-2026-11-30", "flex")
    assert reply.usage == USED[protocol]
    assert reply.problem is None
    assert len(wire.requests) == 1
    assert wire.requests[0].streams is streaming
    assert (reply.ttft_ms is not None) is streaming


@pytest.mark.parametrize(("protocol", "streaming"), EVERY_WAY)
def test_parallel_tool_calls_keep_their_order(protocol: str, streaming: bool) -> None:
    """R15: calls of every protocol come in one shape, one for one in order."""
    with serving(Said("Let me look.", PARALLEL)) as wire:
        reply = complete(wire, request(wire, protocol, streaming=streaming))
    assert (reply.text, reply.finish_reason) == ("Let me look.", "tool_calls")
    assert [json.loads(call.arguments)["query"] for call in reply.tool_calls] == ["a", "b"]
    assert len({call.id for call in reply.tool_calls}) == 2


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_tool_results_answer_their_calls(protocol: str) -> None:
    """R15: the next request pairs each result with its call, and holds what the provider wants back."""
    with serving(Said("Let me look.", PARALLEL), Said("Speed 12.")) as wire:
        asked = request(wire, protocol, thinking_level=None if protocol == "openai" else "high")
        reply = complete(wire, asked)
        history = (
            Message("assistant", reply.text, reply.tool_calls, carried=reply.carried),
            *(
                Message("tool", f"found {place}", tool_call_id=call.id)
                for place, call in enumerate(reply.tool_calls)
            ),
        )
        complete(wire, replace(asked, messages=(*asked.messages, *history)))
    said = wire.requests[1].said
    assert (
        said.index('\\"a\\"') < said.index('\\"b\\"')
        if '\\"a\\"' in said
        else said.index('"a"') < said.index('"b"')
    )
    assert said.index("found 0") < said.index("found 1")
    assert ("SEALED" in said) is (protocol == "responses")


def test_signed_thinking_goes_back_with_its_turn() -> None:
    """R15: a thinking model's tool loop is refused or blind without its signed blocks."""
    thought = {"type": "thinking", "thinking": "hm", "signature": "SIGNED"}
    call = {"type": "tool_use", "id": "toolu_1", "name": "wiki_search", "input": {"query": "a"}}
    body = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-5",
        "content": [thought, call],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    with serving(Answer(body), Said()) as wire:
        asked = request(wire, "anthropic")
        reply = complete(wire, asked)
        turn = Message("assistant", reply.text, reply.tool_calls, carried=reply.carried)
        result = Message("tool", "found", tool_call_id=reply.tool_calls[0].id)
        complete(wire, replace(asked, messages=(*asked.messages, turn, result)))
    assert wire.received[1]["messages"][1]["content"][0] == thought


@pytest.mark.parametrize(("protocol", "streaming"), EVERY_WAY)
def test_probe_is_the_body_that_is_sent(protocol: str, streaming: bool) -> None:
    """R16: what the probe builds without sending is what the server then receives."""
    with serving(Said()) as wire:
        asked = request(wire, protocol, streaming=streaming)
        body = gateway_to(wire).body(asked)
        assert wire.requests == []
        complete(wire, asked)
    assert PROMPT in json.dumps(body)
    assert body == wire.received[0]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_closed_tools_cannot_be_called(protocol: str) -> None:
    """R15: the forced final call offers no tool, with tool results in its history."""
    history = (
        Message("assistant", "", (ToolCall("c1", "wiki_search", '{"query": "a"}'),)),
        Message("tool", "found", tool_call_id="c1"),
        Message("user", "Answer now."),
    )
    with serving(Said()) as wire:
        asked = request(wire, protocol, tools_closed=True)
        complete(wire, replace(asked, messages=(*asked.messages, *history)))
    body = wire.received[0]
    assert "tools" not in body or body["tool_choice"] == {"type": "none"}


def test_first_text_is_timed_where_it_arrives() -> None:
    """R38: the time to the first visible text, not to the first event and not to the last."""
    with serving(Said("Speed 12.", pause_s=0.1)) as wire:  # role, half, half, reason, usage
        asked = request(wire)
        gateway_to(wire).body(asked)  # imports litellm before the clock runs
        started = time.monotonic()
        reply = complete(wire, asked)
        whole_ms = (time.monotonic() - started) * 1000
    assert reply.ttft_ms is not None
    assert 190 <= reply.ttft_ms < whole_ms - 190


def test_a_stream_without_text_has_no_first_text() -> None:
    """R38: a tool call is no visible text."""
    with serving(Said(None, PARALLEL)) as wire:
        assert complete(wire, request(wire)).ttft_ms is None


def test_a_server_that_does_not_stream_is_read_all_the_same() -> None:
    """R38: the first text is then unmeasured, not made up."""
    body = {"choices": [{"message": {"role": "assistant", "content": "x"}, "finish_reason": "stop"}]}
    with serving(Answer(body)) as wire:
        reply = complete(wire, request(wire))
    assert (reply.text, reply.ttft_ms) == ("x", None)


def test_retry_waits_as_asked_and_counts_as_neither() -> None:
    """R38: one retry layer that honours Retry-After; the wait is told apart."""
    busy = Answer({"error": {"message": "slow down"}}, 429, {"retry-after": "0.2"})
    with serving(busy, Said()) as wire:
        reply = complete(wire, request(wire))
    assert (reply.attempts, len(wire.requests)) == (2, 2)
    assert 200 <= reply.wait_ms < 5000


@pytest.mark.parametrize(
    ("answer", "kind", "requests"),
    [
        (Answer({"error": {"message": "no"}}, 429), "rate_limit", 3),
        (Answer({"error": {"message": "no"}}, 500), "outage", 3),
        (Answer("<html>bad gateway</html>", 502), "outage", 3),
        (Answer({"error": {"message": "no"}}, 529), "overloaded", 3),
        (Answer({"error": {"message": "no"}}, 401), "configuration", 1),
        (Answer({"error": {"message": "no"}}, 404), "configuration", 1),
        (Answer({"error": {"message": "no", "code": "insufficient_quota"}}, 429), "configuration", 1),
        (Answer({"error": {"message": "no", "code": 429}}), "rate_limit", 3),
        (Answer({"error": {"message": "no", "type": "overloaded_error"}}), "overloaded", 3),
        (Answer({"error": {"message": "no"}}), "malformed", 3),
        (Answer("moved", 307, {"location": "http://127.0.0.1/"}), "configuration", 1),
        (Answer("not json"), "malformed", 3),
        (Answer(""), "malformed", 3),
        (Answer({"choices": []}), "malformed", 3),
        (Answer({"choices": None}), "malformed", 3),
        (Said(ending="eof"), "stream_cut", 3),
        (Said(ending="reset"), "stream_cut", 3),
    ],
)
def test_provider_failures_by_kind(answer: Answer | Said, kind: str, requests: int) -> None:
    """R41: told by status and code; what cannot pass is not tried again."""
    with serving(answer) as wire, pytest.raises(ProviderFailure) as failure:
        complete(wire, request(wire))
    assert failure.value.kind == kind
    assert len(wire.requests) == requests


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("ending", ["eof", "reset"])
def test_a_cut_stream_is_never_a_clean_stop(protocol: str, ending: str) -> None:
    """R41: in no protocol does half an answer pass for one."""
    with serving(Said("A long answer.", ending=ending)) as wire, pytest.raises(ProviderFailure) as failure:
        complete(wire, request(wire, protocol))
    assert failure.value.kind == "stream_cut"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_silence_within_a_stream_is_cut(protocol: str) -> None:
    """R15: a streamed call that says nothing for so long is a provider's timeout."""
    with serving(Said("A long answer.", ending="hang")) as wire, pytest.raises(ProviderFailure) as failure:
        complete(wire, replace(request(wire, protocol), idle_s=0.2))
    assert failure.value.kind == "timeout"


def test_wrong_request_is_ours() -> None:
    """R41: a 400 is a harness failure."""
    with serving(Answer({"error": {"message": "no such field"}}, 400)) as wire, pytest.raises(HarnessFailure):
        complete(wire, request(wire))


@pytest.mark.parametrize(
    ("protocol", "error"),
    [
        ("openai", {"message": "too long", "code": "context_length_exceeded"}),
        ("openai", {"message": "too long", "type": "exceed_context_size_error", "code": 400}),
        (
            "anthropic",
            {"type": "invalid_request_error", "message": "prompt is too long: 9 tokens > 8 maximum"},
        ),
        (
            "google",
            {
                "code": 400,
                "status": "INVALID_ARGUMENT",
                "message": "The input token count (9) exceeds the maximum number of tokens allowed (8).",
            },
        ),
        ("responses", {"message": "too long", "code": "context_length_exceeded"}),
    ],
)
def test_full_context_is_a_limit(protocol: str, error: dict[str, Any]) -> None:
    """R41: not a failure of anybody."""
    with serving(Answer({"error": error}, 400)) as wire, pytest.raises(ContextFull):
        complete(wire, request(wire, protocol))


def test_a_filtered_prompt_is_a_refusal() -> None:
    """R41: a content filter without text is the model's silence, not an outage."""
    said = {"error": {"message": "filtered", "code": "content_filter"}}
    with serving(Answer(said, 400)) as wire:
        reply = complete(wire, request(wire))
    assert (reply.text, reply.finish_reason, reply.native_finish_reason) == ("", "refused", "content_filter")


@pytest.mark.parametrize(
    ("protocol", "reason", "finish", "native"),
    [
        ("openai", "length", "length", "length"),
        ("openai", "refused", "refused", "content_filter"),
        ("openai", "zorro", "unknown", "zorro"),
        ("anthropic", "length", "length", "max_tokens"),
        ("anthropic", "refused", "refused", "refusal"),
        ("anthropic", "pause_turn", "unknown", "pause_turn"),
        ("anthropic", "model_context_window_exceeded", "context", "model_context_window_exceeded"),
        ("google", "length", "length", "MAX_TOKENS"),
        ("google", "refused", "refused", "SAFETY"),
        ("google", "MALFORMED_FUNCTION_CALL", "stop", "MALFORMED_FUNCTION_CALL"),
        ("google", "OTHER", "unknown", "OTHER"),
        ("responses", "length", "length", "max_output_tokens"),
        ("responses", "refused", "refused", "content_filter"),
    ],
)
@pytest.mark.parametrize("streaming", [True, False])
def test_finish_reasons(protocol: str, reason: str, finish: str, native: str, streaming: bool) -> None:
    """R41: the provider's own word is kept, and none is taken for a clean stop that is not."""
    with serving(Said("Some text.", reason=reason)) as wire:
        reply = complete(wire, request(wire, protocol, streaming=streaming))
    assert (reply.text, reply.finish_reason, reply.native_finish_reason) == ("Some text.", finish, native)


@pytest.mark.parametrize(
    ("protocol", "name", "said"),
    [
        ("anthropic", "a-judge-nobody-knows", Said(None, (("json_tool_call", '{"level": 5}'),))),
        ("anthropic", "a-judge-nobody-knows", Said('{"level": 5}')),
        ("anthropic", "claude-sonnet-5", Said('{"level": 5}')),
        ("google", "gemini-3.1-pro-preview", Said('{"level": 5}')),
        ("openai", "some-model", Said('{"level": 5}')),
        ("responses", "gpt-5.5", Said('{"level": 5}')),
    ],
)
def test_a_form_comes_back_as_text(protocol: str, name: str, said: Said) -> None:
    """R28: however a protocol asks for a form, also where litellm asks for it as a tool's call."""
    schema = {
        "type": "object",
        "properties": {"level": {"type": "integer"}},
        "required": ["level"],
        "additionalProperties": False,
    }
    with serving(said) as wire:
        asked = replace(request(wire, protocol, model=name), tools=(), schema=schema)
        reply = complete(wire, asked)
    assert (json.loads(reply.text), reply.finish_reason, reply.tool_calls) == ({"level": 5}, "stop", ())
    assert '"level"' in wire.requests[0].said


def test_refusal_text_is_the_answer() -> None:
    """R41: OpenAI's refusal comes beside a null content and a clean stop."""
    message = {"role": "assistant", "content": None, "refusal": "I cannot."}
    with serving(Answer({"choices": [{"message": message, "finish_reason": "stop"}]})) as wire:
        reply = complete(wire, request(wire))
    assert (reply.text, reply.finish_reason) == ("I cannot.", "refused")


def test_a_blocked_prompt_is_a_refusal() -> None:
    """R41: Google's answer then holds no candidate."""
    with serving(Answer({"promptFeedback": {"blockReason": "SAFETY"}})) as wire:
        reply = complete(wire, request(wire, "google"))
    assert (reply.text, reply.finish_reason, reply.native_finish_reason) == ("", "refused", "SAFETY")


def test_refused_connection_is_the_providers() -> None:
    """R41: nobody listens."""
    with serving(Said()) as wire:
        asked = request(wire)
    with pytest.raises(ProviderFailure) as failure:
        complete(wire, asked)
    assert failure.value.kind == "connection"


def test_a_failing_proxy_is_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """R41: one that cannot connect (this server knows no CONNECT) is the provider's way; its password stays its own."""
    with serving(Said()) as wire:
        monkeypatch.setenv("HTTPS_PROXY", wire.url.replace("//", "//me:sesame@"))
        asked = request(wire, endpoint="https://provider.invalid/v1")
        with pytest.raises(ProviderFailure) as failure:
            complete(wire, asked, inner=None)
    assert failure.value.kind == "connection"
    assert "sesame" not in str(failure.value)


def test_deadline_cuts_a_hung_stream_and_keeps_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """R15: the question's wall clock is ours, not a socket's."""
    Clock(monkeypatch).jump_at_text(60.0)
    with serving(Said("A long answer.", ending="hang")) as wire, pytest.raises(DeadlineReached) as cut:
        complete(wire, request(wire, streaming=True), seconds=60.0)
    assert cut.value.text == "A long "


def test_deadline_cuts_a_slow_call() -> None:
    """R15: a call that is not streamed has the deadline alone."""
    with serving(Said(delay_s=3.0)) as wire, pytest.raises(DeadlineReached):
        complete(wire, request(wire, streaming=False), seconds=0.5)


def test_wait_past_the_deadline_is_the_providers_fault() -> None:
    """R41: a rate limit never turns into a timeout of the model."""
    busy = Answer({"error": {"message": "slow down"}}, 429, {"retry-after": "60"})
    with serving(busy) as wire, pytest.raises(ProviderFailure) as failure:
        complete(wire, request(wire), seconds=20.0, retries=PATIENT)
    assert failure.value.kind == "rate_limit"


def test_silence_after_a_failed_attempt_is_the_providers_fault() -> None:
    """R41: the model was not at work when the clock ran out."""
    busy = Answer({"error": {"message": "slow down"}}, 429)
    with serving(busy, Said(delay_s=3.0)) as wire, pytest.raises(ProviderFailure) as failure:
        complete(wire, request(wire), seconds=1.5)
    assert failure.value.kind == "rate_limit"


@pytest.mark.parametrize(("protocol", "streaming"), EVERY_WAY)
def test_missing_usage_is_unknown(protocol: str, streaming: bool) -> None:
    """R39: never an invented figure."""
    with serving(Said(usage=None)) as wire:
        reply = complete(wire, request(wire, protocol, streaming=streaming))
    assert reply.text == "Speed 12."
    assert reply.usage == Usage()
    assert reply.problem == "no usage was stated"


@pytest.mark.parametrize(
    ("usage", "kept"),
    [
        ({"prompt_tokens": float("nan"), "completion_tokens": 5, "total_tokens": 5}, Usage(output_tokens=5)),
        ({"prompt_tokens": -3, "completion_tokens": 5, "total_tokens": 2}, Usage(output_tokens=5)),
        ({"prompt_tokens": "9", "completion_tokens": 5, "total_tokens": 14}, Usage(output_tokens=5)),
        ({"prompt_tokens": True, "completion_tokens": 5}, Usage(output_tokens=5)),
        ({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}, Usage(0, None, None, 0)),
        (
            {"prompt_tokens": 9, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 10}},
            Usage(9, 10, None, 5),
        ),
        ("plenty", Usage()),
    ],
)
def test_garbled_usage_leaves_the_answer(usage: Any, kept: Usage) -> None:
    """R39: the figure that makes no sense is unknown, the answer stands."""
    with serving(Said(usage=usage)) as wire:
        reply = complete(wire, request(wire))
    assert (reply.text, reply.usage) == ("Speed 12.", kept)
    assert reply.problem


@pytest.mark.parametrize("arguments", ['{}""', '{"query": "li', "[1, 2]", "", '"text"'])
def test_tool_arguments_come_as_they_are(arguments: str) -> None:
    """R15: unrepaired: what is no object is the model's failure, and it is told so."""
    with serving(Said(None, (("wiki_search", arguments),))) as wire:
        reply = complete(wire, request(wire))
    assert [call.arguments for call in reply.tool_calls] == [arguments]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_key_goes_by_the_environment_alone(protocol: str) -> None:
    """The key is read by its variable's name, goes into a header, and is in no body."""
    with serving(Said()) as wire:
        asked = request(wire, protocol, api_key_env="MY_KEY")
        complete(wire, asked, environ={"MY_KEY": KEY})
    assert KEY not in json.dumps(wire.received)
    assert any(KEY in value for value in wire.requests[0].headers.values())


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_key_no_header(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An endpoint without a key gets none, least of all one that lies in the environment."""
    for name in (
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
        "HOSTED_VLLM_API_KEY",
    ):
        monkeypatch.setenv(name, KEY)
    with serving(Said()) as wire:
        complete(wire, request(wire, protocol))
    headers = wire.requests[0].headers
    assert not headers.keys() & {"authorization", "x-api-key", "x-goog-api-key", "api-key"}
    assert KEY not in json.dumps(headers)


def test_environment_moves_no_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """R43: the endpoint is the configuration's; a variable of the environment moves nothing."""
    for name in (
        "OPENAI_BASE_URL",
        "OPENAI_API_BASE",
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_API_BASE",
        "GEMINI_API_BASE",
    ):
        monkeypatch.setenv(name, "http://elsewhere.invalid/v1")
    with serving(Said()) as wire:
        for provider, name, host in (
            ("openai", "gpt-5.5", "api.openai.com"),
            ("anthropic", "claude-opus-5", "api.anthropic.com"),
            ("google", "gemini-3.8-flash", "generativelanguage.googleapis.com"),
        ):
            own = {"provider": provider, "model": name, "endpoint": None, "protocol": None}
            detour = Detour(wire.url)
            complete(wire, request(wire, **own), inner=detour)
            assert detour.hosts == [host]


def test_a_placeholder_for_a_key_mangles_no_answer() -> None:
    """A local server takes any key, and people give it a word."""
    with serving(Said("None of them is fast.")) as wire:
        reply = complete(wire, request(wire, api_key_env="MY_KEY"), environ={"MY_KEY": "fast"})
    assert wire.requests[0].headers["authorization"] == "Bearer fast"
    assert reply.text == "None of them is fast."


@pytest.mark.parametrize("streaming", [True, False])
def test_a_key_is_cut_out_as_json_writes_it(streaming: bool) -> None:
    """A quotation mark or a backslash in a key has another form in a body."""
    key = 'sk-"odd\\key"-0123'
    echo = Said(f"Your key is {key}.")
    with serving(echo, Answer({"error": {"message": f"bad key {key}"}}, 401)) as wire:
        asked = request(wire, api_key_env="MY_KEY", streaming=streaming)
        assert complete(wire, asked, environ={"MY_KEY": key}).text == "Your key is ***."
        with pytest.raises(ProviderFailure) as failure:
            complete(wire, asked, environ={"MY_KEY": key})
    assert failure.value.message == "HTTP 401: bad key ***"


@pytest.mark.parametrize("base", ["", "/", "/v1", "/v1/"])
def test_anthropics_base_is_taken_with_its_version_and_without(base: str) -> None:
    """The adapter adds the version; people write it as for OpenAI."""
    with serving(Said()) as wire:
        complete(wire, request(wire, "anthropic", endpoint=f"{wire.url}{base}"))
    assert wire.requests[0].path == "/v1/messages"


@pytest.mark.parametrize(
    "variables",
    [
        {"USE_LITELLM_PROXY": "true", "DISABLE_AIOHTTP_TRANSPORT": "True"},
        {
            "http_proxy": "http://127.0.0.1:9",
            "HTTP_PROXY": "http://127.0.0.1:9",
            "no_proxy": "elsewhere.test",
        },
    ],
)
def test_no_variable_sends_a_call_another_way(variables: dict[str, str], tmp_path: Path) -> None:
    """R16, R55: past the transport that checks what is sent; or off this machine, for a server on it."""
    environ = {**os.environ, **variables}
    with serving(Said("OK")) as wire:
        command = [sys.executable, "-m", "gnollbench", "doctor", "--ping", "candidate=local"]
        command += ["candidate.model=some-model", f"candidate.endpoint={wire.url}/v1"]
        done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "'OK' (stop)" in done.stdout
    assert len(wire.requests) == 1


def test_a_name_that_turns_the_adapter_round_is_refused() -> None:
    """R16: litellm would take the protocol from it, and another way than the one that is watched."""
    with serving(Said()) as wire, pytest.raises(Refusal, match="responses/"):
        gateway_to(wire).check([model(wire, model="responses/some-model")])
    assert wire.requests == []


def test_secret_is_cut_out_of_what_comes_back() -> None:
    """A server that repeats a key does not bring it into a reply or an error."""
    echo = Said(f"Your key is {KEY}.", model=KEY)
    with serving(echo, echo, Answer({"error": {"message": f"bad key {KEY}"}}, 401)) as wire:
        for streaming in (True, False):
            asked = request(wire, api_key_env="MY_KEY", streaming=streaming)
            reply = complete(wire, asked, environ={"MY_KEY": KEY})
            assert KEY not in str(reply)
            assert "***" in reply.text  # though a stream may cut the key in two
        with pytest.raises(ProviderFailure) as failure:
            complete(wire, asked, environ={"MY_KEY": KEY})
    assert KEY not in str(failure.value)


def test_unknown_embedded_model_is_refused() -> None:
    """R16: before anything runs."""
    embedded = {"provider": "p", "model": "nobody", "endpoint": "embedded", "protocol": None}
    with serving(Said()) as wire, pytest.raises(Refusal):
        ModelGateway({}, RETRIES, 1, {}).check([model(wire, **embedded)])


def test_a_provider_without_an_endpoint_is_refused() -> None:
    """R43: no call goes to another provider than the one that is named."""
    nowhere = {"provider": "acme", "model": "m", "endpoint": None}
    with serving(Said()) as wire, pytest.raises(Refusal) as refused:
        ModelGateway({}, RETRIES, 1, {}).check([model(wire, **nowhere)])
    assert "acme" in refused.value.why


def test_waiting_for_a_permit_does_not_run_the_clock() -> None:
    """R41: a queue of our own making costs a model none of its time."""

    async def two() -> list[Reply]:
        gateway = ModelGateway({}, RETRIES, 1, {})
        calls = (gateway.complete(asked, time.monotonic() + seconds) for seconds in (60.0, 1.4))
        return await asyncio.gather(*calls)

    with serving(Said(delay_s=1.5), Said()) as wire:
        asked = request(wire)
        gateway_to(wire).body(asked)
        first, second = asyncio.run(two())
    assert first.queued_ms < 1400 < second.queued_ms <= second.wait_ms


def test_a_request_is_sent_before_all_others_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """R38: the work on other questions is no model's time; what breaks while it is built lets the next one be."""
    built: list[Request] = []
    as_built_at_sending: list[int] = []

    def building(asked: Request, secret: str | None) -> dict[str, Any]:
        built.append(asked)
        if len(built) in {1, 2}:
            raise RuntimeError("cannot be built")
        return arguments(asked, secret)

    class Sends(Detour):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            as_built_at_sending.append(len(built))
            return await super().handle_async_request(request)

    async def all_of(gateway: ModelGateway, asked: Request) -> list[Reply | BaseException]:
        calls = (gateway.complete(asked, time.monotonic() + 60) for _ in range(8))
        return await asyncio.gather(*calls, return_exceptions=True)

    with serving(Said()) as wire:
        asked = request(wire)
        gateway = gateway_to(wire, inner=Sends(wire.url), calls_per_provider=8)
        gateway.body(asked)
        monkeypatch.setattr("gnollbench.llm.gateway.arguments", building)
        replies = asyncio.run(all_of(gateway, asked))
    assert [type(reply) for reply in replies] == [HarnessFailure] * 2 + [Reply] * 6
    assert as_built_at_sending[0] <= 2 + 2
    assert len(built) == 8


def test_waiting_for_another_attempt_does_not_run_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """R38, R41: after a minute of waiting the model still has its twenty seconds."""
    clock = Clock(monkeypatch)
    busy = Answer({"error": {"message": "slow down"}}, 429, {"retry-after": "30"})
    with serving(busy, busy, Said()) as wire:
        asked = replace(request(wire), patience_s=300.0)
        reply = complete(wire, asked, seconds=20.0, retries=PATIENT, sleep=clock.sleep)
    assert (reply.attempts, reply.text, clock.pauses) == (3, "Speed 12.", [30.0, 30.0])
    assert reply.wait_ms > 60_000


def test_patience_ends_the_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """R41: waits together take no longer than the request's patience."""
    clock, notices = Clock(monkeypatch), list[str]()
    busy = Answer({"error": {"message": "slow down"}}, 429, {"retry-after": "30"})
    with serving(busy) as wire:
        asked = replace(request(wire), patience_s=50.0)
        gateway = gateway_to(wire, retries=PATIENT, sleep=clock.sleep)
        gateway.notice = notices.append
        with pytest.raises(ProviderFailure) as failure:
            asyncio.run(gateway.complete(asked, time.monotonic() + 20))
    assert notices == ["local/some-model: rate_limit; attempt 2 of 3 in 30 s"]
    assert (failure.value.kind, len(wire.requests), clock.pauses) == ("rate_limit", 2, [30.0])
    assert 30_000 < failure.value.wait_ms < 50_000


@pytest.mark.parametrize(("ending", "heard"), [("reset", True), ("refuse", False)])
def test_a_reply_that_broke_off_is_charged_for(ending: str, heard: bool) -> None:
    """R39: nobody says how much, so what the call cost is not known."""
    broken = Said(ending=ending)
    with serving(broken, Said()) as wire:
        reply = complete(wire, request(wire))
    assert (reply.attempts, reply.lost_attempts) == (2, int(heard))
    with serving(broken) as wire, pytest.raises(ProviderFailure) as failure:
        complete(wire, request(wire))
    assert failure.value.heard is heard


@pytest.mark.parametrize("protocol", ["openai", "anthropic", "google"])
def test_an_unknown_end_without_text_is_the_providers(protocol: str) -> None:
    """R41: nothing came, and nobody knows why: that is no silence of the model's."""
    reason = {"openai": "zorro", "anthropic": "pause_turn", "google": "OTHER"}[protocol]
    with serving(Said(None, reason=reason)) as wire, pytest.raises(ProviderFailure) as failure:
        complete(wire, request(wire, protocol))
    assert failure.value.kind == "malformed"
    assert reason in failure.value.message


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("arguments", ['{"que', "[1]", "null", '{"limit": NaN}', '{"query": "\\ud800"}'])
def test_what_a_model_wrote_goes_back_as_its_provider_takes_it(protocol: str, arguments: str) -> None:
    """R15: broken arguments, a name that is none and half a character end no question."""
    call = ToolCall("c1", "", arguments)
    said = Message("assistant", "half \ud800", (call,))
    result = Message("tool", "The arguments are no JSON object.", tool_call_id="c1")
    with serving(Said()) as wire:
        asked = request(wire, protocol)
        reply = complete(wire, replace(asked, messages=(*asked.messages, said, result)))
        sent = json.dumps(wire.received[0])
    assert reply.text == "Speed 12."
    assert '"unnamed"' in sent
    assert "que" not in sent.replace("query", "")
    assert "NaN" not in sent


def test_a_call_that_has_ended_is_not_kept() -> None:
    """R15: its task would keep a whole conversation for as long as the run holds the task."""

    async def called() -> None:
        await gateway.complete(asked, time.monotonic() + 20)
        with pytest.raises(LookupError):
            current_exchange.get()

    with serving(Said()) as wire:
        gateway, asked = gateway_to(wire), request(wire)
        gateway.body(asked)
        asyncio.run(called())


def test_an_output_limit_that_leaves_no_room_is_our_setting() -> None:
    """R41: at a conversation's first request; later the conversation fills the context."""
    told = (
        "'max_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and you sent 300"
    )
    with serving(Answer({"error": {"message": told, "code": 400}}, 400)) as wire:
        asked = request(wire)
        with pytest.raises(HarnessFailure) as failure:
            complete(wire, asked)
        assert failure.value.kind == "bad_request"
        call = ToolCall("c", "wiki_search", "{}")
        grown = (Message("assistant", "", (call,)), Message("tool", "A page.", tool_call_id="c"))
        with pytest.raises(ContextFull):
            complete(wire, replace(asked, messages=(*asked.messages, *grown)))


def test_a_call_that_its_provider_calls_broken_is_the_models_silence() -> None:
    """R41: Groq answers with a 400 for what the model did."""
    with serving(Answer({"error": {"message": "m", "code": "tool_use_failed"}}, 400)) as wire:
        reply = complete(wire, request(wire))
    assert (reply.text, reply.finish_reason, reply.native_finish_reason) == ("", "stop", "tool_use_failed")


@pytest.mark.parametrize(
    ("status", "kind"), [(503, "overloaded"), (429, "rate_limit"), (401, "configuration")]
)
def test_an_error_that_never_ends_is_the_providers(status: int, kind: str) -> None:
    """R41: its status is there, whatever becomes of its body; the model was not at work."""

    async def hanging(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {status} No\r\ncontent-length: 100\r\n\r\n{{".encode())
        await writer.drain()
        await asyncio.sleep(30)

    async def called() -> None:
        server = await asyncio.start_server(hanging, "127.0.0.1", 0)
        asked = request(Wire(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", [], lambda _: Said()))
        await ModelGateway({}, RETRIES, 1, {}).complete(asked, time.monotonic() + 0.5)

    gateway_to(NOWHERE).body(request(NOWHERE))  # imports litellm before the clock runs
    with pytest.raises(ProviderFailure) as failure:
        asyncio.run(called())
    assert failure.value.kind == kind
