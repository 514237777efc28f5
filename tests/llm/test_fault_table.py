"""Every role, every fault: the state that ``docs/faults.md`` gives it, over HTTP (R26, R33, R41)."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from gnollbench.engine.run import Finished
from gnollbench.records.run import Answer as Answered
from gnollbench.records.run import RunRecord
from gnollbench.records.suite import load_suite
from tests.llm.clock import Clock
from tests.llm.runs import PROTOCOLS, behaves, has_results, role_of, run, two_questions, words
from tests.llm.wire import Answer, Reply, Said, Script, Sent, Wire, serving

pytestmark = pytest.mark.xdist_group("litellm")

PAGE = Path(__file__).parent.parent.parent / "docs" / "faults.md"
ROLES = ("candidate", "assessor", "co_assessor", "reader", "verifier", "synthesis")
PATIENCE = {
    "limits.call_idle_s": 0.3,
    "patience.call_idle_s": 0.3,
    "retries.attempts": 2,
}  # silence is waited for, so not seven times
SHORT_S = 0.6
DEADLINE_S = {"deadline, some text there": 60.0, "deadline, no text there": SHORT_S}
EMPTY = {
    "openai": {"choices": []},
    "anthropic": {"type": "message", "content": None},
    "google": {"candidates": []},
}
NULL = {"openai": {"choices": None}, "anthropic": {"type": "message"}, "google": {"candidates": None}}
CONTEXT = {
    "openai": {"message": "too long", "code": "context_length_exceeded"},
    "anthropic": {"type": "invalid_request_error", "message": "prompt is too long: 9 tokens > 8 maximum"},
    "google": {
        "code": 400,
        "status": "INVALID_ARGUMENT",
        "message": "The input token count (9) exceeds the maximum number of tokens allowed (8).",
    },
}
ABOVE = {
    "openai": {"prompt_tokens": 9, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 10}},
    "anthropic": {"input_tokens": -1, "cache_read_input_tokens": 10, "output_tokens": 5},
    "google": {"promptTokenCount": 9, "cachedContentTokenCount": 10, "candidatesTokenCount": 5},
}
NAN = {
    "openai": {"prompt_tokens": float("nan"), "completion_tokens": 5},
    "anthropic": {"input_tokens": float("nan"), "output_tokens": 5},
    "google": {"promptTokenCount": float("nan"), "candidatesTokenCount": 5},
}
WEIRD = {"openai": "zorro", "anthropic": "pause_turn", "google": "OTHER"}


def failing(status: int, headers: dict[str, str] | None = None, **error: Any) -> Script:
    return lambda _: Answer({"error": {"message": "no", **error}}, status, headers or {})


def at_first(times: int, reply: Reply) -> Callable[[], Script]:
    def fresh() -> Script:
        left = [reply] * times
        return lambda sent: left.pop() if left else behaves(sent)

    return fresh


def but(**fields: Any) -> Script:
    """Behave, but for some fields of each reply."""
    return lambda sent: replace(behaves(sent), **fields)


def by_protocol(bodies: dict[str, Any], field: str | None = None) -> Script:
    if field is None:
        return lambda sent: Answer(bodies[sent.protocol])
    return lambda sent: replace(behaves(sent), **{field: bodies[sent.protocol]})


def calling(*calls: tuple[str, str]) -> Script:
    """Make these calls first, then do the work."""
    return lambda sent: behaves(sent) if has_results(sent) else Said(None, calls)


def dated(seconds: float) -> Script:
    return lambda _: Answer(
        {"error": {"message": "no"}}, 429, {"retry-after": formatdate(time.time() + seconds)}
    )


FAULTS: dict[str, Script | Callable[[], Script]] = {
    "429, Retry-After in seconds": failing(429, {"retry-after": "7"}),
    "429, Retry-After as a date": dated(7),
    "429, Retry-After 0": failing(429, {"retry-after": "0"}),
    "429, Retry-After negative": failing(429, {"retry-after": "-3"}),
    "429, Retry-After absent": failing(429),
    "429 twice, then a reply": at_first(2, Answer({"error": {"message": "no"}}, 429, {"retry-after": "7"})),
    "529": failing(529),
    "500": failing(500),
    "503, then a reply": at_first(1, Answer({"error": {"message": "no"}}, 503)),
    "401": failing(401),
    "400, wrong request": failing(400),
    "400, context window full": lambda sent: Answer({"error": CONTEXT[sent.protocol]}, 400),
    "400, content filter": failing(400, code="content_filter"),
    "200 with an error body": failing(200),
    "200 with an error body that names a code": failing(200, type="overloaded_error"),
    "no JSON": lambda _: Answer("out of order"),
    "no choice": by_protocol(EMPTY),
    "choices null": by_protocol(NULL),
    "connection reset at once": but(ending="refuse"),
    "stream reset midway": but(ending="reset"),
    "stream ends midway": but(ending="eof"),
    "stream hangs midway": but(ending="hang"),
    "no byte at all": but(delay_s=3.0),
    "deadline, some text there": but(ending="hang"),
    "deadline, no text there": but(delay_s=3.0),
    "output limit, with text": but(text="Half a th", calls=(), reason="length"),
    "output limit, without text": but(text=None, calls=(), reason="length"),
    "filtered, with text": but(text="I will not.", calls=(), reason="refused"),
    "filtered, without text": but(text=None, calls=(), reason="refused"),
    "null content on a normal stop": but(text=None, calls=()),
    "unknown finish reason, with text": by_protocol(WEIRD, "reason"),
    "unknown finish reason, without text": lambda sent: replace(
        behaves(sent), text=None, calls=(), reason=WEIRD[sent.protocol]
    ),
    "no usage": but(usage=None),
    "usage with more cached than prompt": by_protocol(ABOVE, "usage"),
    "usage NaN": by_protocol(NAN, "usage"),
    'tool arguments `{}""`': calling(("wiki_search", '{}""')),
    "tool arguments cut": calling(("wiki_search", '{"query": "li')),
    "tool arguments a list": calling(("wiki_search", '["lich"]')),
    "three parallel calls, one of an unknown tool": calling(
        ("wiki_search", '{"query": "lich"}'), ("no_such_tool", "{}"), ("wiki_search", '{"query": "imp"}')
    ),
}
SILENT = {"stream hangs midway", "no byte at all"}
STATUS = {
    "clean": "completed",
    "unanswered": "completed",
    "provider": "completed_with_errors",
    "harness": "completed_with_errors",
    "verdict": "completed",
    "unscored": "completed_with_errors",
    "reading": "completed",
    "missing": "completed_with_errors",
    "ruled": "completed",
    "left": "completed",
    "written": "completed",
}


def table() -> dict[str, dict[str, str]]:
    """The page's table, by fault and role."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    header, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    names = [name.replace("-", "_") for name in header]
    return {row[0]: dict(zip(names[1:], row[1:], strict=True)) for row in rows}


