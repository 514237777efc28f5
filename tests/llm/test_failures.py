"""Faults told apart by status and code (R41)."""

import json
from typing import Any

import pytest

from gnollbench.llm.failures import Fault, error_in, from_error, from_response, retry_after_s

NOW_S = 1_796_054_400.0  # 2026-11-30 16:00:00 UTC


def said(status: int, error: Any = None, headers: dict[str, str] | None = None) -> Fault:
    text = error if isinstance(error, str) else json.dumps({"error": error or {"message": "no"}})
    return from_response(status, headers or {}, text, NOW_S)


@pytest.mark.parametrize(
    ("status", "source", "kind", "retry"),
    [
        (429, "provider", "rate_limit", True),
        (500, "provider", "outage", True),
        (502, "provider", "outage", True),
        (503, "provider", "overloaded", True),
        (504, "provider", "outage", True),
        (529, "provider", "overloaded", True),
        (520, "provider", "outage", True),
        (524, "provider", "outage", True),
        (501, "provider", "outage", False),
        (401, "provider", "configuration", False),
        (402, "provider", "configuration", False),
        (403, "provider", "configuration", False),
        (407, "provider", "configuration", False),
        (404, "provider", "configuration", False),
        (408, "provider", "timeout", True),
        (400, "harness", "bad_request", False),
        (413, "harness", "bad_request", False),
        (422, "harness", "bad_request", False),
        (405, "harness", "bad_request", False),
        (409, "provider", "outage", True),
        (424, "provider", "outage", True),
        (425, "provider", "outage", True),
        (498, "provider", "outage", True),
        (499, "provider", "outage", True),
        (451, "provider", "outage", False),
    ],
)
def test_status_decides(status: int, source: str, kind: str, retry: bool) -> None:
    """R41: the real HTTP status."""
    fault = said(status)
    assert (fault.source, fault.kind, fault.retry) == (source, kind, retry)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (429, {"message": "pay", "code": "insufficient_quota"}),
        (429, {"message": "pay", "type": "insufficient_quota", "code": None}),
        (400, {"message": "no such model", "code": "model_not_found"}),
        (400, {"code": 400, "status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID"}]}),
        (
            400,
            {"type": "invalid_request_error", "message": "Your credit balance is too low to access the API."},
        ),
        (
            400,
            {
                "type": "invalid_request_error",
                "message": "You have reached your specified API usage limits. You will regain access on 2026-12-01.",
            },
        ),
        (
            400,
            {
                "code": 400,
                "status": "FAILED_PRECONDITION",
                "message": "User location is not supported for the API use.",
            },
        ),
    ],
)
def test_what_is_gone_for_good_is_not_tried_again(status: int, error: dict[str, Any]) -> None:
    """R41: the provider's code outweighs its status."""
    fault = said(status, error)
    assert (fault.source, fault.kind, fault.retry) == ("provider", "configuration", False)


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (
            413,
            {"message": "Request too large: tokens per minute", "code": "rate_limit_exceeded"},
            "rate_limit",
        ),
        (400, {"message": "litellm.RateLimitError", "type": None, "code": "429"}, "rate_limit"),
        (400, {"message": "busy", "code": "503"}, "overloaded"),
        (404, {"message": "m", "type": "invalid_request_error"}, "configuration"),
        (500, {"message": "m", "code": "400"}, "outage"),
    ],
)
def test_a_body_may_know_better_than_a_bad_request(status: int, error: dict[str, Any], kind: str) -> None:
    """R41: gateways wrap a provider's quota into a 400 or 413."""
    fault = said(status, error)
    assert (fault.source, fault.kind) == ("provider", kind)


@pytest.mark.parametrize(
    "message",
    [
        "This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens.",
        "This model's maximum prompt length is 131072 but the request contains 150000 tokens.",
        "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        "Input is too long for requested model.",
        "litellm.ContextWindowExceededError: too much",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
        "The input token count (9) exceeds the maximum number of tokens allowed (8).",
        "Your request exceeded model token limit: 262144 (requested: 291351)",
        "tokens in request more than max tokens allowed",
        "`inputs` tokens + `max_new_tokens` must be <= 8192. Given: 9000 `inputs` tokens",
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
        "prompt token count of 135000 exceeds the limit of 128000",
    ],
)
def test_a_full_context_is_known_by_its_words(message: str) -> None:
    """R41: most providers give it no code of its own; within a stream as with a status."""
    assert said(400, {"message": message}).kind == "context"
    assert from_error({"message": message, "type": "BadRequestError", "code": 400}).kind == "context"


def test_a_gateways_moderation_is_a_filter() -> None:
    """R41: OpenRouter says so with a 403 of its own; one without it is a matter of keys."""
    flagged = {"code": 403, "message": "m", "metadata": {"reasons": ["violence"], "flagged_input": "lich"}}
    assert said(403, flagged).kind == "filtered"
    assert said(403, {"code": 403, "message": "m"}).kind == "configuration"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"message": "m", "code": "tool_use_failed", "failed_generation": "<function>"}, "broken_call"),
        ({"message": "m", "code": "context_length_exceeded"}, "context"),
        ({"message": "m", "code": 400, "type": "exceed_context_size_error"}, "context"),
        ({"message": "m", "code": "content_filter"}, "filtered"),
        ({"message": "m", "code": "cyber_policy", "type": "invalid_request"}, "filtered"),
        (
            {"message": "Output blocked by content filtering policy", "type": "invalid_request_error"},
            "filtered",
        ),
        (
            {
                "message": "Provider returned error",
                "code": 400,
                "metadata": {"raw": '{"error":{"message":"maximum context length is 8 tokens"}}'},
            },
            "context",
        ),
        (
            {
                "message": "Provider returned error",
                "metadata": {"raw": '{"error":{"message":"m","code":"content_filter"}}'},
            },
            "filtered",
        ),
    ],
)
def test_what_is_no_failure(error: dict[str, Any], kind: str) -> None:
    """R41: a full context is a limit, a filter is a refusal."""
    assert said(400, error).kind == kind


