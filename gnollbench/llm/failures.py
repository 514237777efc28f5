"""Provider failure or model failure: told by HTTP status and codes, never by a library's class alone (R41).

The states that each fault ends in are listed in ``docs/faults.md``; the kinds are those of the record
format. By message only where a provider gives no code.
"""

import email.utils
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Any, cast

from gnollbench.errors import GnollBenchError
from gnollbench.records.canonical import as_object, objects

NOT_DELIVERED = "not_delivered"  # code of the failure that a request was not built whole (R16)
# all others would fail again
RETRIED_STATUS = frozenset({408, 409, 424, 425, 429, 498, 499, 500, 502, 503, 504, *range(520, 525), 529})
_OURS = frozenset({400, 405, 406, 411, 413, 414, 415, 422, 431})  # the request is named as wrong
_KIND_BY_STATUS = {
    429: "rate_limit",
    503: "overloaded",
    529: "overloaded",
    401: "configuration",
    402: "configuration",
    403: "configuration",
    404: "configuration",
    407: "configuration",  # a proxy's: nothing gets through it
    408: "timeout",
}
_GONE = frozenset(  # whatever the status: no further call would pass
    "insufficient_quota billing_hard_limit_reached billing_error credit_balance_too_low invalid_api_key "
    "model_not_found API_KEY_INVALID SERVICE_DISABLED account_deactivated".split()
)
_ASKED_WRONG = frozenset({None, 400, 413, 422})  # the statuses that providers' words may refine
_BEHIND = "Provider returned error"  # OpenRouter's; what the provider said is in the error's metadata
_FULL = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_FULL_WORDS = re.compile(  # most providers say so with the code of any bad request
    r"(context|prompt)[ _](length|window|size|limit)|(prompt|input) is too (long|large)|input token count|"
    r"ContextWindowExceeded|model token limit|more than max tokens|maximum model length|"
    r"inputs`? tokens \+ `?max_new_tokens|prompt token count of \d+ exceeds",
    re.IGNORECASE,
)
_OUTPUT_WORDS = re.compile(r"max_\w*tokens|in the (completion|output)", re.IGNORECASE)
_BROKEN_CALL = "tool_use_failed"  # Groq's, of a tool call of the model's that is none
_FILTERED = frozenset(
    "content_filter content_policy_violation ResponsibleAIPolicyViolation invalid_prompt flagged_input "
    "cyber_policy".split()
)
_FILTERED_WORDS = re.compile(r"blocked by (our )?content filter", re.IGNORECASE)  # Anthropic's, with no code
_STATUS_BY_CODE = {  # the providers' own names, for an error that comes with HTTP 200 or within a stream
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "RESOURCE_EXHAUSTED": 429,
    "overloaded_error": 529,
    "overloaded": 529,
    "UNAVAILABLE": 503,
    "api_error": 500,
    "server_error": 500,
    "internal_error": 500,
    "INTERNAL": 500,
    "timeout_error": 504,
    "DEADLINE_EXCEEDED": 504,
    "authentication_error": 401,
    "UNAUTHENTICATED": 401,
    "permission_error": 403,
    "PERMISSION_DENIED": 403,
    "not_found_error": 404,
    "NOT_FOUND": 404,
    "invalid_request_error": 400,
    "INVALID_ARGUMENT": 400,
}
_STATUS = re.compile(r"[45]\d\d", re.ASCII)
_GONE_WORDS = re.compile(  # Anthropic and Google say so with a 400 and the code of any bad request
    r"credit balance is too low|reached your specified API usage limit|user location is not supported",
    re.IGNORECASE,
)
_MESSAGE_CHARACTERS = 300  # enough to act on; a provider's error page is no record


class DeadlineReached(GnollBenchError):
    """The question's wall clock ran out while the model worked.

    Attributes
    ----------
    text : str
        The visible text that had been streamed by then.
    wait_ms : float
        What of the call's time was waiting: queue, failed attempts, pauses.
    """

    def __init__(self, message: str, text: str = "", wait_ms: float = 0.0) -> None:
        super().__init__(message)
        self.text, self.wait_ms = text, wait_ms


class ContextFull(GnollBenchError):
    """The request is larger than the model's context window."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One failed attempt.

    Attributes
    ----------
    source : str
        ``provider`` or ``harness``.
    kind : str
        A failure kind of the record format; or ``context``, ``filtered`` or ``broken_call``, which are no
        failures.
    retry : bool
        Whether another attempt may help.
    retry_after_s : float or None
        What the provider asked to wait.
    """

    source: str
    kind: str
    code: str | None
    message: str
    retry: bool
    retry_after_s: float | None = None


class WireFault(Exception):
    """Carries a fault through the adapter, which may wrap it as it likes."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def malformed(message: str) -> Fault:
    """Return the fault of an answer that is no reply."""
    return Fault("provider", "malformed", None, message, retry=True)


def from_response(status: int, headers: Mapping[str, str], text: str, now_s: float) -> Fault:
    """Say what an HTTP error was.

    Parameters
    ----------
    now_s : float
        Seconds since the epoch, for a ``Retry-After`` that is a date.
    """
    error = _error_of(_json(text))
    fault = from_error(error, status)
    wait_s = retry_after_s(headers, error, now_s) if fault.retry else None
    return Fault(fault.source, fault.kind, fault.code, fault.message, fault.retry, wait_s)


def as_configured(fault: Fault) -> Fault:
    """Return the fault of a conversation's first request: what the output limit leaves no room for is our setting."""
    if fault.kind == "context" and _OUTPUT_WORDS.search(fault.message):
        return replace(fault, kind="bad_request")
    return fault