def cases() -> Iterator[Any]:
    for fault, states in table().items():
        for role in ROLES:
            if states[role] != "–":
                for protocol in EMPTY if role == "candidate" else [PROTOCOLS.get(role, "openai")]:
                    yield pytest.param(role, protocol, fault, states[role], id=f"{role}-{protocol}-{fault}")


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with serving(Said()) as server:
        yield server


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def broken_run(wire: Wire, folder: Path, clock: Clock, role: str, fault: str, **protocols: str) -> Finished:
    """Run two questions, on the first of which one role suffers a fault."""
    found = FAULTS[fault]
    script = found() if found.__code__.co_argcount == 0 else found
    first = json.dumps(load_suite(two_questions()).questions[0].text)[1:-1]
    struck: list[dict[str, Any]] = []

    def breaks(sent: Sent) -> Reply:
        if role_of(sent) != role or (role != "synthesis" and first not in json.dumps(sent.body)):
            return behaves(sent)
        struck.append(sent.body)
        return script(sent)

    wire.script = breaks
    wire.requests.clear()
    settings: dict[str, Any] = {"suite.path": f"'{two_questions()}'"}
    if fault in SILENT:
        settings |= PATIENCE
    if role == "verifier" and fault in (*SILENT, *DEADLINE_S):
        settings |= {"verifier.timeout_s": SHORT_S}
    elif fault in DEADLINE_S:
        band = {
            f"limits.timeout_s.{band}": DEADLINE_S[fault] for band in ("simple", "intermediate", "advanced")
        }
        settings |= band if role == "candidate" else {"patience.call_s": DEADLINE_S[fault]}
    if role != "verifier" and fault == "deadline, some text there":
        settings |= {"concurrency.calls_per_provider": 1}  # the jump is to cut no other call
        clock.jump_at_text(DEADLINE_S[fault], struck)
    overrides = (f"{name}={value}" for name, value in settings.items())
    return run(folder, (*words(wire.url, role, **protocols), *overrides), sleep=clock.sleep)


@pytest.mark.parametrize(("role", "protocol", "fault", "state"), list(cases()))
def test_fault(
    role: str,
    protocol: str,
    fault: str,
    state: str,
    wire: Wire,
    clock: Clock,
    tmp_path: Path,
) -> None:
    """R41: each fault ends in its state, for whomever it befalls."""
    spoken = {"candidate": protocol} if role == "candidate" else {}
    record = broken_run(wire, tmp_path, clock, role, fault, **spoken).record
    assert state_of(role, record) == state
    gone = fault == "401" and role in {"candidate", "assessor", "co_assessor"}
    limited = "completed_with_limits" if state.startswith(("limit ", "unanswered, limit ")) else None
    assert record.run.status == ("failed" if gone else limited or STATUS[state.split()[0]])
    if state.split()[0] in {"provider", "harness"}:
        assert not record.answers[0].verdicts
    assert (record.results is None) is (gone or state.startswith("provider"))


