"""Anthropic messages."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from gnollbench.llm.failures import Fault, malformed
from gnollbench.llm.wire.shape import (
    Asked,
    Assembly,
    Body,
    Stated,
    present,
    restored_messages,
    text_or_none,
    texts,
    usage_of,
    with_calls,
)
from gnollbench.records.canonical import as_object, objects

_FINISH = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "refusal": "refused",
    "model_context_window_exceeded": "context",
}  # pause_turn, a server tool's own, is unknown here: none is on offer


class Messages:
    """The shape of ``/v1/messages``."""

    blank: Mapping[str, Any] = {
        "id": "",
        "type": "message",
        "role": "assistant",
        "model": "",
        "content": [],
        "stop_reason": "end_turn",
    }

    def asked(self, body: Body) -> Asked:
        """Read a request."""
        thinking = as_object(body.get("thinking"))
        level: str | bool | None = text_or_none(as_object(body.get("output_config")).get("effort"))
        if thinking.get("type") == "enabled":
            level = level or True
        return Asked(
            system="\n".join(texts(body.get("system"))),
            tools=frozenset(str(tool.get("name")) for tool in objects(body.get("tools"))),
            output_tokens=body.get("max_tokens"),
            thinking=level,
            summary=text_or_none(thinking.get("display")),
            tier=text_or_none(body.get("service_tier")),
            sampling=present(body, "temperature", "top_p"),
            sequential=as_object(body.get("tool_choice")).get("disable_parallel_tool_use") is True,
        )

    def restored(self, body: Body, turns: Sequence[Mapping[str, Any]], /) -> Body:
        """Give each turn its blocks in their order: thoughts may stand between texts and calls."""
        return {**body, "messages": restored_messages(body.get("messages"), turns, _as_it_came)}

    def streamed(self, url: str, body: Body) -> tuple[str, Body]:
        """Ask for a stream; usage comes with it."""
        return url, {**body, "stream": True}

    def assembly(self) -> Assembly:
        """Return an empty stream."""
        return _Events()

    def fault(self, body: Body) -> Fault | None:
        """A reply has a list of content blocks; an empty one is a model that said nothing."""
        return None if isinstance(body.get("content"), list) else malformed("the reply holds no content")

    def stated(self, body: Body, _headers: Mapping[str, str], /) -> Stated:
        """Read a reply; cached reads and writes are counted beside the input tokens."""
        usage = as_object(body.get("usage"))
        read, written = usage.get("cache_read_input_tokens"), usage.get("cache_creation_input_tokens")
        uncached = usage.get("input_tokens")
        parts = [part for part in (uncached, read, written) if part is not None]
        whole = sum(parts) if uncached is not None and all(type(part) is int for part in parts) else uncached
        tokens, problem = usage_of(
            {
                "input_tokens": whole,
                "cached_tokens": read,
                "cache_write_tokens": written,
                "output_tokens": usage.get("output_tokens"),
            }
        )
        native = text_or_none(body.get("stop_reason"))
        return Stated(
            finish_reason=_FINISH.get(native or "", "unknown"),
            native_finish_reason=native,
            served_model=text_or_none(body.get("model")),
            service_tier=_served_tier(usage),
            usage=tokens,
            problem=problem,
            carried=_carried(objects(body.get("content"))),
        )

    def readable(self, body: Body) -> Body:
        """Return a reply without its usage."""
        return {**body, "usage": {"input_tokens": 0, "output_tokens": 0}}


class _Events:
    def __init__(self) -> None:
        self._message: Body = {}
        self._blocks: dict[str, Body] = {}
        self._arguments: dict[str, str] = {}
        self.begun = self.ended = False

    def add(self, event: Body) -> None:
        match event.get("type"):
            case "message_start":
                message = as_object(event.get("message"))
                usage = dict(as_object(message.get("usage")))
                usage.pop("output_tokens", None)  # of the first token; what counts comes with the end
                self._message = {**message, "usage": usage}
            case "content_block_start":
                block = dict(as_object(event.get("content_block")))
                self._blocks[str(event.get("index"))] = block
                self._look_at(block)
            case "content_block_delta":
                self._delta(str(event.get("index")), as_object(event.get("delta")))
            case "message_delta":
                delta = as_object(event.get("delta"))
                before, last = as_object(self._message.get("usage")), as_object(event.get("usage"))
                said = {name: value for name, value in last.items() if value or before.get(name) is None}
                self._message |= {**present(delta, *delta), "usage": before | said}
            case "message_stop":
                self.ended = True
            case _:
                pass  # pings, ends of blocks

    @property
    def text(self) -> str:
        blocks = self._blocks.values()
        return "".join(_text(block) for block in blocks if block.get("type") == "text")

    def _delta(self, index: str, delta: Body) -> None:
        block = self._blocks.setdefault(index, {"type": "text", "text": ""})
        for name in ("text", "thinking", "signature"):
            if isinstance(delta.get(name), str):
                block[name] = str(block.get(name) or "") + delta[name]
        self._look_at(delta)
        if isinstance(delta.get("partial_json"), str):
            self._arguments[index] = self._arguments.get(index, "") + delta["partial_json"]

    def _look_at(self, part: Body) -> None:
        self.begun = self.begun or bool(_text(part).strip())

    def body(self) -> Body | None:
        if text_or_none(self._message.get("stop_reason")) is None:
            return None
        content = [
            block | ({"input": _parsed(self._arguments[index])} if self._arguments.get(index) else {})
            for index, block in self._blocks.items()
        ]
        return {**self._message, "content": content}


def _served_tier(usage: Body) -> str | None:
    """Return the tier with the region that was paid for, if one was: the US cost more than the world."""
    tier, place = text_or_none(usage.get("service_tier")), text_or_none(usage.get("inference_geo"))
    if place in {None, "global", "not_available"}:
        return tier
    return place if tier in {None, "standard"} else f"{tier} {place}"


def _carried(blocks: list[Body]) -> Body:
    """Return the blocks that the provider takes back: all but blank texts."""
    content = [
        block for block in blocks if block.get("type") and (block["type"] != "text" or _text(block).strip())
    ]
    return {"content": content} if content else {}


def _as_it_came(built: Body, carried: Mapping[str, Any]) -> Body:
    """Return a turn in its own order; its calls with the ids, names and arguments that the adapter was given."""
    blocks = objects(carried.get("content"))
    if not blocks:
        return built
    content = with_calls(blocks, objects(built.get("content")), "tool_use", "id", "name", "input")
    return {**built, "content": content}


def _text(block: Body) -> str:
    return text_or_none(block.get("text")) or ""


def _parsed(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments  # cut by the output limit: as it stands, unrepaired
