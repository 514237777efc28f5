"""One question, end to end: answer, scrub, grade, verify, read, flag (R17, R36).

Nothing here moves a score. Verdicts and rulings are put into the record; scoring reads them from there.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from gnollbench.corpus.citations import resolve as resolve_citation
from gnollbench.engine.launch import SCORING_METHOD, Resolved, timeout_s
from gnollbench.llm.gateway import Gateway
from gnollbench.llm.messages import Reply
from gnollbench.llm.prices import cost_usd, name_of
from gnollbench.records.canonical import safe_text
from gnollbench.records.launch import ModelConfig
from gnollbench.records.run import Answer, ExamQuestion, FailureKind, LimitHit, Mode, Role, Usage
from gnollbench.records.scores import Rules, count
from gnollbench.records.transcript import Event
from gnollbench.roles.agent import Agent, AgentLimits, Turn
from gnollbench.roles.calls import CallLog, Line, Spent
from gnollbench.roles.grading import Grader, Material
from gnollbench.roles.scrub import scrub
from gnollbench.roles.verifier import ClaimVerifier, gather
from gnollbench.scoring.flags import flags_of, triggers_of
from gnollbench.scoring.outcomes import Integrity, integrity_of
from gnollbench.scoring.profile import method_of
from gnollbench.scoring.quality import occurs
from gnollbench.scoring.verdict import Citation, Claim, FlagName, Member, ReaderMode, Trigger, Verdict

MEMBER_ROLES = {Member.A: Role.ASSESSOR, Member.B: Role.CO_ASSESSOR}


@dataclass(slots=True)
class Work:
    """One question in flight: the answer as it grows, and what its calls left behind."""

    question: ExamQuestion
    answer: Answer
    events: list[Event] = field(default_factory=list[Event])
    served: dict[Role, list[str]] = field(default_factory=dict[Role, list[str]])
    warnings: list[str] = field(default_factory=list[str])
    fatal: str | None = None  # why every further call would fail too

    @property
    def gradable(self) -> bool:
        """Whether there is text to grade, and no failure stands before it."""
        return self.answer.failure is None and self.answer.integrity is not Integrity.UNANSWERED

    def book(self, role: Role, log: CallLog) -> None:
        """Add a role's calls: events, tokens, the models that were served."""
        self.events.extend(log.events)
        served = self.served.setdefault(role, [])
        served.extend(name for name in log.served if name not in served)
        if log.spent:
            self.answer = _with(self.answer, usage={**self.answer.usage, role: usage_of(log.spent)})


class Crew:
    """The models of a run, each on its line."""

    def __init__(self, resolved: Resolved, gateway: Gateway) -> None:
        self._resolved, self._gateway = resolved, gateway
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
    def reader_mode(self) -> ReaderMode:
        """The mode in effect: a panel forces all (R32)."""
        launch = self._resolved.launch
        return ReaderMode.ALL if launch.panel.co_assessor else launch.reader.mode

    def line(self, role: Role) -> Line:
        """Return the line of a role."""
        return Line(role.value, self._gateway, self._price)

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
            ),
        )

    def _price(self, model: ModelConfig, reply: Reply) -> float | None:
        return cost_usd(self._resolved.prices.get(name_of(model)), reply.usage, reply.service_tier)

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
    return work


async def grade_answer(resolved: Resolved, crew: Crew, work: Work) -> None:
    """Grade an answer by every member at once and blind, verify, flag, read where due (R17)."""
    material = Material(
        question=work.question.text,
        rubric=work.question.rubric,
        answer=work.answer.text,
        snapshot=resolved.snapshot,
    )
    members = list(crew.graders)
    results = await asyncio.gather(*(crew.graders[member].grade(material) for member in members))
    verdicts: dict[Member, Verdict] = {}
    unscored = dict(work.answer.unscored)
    for member, result in zip(members, results, strict=True):
        work.book(MEMBER_ROLES[member], result.log)
        if result.verdict is not None:
            verdicts[member] = with_quote_checked(result.verdict, work.answer.text)
        elif result.unscored is not None:
            unscored[member.value] = result.unscored
        if result.fatal:
            work.fatal = f"a grader's provider refuses every call: {unscored[member.value].message}"
    work.answer = _with(work.answer, verdicts=verdicts, unscored=unscored)
    await _verify(resolved, crew, work)
    flags = flags_of(verdicts, work.answer.claims, work.answer.text)
    work.answer = _with(work.answer, flags=flags)
    if len(verdicts) == len(members):
        triggers = due_triggers(resolved, work.question, work.answer)
        immediate = crew.reader_mode is ReaderMode.ALL or bool(triggers)
        if crew.reader_mode is ReaderMode.ALL:
            triggers = (*triggers, Trigger.ALL)
        if crew.reader is not None and immediate:
            await read_answer(resolved, crew, work, triggers)


