"""A reply in one shape: its content as litellm reads it, all else as the provider stated it (R39)."""

import json
import time
from dataclasses import replace
from typing import Any

from gnollbench.llm.failures import Fault, WireFault, as_configured, from_response, malformed
from gnollbench.llm.messages import Reply, ToolCall
from gnollbench.llm.wire.carrier import Exchange
from gnollbench.llm.wire.redaction import without_key
from gnollbench.records.addresses import public_uri
from gnollbench.records.canonical import as_object


def reply_of(answer: Any, exchange: Exchange) -> Reply:
    """Return the reply of an attempt that succeeded.

    Parameters
    ----------
    answer : ModelResponse
        What litellm made of it.
    """
    stated = exchange.stated
    if stated is None:
        raise ValueError("the adapter returned a reply that did not come over the wire")
    message = as_object(answer.choices[0].message.model_dump()) if answer.choices else {}
    message = without_key(message, exchange.secret)
    calls = tuple(
        ToolCall(
            id=str(call.get("id") or f"call_{place}"),
            name=str(call["function"].get("name") or ""),
            arguments=_text(call["function"].get("arguments")),
        )
        for place, call in enumerate(message.get("tool_calls") or [])
    )
    named = stated.finish_reason
    if named == "tool_calls":  # and no call is there: litellm took a form's reply out of one, or nobody knows
        named = "stop" if exchange.request.schema is not None else "unknown"
    text = _text(message.get("content")) or stated.unread
    if stated.finish_reason == "unknown" and not calls and not text.strip():
        why = f"nothing came, and why it ended is not known: {stated.native_finish_reason!r}"
        raise WireFault(malformed(why))
    usage, problem = stated.usage, stated.problem
    if usage.output_tokens == 0 and (calls or text) and problem is None:
        usage, problem = (
            replace(usage, output_tokens=None),
            "the stated usage makes no sense: a reply of no tokens",
        )
    return Reply(
        text=text,
        finish_reason="tool_calls" if calls else named,
        tool_calls=calls,
        usage=usage,
        native_finish_reason=stated.native_finish_reason,
        served_model=stated.served_model,
        service_tier=stated.service_tier,
        ttft_ms=exchange.ttft_ms,
        problem=problem,
        carried=stated.carried or None,
    )


def fault_of(error: Exception, exchange: Exchange) -> Fault:
    """Say what a failed attempt was: by what came over the wire, by the adapter's words only without it."""
    fault = _fault_of(error, exchange)
    begun = any(message.role == "assistant" for message in exchange.request.messages)
    return fault if begun else as_configured(fault)


def _fault_of(error: Exception, exchange: Exchange) -> Fault:
    if exchange.fault is not None:
        return exchange.fault
    if isinstance(error, WireFault):
        return error.fault
    adapters_name = type(error).__name__
    if exchange.status is not None and exchange.status >= 400:
        return from_response(exchange.status, exchange.headers, exchange.error_text, time.time())
    if exchange.stated is not None:
        return malformed(f"the adapter cannot read the reply: {adapters_name}")
    refused = any(cls.__name__ == "BadRequestError" for cls in type(error).__mro__)
    kind = "bad_request" if refused else "internal"
    return Fault("harness", kind, adapters_name, in_short(error, exchange.secret), retry=False)


def in_short(error: Exception, secret: str | None) -> str:
    """Return what an adapter's error says, in one line, without its advice and without the key."""
    said = public_uri(" ".join(str(error).partition("To drop")[0].split()))
    return without_key(said, secret)[:300]


def _text(content: Any) -> str:
    if content is None:
        return ""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
