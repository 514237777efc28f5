"""Compatible servers that speak a protocol in their own way, and what is made of it (R15, R38, R39, R41)."""

import asyncio
import json
import time
from typing import Any

import pytest

from gnollbench.errors import ProviderFailure
from gnollbench.llm.gateway import ModelGateway
from gnollbench.llm.messages import Reply
from gnollbench.llm.wire.events import MOST_BYTES
from tests.llm.asked import RETRIES, complete, request
from tests.llm.test_streams import lines, read
from tests.llm.wire import PROTOCOLS, Answer, Said, Wire, events, serving, whole

pytestmark = pytest.mark.xdist_group("litellm")

SSE = {"content-type": "text/event-stream"}


def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}


def called(*fragments: dict[str, Any]) -> list[tuple[str, str]]:
    """The calls that a server's fragments make, by name and arguments."""
    script = [chunk({"tool_calls": [fragment]}) for fragment in fragments]
    reply = read("openai", [lines([*script, chunk({}, "tool_calls")]).encode()])
    return [(call.name, call.arguments) for call in reply.tool_calls]


def failure_of(answer: Answer, protocol: str = "openai", **fields: Any) -> str:
    with serving(answer) as wire, pytest.raises(ProviderFailure) as failure:
        complete(wire, request(wire, protocol, **fields))
    return failure.value.kind


def test_a_call_may_come_in_any_fragments() -> None:
    """R15: names in two parts, or again and again; no index, or one as a text; arguments as an object."""
    name, arguments = "wiki_search", '{"query": "a"}'
    first, last = arguments[:5], arguments[5:]
    begun = {"id": "c1", "function": {"name": name, "arguments": first}}
    for fragments in (
        [{"index": 0, "id": "c1", "function": {"name": name, "arguments": {"query": "a"}}}],
        [
            {"index": 0, "function": {"name": "wiki_"}},
            {"index": 0, "function": {"name": "search", "arguments": arguments}},
        ],
        [{"index": 0, **begun}, {"index": 0, "function": {"name": name, "arguments": last}}],
        [begun, {"function": {"arguments": last}}],
        [begun, {"id": "c1", "function": {"arguments": last}}],
        [{"index": "0", **begun}, {"index": "0", "function": {"arguments": last}}],
        [{"index": -1, **begun}, {"index": -1, "function": {"arguments": last}}],
        [{"index": None, **begun}, {"index": None, "function": {"name": None, "arguments": last}}],
        [{"index": [0], **begun}, {"index": [0], "function": {"arguments": last}}],
    ):
        assert called(*fragments) == [(name, arguments)], fragments
    named = {"function": {"name": name, "arguments": arguments}}
    assert called(named, named) == [(name, arguments)] * 2


@pytest.mark.parametrize("streaming", [True, False])
def test_arguments_as_an_object_are_read_alike_in_one_body(streaming: bool) -> None:
    """R15: whether streamed or not."""
    body = whole(Said("", (("wiki_search", "{}"),)), "openai")
    body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = {"query": "Ü"}
    with serving(Answer(body)) as wire:
        reply = complete(wire, request(wire, streaming=streaming))
    assert json.loads(reply.tool_calls[0].arguments) == {"query": "Ü"}


def test_content_may_come_in_parts_and_as_a_message() -> None:
    """R38: thoughts among the parts are no text."""
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "Speed 12."},
    ]
    assert (
        read("openai", [lines([chunk({"content": parts}), chunk({}, "stop")]).encode()]).text == "Speed 12."
    )
    message = {"choices": [{"index": 0, "message": {"content": "Speed 12."}, "finish_reason": "stop"}]}
    assert read("openai", [lines([message]).encode()]).text == "Speed 12."
    body = whole(Said(), "openai")
    body["choices"][0]["message"]["content"] = parts
    with serving(Answer(body)) as wire:
        assert complete(wire, request(wire)).text == "Speed 12."


def test_a_second_choice_is_not_mixed_in() -> None:
    """R38: one answer was asked for."""
    script = [
        {"choices": [{"index": 1, "delta": {"content": "Other"}}, {"index": 0, "delta": {"content": "One"}}]},
        {"choices": [{"index": 1, "delta": {"content": "."}, "finish_reason": "stop"}]},
        chunk({"content": "."}, "stop"),
    ]
    assert read("openai", [lines(script).encode()]).text == "One."
    google = [
        {"candidates": [{"index": 1, "content": {"parts": [{"text": "Other"}]}, "finishReason": "STOP"}]},
        {"candidates": [{"content": {"parts": [{"text": "One."}]}, "finishReason": "STOP"}]},
    ]
    assert read("google", [lines(google).encode()]).text == "One."


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize(
    ("said", "visible"),
    [
        ("<think>\nhm</think>\n\nSpeed 12.", "Speed 12."),
        ("<thinking>hm</thinking>Speed 12.", "Speed 12."),
        ("<think>hm, and no end", ""),
        ("Speed <think>12</think>", "Speed <think>12</think>"),
    ],
)
def test_thoughts_that_a_server_leaves_in_the_text_are_parted_off(
    said: str, visible: str, streaming: bool
) -> None:
    """R38: they are neither graded nor a first text."""
    with serving(Said(said, reason="length")) as wire:
        reply = complete(wire, request(wire, streaming=streaming))
    assert reply.text.strip() == visible
    assert (reply.ttft_ms is not None) == (streaming and visible != "")