@pytest.mark.parametrize(
    ("error", "kind", "retry"),
    [
        ({"code": 429, "message": "m"}, "rate_limit", True),
        ({"code": "503", "message": "m"}, "overloaded", True),
        ({"type": "overloaded_error", "message": "m"}, "overloaded", True),
        ({"type": "rate_limit_error", "message": "m"}, "rate_limit", True),
        ({"code": 500, "status": "INTERNAL", "message": "m"}, "outage", True),
        ({"code": "server_error", "message": "m"}, "outage", True),
        ({"type": "authentication_error", "message": "m"}, "configuration", False),
        ({"type": "invalid_request_error", "message": "m"}, "bad_request", False),
        ({"message": "something odd"}, "malformed", True),
    ],
)
def test_an_error_with_http_200_goes_by_its_code(error: dict[str, Any], kind: str, retry: bool) -> None:
    """R41: some gateways, and every stream, report an error within a success."""
    fault = from_error(error)
    assert (fault.kind, fault.retry) == (kind, retry)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"error": {"message": "m"}}, True),
        ({"error": "m"}, True),
        ({"type": "error", "error": {"type": "overloaded_error"}}, True),
        ({"type": "error", "code": "server_error", "message": "m"}, True),
        ({"error": None, "output": []}, False),
        ({"choices": []}, False),
    ],
)
def test_where_an_error_stands(body: dict[str, Any], found: bool) -> None:
    """R41: in every protocol's own place."""
    assert (error_in(body) is not None) is found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html>bad gateway</html>",
        "[]",
        '"down"',
        "null",
        '{"detail": "down"}',
        '{"error": "down"}',
        '[{"error": {}}]',
    ],
)
def test_any_error_page_is_told(text: str) -> None:
    """R41: whatever a server sends with its 502."""
    assert said(502, text).kind == "outage"


def test_message_is_short_and_one_line() -> None:
    """A record is no place for an error page."""
    fault = said(500, {"message": "down\n" * 1000})
    assert len(fault.message) <= 300
    assert "\n" not in fault.message


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Mon, 30 Nov 2026 16:00:10 GMT"}, 10.0),
        ({"retry-after": "Mon, 30 Nov 2026 16:00:10 -0000"}, 10.0),
        ({"retry-after": "Mon Nov 30 16:00:10 2026"}, 10.0),
        ({"retry-after": "Mon, 30 Nov 2026 15:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "Mon, 01 Jan 2024 00:00:00 +99999999999999"}, None),
        ({"retry-after-ms": "a while", "retry-after": "7"}, 7.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "1e99"}, 1e99),
        ({}, None),
    ],
)
def test_retry_after_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    """R41: seconds, milliseconds, an HTTP date."""
    assert retry_after_s(headers, {}, NOW_S) == seconds
    assert said(503, headers=headers).retry_after_s == seconds


def test_googles_retry_delay_is_read() -> None:
    """R41: Google says it in the error, and sends no header."""
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}]
    fault = said(429, {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "m", "details": details})
    assert (fault.kind, fault.retry_after_s) == ("rate_limit", 34.5)
    assert retry_after_s({}, {"details": [{"retryDelay": "-3s"}]}, NOW_S) == 0.0


def test_what_is_not_tried_again_asks_for_no_wait() -> None:
    """R41: a wait belongs to a retry."""
    assert said(401, headers={"retry-after": "7"}).retry_after_s is None


@pytest.mark.parametrize(
    "error",
    [
        {"message": "m", "details": 5},
        {"message": "m", "details": ["x", None]},
        {"message": "m", "code": "²"},
        {"message": ["m"], "code": {"deep": 1}},
        "[" * 100_000,
    ],
)
def test_an_odd_error_is_still_its_status(error: Any) -> None:
    """R41: what a server writes into an error breaks nothing of ours."""
    assert said(500, error).kind == "outage"


@pytest.mark.parametrize("code", ["context_length_exceeded", "exceed_context_size_error"])
def test_a_full_context_is_told_by_its_code_within_a_stream(code: str) -> None:
    """R41: an event of a stream has no status of its own."""
    assert from_error({"code": code, "message": "too long"}).kind == "context"


@pytest.mark.parametrize("code", ["content_filter", "invalid_prompt", "cyber_policy"])
def test_a_filter_is_told_by_its_code_within_a_stream(code: str) -> None:
    """R41: the same code means the same, with HTTP 200."""
    assert from_error({"code": code, "message": "no"}).kind == "filtered"


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        (401, "blocked by content filter", "configuration"),
        (429, "blocked by content filter", "rate_limit"),
        (400, "messages.3: location is not supported in schema", "bad_request"),
        (400, "`max_new_tokens` must be strictly positive", "bad_request"),
        (400, "tool schema: token count of 3 exceeds limit for name", "bad_request"),
    ],
)
def test_words_are_read_in_their_place(status: int, message: str, kind: str) -> None:
    """R41: what another error says of itself is not taken for one of these."""
    assert said(status, {"message": message}).kind == kind
