"""The tool loop under limits: how the candidate and the claim verifier work (R15, R33).

A round is one reply that holds at least one tool call. When rounds or model calls are used up, one last
call without tools asks for the answer. A limit is no error; a provider's failure is no limit.
"""

import asyncio
import time
from dataclasses import dataclass, field, replace

from gnollbench.corpus.caps import ResultBudget, budget_notice, budget_refusal, forced_final
from gnollbench.corpus.tools import ToolResult, Toolset
from gnollbench.errors import HarnessFailure, ProviderFailure
from gnollbench.llm.failures import ContextFull, DeadlineReached
from gnollbench.llm.messages import Message, Reply, Request, ToolCall
from gnollbench.records.canonical import safe_text, strict_object
from gnollbench.records.run import Failure, FailureKind, FailureSource
from gnollbench.records.transcript import ToolUse
from gnollbench.roles.calls import CallLog


@dataclass(frozen=True, slots=True)
class AgentLimits:
    """What one question may use. Counts, seconds, characters; ``call_idle_s`` None is no limit."""

    tool_calls: int
    tool_rounds: int
    model_calls: int
    timeout_s: float
    tool_s: float
    result_cap: int
    batch_cap: int
    turn_cap: int
    call_idle_s: float | None = None


@dataclass(slots=True)
class Turn:
    """How one agentic turn went.

    ``turn_ms`` is the wall clock without the log's ``wait_ms`` (the queue, retries and their waits);
    ``tool_ms`` the wall clock of the tool batches; so model time is ``turn_ms - tool_ms`` (R38).
    """

    log: CallLog
    started: float
    text: str = ""
    finish_reason: str | None = None
    native_finish_reason: str | None = None
    limits_hit: list[str] = field(default_factory=list[str])
    failure: Failure | None = None
    turn_ms: float = 0.0
    tool_ms: float = 0.0
    tool_calls: int = 0
    tool_rounds: int = 0
    warnings: list[str] = field(default_factory=list[str])

    def deadline(self, timeout_s: float) -> float:
        """Return when a clock of so many seconds ends; it stands while a call waits."""
        return self.started + timeout_s + self.log.wait_ms / 1000

    def hit(self, limit: str) -> None:
        """Note a limit that cut the turn, once."""
        if limit not in self.limits_hit:
            self.limits_hit.append(limit)


