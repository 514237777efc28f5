"""What a model said goes back to it as it came: its provider, or a gateway, refuses or forgets all else (R15)."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from gnollbench.errors import ProviderFailure, Refusal
from gnollbench.llm.messages import Message
from tests.llm.asked import complete, request
from tests.llm.test_streams import lines
from tests.llm.wire import Answer, Said, events, serving, whole

pytestmark = pytest.mark.xdist_group("litellm")

STREAMED = pytest.mark.parametrize("streaming", [True, False])
ARGUMENTS = '{"query": "lich", "n": 1.0}'


def sent_back(reply: Answer, protocol: str, **fields: Any) -> dict[str, Any]:
    """The request that follows a reply, once its tools have answered."""
    with serving(reply, Said()) as wire:
        asked = request(wire, protocol, **fields)
        said = complete(wire, asked)
        turn = Message("assistant", said.text, said.tool_calls, carried=said.carried)
        results = [Message("tool", "found", tool_call_id=call.id) for call in said.tool_calls]
        complete(wire, replace(asked, messages=(*asked.messages, turn, *results)))
    return wire.received[1]


def anthropic(blocks: list[dict[str, Any]]) -> dict[str, Any]:
    return whole(Said(), "anthropic") | {"content": blocks, "stop_reason": "tool_use"}


def anthropic_stream(blocks: list[dict[str, Any]]) -> str:
    """A stream in which each block comes in two pieces."""
    start, ping, *_, delta, stop = events(Said(reason="tool_use"), "anthropic")
    script = [start, ping]
    for index, block in enumerate(blocks):
        texts = {name: block[name] for name in ("text", "thinking", "signature") if name in block}
        empty = {**block, **dict.fromkeys(texts, ""), **({"input": {}} if "input" in block else {})}
        script.append({"type": "content_block_start", "index": index, "content_block": empty})
        deltas = [
            {"type": f"{name}_delta", name: text[half]} for name, text in texts.items() for half in HALVES
        ]
        written = json.dumps(block.get("input"))
        deltas += [
            {"type": "input_json_delta", "partial_json": written[half]} for half in HALVES if "input" in block
        ]
        script += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        script.append({"type": "content_block_stop", "index": index})
    return lines([*script, delta, stop])


HALVES = (slice(None, 2), slice(2, None))
THINKS = [{"type": "thinking", "thinking": f"hm {n}", "signature": f"SIGNED {n}"} for n in (1, 2)]
CALLS = [
    {"type": "tool_use", "id": f"toolu_{n}", "name": "wiki_search", "input": {"query": n}} for n in ("a", "b")
]
LOOK = {"type": "text", "text": "Let me look."}


@STREAMED
@pytest.mark.parametrize(
    ("came", "goes"),
    [
        ([THINKS[0], LOOK, THINKS[1], *CALLS], None),
        ([THINKS[0], CALLS[0], THINKS[1], CALLS[1]], None),
        ([LOOK, CALLS[0], {"type": "text", "text": "And again."}, CALLS[1]], None),
        ([{"type": "redacted_thinking", "data": "SEALED"}, THINKS[0], CALLS[0]], None),
        ([{"type": "thinking", "thinking": "hm", "signature": ""}, CALLS[0]], None),
        ([THINKS[0], {"type": "text", "text": "\n\n"}, CALLS[0]], [THINKS[0], CALLS[0]]),
    ],
)
def test_anthropics_blocks_keep_their_order(
    came: list[dict[str, Any]], goes: list[dict[str, Any]] | None, streaming: bool
) -> None:
    """R15: thoughts that are moved are refused; only a blank text, which is too, is left out."""
    body = Answer(anthropic_stream(came) if streaming else anthropic(came))
    assert sent_back(body, "anthropic", streaming=streaming)["messages"][1]["content"] == (goes or came)


def test_arguments_that_are_no_object_go_back_as_an_empty_one() -> None:
    """R15: Anthropic takes no other; the tool's result says what was wrong."""
    came = [THINKS[0], {**CALLS[0], "input": "half an obj"}]
    goes = [THINKS[0], {**CALLS[0], "input": {}}]
    assert sent_back(Answer(anthropic(came)), "anthropic", streaming=False)["messages"][1]["content"] == goes


def response(items: list[dict[str, Any]]) -> dict[str, Any]:
    return whole(Said(), "responses") | {"output": items}


def thought(name: str) -> dict[str, Any]:
    return {"type": "reasoning", "id": name, "summary": [], "encrypted_content": f"SEALED {name}"}


