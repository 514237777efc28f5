"""A role's model calls on one piece of work, each recorded: what was said, what it took, what it cost."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from gnollbench.llm.gateway import Gateway
from gnollbench.llm.messages import Reply, Request, Usage
from gnollbench.records.launch import ModelConfig
from gnollbench.records.transcript import Event, ModelCall

Pricing = Callable[[ModelConfig, Reply], float | None]


@dataclass(frozen=True, slots=True)
class Line:
    """How a role reaches its model: the role's name, the gateway, and what a reply costs in USD."""

    role: str
    gateway: Gateway
    price: Pricing


@dataclass(frozen=True, slots=True)
class Spent:
    """What one model call used, as its provider stated it; ``usd`` None is unknown (R39)."""

    usage: Usage
    service_tier: str | None
    usd: float | None


@dataclass(slots=True)
class CallLog:
    """The calls of one conversation, in order."""

    line: Line
    events: list[Event] = field(default_factory=list[Event])
    spent: list[Spent] = field(default_factory=list[Spent])
    served: list[str] = field(default_factory=list[str])
    wait_ms: float = 0.0
    ttft_ms: float | None = None
    calls: int = 0
    _recorded: int = 0

    async def call(self, request: Request, deadline: float) -> Reply:
        """Call the model and record it, a failed call too; errors are the gateway's."""
        self.calls += 1
        started = time.time()
        try:
            reply = await self.line.gateway.complete(request, deadline)
        except BaseException as error:
            self._record(request, None, {"type": type(error).__name__, "message": str(error)}, started)
            raise
        self._record(request, reply, None, started)
        self._add_up(request, reply)
        return reply

    def _record(
        self, request: Request, reply: Reply | None, failure: dict[str, str] | None, started: float
    ) -> None:
        self.events.append(
            ModelCall(
                role=self.line.role,
                provider=request.model.provider,
                model=request.model.model,
                started_s=started,
                ended_s=time.time(),
                messages=tuple(message.as_dict() for message in request.messages[self._recorded :]),
                reply=asdict(reply) if reply else None,
                failure=failure,
                usd=self.line.price(request.model, reply) if reply else None,
            )
        )
        self._recorded = len(request.messages)

    def _add_up(self, request: Request, reply: Reply) -> None:
        self.spent.append(Spent(reply.usage, reply.service_tier, self.line.price(request.model, reply)))
        self.wait_ms += reply.wait_ms
        self.ttft_ms = reply.ttft_ms if self.ttft_ms is None else self.ttft_ms
        if reply.served_model and reply.served_model not in self.served:
            self.served.append(reply.served_model)
