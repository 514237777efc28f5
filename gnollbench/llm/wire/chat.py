"""OpenAI chat completions, as compatible servers speak them too."""

from collections.abc import Mapping
from typing import Any

from gnollbench.llm.wire.shape import (
    Asked,
    Assembly,
    Body,
    Stated,
    objects,
    present,
    text_or_none,
    texts,
    usage_of,
)
from gnollbench.records.canonical import as_object

_FINISH = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "content_filter": "refused",
}


class Chat:
    """The shape of ``/chat/completions``."""

    blank: Mapping[str, Any] = {
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": ""}, "finish_reason": "stop"}],
    }
    no_usage: Mapping[str, Any] = {
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    }

    def asked(self, body: Body) -> Asked:
        """Read a request."""
        messages = objects(body.get("messages"))
        system = [
            message.get("content") for message in messages if message.get("role") in {"system", "developer"}
        ]
        return Asked(
            system="\n".join(texts(system)),
            tools=frozenset(
                str(as_object(tool.get("function")).get("name")) for tool in objects(body.get("tools"))
            ),
            output_tokens=body.get("max_tokens") or body.get("max_completion_tokens"),
            thinking=text_or_none(body.get("reasoning_effort")),
            tier=text_or_none(body.get("service_tier")),
            sampling=present(body, "temperature", "top_p", "seed"),
            sequential=body.get("parallel_tool_calls") is False,
        )

    def streamed(self, url: str, body: Body) -> tuple[str, Body]:
        """Ask for a stream, with usage in its last chunk."""
        return url, {**body, "stream": True, "stream_options": {"include_usage": True}}

    def assembly(self) -> Assembly:
        """Return an empty stream."""
        return _Chunks()

    def defect(self, body: Body) -> str | None:
        """A reply has one choice with a message."""
        choices = objects(body.get("choices"))
        if not choices:
            return "the reply holds no choice"
        return None if as_object(choices[0].get("message")) else "the reply's choice holds no message"

    def stated(self, body: Body, _headers: Mapping[str, str], /) -> Stated:
        """Read a reply."""
        choice = objects(body.get("choices"))[0]
        message = as_object(choice.get("message"))
        native = text_or_none(choice.get("finish_reason"))
        refused = None if message.get("content") else text_or_none(message.get("refusal"))
        usage = as_object(body.get("usage"))
        prompt = as_object(usage.get("prompt_tokens_details"))
        tokens, problem = usage_of(
            {
                "input_tokens": usage.get("prompt_tokens"),
                "cached_tokens": prompt.get("cached_tokens", usage.get("prompt_cache_hit_tokens")),
                "cache_write_tokens": prompt.get("cache_write_tokens"),
                "output_tokens": usage.get("completion_tokens"),
                "reasoning_tokens": as_object(usage.get("completion_tokens_details")).get("reasoning_tokens"),
            }
        )
        return Stated(
            finish_reason="refused" if refused else _FINISH.get(native or "", "unknown"),
            native_finish_reason="refusal" if refused else native,
            served_model=text_or_none(body.get("model")),
            service_tier=text_or_none(body.get("service_tier")),
            usage=tokens,
            problem=problem,
            unread=refused or "",
        )


class _Chunks:
    def __init__(self) -> None:
        self._head: Body = {"object": "chat.completion"}
        self._message: Body = {"role": "assistant", "content": None}
        self._calls: list[Body] = []
        self._places: dict[int, int] = {}
        self._finish: str | None = None

    def add(self, event: Body) -> None:
        self._head |= present(event, "id", "created", "model", "service_tier", "system_fingerprint", "usage")
        for choice in objects(event.get("choices"))[:1]:
            delta = as_object(choice.get("delta"))
            for name in ("content", "refusal", "reasoning_content"):
                if part := text_or_none(delta.get(name)):
                    self._message[name] = (self._message.get(name) or "") + part
            for fragment in objects(delta.get("tool_calls")):
                self._call(fragment)
            self._finish = text_or_none(choice.get("finish_reason")) or self._finish

    @property
    def text(self) -> str:
        return self._message["content"] or ""

    def _call(self, fragment: Body) -> None:
        """A call's fragments share its index. A server without indices, or with one for all, sends calls whole."""
        function = as_object(fragment.get("function"))
        index, said = fragment.get("index"), text_or_none(fragment.get("id"))
        place = self._places.get(index) if isinstance(index, int) else None
        if place is None or (said and self._calls[place]["id"] not in ("", said)):
            place = len(self._calls)
            self._calls.append({"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
            if isinstance(index, int):
                self._places[index] = place
        call = self._calls[place]
        call["id"] = call["id"] or said or ""
        call["function"]["name"] = call["function"]["name"] or text_or_none(function.get("name")) or ""
        call["function"]["arguments"] += text_or_none(function.get("arguments")) or ""

    def body(self) -> Body | None:
        if self._finish is None:
            return None
        message = self._message | ({"tool_calls": self._calls} if self._calls else {})
        return {**self._head, "choices": [{"index": 0, "message": message, "finish_reason": self._finish}]}