def test_a_blank_is_no_first_text() -> None:
    """R38: a line end before a tool call is nothing that a user sees."""
    call = {"index": 0, "id": "c", "function": {"name": "wiki_search", "arguments": "{}"}}
    script = [chunk({"content": "\n"}), chunk({"tool_calls": [call]}), chunk({}, "tool_calls")]
    assert read("openai", [lines(script).encode()]).ttft_ms is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"error": {"message": "m", "code": 429}}', "rate_limit"),
        ('{\n  "error": {\n    "message": "m",\n    "type": "overloaded_error"\n  }\n}', "overloaded"),
        ("<html>\n<b>busy</b>\n</html>", "malformed"),
        ('event: error\ndata: {"message": "m", "code": 503}\n\n', "overloaded"),
        ('data: {"object": "error", "message": "m", "type": "server_error", "code": 500}\n\n', "outage"),
        ('[{"error": {"code": 503, "status": "UNAVAILABLE", "message": "m"}}]', "overloaded"),
        (
            'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "error", "error": {"code": 429}}]}\n\n',
            "rate_limit",
        ),
        (
            'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "insufficient_system_resource"}]}\n\n',
            "outage",
        ),
        ("[" * 100_000, "malformed"),
        ("data: " + "[" * 100_000 + "\n\n", "malformed"),
    ],
)
@pytest.mark.parametrize("label", ["text/event-stream", "Text/Event-Stream", "application/json", "text/html"])
def test_an_error_is_one_whatever_it_is_labelled(text: str, kind: str, label: str) -> None:
    """R41: with HTTP 200, whole where a stream was asked for, or the other way round."""
    assert failure_of(Answer(text, headers={"content-type": label})) == kind


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("label", ["TEXT/EVENT-STREAM", "application/json", ""])
def test_a_stream_is_one_whatever_it_is_labelled(protocol: str, label: str) -> None:
    """R38: so is its time to first token."""
    with serving(Answer(lines(events(Said(), protocol)), headers={"content-type": label})) as wire:
        reply = complete(wire, request(wire, protocol))
    assert reply.text == "Speed 12."
    assert reply.ttft_ms is not None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_events_as_servers_write_them(end: str) -> None:
    """R38: data over several lines, empty data, comments, no blank lines between, no last line end."""
    pretty = json.dumps(chunk({"content": "Speed 12."}, "stop"), indent=1).splitlines()
    split = end.join(f"data: {line}" for line in pretty)
    bare = f"data: {json.dumps(chunk({'content': 'Speed '}))}{end}data: {json.dumps(chunk({'content': '12.'}, 'stop'))}"
    for text in (
        f"data:{end}{end}: hello{end}id: 1{end}{split}{end}{end}data: [DONE]{end}{end}",
        bare,
        "\ufeff" + bare,
    ):
        for pieces in ([text.encode()], [bytes([byte]) for byte in text.encode()]):
            assert read("openai", pieces).text == "Speed 12."


