"""Compatible servers that speak a protocol in their own way, and what is made of it (R15, R38, R39, R41)."""

import asyncio
import gc
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from gnollbench.errors import HarnessFailure, ProviderFailure
from gnollbench.llm.failures import DeadlineReached, WireFault
from gnollbench.llm.gateway import ModelGateway
from gnollbench.llm.messages import Reply
from gnollbench.llm.prices import cost
from gnollbench.llm.wire import carrier
from gnollbench.llm.wire import events as wire_events
from gnollbench.llm.wire.events import body_of
from gnollbench.records.launch import Price, Rates
from tests.llm.asked import RETRIES, complete, request
from tests.llm.clock import Clock
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
    whole_call = {"index": 0, "id": "c1", "function": {"name": name, "arguments": arguments}}
    assert called(whole_call, {**whole_call, "function": {"name": name, "arguments": ""}}) == [
        (name, arguments)
    ]
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
    worded = {"choices": [{"index": "0", "delta": {"content": "One."}, "finish_reason": "stop"}]}
    assert read("openai", [lines([worded]).encode()]).text == "One."
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


def test_text_may_come_with_the_start_of_its_block() -> None:
    """R38: it is a first text as any other."""
    script = events(Said(), "anthropic")
    start = next(event for event in script if event["type"] == "content_block_start")
    start["content_block"]["text"] = "Speed 12."
    script = [event for event in script if event["type"] != "content_block_delta"]
    reply = read("anthropic", [lines(script).encode()])
    assert reply.text == "Speed 12."
    assert reply.ttft_ms is not None


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
    ],
)
@pytest.mark.parametrize("label", ["text/event-stream", "Text/Event-Stream", "application/json", "text/html"])
def test_an_error_is_one_whatever_it_is_labelled(text: str, kind: str, label: str) -> None:
    """R41: with HTTP 200, whole where a stream was asked for, or the other way round."""
    assert failure_of(Answer(text, headers={"content-type": label})) == kind


def test_nesting_without_an_end_is_no_json() -> None:
    """R41: it takes the parser's stack, and no more."""
    gc.disable()  # a collection's callbacks would meet the full stack
    try:
        with pytest.raises(WireFault, match="no JSON"):
            body_of("[" * 100_000)
    finally:
        gc.enable()


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