async def read_answer(resolved: Resolved, crew: Crew, work: Work, triggers: tuple[Trigger, ...]) -> None:
    """Have the reader grade an answer, blind, with the verifier's findings (R31, R32)."""
    if crew.reader is None:
        return
    material = Material(
        question=work.question.text,
        rubric=work.question.rubric,
        answer=work.answer.text,
        snapshot=resolved.snapshot,
        findings=findings_of(work.answer.claims),
    )
    result = await crew.reader.grade(material)
    work.book(Role.READER, result.log)
    work.answer = _with(work.answer, triggers=triggers)
    if result.verdict is not None:
        work.answer = _with(work.answer, reader=with_quote_checked(result.verdict, work.answer.text))
    elif result.unscored is not None:
        work.answer = _with(work.answer, unscored={**work.answer.unscored, "reader": result.unscored})


def due_triggers(resolved: Resolved, question: ExamQuestion, answer: Answer) -> tuple[Trigger, ...]:
    """Return the triggers that a graded answer fires by itself (R31)."""
    launch = resolved.launch
    rules = Rules(Mode(launch.panel.mode), method_of(SCORING_METHOD), launch.profile)
    counted = count(question, answer, rules)
    if counted is None:
        return ()  # a member's verdict is missing: nothing to read a second time
    quality = counted.score.quality
    return triggers_of(answer.verdicts, answer.claims, answer.text, quality, launch.profile.reader)


def findings_of(claims: Iterable[Claim]) -> tuple[str, ...]:
    """Return the verifier's findings as the reader sees them: no member, no verdict."""
    return tuple(
        safe_text(f"{claim.ruling.value}: “{' '.join(claim.quote.split())}” {claim.reason}".strip())
        for claim in claims
    )


def with_quote_checked(verdict: Verdict, text: str) -> Verdict:
    """Return the verdict with ``critical_error.found`` as the harness sees it (R21)."""
    error = verdict.critical_error
    if error is None:
        return verdict
    checked = error.model_copy(update={"found": occurs(error.quote, text)})
    return verdict.model_copy(update={"critical_error": checked})


def usage_of(spent: Iterable[Spent]) -> Usage:
    """Add up a role's calls; a sum with an unknown part is unknown (R39)."""
    calls = list(spent)
    tiers = {call.service_tier for call in calls}
    return Usage(
        input_tokens=tokens(call.usage.input_tokens for call in calls),
        cached_tokens=tokens(call.usage.cached_tokens for call in calls),
        output_tokens=tokens(call.usage.output_tokens for call in calls),
        reasoning_tokens=tokens(call.usage.reasoning_tokens for call in calls),
        service_tier=tiers.pop() if len(tiers) == 1 else None,
        usd=total(call.usd for call in calls),
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


async def _verify(resolved: Resolved, crew: Crew, work: Work) -> None:
    answer = work.answer
    early = flags_of(answer.verdicts, (), answer.text)
    contested = any(flag.name is FlagName.CONTESTED_VERDICT for flag in early)
    items = gather(answer.verdicts, contested)
    if crew.verifier is None or not items:
        return
    claims, turn = await crew.verifier.verify(work.question.text, resolved.snapshot, items)
    work.book(Role.VERIFIER, turn.log)
    work.answer = _with(work.answer, claims=tuple(claims))
    if turn.failure is not None:
        work.warnings.append(f"{work.question.id}: the claim verifier failed ({turn.failure.kind})")


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


def _with(answer: Answer, **fields: object) -> Answer:
    return answer.model_copy(update=fields)
