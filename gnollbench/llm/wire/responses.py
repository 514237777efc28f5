"""OpenAI responses: what OpenAI's own endpoint takes for a model that thinks and calls tools."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from gnollbench.llm.failures import Fault, malformed
from gnollbench.llm.wire.shape import (
    Asked,
    Assembly,
    Body,
    Stated,
    present,
    text_or_none,
    texts,
    usage_of,
    with_calls,
)
from gnollbench.records.canonical import as_object, objects

_INCOMPLETE = {"max_output_tokens": "length", "content_filter": "refused"}
_LAST = frozenset({"response.completed", "response.incomplete", "response.failed"})


class Responses:
    """The shape of ``/responses``."""

    blank: Mapping[str, Any] = {
        "id": "",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": "",
        "output": [
            {
                "type": "message",
                "id": "",
                "status": "completed",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "", "annotations": []}],
            }
        ],
    }

    def asked(self, body: Body) -> Asked:
        """Read a request."""
        reasoning = as_object(body.get("reasoning"))
        items = objects(body.get("input"))
        system = [item.get("content") for item in items if item.get("role") in {"system", "developer"}]
        return Asked(
            system="\n".join(texts([body.get("instructions"), system])),
            tools=frozenset(str(tool.get("name")) for tool in objects(body.get("tools"))),
            output_tokens=body.get("max_output_tokens"),
            thinking=text_or_none(reasoning.get("effort")),
            summary=text_or_none(reasoning.get("summary")),
            mode=text_or_none(reasoning.get("mode")),
            tier=text_or_none(body.get("service_tier")),
            sampling=present(body, "temperature", "top_p"),
            sequential=body.get("parallel_tool_calls") is False,
        )

    def restored(self, body: Body, turns: Sequence[Mapping[str, Any]], /) -> Body:
        """Give each turn its items in their order: a thought belongs to what follows it."""
        runs = [(own, list(items)) for own, items in groupby(objects(body.get("input")), _is_models)]
        built = [items for own, items in runs if own]
        again = iter([_as_it_came(items, turn) for items, turn in zip(built, turns, strict=True)])
        return {**body, "input": [item for own, items in runs for item in (next(again) if own else items)]}

    def streamed(self, url: str, body: Body) -> tuple[str, Body]:
        """Ask for a stream, whose last event holds the whole reply."""
        return url, {**body, "stream": True}

    def assembly(self) -> Assembly:
        """Return an empty stream."""
        return _Events()

    def fault(self, body: Body) -> Fault | None:
        """A reply is complete, or says why it is not."""
        if body.get("status") not in ("completed", "incomplete"):
            return malformed(f"the reply's status is {body.get('status')!r}")
        return None if isinstance(body.get("output"), list) else malformed("the reply holds no output")

    def stated(self, body: Body, _headers: Mapping[str, str], /) -> Stated:
        """Read a reply."""
        usage = as_object(body.get("usage"))
        prompt = as_object(usage.get("input_tokens_details"))
        tokens, problem = usage_of(
            {
                "input_tokens": usage.get("input_tokens"),
                "cached_tokens": prompt.get("cached_tokens"),
                "cache_write_tokens": prompt.get("cache_write_tokens"),
                "output_tokens": usage.get("output_tokens"),
                "reasoning_tokens": as_object(usage.get("output_tokens_details")).get("reasoning_tokens"),
            }
        )
        finish, native = _finish(body)
        return Stated(
            finish_reason=finish,
            native_finish_reason=native,
            served_model=text_or_none(body.get("model")),
            service_tier=text_or_none(body.get("service_tier")),
            usage=tokens,
            problem=problem,
            unread="".join(map(_refusal, _answering(objects(body.get("output"))))),
            carried=_carried(objects(body.get("output"))),
        )

    def readable(self, body: Body) -> Body:
        """Return a reply with one message, or with calls, be the message empty: litellm takes no other."""
        output = [item for item in objects(body.get("output")) if item.get("type") != "message"]
        said = _said(objects(body.get("output")))
        if said or not any(item.get("type") == "function_call" for item in output):
            part: Body = {"type": "output_text", "text": said, "annotations": []}
            output.append({**self.blank["output"][0], "content": [part]})
        usage = {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}
        return {**body, "output": output, "usage": usage}


class _Events:
    def __init__(self) -> None:
        self._messages: dict[str, Body] = {}
        self._body: Body | None = None
        self.begun = False

    def add(self, event: Body) -> None:
        place = str(event.get("output_index"))
        if event.get("type") == "response.output_item.added":
            item = as_object(event.get("item"))
            self._messages[place] = {"type": item.get("type"), "phase": item.get("phase"), "content": []}
        if event.get("type") == "response.output_text.delta":
            part = text_or_none(event.get("delta")) or ""
            message = self._messages.setdefault(place, {"type": "message", "content": []})
            message["content"].append({"type": "output_text", "text": part})
            self.begun = self.begun or bool(part.strip())
        if event.get("type") in _LAST:
            self._body = as_object(event.get("response"))

    @property
    def ended(self) -> bool:
        return self._body is not None

    @property
    def text(self) -> str:
        return _said(list(self._messages.values()))

    def body(self) -> Body | None:
        return self._body


def _is_models(item: Body) -> bool:
    return item.get("role") == "assistant" or item.get("type") in ("reasoning", "function_call")


def _carried(items: list[Body]) -> Body:
    """Return the items; nothing where a thought is not sealed in one, for its provider does not know it any more."""
    sealed = all(item.get("encrypted_content") for item in items if item.get("type") == "reasoning")
    return {"output": items} if items and sealed else {}


def _as_it_came(built: list[Body], carried: Mapping[str, Any]) -> list[Body]:
    """Return a turn in its own order; its calls with the ids, names and arguments that the adapter was given."""
    own = objects(carried.get("output"))
    return with_calls(own, built, "function_call", "call_id", "name", "arguments") if own else built


def _answering(items: list[Body]) -> list[Body]:
    """Return a reply's messages; once one that is no commentary on the way says something, those."""
    messages = [item for item in items if item.get("type") == "message"]
    last = [item for item in messages if item.get("phase") != "commentary"]
    return last if any(_text(item) or _refusal(item) for item in last) else messages


def _said(items: list[Body]) -> str:
    return "\n\n".join(text for item in _answering(items) if (text := _text(item)))


def _text(message: Body) -> str:
    return _joined(message, "output_text", "text")


def _refusal(message: Body) -> str:
    return _joined(message, "refusal", "refusal")


def _joined(message: Body, kind: str, field: str) -> str:
    parts = [part for part in objects(message.get("content")) if part.get("type") == kind]
    return "".join(text_or_none(part.get(field)) or "" for part in parts)


def _finish(body: Body) -> tuple[str, str | None]:
    if body.get("status") == "incomplete":
        native = text_or_none(as_object(body.get("incomplete_details")).get("reason"))
        return _INCOMPLETE.get(native or "", "unknown"), native
    output = objects(body.get("output"))
    if not _said(output) and any(map(_refusal, _answering(output))):
        return "refused", "refusal"
    called = any(item.get("type") == "function_call" for item in output)
    return ("tool_calls" if called else "stop"), "completed"
