"""A role's model calls on one piece of work, each recorded: what was said, what it took, what it cost."""

import time
from asyncio import CancelledError
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from gnollbench.errors import ProviderFailure
from gnollbench.llm.failures import DeadlineReached
from gnollbench.llm.gateway import Gateway
from gnollbench.llm.messages import Reply, Request
from gnollbench.llm.prices import Cost
from gnollbench.records.launch import ModelConfig, Patience
from gnollbench.records.run import Usage
from gnollbench.records.transcript import Event, ModelCall
from gnollbench.records.usage import sum_of

Pricing = Callable[[ModelConfig, Reply], Cost]


@dataclass(slots=True)
class Books:
    """What all calls of a run came to so far, by role, finished or cut.

    Attributes
    ----------
    dearest : dict of str to float
        The price of a role's dearest call so far, in US dollars.
    told : set of str
        What was already noted, so that a run says the same of a role once.
    """

    used: dict[str, Usage] = field(default_factory=dict[str, Usage])
    dearest: dict[str, float] = field(default_factory=dict[str, float])
    served: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    told: set[str] = field(default_factory=set[str])


@dataclass(frozen=True, slots=True)
class Line:
    """How a role reaches its model: the role's name, the gateway, what a reply costs, how long to wait for it."""

    role: str
    gateway: Gateway
    price: Pricing
    patience: Patience
    books: Books = field(default_factory=Books)


@dataclass(slots=True)
class CallLog:
    """The calls of one conversation, in order.

    Attributes
    ----------
    ttft_ms : float or None
        From the conversation's start to the first visible text, without ``wait_ms``; None where no call
        was streamed.
    used : Usage or None
        What the calls used, as their provider stated it; None where none is charged for.
    notes : list of str
        What is to be warned of, once a run: another model than asked, usage or price unknown.
    """

    line: Line
    events: list[Event] = field(default_factory=list[Event])
    used: Usage | None = None
    notes: list[str] = field(default_factory=list[str])
    wait_ms: float = 0.0
    queued_ms: float = 0.0
    ttft_ms: float | None = None
    calls: int = 0
    _started: float = field(default_factory=time.monotonic)
    _recorded: int = 0

    async def call(self, request: Request, deadline: float) -> Reply:
        """Call the model and record it, a failed call too; errors are the gateway's."""
        self.calls += 1
        started, began_ms = time.time(), (time.monotonic() - self._started) * 1000
        try:
            reply = await self.line.gateway.complete(request, deadline)
        except BaseException as error:
            self._record(request, None, {"type": type(error).__name__, "message": str(error)}, started)
            if isinstance(error, CancelledError):
                self._unknown("a call was cut as the run was canceled")
            elif isinstance(error, DeadlineReached | ProviderFailure):
                self._broken_off(error)
            raise
        cost = self.line.price(request.model, reply)
        self._record(request, reply, None, started, cost.usd)
        if self.ttft_ms is None and reply.ttft_ms is not None:
            self.ttft_ms = began_ms - self.wait_ms + reply.ttft_ms
        self.wait_ms += reply.wait_ms
        self.queued_ms += reply.queued_ms
        for _ in range(reply.lost_attempts):
            self._unknown("a reply broke off")
        self._book(
            Usage(
                input_tokens=reply.usage.input_tokens,
                cached_tokens=reply.usage.cached_tokens,
                cache_write_tokens=reply.usage.cache_write_tokens,
                output_tokens=reply.usage.output_tokens,
                reasoning_tokens=reply.usage.reasoning_tokens,
                service_tier=reply.service_tier,
                usd=cost.usd,
            )
        )
        self._note(request.model, reply, cost)
        return reply

    async def call_patiently(self, request: Request) -> Reply:
        """Call the model of a role that no question's clock cuts."""
        patience = self.line.patience
        request = replace(request, idle_s=patience.call_idle_s)
        return await self.call(request, time.monotonic() + patience.call_s)

    def _broken_off(self, error: DeadlineReached | ProviderFailure) -> None:
        """Book a call that ended without a reply."""
        self.wait_ms += error.wait_ms
        if isinstance(error, DeadlineReached):
            self._unknown("a call was cut by the deadline")
        elif error.heard:
            self._unknown("a reply broke off")

    def _unknown(self, why: str) -> None:
        """Book what a provider charges for, where nobody says how much."""
        self._book(Usage())
        self._tell(f"{why}: its usage is unknown, and so is its cost")

    def _book(self, used: Usage) -> None:
        books, role = self.line.books, self.line.role
        self.used = sum_of(filter(None, (self.used, used)))
        books.used[role] = sum_of(filter(None, (books.used.get(role), used)))
        if used.usd is not None:
            books.dearest[role] = max(used.usd, books.dearest.get(role, 0.0))

    def _note(self, model: ModelConfig, reply: Reply, cost: Cost) -> None:
        served, before = reply.served_model, self.line.books.served.setdefault(self.line.role, [])
        if served and served not in before:
            before.append(served)
        if served and not model.embedded and served.removeprefix("models/") != model.model:
            self._tell(f"asked for {model.model}, served {served}")
        if reply.problem:
            self._tell(f"{reply.problem}: its cost is unknown")
        elif cost.reason:
            self._tell(f"the cost is unknown: {cost.reason} ({model.provider}/{model.model})")

    def _tell(self, note: str) -> None:
        named = f"{self.line.role}: {note}"
        if named not in self.line.books.told:
            self.line.books.told.add(named)
            self.notes.append(named)

    def _record(
        self,
        request: Request,
        reply: Reply | None,
        failure: dict[str, str] | None,
        started: float,
        usd: float | None = None,
    ) -> None:
        self.events.append(
            ModelCall(
                role=self.line.role,
                provider=request.model.provider,
                model=request.model.model,
                started_s=started,
                ended_s=time.time(),
                messages=tuple(message.as_dict() for message in request.messages[self._recorded :]),
                reply=reply,
                failure=failure,
                usd=usd,
            )
        )
        self._recorded = len(request.messages)
