"""One question up to its answer: the crew of a run, the candidate's turn, the scrubbed text (R13, R15, R18)."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from gnollbench.corpus.citations import resolve as resolve_citation
from gnollbench.engine.launch import Resolved, timeout_s
from gnollbench.llm.failures import NOT_DELIVERED
from gnollbench.llm.gateway import Gateway
from gnollbench.llm.messages import Reply
from gnollbench.llm.prices import Cost, cost, name_of
from gnollbench.records.canonical import safe_text
from gnollbench.records.launch import ModelConfig
from gnollbench.records.run import Answer, ExamQuestion, FailureKind, LimitHit, Role, Usage
from gnollbench.records.transcript import Transcript
from gnollbench.roles.agent import Agent, AgentLimits, Turn
from gnollbench.roles.calls import CallLog, Line, Spent
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
    served: dict[Role, list[str]] = field(default_factory=dict[Role, list[str]])
    warnings: list[str] = field(default_factory=list[str])
    fatal: str | None = None  # why every further call would fail too

    @property
    def gradable(self) -> bool:
        """Whether there is text to grade, and no failure stands before it."""
        return self.answer.failure is None and self.answer.integrity is not Integrity.UNANSWERED

    def put(self, **fields: object) -> None:
        """Put fields into the answer."""
        self.answer = self.answer.model_copy(update=fields)

    def book(self, role: Role, log: CallLog) -> None:
        """Add a role's calls: events, notes, tokens, the models that were served."""
        self.events.add(log.events)
        self.warnings.extend(log.notes)
        served = self.served.setdefault(role, [])
        served.extend(name for name in log.served if name not in served)
        if log.spent:
            before = self.answer.usage.get(role)
            used = sum_of_usages([*([before] if before else []), usage_of(log.spent)])
            self.put(usage={**self.answer.usage, role: used})


class Crew:
    """The models of a run, each on its line."""

    def __init__(self, resolved: Resolved, gateway: Gateway) -> None:
        self._resolved, self._gateway = resolved, gateway
        self._told: set[str] = set()
        launch = resolved.launch
        self.graders = {
            Member(letter): Grader(self.line(MEMBER_ROLES[Member(letter)]), model)
            for letter, model in launch.panel.members.items()
        }
        reading = launch.reader.llm is not None and self.reader_mode is not ReaderMode.OFF
        self.reader = (
            Grader(self.line(Role.READER), launch.reader.llm) if reading and launch.reader.llm else None
        )
        self.verifier = (
            ClaimVerifier(
                self.line(Role.VERIFIER), launch.verifier, launch.limits, resolved.toolset, self._unresolved
            )
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

    def line(self, role: Role) -> Line:
        """Return the line of a role."""
        return Line(role.value, self._gateway, self._price, self._resolved.launch.patience, self._told)

    def candidate(self, question: ExamQuestion) -> Agent:
        """Return the candidate's agent under the limits of a question (R15)."""
        limits = self._resolved.launch.limits
        return Agent(
            self.line(Role.CANDIDATE),
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


async def answer_question(resolved: Resolved, crew: Crew, question: ExamQuestion) -> Work:
    """Let the candidate answer, and scrub what it wrote (R13, R15, R18)."""
    turn = await crew.candidate(question).turn(resolved.request(question))
    work = Work(question, _answer_of(question, turn, resolved.launch.limits.tool_calls))
    work.book(Role.CANDIDATE, turn.log)
    work.warnings.extend(f"{question.id}: {warning}" for warning in turn.warnings)
    failure = work.answer.failure
    if failure is not None and failure.kind is FailureKind.CONFIGURATION:
        work.fatal = f"the candidate's provider refuses every call: {failure.message}"
    if failure is not None and failure.code == NOT_DELIVERED:
        work.fatal = f"the delivery check failed: {failure.message} (R16)"
    return work


def usage_of(spent: Iterable[Spent]) -> Usage:
    """Add up a role's calls."""
    return sum_of_usages(
        Usage(
            input_tokens=call.usage.input_tokens,
            cached_tokens=call.usage.cached_tokens,
            cache_write_tokens=call.usage.cache_write_tokens,
            output_tokens=call.usage.output_tokens,
            reasoning_tokens=call.usage.reasoning_tokens,
            service_tier=call.service_tier,
            usd=call.usd,
        )
        for call in spent
    )


def sum_of_usages(parts: Iterable[Usage]) -> Usage:
    """Add up what was used; a sum with an unknown part is unknown (R39)."""
    used = list(parts)
    tiers = {part.service_tier for part in used}
    return Usage(
        input_tokens=tokens(part.input_tokens for part in used),
        cached_tokens=tokens(part.cached_tokens for part in used),
        cache_write_tokens=tokens(part.cache_write_tokens for part in used),
        output_tokens=tokens(part.output_tokens for part in used),
        reasoning_tokens=tokens(part.reasoning_tokens for part in used),
        service_tier=tiers.pop() if len(tiers) == 1 else None,
        usd=total(part.usd for part in used),
    )


def total(parts: Iterable[float | None]) -> float | None:
    """Add up; a sum with an unknown part is unknown."""
    listed = list(parts)
    known = [part for part in listed if part is not None]
    return sum(known) if len(known) == len(listed) else None


def tokens(parts: Iterable[int | None]) -> int | None:
    """Add up token counts; a sum with an unknown part is unknown."""
    count = total(parts)
    return None if count is None else int(count)


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