def test_an_endless_reply_is_given_up() -> None:
    """R41: no server can fill the memory, with one line or with many; a long line takes no longer than its length."""
    for piece in (b"x" * 2**20, b": comment\n" * 10**5):
        with pytest.raises(ProviderFailure) as failure:
            read("openai", [piece] * (MOST_BYTES // len(piece) + 2))
        assert "longer than" in failure.value.message


@pytest.mark.parametrize(
    ("protocol", "body", "kept"),
    [
        (
            "openai",
            {
                "usage": {
                    "prompt_tokens": 9,
                    "completion_tokens": 4,
                    "completion_tokens_details": {"reasoning_tokens": 5},
                }
            },
            (9, 4),
        ),
        ("openai", {"usage": {"prompt_tokens": 9, "completion_tokens": 10**15}}, (9, None)),
        ("google", {"usageMetadata": {"promptTokenCount": 9}}, (9, None)),
    ],
)
def test_usage_that_cannot_be_is_unknown(
    protocol: str, body: dict[str, Any], kept: tuple[int, int | None]
) -> None:
    """R39: never a guess: more thought than written, a count of no call, a text of no tokens."""
    with serving(Answer({**whole(Said(), protocol), **body})) as wire:
        reply = complete(wire, request(wire, protocol, streaming=False))
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == kept
    assert reply.problem


def test_usage_of_a_stream_is_what_its_end_states() -> None:
    """R39: Anthropic's first count is of one token; an empty usage after a full one takes nothing back."""
    script = events(Said(), "anthropic")
    end = next(event for event in script if event["type"] == "message_delta")
    stated = end.pop("usage")
    reply = read("anthropic", [lines(script).encode()])
    assert (reply.usage.output_tokens, reply.problem) == (None, "no usage was stated")
    end["usage"] = {"output_tokens": stated["output_tokens"]}
    script.insert(-1, {"type": "message_delta", "delta": {"stop_reason": None}, "usage": None})
    reply = read("anthropic", [lines(script).encode()])
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.finish_reason) == (100, 20, "stop")
    usage = {"prompt_tokens": 9, "completion_tokens": 4}
    chat = [chunk({"content": "x"}, "stop", usage=usage), {"choices": [], "usage": {}}]
    assert read("openai", [lines(chat).encode()]).usage.output_tokens == 4


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("output", [[], [{"type": "reasoning", "id": "rs", "summary": []}]])
def test_a_response_that_says_nothing_is_the_models_silence(output: list[Any], streaming: bool) -> None:
    """R41: it came whole."""
    body = {**whole(Said(), "responses"), "output": output}
    answer = (
        Answer(lines([{"type": "response.completed", "response": body}]), headers=SSE)
        if streaming
        else Answer(body)
    )
    with serving(answer) as wire:
        reply = complete(wire, request(wire, "responses", streaming=streaming))
    assert (reply.text, reply.finish_reason, reply.usage.output_tokens) == ("", "stop", 20)


@pytest.mark.parametrize("streaming", [True, False])
def test_a_call_without_arguments_has_none(streaming: bool) -> None:
    """R15: Google leaves them out."""
    part = {"functionCall": {"name": "wiki_search"}}
    body = {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]}
    answer = Answer(lines([body]), headers=SSE) if streaming else Answer(body)
    with serving(answer) as wire:
        reply = complete(wire, request(wire, "google", streaming=streaming))
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [("wiki_search", "{}")]


class Server:
    """Streams chunk by chunk and keeps the connection; counts the connections."""

    def __init__(self, text: str, end: str) -> None:
        self._text, self._end, self.connections, self.url = text, end, 0, ""

    async def __aenter__(self) -> "Server":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while head := await _head(reader):
            length = next(
                int(line[15:]) for line in head.split("\r\n") if line.lower().startswith("content-length")
            )
            await reader.readexactly(length)
            writer.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
            )
            for line in self._text.split("\n\n"):
                piece = f"{line}\n\n".encode()
                writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                await writer.drain()
            await asyncio.sleep(0.02)  # the end of the body comes on its own
            if self._end == "open":
                await asyncio.sleep(60)
            elif self._end == "reset":
                writer.transport.abort()
                return
            writer.write(b"0\r\n\r\n")


async def _head(reader: asyncio.StreamReader) -> str:
    try:
        return (await reader.readuntil(b"\r\n\r\n")).decode()
    except asyncio.IncompleteReadError:
        return ""


async def called_thrice(protocol: str, end: str) -> tuple[int, list[Reply]]:
    text = lines(events(Said(), protocol)) + ("data: [DONE]\n\n" if protocol == "openai" else "")
    async with Server(text, end) as server:
        gateway = ModelGateway({}, RETRIES, 1, {})
        asked = request(Wire(server.url, [], lambda _: Said()), protocol)
        replies = [await gateway.complete(asked, time.monotonic() + 20) for _ in range(3)]
        return server.connections, replies


@pytest.mark.parametrize("protocol", ["openai", "anthropic", "google"])
def test_a_connection_is_used_again(protocol: str) -> None:
    """R38: a stream is read to the end of its body, which may come after its last event."""
    connections, replies = asyncio.run(called_thrice(protocol, "whole"))
    assert (connections, [reply.text for reply in replies]) == (1, ["Speed 12."] * 3)


@pytest.mark.parametrize("end", ["open", "reset"])
@pytest.mark.parametrize("protocol", ["openai", "anthropic", "google"])
def test_a_reply_is_whole_however_its_connection_ends(protocol: str, end: str) -> None:
    """R38, R41: a server that keeps it open, or breaks it, took nothing back of what it said."""
    connections, replies = asyncio.run(called_thrice(protocol, end))
    assert [(reply.text, reply.attempts, reply.usage.output_tokens) for reply in replies] == [
        ("Speed 12.", 1, 20)
    ] * 3
    assert connections == 3
