"""Provider failure or model failure: told by HTTP status and codes, never by a library's class alone (R41).

The states that each fault ends in are listed in the fault table of the design; the kinds are those of
the record format.
"""

import email.utils
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gnollbench.errors import GnollBenchError
from gnollbench.records.canonical import as_object

RETRIED_STATUS = {429, 500, 502, 503, 504, 529}  # all others would fail again
_KIND_BY_STATUS = {
    429: "rate_limit",
    503: "overloaded",
    529: "overloaded",
    401: "configuration",
    402: "configuration",
    403: "configuration",
    404: "configuration",
    408: "timeout",
}
_QUOTA_CODES = {"insufficient_quota", "billing_hard_limit_reached", "credit_balance_too_low"}
_MESSAGE_CHARACTERS = 300  # enough to act on; a provider's error page is no record


class DeadlineReached(GnollBenchError):
    """The question's wall clock ran out while the model worked."""


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
        A failure kind of the record format, or ``context``.
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


def classify(error: BaseException, secret: str | None = None) -> Fault:
    """Say what a failed attempt was.

    The chain of causes is walked for the real HTTP answer or transport error; the wrapping class decides
    only where neither is there. ``secret`` is cut out of the message.
    """
    response = _http_response(error)
    if response is not None:
        return _from_status(response, error, secret)
    names = {cls.__name__ for link in _chain(error) for cls in type(link).__mro__}
    message = _clean(str(error), secret)
    if "ContextWindowExceededError" in names:
        return Fault("harness", "context", None, message, retry=False)
    if names & {"ReadTimeout", "WriteTimeout", "ConnectTimeout", "PoolTimeout", "Timeout", "TimeoutError"}:
        return Fault("provider", "timeout", None, message, retry=True)
    if names & {
        "TransportError",
        "ClientConnectionError",
        "ClientConnectorError",
        "ConnectionError",
        "gaierror",
    }:
        return Fault("provider", "connection", None, message, retry=True)
    if names & {
        "UnsupportedParamsError",
        "TypeError",
        "KeyError",
        "AttributeError",
        "NameError",
        "AssertionError",
    }:
        kind = "bad_request" if "UnsupportedParamsError" in names else "internal"
        return Fault("harness", kind, None, message, retry=False)
    if any(type(link).__module__.startswith(("litellm", "openai", "json")) for link in _chain(error)):
        return Fault("provider", "malformed", None, message, retry=True)
    return Fault("harness", "internal", type(error).__name__, message, retry=False)


def _from_status(response: Any, error: BaseException, secret: str | None) -> Fault:
    status = int(response.status_code)
    code, said = _provider_words(response)
    message = _clean(f"HTTP {status}: {said}", secret)
    if type(error).__name__ == "ContextWindowExceededError" or code == "context_length_exceeded":
        return Fault("harness", "context", code, message, retry=False)
    if code in _QUOTA_CODES:
        return Fault("provider", "configuration", code, message, retry=False)
    if status < 400:
        return Fault("provider", "malformed", str(status), message, retry=True)
    if status in _KIND_BY_STATUS:
        kind = _KIND_BY_STATUS[status]
    elif status >= 500:
        kind = "outage"
    else:
        return Fault("harness", "bad_request", code or str(status), message, retry=False)
    wait = retry_after_s(response.headers, time.time()) if status in RETRIED_STATUS else None
    return Fault("provider", kind, code or str(status), message, status in RETRIED_STATUS, wait)


def retry_after_s(headers: Any, now_s: float) -> float | None:
    """Read a wait from ``retry-after-ms`` or ``Retry-After`` (seconds or an HTTP date), in seconds >= 0."""
    for name, factor in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name)
        if text is None:
            continue
        try:
            return max(0.0, float(text) * factor)
        except ValueError:
            parsed = email.utils.parsedate_to_datetime(text) if "," in text else None
            if parsed is not None:
                return max(0.0, parsed.timestamp() - now_s)
    return None


def _provider_words(response: Any) -> tuple[str | None, str]:
    try:
        content: Any = json.loads(response.text)
    except Exception:  # a stream not read, bytes that are no text, no JSON: nothing to quote
        return None, "no readable error body"
    body = as_object(content)
    error = as_object(body.get("error")) or body
    if not error:
        return None, str(content)
    code = error.get("code") or error.get("type") or error.get("status")
    return (str(code) if code is not None else None), str(error.get("message", ""))


def _clean(message: str, secret: str | None) -> str:
    if secret:
        message = message.replace(secret, "***")
    return " ".join(message.split())[:_MESSAGE_CHARACTERS]


def _http_response(error: BaseException) -> Any:
    for link in _chain(error):
        if type(link).__name__ in {"HTTPStatusError", "APIStatusError"}:
            return getattr(link, "response", None)
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or link.__context__
