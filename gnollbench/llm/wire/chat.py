"""OpenAI chat completions, as compatible servers speak them too."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from gnollbench.llm.failures import Fault, from_error, malformed
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
)
from gnollbench.records.canonical import as_object, objects, strict_object

_FINISH = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "content_filter": "refused",
    "sensitive": "refused",
    "model_length": "context",
    "model_context_window_exceeded": "context",
}
_HERE = (None, 0, "0")  # the indices of the one choice that was asked for
_NO_FINISH = (None, "", "null")
# a gateway's word, DeepSeek's, Z.ai's, vLLM's
_BROKE_OFF = frozenset({"error", "insufficient_system_resource", "network_error", "abort"})
# of servers that do not part thoughts off; some leave the opening tag in the prompt
_THOUGHT = re.compile(
    r"(?:\s*<(think|thinking)>.*?(?:</\1>|\Z))+|(?:(?!<think).)*?</think(?:ing)?>", re.DOTALL
)
_SEEN = re.compile(r"\S")
_THINKS = re.compile(r"\s*<(?:think|thinking)>")


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

    def restored(self, body: Body, turns: Sequence[Mapping[str, Any]], /) -> Body:
        """Give each turn, and each of its calls, the fields that it came with."""
        return {**body, "messages": restored_messages(body.get("messages"), turns, _as_it_came)}

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
                "cached_tokens": _either(
                    prompt.get("cached_tokens"),
                    usage.get("prompt_cache_hit_tokens"),
                    usage.get("cached_tokens"),
                ),
                "cache_write_tokens": _either(
                    prompt.get("cache_write_tokens"), prompt.get("cache_creation_tokens")
                ),
                "output_tokens": _output_tokens(usage),
                "reasoning_tokens": _thought_tokens(usage),
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
            carried=_carried(message),
        )

    def readable(self, body: Body) -> Body:
        """Return a reply with one choice, of which the content is the visible text."""
        choice = _first(body) or {}
        message = dict(as_object(choice.get("message")))
        if message.get("content") is not None:
            message["content"] = _visible(_text(message["content"]))
        if calls := _calls(message):
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
        self._details: list[Body] = []
        self._places: dict[str, int] = {}
        self._end: Body = {}
        self._thought = 0  # characters of the content that were thought
        self.begun = self.ended = False

    def add(self, event: Body) -> None:
        self._head |= present(event, "id", "created", "model", "service_tier", "system_fingerprint")
        self._head |= {"usage": event["usage"]} if event.get("usage") else {}
        choice = _first(event) or {}
        self._head |= present(choice, "usage")  # Kimi's place for it
        delta = as_object(choice.get("delta"))
        if not delta and not self._calls and self._message["content"] is None:
            delta = as_object(choice.get("message"))
        for name in ("content", "refusal", "reasoning_content", "reasoning"):
            if part := _text(delta.get(name)):
                self._message[name] = (self._message.get(name) or "") + part
        self._message |= present(delta, "extra_content")
        for detail in objects(delta.get("reasoning_details")):
            self._detail(detail)
        self._look_at(_text(delta.get("content")))
        for fragment in _calls(delta):
            self._call(fragment)
        if choice.get("finish_reason") not in _NO_FINISH:
            self._end = present(choice, "finish_reason", "error")
        self.ended = bool(self._end and event.get("usage") and not choice)  # usage comes last, on its own

    @property
    def text(self) -> str:
        return _visible(self._message["content"] or "")

    def _look_at(self, part: str) -> None:
        """Keep whether visible text has begun: only the end of a tag can change what was text or thought."""
        content: str = self._message["content"] or ""
        if "</think" in content[-len(part) - len("</thinking>") :]:
            self._thought = len(content) - len(_visible(content))
        if part and (not self.begun or ">" in part):
            self.begun = not _THINKS.match(content, self._thought) and bool(
                _SEEN.search(content, self._thought)
            )

    def _detail(self, detail: Body) -> None:
        """Thoughts come in pieces, and go back whole, their signature with them; all else is whole."""
        last = self._details[-1] if self._details else {}
        both = [(piece.get("type"), piece.get("index")) for piece in (last, detail)]
        if both[0] == both[1] and detail.get("type") == "reasoning.text" and not last.get("signature"):
            said = _text(last.get("text")) + _text(detail.get("text"))
            self._details[-1] = last | present(detail, *detail) | {"text": said}
        else:
            self._details.append(detail)

    def _call(self, fragment: Body) -> None:
        """A call's fragments share its index, or follow it; a server with one index for all sends calls whole."""
        function = as_object(fragment.get("function"))
        index, said = str(fragment.get("index")), text_or_none(fragment.get("id"))
        name, written = text_or_none(function.get("name")), _written(function.get("arguments"))
        place = self._places.get(index)
        if place is not None and name:
            call = self._calls[place]
            if said and said == call["id"] and written in ("", call["function"]["arguments"]):
                call |= present(fragment, "extra_content")
                return  # a last chunk that repeats the call, or its name
            unnumbered = fragment.get("index") is None and not said
            whole = strict_object(call["function"]["arguments"]) is not None
            if unnumbered or whole or (said and call["id"] not in ("", said)):
                place = None
        if place is None:
            self._places[index] = place = len(self._calls)
            self._calls.append({"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
        call = self._calls[place]
        call["id"] = call["id"] or said or ""
        if name and name != call["function"]["name"]:  # some servers repeat it
            call["function"]["name"] += name
        call["function"]["arguments"] += written
        call |= present(fragment, "extra_content")

    def body(self) -> Body | None:
        if not self._end:
            return None
        lists = {"tool_calls": self._calls, "reasoning_details": self._details}
        message = self._message | {name: items for name, items in lists.items() if items}
        return {**self._head, "choices": [{"index": 0, "message": message, **self._end}]}


def _first(body: Body) -> Body | None:
    """Return the one choice that was asked for, of however many came."""
    return next((choice for choice in objects(body.get("choices")) if choice.get("index") in _HERE), None)


def _calls(message: Body) -> list[Body]:
    """Return a message's calls; some servers send a single one bare."""
    calls: Any = message.get("tool_calls")
    return objects([calls] if isinstance(calls, dict) else calls)


def _carried(message: Body) -> Body:
    """Return the thoughts of a message, and the signatures that gateways give with it and with its calls."""
    names = ("reasoning", "reasoning_content", "reasoning_details", "extra_content")
    found = {name: value for name, value in present(message, *names).items() if value}
    signed = [present(call, "extra_content") for call in _calls(message)]
    return {**found, "tool_calls": signed} if any(signed) else found


def _as_it_came(message: Body, carried: Mapping[str, Any]) -> Body:
    calls = _calls(message)
    signed = objects(carried.get("tool_calls")) or [{} for _ in calls]
    again = [{**call, **signature} for call, signature in zip(calls, signed, strict=False)]
    return {**message, **carried, **({"tool_calls": again} if calls else {})}


def _either(*values: Any) -> Any:
    """Return the first that was stated."""
    return next((value for value in values if value is not None), None)


def _thought_tokens(usage: Body) -> Any:
    return as_object(usage.get("completion_tokens_details")).get("reasoning_tokens")


def _output_tokens(usage: Body) -> Any:
    """Return the output with its thoughts: some servers count these beside it, and only their total says so."""
    counts: list[Any] = [usage.get(f"{name}_tokens") for name in ("prompt", "completion", "total")]
    prompt, output, whole = counts
    if any(type(count) is not int for count in counts) or whole <= prompt + output:
        return output
    thought = _thought_tokens(usage)
    if type(thought) is int and whole == prompt + output + thought:
        return output + thought
    return f"{output} of {whole - prompt}"


def _text(content: Any) -> str:
    """Return a content as text; where it comes in parts, those that are no thoughts."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in objects(cast("list[Any]", content)))
    return content if isinstance(content, str) else ""


def _visible(text: str) -> str:
    thought = _THOUGHT.match(text) if "</think" in text or _THINKS.match(text) else None
    return text[thought.end() :] if thought else text


def _written(arguments: Any) -> str:
    """Return a call's arguments as the text that they should come as."""
    if isinstance(arguments, str):
        return arguments
    return "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