def state_of(role: str, record: RunRecord) -> str:
    answer = record.answers[0]
    if role == "candidate":
        return candidate_state(answer)
    if role in {"assessor", "co_assessor"}:
        letter = {"assessor": "a", "co_assessor": "b"}[role]
        return "verdict" if letter in answer.verdicts else f"unscored {answer.unscored[letter].code}"
    if role == "reader":
        return "reading" if answer.reader else f"missing {answer.unscored['reader'].code}"
    if role == "verifier":
        return "ruled" if [claim.reason for claim in answer.claims] == ["no page says"] else "left open"
    synthesis = next(found for found in record.syntheses if found.member == "a")
    return f"missing {synthesis.unscored.code}" if synthesis.unscored else "written"


def candidate_state(answer: Answered) -> str:
    if answer.failure is not None:
        assert answer.integrity == "transport_defect"
        return f"{answer.failure.source} {answer.failure.kind}"
    if answer.integrity == "harness_limit":
        return f"limit {answer.limits_hit[0]}"
    limit = f", limit {answer.limits_hit[0]}" if answer.limits_hit else ""
    return f"{answer.integrity}{limit}"


def test_the_page_and_the_faults_are_the_same() -> None:
    """The documentation lists what is tested, and nothing else."""
    assert list(table()) == list(FAULTS)
    assert tuple(next(iter(table().values()))) == ROLES


@pytest.mark.parametrize(
    ("fault", "pauses"),
    [
        ("429, Retry-After in seconds", [7.0] * 6),
        ("429, Retry-After 0", [0.0] * 6),
        ("429, Retry-After negative", [0.0] * 6),
        ("429, Retry-After absent", [1.0, 5.0, 10.0, 20.0, 30.0, 60.0]),
        ("529", [1.0, 5.0, 10.0, 20.0, 30.0, 60.0]),
        ("503, then a reply", [1.0]),
        ("401", []),
        ("400, wrong request", []),
        ("stream ends midway", [1.0, 5.0, 10.0, 20.0, 30.0, 60.0]),
    ],
)
def test_waits_between_attempts(
    fault: str, pauses: list[float], wire: Wire, clock: Clock, tmp_path: Path
) -> None:
    """R41: seven attempts with growing waits, or as the provider asks."""
    broken_run(wire, tmp_path, clock, "candidate", fault)
    assert clock.pauses == pauses


def test_a_date_is_waited_for(wire: Wire, clock: Clock, tmp_path: Path) -> None:
    """R41: a date in seven seconds is a wait of some seven seconds."""
    broken_run(wire, tmp_path, clock, "candidate", "429, Retry-After as a date")
    assert len(clock.pauses) == 6
    assert all(5.0 <= pause <= 7.0 for pause in clock.pauses)


def test_a_long_wait_is_capped(wire: Wire, clock: Clock, tmp_path: Path, monkeypatch: Any) -> None:
    """R41: an hour is not waited for; four waits of 90 seconds fit into 420."""
    monkeypatch.setitem(FAULTS, "529", failing(429, {"retry-after": "3600"}))
    finished = broken_run(wire, tmp_path, clock, "candidate", "529")
    assert clock.pauses == [90.0] * 4
    assert candidate_state(finished.record.answers[0]) == "provider rate_limit"


def test_waits_are_neither_model_nor_tool_time(wire: Wire, clock: Clock, tmp_path: Path) -> None:
    """R38: fourteen seconds of waiting stand apart from a turn of less than ten."""
    answer = broken_run(wire, tmp_path, clock, "candidate", "429 twice, then a reply").record.answers[0]
    assert answer.wait_ms >= 14_000
    assert answer.turn_ms < 10_000
    assert answer.ttft_ms is not None
    assert answer.ttft_ms < answer.turn_ms


@pytest.mark.parametrize("fault", ["no usage", "usage with more cached than prompt", "usage NaN"])
def test_usage_that_is_none_makes_no_cost(fault: str, wire: Wire, clock: Clock, tmp_path: Path) -> None:
    """R39: the answer stands, its cost is unknown, and the record says why."""
    record = broken_run(wire, tmp_path, clock, "candidate", fault).record
    assert record.answers[0].usage["candidate"].usd is None
    assert any("usage" in warning and warning.startswith("candidate") for warning in record.run.warnings)


def test_a_call_that_the_clock_cut_has_an_unknown_cost(wire: Wire, clock: Clock, tmp_path: Path) -> None:
    """R39: the provider charges for it, and nobody says what."""
    record = broken_run(wire, tmp_path, clock, "candidate", "deadline, some text there").record
    assert record.answers[0].text
    assert record.answers[0].usage["candidate"].input_tokens is None
    assert any("cut by the deadline" in warning for warning in record.run.warnings)


def test_parallel_calls_are_answered_one_for_one(wire: Wire, clock: Clock, tmp_path: Path) -> None:
    """R15: the unknown tool too, in its place; all three count."""
    fault = "three parallel calls, one of an unknown tool"
    answer = broken_run(wire, tmp_path, clock, "candidate", fault).record.answers[0]
    assert (answer.tool_calls, answer.tool_rounds) == (3, 1)
    results = [message for message in wire.received[1]["messages"] if message["role"] == "tool"]
    assert [result["tool_call_id"] for result in results] == ["call_0", "call_1", "call_2"]
    assert "no_such_tool" in results[1]["content"]
