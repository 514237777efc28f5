"""One tiny request to a model, as a run would make it: with a tool on offer, under all its settings."""

import time
from dataclasses import dataclass

from gnollbench.errors import HarnessFailure, ProviderFailure
from gnollbench.llm.failures import ContextFull, DeadlineReached
from gnollbench.llm.gateway import SAMPLE_TOOL, Gateway
from gnollbench.llm.messages import Message, Reply, Request
from gnollbench.llm.prices import cost
from gnollbench.records.launch import ModelConfig, Price

PATIENCE_S = 120.0  # a model at its highest effort thinks even about this
_WORDS = (Message("system", "You are asked whether you can be reached."), Message("user", "Answer with OK."))


@dataclass(frozen=True, slots=True)
class Ping:
    """Whether a model answered, and in words what came back and what it cost."""

    answered: bool
    detail: str


async def ping(gateway: Gateway, model: ModelConfig, price: Price | None) -> Ping:
    """Send one request; what goes wrong is told, not raised."""
    started = time.monotonic()
    try:
        reply = await gateway.complete(Request(model, _WORDS, (SAMPLE_TOOL,)), started + PATIENCE_S)
    except (ProviderFailure, HarnessFailure) as failure:
        return Ping(False, str(failure))
    except (DeadlineReached, ContextFull) as limit:
        return Ping(False, f"no answer: {limit}")
    return Ping(True, _told(model, reply, (time.monotonic() - started) * 1000, price))


def _told(model: ModelConfig, reply: Reply, took_ms: float, price: Price | None) -> str:
    usage, spent = reply.usage, cost(price, reply.usage, reply.service_tier, model.service_tier)
    said = " ".join(reply.text.split())[:40]
    parts = [
        f"{said!r} ({reply.native_finish_reason or reply.finish_reason}) in {took_ms:.0f} ms",
        f"first text after {reply.ttft_ms:.0f} ms" if reply.ttft_ms is not None else "",
        f"served by {reply.served_model}" if reply.served_model else "the served model is not named",
        f"tier {reply.service_tier}" if reply.service_tier else "",
        f"{_count(usage.input_tokens)} tokens in, {_count(usage.output_tokens)} out",
        f"${spent.usd:.6f}" if spent.usd is not None else f"cost unknown: {spent.reason}",
    ]
    return ", ".join(filter(None, parts))


def _count(tokens: int | None) -> str:
    return "unknown" if tokens is None else str(tokens)
