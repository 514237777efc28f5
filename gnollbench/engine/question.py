"""One question up to its answer: the crew of a run, the candidate's turn, the scrubbed text (R13, R15, R18)."""

import asyncio
from collections.abc import Coroutine, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from gnollbench.corpus.citations import resolve as resolve_citation
from gnollbench.engine.launch import Resolved, timeout_s
from gnollbench.llm.failures import NOT_DELIVERED
from gnollbench.llm.gateway import Gateway
from gnollbench.llm.messages import Reply
from gnollbench.llm.prices import Cost, cost, name_of
from gnollbench.records.canonical import safe_text
from gnollbench.records.launch import ModelConfig
from gnollbench.records.run import Answer, ExamQuestion, FailureKind, LimitHit, Role
from gnollbench.records.transcript import Transcript
from gnollbench.records.usage import sum_of
from gnollbench.roles.agent import Agent, AgentLimits, Turn
from gnollbench.roles.calls import Books, CallLog, Line
from gnollbench.roles.grading import Grader
from gnollbench.roles.scrub import scrub
from gnollbench.roles.verifier import ClaimVerifier
from gnollbench.scoring.outcomes import Integrity, integrity_of
from gnollbench.scoring.verdict import Citation, Member, ReaderMode

MEMBER_ROLES = {Member.A: Role.ASSESSOR, Member.B: Role.CO_ASSESSOR}


@dataclass(slots=True)
class Work:
    """One question in flight: the answer as it grows, and what its calls left behind."""

    question: ExamQuestion
    answer: Answer
    events: Transcript = field(default_factory=Transcript)
    warnings: list[str] = field(default_factory=list[str])
    fatal: str | None = None  # why every further call would fail too

    @property
    def gradable(self) -> bool:
        """Whether there is text to grade, and no failure stands before it."""
        return self.answer.failure is None and self.answer.integrity is not Integrity.UNANSWERED

    def put(self, **fields: object) -> None:
        """Put fields into the answer."""
        self.answer = self.answer.model_copy(update=fields)

    def book(self, log: CallLog) -> None:
        """Add a role's calls: events, notes, what they used."""
        self.events.add(log.events)
        self.warnings.extend(log.notes)
        if log.used:
            role = Role(log.line.role)
            used = sum_of(filter(None, (self.answer.usage.get(role), log.used)))
            self.put(usage={**self.answer.usage, role: used})

    @contextmanager
    def booking(self, log: CallLog) -> Generator[CallLog]:
        """Book a log's calls at the end, whatever the end is: what is canceled has been paid for too."""
        try:
            yield log
        finally:
            self.book(log)


class Crew:
    """The models of a run, each on its line."""

    def __init__(self, resolved: Resolved, gateway: Gateway) -> None:
        self._resolved, self._gateway = resolved, gateway
        self.books = Books()
        launch = resolved.launch
        self.graders = {Member(letter): Grader(model) for letter, model in launch.panel.members.items()}
        reading = launch.reader.llm is not None and self.reader_mode is not ReaderMode.OFF
        self.reader = Grader(launch.reader.llm) if reading and launch.reader.llm else None
        self.verifier = (
            ClaimVerifier(launch.verifier, launch.limits, resolved.toolset, self._unresolved)
            if launch.verifier.llm
            else None
        )

    @property
    def reader_is_blind(self) -> bool:
        """Whether the reader sees no verdict: a panel forces it (R32)."""
        launch = self._resolved.launch
        return launch.reader.blind or launch.panel.co_assessor is not None

    @property
    def reader_mode(self) -> ReaderMode:
        """The mode in effect: a panel forces all (R32)."""
        launch = self._resolved.launch
        return ReaderMode.ALL if launch.panel.co_assessor else launch.reader.mode

    def log(self, role: Role) -> CallLog:
        """Return a log of a role's calls on one piece of work."""
        patience = self._resolved.launch.patience
        return CallLog(Line(role.value, self._gateway, self._price, patience, self.books))

    def candidate(self, question: ExamQuestion) -> Agent:
        """Return the candidate's agent under the limits of a question (R15)."""
        limits = self._resolved.launch.limits
        return Agent(
            self._resolved.toolset,
            AgentLimits(
                tool_calls=limits.tool_calls,
                tool_rounds=limits.tool_rounds,
                model_calls=limits.model_calls,
                timeout_s=timeout_s(self._resolved, question),
                tool_s=limits.tool_s,
                result_cap=limits.result_cap,
                batch_cap=limits.batch_cap,
                turn_cap=limits.turn_cap,
                call_idle_s=limits.call_idle_s,
            ),
        )

    def _price(self, model: ModelConfig, reply: Reply) -> Cost:
        price = self._resolved.prices.get(name_of(model))
        return cost(price, reply.usage, reply.service_tier, model.service_tier)

    def _unresolved(self, citation: Citation) -> str | None:
        found = resolve_citation(self._resolved.library, citation, self._resolved.snapshot)
        return None if found.ok else found.reason


async def answer_question(resolved: Resolved, crew: Crew, question: ExamQuestion, log: CallLog) -> Work:
    """Let the candidate answer, and scrub what it wrote (R13, R15, R18)."""
    turn = await crew.candidate(question).turn(resolved.request(question), log)
    work = Work(question, _answer_of(question, turn, resolved.launch.limits.tool_calls))
    work.book(log)
    work.warnings.extend(f"{question.id}: {warning}" for warning in turn.warnings)
    failure = work.answer.failure
    if failure is not None and failure.kind is FailureKind.CONFIGURATION:
        work.fatal = (
            f"the candidate's provider refuses every call (see its endpoint, model, key): {failure.message}"
        )
    if failure is not None and failure.code == NOT_DELIVERED:
        work.fatal = f"the delivery check failed: {failure.message} (R16)"
    return work


async def all_of(parts: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Do all at once; where that is canceled or one breaks, end only when the others have ended too."""
    tasks = [asyncio.create_task(part) for part in parts]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _answer_of(question: ExamQuestion, turn: Turn, tool_call_budget: int) -> Answer:
    raw = safe_text(turn.text)
    scrubbed = scrub(raw)
    failed = turn.failure is not None
    return Answer(
        question=question.id,
        text="" if failed else scrubbed.text,
        raw=raw,
        integrity=integrity_of(failed, scrubbed.text, bool(turn.limits_hit), bool(scrubbed.removed)),
        failure=turn.failure,
        finish_reason=turn.native_finish_reason or turn.finish_reason,
        limits_hit=tuple(LimitHit(limit) for limit in turn.limits_hit),
        turn_ms=turn.turn_ms,
        tool_ms=turn.tool_ms,
        wait_ms=turn.log.wait_ms,
        ttft_ms=turn.log.ttft_ms,
        model_calls=turn.log.calls,
        tool_calls=turn.tool_calls,
        tool_rounds=turn.tool_rounds,
        tool_call_budget=tool_call_budget,
    )