def error_in(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the error object that a reply with HTTP 200, or an event of a stream, holds; None if none."""
    if body.get("error"):
        return _error_of(body)
    return body if "error" in (body.get("type"), body.get("object")) else None


def from_error(error: Mapping[str, Any], status: int = 200) -> Fault:
    """Say what a provider's error object means; its own code stands in where the status is 200."""
    codes = _codes(error)
    said = str(error.get("message") or "no readable error")
    if said == _BEHIND:
        raw = as_object(error.get("metadata")).get("raw")
        behind = _error_of(_json(raw) if isinstance(raw, str) else raw)
        codes, said = codes | _codes(behind), f"{said}: {behind.get('message') or raw}"
    code = next(iter(codes), None)
    effective = _effective_status(status, codes)
    message = _short(f"HTTP {status}: {said}")
    named = code if code and not _STATUS.fullmatch(code) else str(effective or status)
    if effective in _ASKED_WRONG and (codes.keys() & _FULL or _FULL_WORDS.search(said)):
        return Fault("harness", "context", named, message, retry=False)
    blocked = effective in _ASKED_WRONG and _FILTERED_WORDS.search(said)
    if (effective is None or effective < 500) and (codes.keys() & _FILTERED or _flagged(error) or blocked):
        return Fault("provider", "filtered", named, message, retry=False)
    if _BROKEN_CALL in codes:
        return Fault("provider", "broken_call", _BROKEN_CALL, message, retry=False)
    if codes.keys() & _GONE or (effective == 400 and _GONE_WORDS.search(said)):
        return Fault("provider", "configuration", named, message, retry=False)
    if effective is None:
        return Fault("provider", "malformed", named, message, retry=True)
    retry = effective in RETRIED_STATUS
    if effective in _KIND_BY_STATUS:
        return Fault("provider", _KIND_BY_STATUS[effective], named, message, retry)
    if effective in _OURS:
        return Fault("harness", "bad_request", named, message, retry=False)
    return Fault("provider", "outage", named, message, retry)


def retry_after_s(headers: Mapping[str, str], error: Mapping[str, Any], now_s: float) -> float | None:
    """Read how long a provider asks to wait, in seconds from 0.

    ``retry-after-ms``, ``Retry-After`` as seconds or as an HTTP date, or the ``retryDelay`` in a Google
    error's details; None where none of them says anything readable.
    """
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        found = _seconds(headers.get(name, ""), now_s)
        if found is not None:
            return max(0.0, found * unit_s)
    for detail in objects(error.get("details")):
        delay = detail.get("retryDelay")
        if isinstance(delay, str):
            found = _number(delay.removesuffix("s"))
            return None if found is None else max(0.0, found)
    return None


def _seconds(text: str, now_s: float) -> float | None:
    number = _number(text)
    if number is not None:
        return number
    try:
        date = email.utils.parsedate_to_datetime(text)
        aware = date if date.tzinfo else date.replace(tzinfo=UTC)
        return aware.timestamp() - now_s
    except (TypeError, ValueError, OverflowError):
        return None


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


def _error_of(body: Any) -> Mapping[str, Any]:
    """Return the error object of a body; FastAPI's ``detail`` and a bare text are messages."""
    listed = cast("list[Any]", body) if isinstance(body, list) else [body]
    content = as_object(next(iter(listed), None))
    error = content.get("error", content)
    if isinstance(error, str):
        return {"message": error}
    found = as_object(error) or content
    return found if "message" in found else {**found, "message": found.get("detail")}


def _codes(error: Mapping[str, Any]) -> dict[str, None]:
    """Return all that names an error, in order: codes first, then types, then Google's reasons."""
    names = [error.get("code"), error.get("type"), error.get("status")]
    names += [detail.get("reason") for detail in objects(error.get("details"))]
    return dict.fromkeys(str(name) for name in names if name is not None)


def _effective_status(status: int, codes: Mapping[str, None]) -> int | None:
    """Return the HTTP status that holds: the real one, but for a body that knows better than 200 or 400."""
    named = _status_of(codes)
    if status < 400:
        return named
    knows_better = named == 429 or (named is not None and str(named) in codes)
    return named if status in {400, 413, 422} and knows_better else status


def _flagged(error: Mapping[str, Any]) -> bool:
    """Whether a gateway's moderation refused the prompt; OpenRouter says so with a 403 of its own."""
    return bool(as_object(error.get("metadata")).get("flagged_input"))


def _status_of(codes: Mapping[str, None]) -> int | None:
    for code in codes:
        if _STATUS.fullmatch(code):
            return int(code)
        if code in _STATUS_BY_CODE:
            return _STATUS_BY_CODE[code]
    return None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return {}


def _short(message: str) -> str:
    return " ".join(message.split())[:_MESSAGE_CHARACTERS]