class Agent:
    """One model with tools at one task.

    Parameters
    ----------
    toolset : Toolset
        What it may use.
    limits : AgentLimits
        The budget of each turn.
    """

    def __init__(self, toolset: Toolset, limits: AgentLimits) -> None:
        self._toolset, self._limits = toolset, limits

    async def turn(self, request: Request, log: CallLog) -> Turn:
        """Work until the model answers, a limit cuts it, or a provider fails for good."""
        turn = Turn(log, time.monotonic())
        try:
            await self._loop(turn, replace(request, idle_s=self._limits.call_idle_s))
        except DeadlineReached as cut:
            turn.text = cut.text
            turn.hit("timeout")
        except ContextFull:
            turn.hit("context")
        except ProviderFailure as failure:
            turn.failure = _failure(FailureSource.PROVIDER, failure)
        except HarnessFailure as failure:
            turn.failure = _failure(FailureSource.HARNESS, failure)
        except Exception as fault:  # ours, never booked as a provider's
            turn.failure = _failure(
                FailureSource.HARNESS, HarnessFailure("internal", f"{type(fault).__name__}: {fault}")
            )
        turn.turn_ms = max(0.0, (time.monotonic() - turn.started) * 1000 - turn.log.wait_ms)
        return turn

    async def _loop(self, turn: Turn, request: Request) -> None:
        budget = ResultBudget(self._limits.result_cap, self._limits.batch_cap, self._limits.turn_cap)
        while True:
            closing = self._closing(turn)
            if closing and turn.tool_rounds:
                request = _extended(request, Message("user", forced_final()))
            waited_s = (turn.log.wait_ms - turn.log.queued_ms) / 1000
            request = replace(request, tools_closed=closing, patience_s=self._limits.timeout_s - waited_s)
            reply = await turn.log.call(request, turn.deadline(self._limits.timeout_s))
            if closing or not reply.tool_calls:
                self._finish(turn, reply)
                return
            calls = _told_apart(reply.tool_calls, request)
            results = await self._round(turn, calls, budget)
            said = Message("assistant", reply.text, calls, carried=reply.carried)
            request = _extended(request, said, *results)

    def _closing(self, turn: Turn) -> bool:
        closing = False
        if turn.tool_rounds >= self._limits.tool_rounds:
            turn.hit("tool_rounds")
            closing = True
        if turn.log.calls + 1 >= self._limits.model_calls:
            turn.hit("model_calls")
            closing = True
        return closing

    def _finish(self, turn: Turn, reply: Reply) -> None:
        turn.text = reply.text
        turn.finish_reason, turn.native_finish_reason = reply.finish_reason, reply.native_finish_reason
        if reply.finish_reason == "length":
            turn.hit("output")
        if reply.finish_reason == "context":
            turn.hit("context")
        if reply.finish_reason == "unknown":
            turn.warnings.append(f"unknown finish reason {reply.native_finish_reason!r}")

    async def _round(self, turn: Turn, calls: tuple[ToolCall, ...], budget: ResultBudget) -> list[Message]:
        turn.tool_rounds += 1
        budget.start_round()
        started = time.monotonic()
        messages: list[Message] = []
        notified = False
        for call in calls:
            if turn.tool_calls >= self._limits.tool_calls:
                turn.hit("tool_calls")
                shown = budget_refusal(self._limits.tool_calls).content
            else:
                turn.tool_calls += 1
                shown = await self._use(turn, call, budget)
                notice = budget_notice(self._limits.tool_calls - turn.tool_calls, self._limits.tool_calls)
                if notice and not notified:
                    shown, notified = f"{shown}\n\n{notice}", True
            messages.append(Message("tool", shown, tool_call_id=call.id))
        turn.tool_ms += (time.monotonic() - started) * 1000
        return messages

    async def _use(self, turn: Turn, call: ToolCall, budget: ResultBudget) -> str:
        started = time.time()
        result = await self._result(call, turn.deadline(self._limits.timeout_s))
        shown = budget.shown(call.name, result).content
        turn.log.events.append(
            ToolUse(
                role=turn.log.line.role,
                name=call.name,
                arguments=call.arguments,
                started_s=started,
                ended_s=time.time(),
                success=result.success,
                content=result.content,
                shown=shown if shown != result.content else None,
            )
        )
        return shown

    async def _result(self, call: ToolCall, deadline: float) -> ToolResult:
        arguments = strict_object(call.arguments or "{}")
        if arguments is None:
            return ToolResult(False, f"The arguments of {call.name} are no JSON object; nothing was run.")
        seconds = min(self._limits.tool_s, deadline - time.monotonic())
        if seconds <= 0:
            raise DeadlineReached("the question's time ran out between tool calls")
        try:
            return await asyncio.wait_for(
                asyncio.to_thread(self._toolset.call, call.name, arguments), seconds
            )
        except TimeoutError:
            if time.monotonic() >= deadline:
                raise DeadlineReached("the question's time ran out in a tool call") from None
            return ToolResult(
                False, f"{call.name} took longer than {self._limits.tool_s:g} s and was stopped."
            )


def _told_apart(calls: tuple[ToolCall, ...], request: Request) -> tuple[ToolCall, ...]:
    """Return the calls with identifiers that none of the conversation's other calls has: each gets its own result."""
    taken = {call.id for message in request.messages for call in message.tool_calls}
    apart: list[ToolCall] = []
    for call in calls:
        name, times = call.id, 1
        while name in taken:
            times += 1
            name = f"{call.id}-{times}"
        taken.add(name)
        apart.append(replace(call, id=name))
    return tuple(apart)


def _extended(request: Request, *messages: Message) -> Request:
    return replace(request, messages=(*request.messages, *messages))


def _failure(source: FailureSource, failure: ProviderFailure | HarnessFailure) -> Failure:
    return Failure(
        source=source,
        kind=FailureKind(failure.kind),
        code=None if failure.code is None else safe_text(failure.code),
        message=safe_text(failure.message),
    )