def test_an_endless_reply_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """R41: no server can fill the memory, with one line or with many."""
    monkeypatch.setattr(wire_events, "MOST_BYTES", 2**20)
    for piece in (b"x" * 2**16, b": comment\n" * 10**4):
        with pytest.raises(ProviderFailure) as failure:
            read("openai", [piece] * (2**20 // len(piece) + 2))
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


def test_a_call_is_told_from_the_next_by_its_end() -> None:
    """R15: servers that give all calls one index and no identifier, repeat a call, or name each fragment anew."""
    one = {"index": 0, "function": {"name": "wiki_search", "arguments": '{"query": "a"}'}}
    other = {"index": 0, "function": {"name": "read_page", "arguments": '{"query": "b"}'}}
    made = [("wiki_search", '{"query": "a"}'), ("read_page", '{"query": "b"}')]
    assert called(one, other) == made
    assert called({**one, "id": ""}, {**other, "id": ""}) == made
    assert called(one, one) == [made[0]] * 2
    assert called({**one, "id": "c"}, {**other, "id": "c"}) == made
    assert called({**one, "id": "c"}, {**one, "id": "c"}) == made[:1]
    rest = enumerate(['ry": ', '"a"}'])
    parts = [{"index": 0, "id": f"c{n}", "function": {"arguments": part}} for n, part in rest]
    begun = {"index": 0, "id": "c", "function": {"name": "wiki_search", "arguments": '{"que'}}
    assert called(begun, *parts) == made[:1]


@pytest.mark.parametrize("streaming", [True, False])
def test_a_single_call_may_come_bare(streaming: bool) -> None:
    """R15: an object where a list belongs."""
    call = {"id": "c", "type": "function", "function": {"name": "wiki_search", "arguments": "{}"}}
    body = whole(Said(""), "openai")
    body["choices"] = [{"index": 0, "message": {"tool_calls": call}, "finish_reason": "tool_calls"}]
    answer = Answer(lines([chunk({"tool_calls": call}), chunk({}, "tool_calls")]) if streaming else body)
    with serving(answer) as wire:
        reply = complete(wire, request(wire, streaming=streaming))
    assert [call.name for call in reply.tool_calls] == ["wiki_search"]


def test_a_whole_message_at_the_end_is_not_said_twice() -> None:
    """R38: some servers sum up in their last chunk."""
    end = {"choices": [{"delta": {}, "message": {"content": "Speed 12."}, "finish_reason": "stop"}]}
    assert read("openai", [lines([chunk({"content": "Speed 12."}), end]).encode()]).text == "Speed 12."


def test_text_after_a_finish_reason_counts() -> None:
    """R41: some servers state one with each chunk, or a null in words; none of these ends a stream."""
    counted = {"promptTokenCount": 9, "candidatesTokenCount": 4}
    google = [
        {
            "candidates": [{"content": {"parts": [{"text": f"{n} "}]}, "finishReason": "STOP"}],
            "usageMetadata": counted,
        }
        for n in range(3)
    ]
    chat = [
        chunk({"content": f"{n} "}, "stop", usage={"prompt_tokens": 9, "completion_tokens": n})
        for n in range(3)
    ]
    for protocol, script in (("google", google), ("openai", chat)):
        with streaming_server(lambda script=script: slowly(script)) as wire:
            assert complete(wire, request(wire, protocol)).text == "0 1 2 "


@pytest.mark.parametrize(
    ("protocol", "script"),
    [
        ("openai", [chunk({"content": "Half"}, "")]),
        ("openai", [chunk({"content": "Half"}, "null")]),
        (
            "anthropic",
            [
                {"type": "message_start", "message": {"stop_reason": "", "usage": {"input_tokens": 1}}},
                {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Half"}},
            ],
        ),
    ],
)
def test_no_word_for_a_finish_reason_is_none(protocol: str, script: list[dict[str, Any]]) -> None:
    """R41: the stream was cut."""
    with pytest.raises(ProviderFailure) as failure:
        read(protocol, [lines(script).encode()])
    assert failure.value.kind == "stream_cut"


def test_what_follows_a_whole_reply_takes_nothing_back() -> None:
    """R41: an error after the last event, a word after the end, a word that is no event."""
    usage = {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}}
    text = lines([chunk({"content": "Speed 12."}, "stop"), usage])
    for more in ("data: [DONE]\n\ndata: bye\n\n", 'data: {"error": {"message": "m", "code": 500}}\n\n'):
        assert read("openai", [(text + more).encode()]).text == "Speed 12."
    for aside in ("data: ping\n\n", 'event: ping\ndata: ""\n\n'):
        assert read("openai", [(aside + text).encode()]).text == "Speed 12."


def test_text_before_a_filter_is_graded_as_it_stands() -> None:
    """R41: an error in the stream that says so is a refusal with text."""
    script = [chunk({"content": "A lich"}), {"error": {"message": "m", "code": "content_filter"}}]
    reply = read("openai", [lines(script).encode()])
    assert (reply.text, reply.finish_reason, reply.lost_attempts) == ("A lich", "refused", 0)


@pytest.mark.parametrize(
    "said", ["hm, hm</think>\n\nSpeed 12.", "<think>a</think>\n<think>b</think>Speed 12."]
)
def test_thoughts_without_an_opening_tag_and_in_two_blocks(said: str) -> None:
    """R38: a chat template may have opened the tag."""
    script = [*(chunk({"content": letter}) for letter in said), chunk({}, "stop")]
    assert read("openai", [lines(script).encode()]).text.strip() == "Speed 12."


def test_text_after_thoughts_is_a_first_text() -> None:
    """R38: whichever letters it has."""
    parts = ("<think>", "a->b", "</think>", "\n\n", "Speed", " 12.")
    reply = read(
        "openai", [lines([*(chunk({"content": part}) for part in parts), chunk({}, "stop")]).encode()]
    )
    assert reply.text.strip() == "Speed 12."
    assert reply.ttft_ms is not None


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("sensitive", "refused"),
        ("model_length", "context"),
        ("model_context_window_exceeded", "context"),
        ("zorro", "unknown"),
    ],
)
def test_servers_own_words_for_an_end(word: str, finish: str) -> None:
    """R41: a half answer is no whole one."""
    reply = read("openai", [lines([chunk({"content": "A lich"}), chunk({}, word)]).encode()])
    assert (reply.text, reply.finish_reason, reply.native_finish_reason) == ("A lich", finish, word)


@pytest.mark.parametrize("word", ["network_error", "abort"])
def test_a_reply_that_its_server_broke_off_is_the_providers(word: str) -> None:
    """R41: it says so where it says how it ended."""
    with pytest.raises(ProviderFailure) as failure:
        read("openai", [lines([chunk({"content": "A lich"}), chunk({}, word)]).encode()])
    assert failure.value.kind == "outage"


