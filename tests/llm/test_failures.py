"""Faults told apart by status and code (R41)."""

import httpx
import pytest

from gnollbench.llm.failures import classify, retry_after_s


def http_error(status: int, body: str = "{}", headers: dict[str, str] | None = None) -> Exception:
    request = httpx.Request("POST", "http://127.0.0.1/v1")
    response = httpx.Response(status, text=body, headers=headers or {}, request=request)
    outer = RuntimeError("a library's own wrapping")
    outer.__cause__ = httpx.HTTPStatusError("said no", request=request, response=response)
    return outer


@pytest.mark.parametrize(
    ("status", "source", "kind", "retry"),
    [
        (429, "provider", "rate_limit", True),
        (500, "provider", "outage", True),
        (502, "provider", "outage", True),
        (503, "provider", "overloaded", True),
        (504, "provider", "outage", True),
        (529, "provider", "overloaded", True),
        (401, "provider", "configuration", False),
        (403, "provider", "configuration", False),
        (404, "provider", "configuration", False),
        (400, "harness", "bad_request", False),
        (422, "harness", "bad_request", False),
    ],
)
def test_status_decides(status: int, source: str, kind: str, retry: bool) -> None:
    """R41: the real HTTP status, found along the chain of causes."""
    fault = classify(http_error(status))
    assert (fault.source, fault.kind, fault.retry) == (source, kind, retry)


def test_spent_quota_is_no_rate_limit() -> None:
    """R41: a 429 whose code says that the quota is gone for good will not pass."""
    fault = classify(http_error(429, '{"error": {"code": "insufficient_quota", "message": "pay"}}'))
    assert (fault.kind, fault.retry, fault.code) == ("configuration", False, "insufficient_quota")


def test_full_context_is_a_limit_and_no_failure() -> None:
    """R41: the fault table books a full context window as a limit."""
    assert classify(http_error(400, '{"error": {"code": "context_length_exceeded"}}')).kind == "context"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx.ConnectError("refused"), "connection"),
        (httpx.ReadTimeout("slow"), "timeout"),
        (ConnectionResetError("reset"), "connection"),
    ],
)
def test_transport_errors(error: Exception, kind: str) -> None:
    """R41: no HTTP answer came."""
    fault = classify(error)
    assert (fault.source, fault.kind, fault.retry) == ("provider", kind, True)


def test_bug_of_ours_is_ours() -> None:
    """R41: an exception of our own code is never a provider's failure."""
    assert classify(AttributeError("no such thing")).source == "harness"


def test_secret_is_cut_out() -> None:
    """A provider that repeats a key does not bring it into a record."""
    fault = classify(http_error(401, '{"error": {"message": "bad key sk-secret-1"}}'), "sk-secret-1")
    assert "sk-secret-1" not in fault.message


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Mon, 30 Nov 2026 16:00:10 GMT"}, 10.0),
        ({"retry-after": "Mon, 30 Nov 2026 15:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, 0.0),
        ({}, None),
    ],
)
def test_retry_after_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds, an HTTP date."""
    now_s = 1_796_054_400.0  # 2026-11-30 16:00:00 UTC
    assert retry_after_s(httpx.Headers(headers), now_s) == seconds
