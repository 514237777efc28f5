"""Google generateContent."""

from collections.abc import Mapping, Sequence
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
)
from gnollbench.records.canonical import as_object, objects

_REFUSED = frozenset(
    "SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII LANGUAGE IMAGE_SAFETY MODEL_ARMOR".split()
)
_BROKEN_CALL = frozenset("MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS".split())
_UNSIGNED = "MISSING_THOUGHT_SIGNATURE"
_CALL = ":generateContent"
_STREAM = ":streamGenerateContent"


class Generate:
    """The shape of ``models/MODEL:generateContent``."""

    blank: Mapping[str, Any] = {
        "candidates": [{"content": {"role": "model", "parts": []}, "finishReason": "STOP"}]
    }

    def asked(self, body: Body) -> Asked:
        """Read a request; fields come in both of Google's spellings."""
        config = _both(as_object(body.get("generationConfig") or body.get("generation_config")))
        thinking = _both(as_object(config.get("thinking_config")))
        level: str | bool | None = text_or_none(thinking.get("thinking_level"))
        if level is None and thinking.get("thinking_budget") is not None:
            level = "none" if thinking["thinking_budget"] == 0 else True
        tools = [_both(tool) for tool in objects(body.get("tools"))]
        declared = [call for tool in tools for call in objects(tool.get("function_declarations"))]
        return Asked(
            system="\n".join(texts(body.get("system_instruction") or body.get("systemInstruction"))),
            tools=frozenset(str(call.get("name")) for call in declared),
            output_tokens=config.get("max_output_tokens"),
            thinking=level.lower() if isinstance(level, str) else level,
            tier=text_or_none(body.get("serviceTier") or body.get("service_tier")),
            sampling=present(config, "temperature", "top_p", "seed"),
        )

    def streamed(self, url: str, body: Body) -> tuple[str, Body]:
        """Ask for a stream, which Google has under another address; usage comes with every chunk."""
        path, _, query = url.partition("?")
        parts = [part for part in query.split("&") if part]
        return f"{path.replace(_CALL, _STREAM)}?{'&'.join([*parts, 'alt=sse'])}", body

    def assembly(self) -> Assembly:
        """Return an empty stream."""
        return _Stream()

    def fault(self, body: Body) -> Fault | None:
        """A reply has a candidate, or says why the prompt was blocked."""
        candidate = _first(body)
        if (candidate or {}).get("finishReason") == _UNSIGNED:
            return Fault(
                "harness", "bad_request", _UNSIGNED, "a thought signature was not sent back", retry=False
            )
        blocked = as_object(body.get("promptFeedback")).get("blockReason")
        return None if blocked or candidate is not None else malformed("the reply holds no candidate")

    def restored(self, body: Body, _turns: Sequence[Mapping[str, Any]], /) -> Body:
        """Signatures travel with the calls, within their ids."""
        return body

    def stated(self, body: Body, headers: Mapping[str, str], /) -> Stated:
        """Read a reply; thought tokens are counted beside the visible ones."""
        candidate = _first(body)
        parts = _parts(candidate or {})
        said = "".join(str(part["text"]) for part in parts if _visible(part))
        blocked = text_or_none(as_object(body.get("promptFeedback")).get("blockReason"))
        native = blocked if candidate is None else text_or_none(candidate.get("finishReason"))
        usage = as_object(body.get("usageMetadata"))
        visible, thought = usage.get("candidatesTokenCount"), usage.get("thoughtsTokenCount")
        prompt = usage.get("promptTokenCount")
        if type(visible) is int and type(thought) is int:
            visible += thought
        elif visible is None and prompt is not None and not said:
            visible = thought if thought is not None else 0  # Google leaves a zero out
        tokens, problem = usage_of(
            {
                "input_tokens": prompt,
                "cached_tokens": usage.get("cachedContentTokenCount"),
                "output_tokens": visible,
                "reasoning_tokens": thought,
            }
        )
        calls = any("functionCall" in part for part in parts)
        tier = headers.get("x-gemini-service-tier") or usage.get("serviceTier")
        return Stated(
            finish_reason=_finish(native, calls=calls, blocked=candidate is None),
            native_finish_reason=native,
            served_model=text_or_none(body.get("modelVersion")),
            service_tier=tier.lower() if isinstance(tier, str) else None,
            usage=tokens,
            problem=problem,
            unread=said,
        )

    def readable(self, body: Body) -> Body:
        """Return a reply with one candidate; a call without arguments, which Google leaves out, has none."""
        usage = {"promptTokenCount": 0, "candidatesTokenCount": 0, "totalTokenCount": 0}
        candidate = _first(body)
        if candidate is None:
            return {**body, "usageMetadata": usage}
        parts = [dict(part) for part in _parts(candidate)]
        for part in parts:
            if "functionCall" in part:
                part["functionCall"] = {"args": {}, **as_object(part["functionCall"])}
        content: Body = {**as_object(candidate.get("content")), "parts": parts}
        return {**body, "candidates": [{**candidate, "content": content}], "usageMetadata": usage}


class _Stream:
    def __init__(self) -> None:
        self._head: Body = {}
        self._candidate: Body = {}
        self._parts: list[Body] = []
        self.begun = False
        self.ended = False  # a finish reason and usage may come with each chunk: the connection ends it

    def add(self, event: Body) -> None:
        self._head |= present(event, "modelVersion", "responseId", "promptFeedback")
        self._head |= {"usageMetadata": event["usageMetadata"]} if event.get("usageMetadata") else {}
        candidate = _first(event) or {}
        self._candidate |= {name: value for name, value in candidate.items() if name != "content"}
        for part in _parts(candidate):
            self._take(part)

    @property
    def text(self) -> str:
        return "".join(str(part["text"]) for part in self._parts if _visible(part))

    def _take(self, part: Body) -> None:
        """Join a text to the one before it, unless a signature stands at either."""
        self.begun = self.begun or (_visible(part) and bool(part["text"].strip()))
        before = self._parts[-1] if self._parts else {}
        plain = before.keys() | part.keys() <= {"text", "thought"} and "text" in before and "text" in part
        if plain and before.get("thought") == part.get("thought"):
            before["text"] = f"{before['text']}{part['text']}"
        else:
            self._parts.append(dict(part))

    def body(self) -> Body | None:
        if self._candidate.get("finishReason"):
            content = {"role": "model", "parts": self._parts}
            return {**self._head, "candidates": [{**self._candidate, "content": content}]}
        blocked = as_object(self._head.get("promptFeedback")).get("blockReason")
        return self._head if blocked else None


def _finish(native: str | None, *, calls: bool, blocked: bool) -> str:
    if blocked or native in _REFUSED:
        return "refused"
    if native == "MAX_TOKENS":
        return "length"
    if native == "STOP":
        return "tool_calls" if calls else "stop"
    return "stop" if native in _BROKEN_CALL else "unknown"  # a call that is none is the model's own silence


def _first(body: Body) -> Body | None:
    """Return the one candidate that was asked for, of however many came."""
    return next((found for found in objects(body.get("candidates")) if not found.get("index")), None)


def _parts(candidate: Body) -> list[Body]:
    return objects(as_object(candidate.get("content")).get("parts"))


def _visible(part: Body) -> bool:
    return isinstance(part.get("text"), str) and not part.get("thought")


def _both(body: Body) -> Body:
    """Return a body with its camelCase names in snake_case."""
    return {
        "".join(f"_{c.lower()}" if c.isupper() else c for c in name): value for name, value in body.items()
    }