@pytest.mark.parametrize(
    ("usage", "cached", "written"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 60}}, 60, None),
        ({"prompt_cache_hit_tokens": 60}, 60, None),
        ({"cached_tokens": 60, "prompt_tokens_details": None}, 60, None),
        ({"prompt_tokens_details": {"cached_tokens": 60, "cache_creation_tokens": 30}}, 60, 30),
        (
            {"prompt_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 30}, "cached_tokens": 60},
            0,
            30,
        ),
    ],
)
@pytest.mark.parametrize("within", [True, False])
def test_cached_tokens_by_whatever_name(
    usage: dict[str, Any], cached: int, written: int | None, within: bool
) -> None:
    """R39: beside the reply, or within its last choice."""
    usage = {"prompt_tokens": 100, "completion_tokens": 20, **usage}
    last = chunk({}, "stop")
    if within:
        last["choices"][0]["usage"] = usage
    else:
        last["usage"] = usage
    found = read("openai", [lines([chunk({"content": "Speed 12."}), last]).encode()]).usage
    assert (found.input_tokens, found.cached_tokens, found.cache_write_tokens) == (100, cached, written)


def message_item(text: str, phase: str | None = None) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    base = {"type": "message", "id": f"msg {text}", "status": "completed", "role": "assistant"}
    return {**base, **({"phase": phase} if phase else {}), "content": [part]}


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("schema", [{"type": "object", "properties": {}}, None])
@pytest.mark.parametrize(
    ("messages", "text"),
    [
        ([message_item("Let me look.", "commentary"), message_item("{}", "final_answer")], "{}"),
        ([message_item("One."), message_item("Two.")], "One.\n\nTwo."),
        ([message_item("Let me look.", "commentary")], "Let me look."),
        ([message_item("Let me look.", "commentary"), message_item("")], "Let me look."),
    ],
)
def test_of_openais_messages_the_final_one_is_the_answer(
    messages: list[dict[str, Any]], text: str, schema: dict[str, Any] | None, streaming: bool
) -> None:
    """R29: a form in it is found; what was said on the way is no part of an answer."""
    body = whole(Said(), "responses") | {"output": messages}
    answer = Answer(lines([{"type": "response.completed", "response": body}]) if streaming else body)
    with serving(answer) as wire:
        reply = complete(
            wire, replace(request(wire, "responses", streaming=streaming), schema=schema, tools=())
        )
    assert reply.text == text


@pytest.mark.parametrize("said", ["Let me look.", None])
def test_a_final_refusal_is_the_answer(said: str | None) -> None:
    """R41: whatever was said on the way; a null is no text."""
    refusal = {**message_item("", "final_answer"), "content": [{"type": "refusal", "refusal": "I cannot."}]}
    way = message_item("x", "commentary")
    way["content"][0]["text"] = said
    body = whole(Said(), "responses") | {"output": [way, refusal]}
    with serving(Answer(body)) as wire:
        reply = complete(wire, request(wire, "responses", streaming=False))
    assert (reply.text, reply.finish_reason) == ("I cannot.", "refused")


def test_what_was_streamed_of_two_messages_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """R15: a deadline keeps what the model had said by then."""
    Clock(monkeypatch).jump_at_text(1.0)
    script: list[dict[str, Any]] = []
    for index, item in enumerate((message_item("Let me look.", "commentary"), message_item("Speed 1"))):
        begun = {**item, "content": [], "status": "in_progress"}
        script.append({"type": "response.output_item.added", "output_index": index, "item": begun})
        said = item["content"][0]["text"]
        script += [
            {"type": "response.output_text.delta", "output_index": index, "delta": part}
            for part in (said[:3], said[3:])
        ]

    async def pieces() -> AsyncIterator[bytes]:
        yield lines(script).encode()
        await asyncio.sleep(5.0)

    with streaming_server(pieces) as wire, pytest.raises(DeadlineReached) as cut:
        complete(wire, request(wire, "responses"), seconds=1.0)
    assert cut.value.text == "Speed 1"


def test_google_tells_that_we_lost_a_signature() -> None:
    """R41: a fault of ours is no provider's."""
    body = {"candidates": [{"content": {}, "finishReason": "MISSING_THOUGHT_SIGNATURE"}]}
    with serving(Answer(body)) as wire, pytest.raises(HarnessFailure) as failure:
        complete(wire, request(wire, "google", streaming=False))
    assert failure.value.kind == "bad_request"


