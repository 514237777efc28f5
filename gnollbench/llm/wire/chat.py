"""OpenAI chat completions, as compatible servers speak them too."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from gnollbench.llm.failures import Fault, from_error, malformed
from gnollbench.llm.wire.shape import (
    Asked,
    Assembly,
    Body,
    Stated,
    present,
    text_or_none,
    texts,
    usage_of,
)
from gnollbench.records.canonical import as_object, objects

_FINISH = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "content_filter": "refused",
}
_BROKE_OFF = frozenset({"error", "insufficient_system_resource"})  # a gateway's word, DeepSeek's word
_THOUGHT = re.compile(
    r"\s*<(think|thinking)>.*?(?:</\1>|\Z)", re.DOTALL
)  # of servers that do not part it off


class Chat:
    """The shape of ``/chat/completions``."""

    blank: Mapping[str, Any] = {
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": ""}, "finish_reason": "stop"}],
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

    def fault(self, body: Body) -> Fault | None:
        """A reply has a choice with a message, and the provider did not break it off."""
        choice = _first(body)
        if choice is None:
            return malformed("the reply holds no choice")
        if choice.get("finish_reason") in _BROKE_OFF:
            reason = str(choice["finish_reason"])
            error = as_object(choice.get("error")) or {
                "message": f"the provider broke the reply off: {reason}"
            }
            return from_error({"type": "server_error", **error})
        return None if as_object(choice.get("message")) else malformed("the reply's choice holds no message")

    def stated(self, body: Body, _headers: Mapping[str, str], /) -> Stated:
        """Read a reply."""
        choice = _first(body) or {}
        message = as_object(choice.get("message"))
        native = text_or_none(choice.get("finish_reason"))
        refused = None if _text(message.get("content")) else text_or_none(message.get("refusal"))
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

    def readable(self, body: Body) -> Body:
        """Return a reply with one choice, of which the content is the visible text."""
        choice = _first(body) or {}
        message = dict(as_object(choice.get("message")))
        if message.get("content") is not None:
            message["content"] = _visible(_text(message["content"]))
        if calls := objects(message.get("tool_calls")):
            message["tool_calls"] = [
                {**call, "function": {**function, "arguments": _written(function.get("arguments"))}}
                for call in calls
                for function in [as_object(call.get("function"))]
            ]
        usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        return {**body, "choices": [{**choice, "message": message}], "usage": usage}


class _Chunks:
    def __init__(self) -> None:
        self._head: Body = {"object": "chat.completion"}
        self._message: Body = {"role": "assistant", "content": None}
        self._calls: list[Body] = []
        self._places: dict[str, int] = {}
        self._end: Body = {}
        self.ended = False

    def add(self, event: Body) -> None:
        self._head |= present(event, "id", "created", "model", "service_tier", "system_fingerprint")
        self._head |= {"usage": event["usage"]} if event.get("usage") else {}
        choice = _first(event) or {}
        delta = as_object(choice.get("delta")) or as_object(choice.get("message"))
        for name in ("content", "refusal", "reasoning_content"):
            if part := _text(delta.get(name)):
                self._message[name] = (self._message.get(name) or "") + part
        for fragment in objects(delta.get("tool_calls")):
            self._call(fragment)
        if text_or_none(choice.get("finish_reason")):
            self._end = present(choice, "finish_reason", "error")
        self.ended = bool(self._end and event.get("usage"))  # usage comes last, on its own

    @property
    def text(self) -> str:
        return _visible(self._message["content"] or "")

    def _call(self, fragment: Body) -> None:
        """A call's fragments share its index, or follow it; a server with one index for all sends calls whole."""
        function = as_object(fragment.get("function"))
        index = str(fragment.get("index"))
        said, name = text_or_none(fragment.get("id")), text_or_none(function.get("name"))
        place = self._places.get(index)
        another = said and place is not None and self._calls[place]["id"] not in ("", said)
        unnumbered = fragment.get("index") is None and name and not said
        if place is None or another or unnumbered:
            self._places[index] = place = len(self._calls)
            self._calls.append({"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
        call = self._calls[place]
        call["id"] = call["id"] or said or ""
        if name and name != call["function"]["name"]:  # some servers repeat it
            call["function"]["name"] += name
        call["function"]["arguments"] += _written(function.get("arguments"))

    def body(self) -> Body | None:
        if not self._end:
            return None
        message = self._message | ({"tool_calls": self._calls} if self._calls else {})
        return {**self._head, "choices": [{"index": 0, "message": message, **self._end}]}


def _first(body: Body) -> Body | None:
    """Return the one choice that was asked for, of however many came."""
    return next((choice for choice in objects(body.get("choices")) if not choice.get("index")), None)


def _text(content: Any) -> str:
    """Return a content as text; where it comes in parts, those that are no thoughts."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in objects(cast("list[Any]", content)))
    return content if isinstance(content, str) else ""


def _visible(text: str) -> str:
    thought = _THOUGHT.match(text)
    return text[thought.end() :] if thought else text


def _written(arguments: Any) -> str:
    """Return a call's arguments as the text that they should come as."""
    if isinstance(arguments, str):
        return arguments
    return "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