def message(text: str, phase: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    base = {"type": "message", "id": f"msg {phase}", "status": "completed", "role": "assistant"}
    return {**base, "phase": phase, "content": [part]}


def call(name: str) -> dict[str, Any]:
    base = {"type": "function_call", "id": f"fc_{name}", "call_id": f"call_{name}", "status": "completed"}
    return {**base, "name": "wiki_search", "arguments": ARGUMENTS}


@STREAMED
def test_openais_items_keep_their_order_and_phase(streaming: bool) -> None:
    """R15: a thought belongs to what follows it, and a model reads by its phase whether a message was the last."""
    items = [thought("rs_1"), message("Let me look.", "commentary"), thought("rs_2"), call("a"), call("b")]
    body = response(items)
    answer = Answer(lines([{"type": "response.completed", "response": body}]) if streaming else body)
    said = sent_back(answer, "responses", streaming=streaming, thinking_level="high")["input"]
    assert said[-7:-2] == items
    assert [item["call_id"] for item in said[-2:]] == ["call_a", "call_b"]


def test_a_thought_that_is_not_sealed_does_not_go_back() -> None:
    """R15: nothing is stored there, so that OpenAI knows no such item."""
    bare = {"type": "reasoning", "id": "rs_1", "summary": []}
    body = response([bare, message("Let me look.", "commentary"), call("a")])
    said = sent_back(Answer(body), "responses", streaming=False)["input"]
    assert [item.get("type") or item["role"] for item in said if "rs_1" in json.dumps(item)] == []
    assert [item["call_id"] for item in said[-2:]] == ["call_a", "call_a"]


def chat_stream(message: dict[str, Any], *pieces: dict[str, Any]) -> str:
    return lines(
        [
            {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
            for delta in (*pieces, {name: value for name, value in message.items() if name == "tool_calls"})
        ]
        + [{"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}]
    )


def chat(**message: Any) -> dict[str, Any]:
    body = whole(Said(None, (("wiki_search", ARGUMENTS),)), "openai")
    body["choices"][0]["message"] |= message
    return body


@STREAMED
@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
def test_thoughts_go_back_by_the_name_that_they_came_by(name: str, streaming: bool) -> None:
    """R15: Groq and Cerebras refuse DeepSeek's name, vLLM drops it."""
    body = chat(**{name: "hm, hm"})
    stream = chat_stream(body["choices"][0]["message"], {name: "hm"}, {name: ", hm"})
    said = sent_back(Answer(stream if streaming else body), "openai", streaming=streaming)["messages"][2]
    assert {key: said.get(key) for key in ("reasoning", "reasoning_content")} == {
        "reasoning": None,
        "reasoning_content": None,
        name: "hm, hm",
    }


THOUGHT = {"type": "reasoning.text", "text": "hm, hm", "index": 0, "format": "some-v1", "signature": "SIGNED"}
SEALED = [{"type": "reasoning.encrypted", "data": name, "index": 1, "id": name} for name in ("c0", "c1")]
PIECES = [
    {"reasoning_details": [{"type": "reasoning.text", "text": "hm", "index": 0, "format": "some-v1"}]},
    {"reasoning_details": [{"type": "reasoning.text", "text": ", hm", "index": 0, "format": None}]},
    {"reasoning_details": [{"type": "reasoning.text", "index": 0, "signature": "SIGNED"}]},
    {"reasoning_details": SEALED},
]
SIGNATURES = [{"google": {"thought_signature": "FIRST"}}, None]


@STREAMED
def test_what_gateways_sign_goes_back_in_its_place(streaming: bool) -> None:
    """R15: a thinking model behind one refuses a turn that lacks it; a call without any gets none."""
    calls = [
        {
            "index": place,
            "id": f"c{place}",
            "type": "function",
            "function": {"name": "wiki_search", "arguments": ARGUMENTS},
            **({"extra_content": signature} if signature else {}),
        }
        for place, signature in enumerate(SIGNATURES)
    ]
    turn = {"google": {"thought_signature": "TURN"}}
    body = chat(tool_calls=calls, reasoning_details=[THOUGHT, *SEALED], extra_content=turn)
    stream = chat_stream(body["choices"][0]["message"], *PIECES, {"extra_content": turn})
    said = sent_back(Answer(stream if streaming else body), "openai", streaming=streaming)["messages"][2]
    assert said["reasoning_details"] == [THOUGHT, *SEALED]
    assert said["extra_content"] == turn
    assert [call.get("extra_content") for call in said["tool_calls"]] == SIGNATURES


ODD_NAMES = ["functions.wiki_search", "x" * 80, ""]


@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize("protocol", ["anthropic", "responses"])
def test_calls_go_back_as_the_provider_takes_them(protocol: str, name: str) -> None:
    """R15: by ids that are told apart, and by a name that is one; the results answer these."""
    if protocol == "anthropic":
        body = anthropic([THINKS[0], {**CALLS[0], "name": name}, {**CALLS[1], "id": None, "name": name}])
        kind, named, field = "tool_use", "id", "messages"
    else:
        body = response([thought("rs_1"), call("a") | {"name": name}, call("b") | {"name": name}])
        kind, named, field = "function_call", "call_id", "input"
    with serving(Answer(body), Said()) as wire:
        asked = request(wire, protocol, streaming=False)
        said = complete(wire, asked)
        ids = ["t-1", "t-2"]
        calls = tuple(replace(call, id=ident) for call, ident in zip(said.tool_calls, ids, strict=True))
        turn = Message("assistant", said.text, calls, carried=said.carried)
        results = [Message("tool", "found", tool_call_id=call.id) for call in calls]
        complete(wire, replace(asked, messages=(*asked.messages, turn, *results)))
    sent = wire.received[1][field]
    parts = [
        part
        for item in sent
        for part in (item.get("content") if isinstance(item.get("content"), list) else [item])
    ]
    calls_sent = [part for part in parts if part.get("type") == kind]
    assert [part[named] for part in calls_sent] == ids
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", part["name"]) for part in calls_sent)
    assert [
        part.get("tool_use_id") or part.get("call_id")
        for part in parts
        if "result" in part["type"] or "output" in part["type"]
    ] == ids


@pytest.mark.parametrize("protocol", ["openai", "anthropic", "responses"])
def test_what_no_server_reads_is_not_sent_back(protocol: str) -> None:
    """R15: a lone surrogate, or a number that is none, is no JSON."""
    bodies = {
        "openai": chat(reasoning="hm \ud800", content="look \ud800"),
        "anthropic": anthropic(
            [
                {**THINKS[0], "thinking": "hm \ud800"},
                {"type": "text", "text": "look \ud800"},
                {**CALLS[0], "input": {"limit": float("nan")}},
            ]
        ),
        "responses": response(
            [{**thought("rs_1"), "note": "hm \ud800"}, message("look \ud800", "commentary"), call("a")]
        ),
    }
    said = json.dumps(sent_back(Answer(bodies[protocol]), protocol, streaming=False), ensure_ascii=False)
    assert "\ud800" not in said
    assert "NaN" not in said
    assert "look \ufffd" in said


@pytest.mark.parametrize("content", [[{"text": "hi"}], ["x"], [{"type": None, "text": "hi"}]])
def test_blocks_that_are_none_are_the_providers(content: list[Any]) -> None:
    """R41: garbage is no fault of ours."""
    with serving(Answer(anthropic(content))) as wire, pytest.raises(ProviderFailure) as failure:
        complete(wire, request(wire, "anthropic", streaming=False))
    assert failure.value.kind == "malformed"


def test_a_signature_closes_a_thought() -> None:
    """R15: without an index too; a call's signature may come after the call."""
    pieces = [
        {"reasoning_details": [{"type": "reasoning.text", **part}]}
        for part in ({"text": "a"}, {"signature": "S1"}, {"text": "b"}, {"signature": "S2"})
    ]
    whole_call = {
        "index": 0,
        "id": "c1",
        "type": "function",
        "function": {"name": "wiki_search", "arguments": ARGUMENTS},
    }
    again = {**whole_call, "function": {"name": "wiki_search", "arguments": ""}, "extra_content": {"g": "S"}}
    stream = chat_stream({}, *pieces, {"tool_calls": [whole_call]}, {"tool_calls": [again]})
    said = sent_back(Answer(stream), "openai")["messages"][2]
    assert [detail["signature"] for detail in said["reasoning_details"]] == ["S1", "S2"]
    assert [call["extra_content"] for call in said["tool_calls"]] == [{"g": "S"}]


def test_turns_that_an_adapter_loses_are_not_sent() -> None:
    """R16: what was carried would land in another turn."""
    with serving(Said()) as wire:
        asked = request(wire, "anthropic")
        turn = Message("assistant", "a", carried={"content": [LOOK]})
        twice = (*asked.messages, turn, turn, Message("user", "Go on."))
        with pytest.raises(Refusal, match="turns"):
            complete(wire, replace(asked, messages=twice))
    assert wire.requests == []