@pytest.mark.parametrize(
    ("place", "tier", "served"),
    [
        ("us", "standard", "us"),
        ("us", None, "us"),
        ("us", "priority", "priority us"),
        ("global", "standard", "standard"),
        ("not_available", "batch", "batch"),
    ],
)
def test_anthropics_region_is_a_tier(place: str, tier: str | None, served: str) -> None:
    """R39: it has a price of its own."""
    usage = {"input_tokens": 100, "output_tokens": 20, "service_tier": tier, "inference_geo": place}
    with serving(Said(usage=usage)) as wire:
        assert complete(wire, request(wire, "anthropic")).service_tier == served


def test_time_to_first_token_waits_for_the_end_of_thoughts() -> None:
    """R38: a tag may come letter by letter, and text may turn out to be thought."""

    async def pieces() -> AsyncIterator[bytes]:
        for part in ("<", "think", ">", "hm", "</", "think", ">"):
            yield lines([chunk({"content": part})]).encode()
        await asyncio.sleep(0.2)
        yield lines([chunk({"content": "Speed "}), chunk({"content": "12 > 6."}), chunk({}, "stop")]).encode()

    with streaming_server(pieces) as wire:
        reply = complete(wire, request(wire))
    assert reply.text == "Speed 12 > 6."
    assert reply.ttft_ms is not None
    assert reply.ttft_ms >= 200


@pytest.mark.parametrize(
    ("counts", "thought", "output", "sensible"),
    [
        ((10, 30, 60), 20, 50, True),
        ((10, 30, 40), 20, 30, True),
        ((10, 30, 60), None, None, False),
        ((10, 0, 10), None, None, False),
        ((0, 3, 3), None, 3, False),
    ],
)
def test_thoughts_counted_beside_the_output_are_added(
    counts: tuple[int, int, int], thought: int | None, output: int | None, sensible: bool
) -> None:
    """R39: where the total says so; what it does not explain is unknown, and so is what would cost nothing."""
    usage: dict[str, Any] = dict(
        zip(("prompt_tokens", "completion_tokens", "total_tokens"), counts, strict=True)
    )
    if thought is not None:
        usage["completion_tokens_details"] = {"reasoning_tokens": thought}
    with serving(Said(usage=usage)) as wire:
        reply = complete(wire, request(wire))
    assert reply.usage.output_tokens == output
    assert (reply.problem is None) is sensible
    price = Price(rates=Rates(input_per_million=1.0, output_per_million=10.0), source="test")
    assert (cost(price, reply.usage, None).usd is not None) is sensible


@pytest.mark.parametrize("last", [0, None])
def test_a_zero_takes_no_count_back(last: int | None) -> None:
    """R39: Anthropic's last event may state a zero or a null for what its first one counted."""
    script = events(Said(), "anthropic")
    end = next(event for event in script if event["type"] == "message_delta")
    end["usage"] = {"input_tokens": last, "cache_read_input_tokens": last, "output_tokens": 20}
    usage = read("anthropic", [lines(script).encode()]).usage
    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (100, 50, 20)


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
            await reader.readexactly(_length(head))
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
def test_a_reply_is_whole_however_its_connection_ends(
    protocol: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R38, R41: a server that keeps it open, or breaks it, took nothing back of what it said."""
    monkeypatch.setattr(carrier, "_USAGE_S", 0.5)
    connections, replies = asyncio.run(called_thrice(protocol, end))
    assert [(reply.text, reply.attempts, reply.usage.output_tokens) for reply in replies] == [
        ("Speed 12.", 1, 20)
    ] * 3
    assert connections == 3


async def slowly(script: list[dict[str, Any]]) -> AsyncIterator[bytes]:
    """Take longer between events than a connection's end may take."""
    for event in script:
        yield lines([event]).encode()
        await asyncio.sleep(0.3)


@contextmanager
def streaming_server(pieces: Callable[[], AsyncIterator[bytes]]) -> Iterator[Wire]:
    """Send a body's pieces as they come, and close the connection."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(_length(await _head(reader)))
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
        async for piece in pieces():
            writer.write(piece)
            await writer.drain()
        writer.close()

    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(serve, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield Wire(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", [], lambda _: Said())
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _length(head: str) -> int:
    line = next(line for line in head.split("\r\n") if line.lower().startswith("content-length:"))
    return int(line.partition(":")[2])
