"""Streams as servers really send them: odd pieces, odd line ends, errors in the middle (R38, R41)."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from gnollbench.errors import ProviderFailure
from gnollbench.llm.gateway import ModelGateway
from gnollbench.llm.messages import Reply
from tests.llm.asked import NOWHERE, RETRIES, request
from tests.llm.wire import PROTOCOLS, Said, events

pytestmark = pytest.mark.xdist_group("litellm")

CALLS = (("wiki_search", '{"query": "a"}'), ("wiki_search", '{"query": "b"}'))


class Pieces(httpx.AsyncByteStream):
    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece


class Streaming(httpx.AsyncBaseTransport):
    """Answers every request with the same bytes, in the same pieces."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = pieces

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        headers = {"content-type": "text/event-stream"}
        return httpx.Response(200, headers=headers, stream=Pieces(self._pieces), request=request)


def read(protocol: str, pieces: list[bytes]) -> Reply:
    gateway = ModelGateway({}, RETRIES, 1, {}, inner=Streaming(pieces))
    asked = request(NOWHERE, protocol)
    gateway.body(asked)
    return asyncio.run(gateway.complete(asked, time.monotonic() + 20))


def lines(script: list[dict[str, Any]], end: str = "\n") -> str:
    return "".join(f"data: {json.dumps(event)}{end}{end}" for event in script)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_pieces_do_not_matter(protocol: str) -> None:
    """R38: byte by byte, with the other line end, between comments, without a blank or a last line end."""
    script = events(Said("Schnell: 12 Züge.", CALLS), protocol)
    text = ": hello\r\n\r\n" + lines(script, "\r\n").replace("data: ", "data:") + ": bye"
    whole = text.encode()
    for pieces in ([whole], [whole[place : place + 1] for place in range(len(whole))], [whole[:-7].rstrip()]):
        reply = read(protocol, pieces)
        assert reply.text == "Schnell: 12 Züge."
        assert [json.loads(call.arguments)["query"] for call in reply.tool_calls] == ["a", "b"]
        assert reply.usage.output_tokens == 20
        assert reply.ttft_ms is not None


@pytest.mark.parametrize("indices", [(None, None), (0, 0), (1, 2), (2_000_000_000, 7)])
def test_calls_keep_apart_however_a_server_numbers_them(indices: tuple[int | None, int | None]) -> None:
    """R15: some servers number no call, or all alike; each is sent whole, and none is made up between them."""
    calls: list[dict[str, Any]] = [
        {
            "id": f"c{n}",
            "type": "function",
            "function": {"name": "wiki_search", "arguments": f'{{"query": "{n}"}}'},
            **({} if index is None else {"index": index}),
        }
        for n, index in enumerate(indices)
    ]
    script = [
        {"choices": [{"delta": {"role": "assistant", "tool_calls": [call]}, "finish_reason": None}]}
        for call in calls
    ]
    end = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    reply = read("openai", [lines([*script, end]).encode()])
    assert [json.loads(call.arguments)["query"] for call in reply.tool_calls] == ["0", "1"]
    assert reply.finish_reason == "tool_calls"


def test_fragments_of_calls_that_alternate_are_put_together() -> None:
    """R15: by their index; a call's identifier may come again with each fragment."""
    fragments = [(place, part) for part in ('{"query": ', '"x"}') for place in (0, 1)]
    script = [
        {
            "choices": [
                {
                    "delta": {
                        "tool_calls": [
                            {
                                "index": n,
                                "id": f"c{n}",
                                "function": {"name": "wiki_search", "arguments": part},
                            }
                        ]
                    }
                }
            ]
        }
        for n, part in fragments
    ]
    end = {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}
    reply = read("openai", [lines([*script, end]).encode()])
    assert [(call.id, call.arguments) for call in reply.tool_calls] == [
        ("c0", '{"query": "x"}'),
        ("c1", '{"query": "x"}'),
    ]


def test_thoughts_are_no_visible_text() -> None:
    """R38: the first text is what a user would see; a signature keeps its own part."""
    parts = [
        {"text": "hm, ", "thought": True},
        {"text": "hm.", "thought": True},
        {"text": "Speed "},
        {"text": "12."},
    ]
    script = [{"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in parts]
    end = {
        "candidates": [{"finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 4, "thoughtsTokenCount": 3},
    }
    reply = read("google", [lines([*script, end]).encode()])
    assert reply.text == "Speed 12."
    assert (reply.usage.output_tokens, reply.usage.reasoning_tokens) == (7, 3)
    only_thoughts = read("google", [lines([*script[:2], end]).encode()])
    assert (only_thoughts.text, only_thoughts.ttft_ms) == ("", None)


@pytest.mark.parametrize(
    ("protocol", "error", "kind"),
    [
        ("openai", {"error": {"message": "m", "type": "server_error"}}, "outage"),
        ("openai", {"error": {"message": "m", "code": 429}}, "rate_limit"),
        ("anthropic", {"type": "error", "error": {"type": "overloaded_error", "message": "m"}}, "overloaded"),
        ("google", {"error": {"code": 503, "status": "UNAVAILABLE", "message": "m"}}, "overloaded"),
        ("responses", {"type": "error", "code": "server_error", "message": "m"}, "outage"),
        (
            "responses",
            {
                "type": "response.failed",
                "response": {"status": "failed", "error": {"code": "rate_limit_exceeded"}},
            },
            "rate_limit",
        ),
    ],
)
def test_an_error_within_a_stream_goes_by_its_code(protocol: str, error: dict[str, Any], kind: str) -> None:
    """R41: it came with HTTP 200, and text before it; that text is no answer."""
    begun = events(Said("A long answer."), protocol)[:3]
    with pytest.raises(ProviderFailure) as failure:
        read(protocol, [lines([*begun, error]).encode()])
    assert failure.value.kind == kind


def test_garbage_is_malformed() -> None:
    """R41: what begins an event and is none is no reply."""
    with pytest.raises(ProviderFailure) as failure:
        read("openai", [b"data: {half\n\n"])
    assert failure.value.kind == "malformed"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "data: {half",
        "data: {half\n",
        ": hello\n\n",
        "event: x\n\n",
        "data:\n\n",
        "data: []\n\n",
        "data: 12\n\n",
    ],
)
def test_nothing_whole_is_a_cut_stream(text: str) -> None:
    """R41: a stream that says nothing, or ends within an event, has no finish reason."""
    with pytest.raises(ProviderFailure) as failure:
        read("openai", [text.encode()])
    assert failure.value.kind == "stream_cut"


def test_usage_may_come_late_or_be_null_before() -> None:
    """R39: the last figures count."""
    chunk = {"choices": [{"delta": {"content": "x"}, "finish_reason": None}], "usage": None}
    end = {
        "choices": [{"delta": {}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1},
    }
    last = {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}}
    reply = read("openai", [lines([chunk, end, last]).encode()])
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (9, 4)
