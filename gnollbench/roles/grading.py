"""The grading form as it is sent to assessor, co-assessor and reader, and what comes back (R17, R28, R29, R31)."""

from dataclasses import dataclass, replace

from gnollbench.errors import HarnessFailure, ProviderFailure
from gnollbench.llm.failures import ContextFull, DeadlineReached
from gnollbench.llm.messages import Message, Reply, Request
from gnollbench.records.launch import ModelConfig
from gnollbench.records.run import Unscored, UnscoredCode
from gnollbench.records.suite import Rubric
from gnollbench.roles.calls import CallLog
from gnollbench.roles.reply_json import NoReplyObject
from gnollbench.roles.templates import render
from gnollbench.roles.untrusted import fence_mark, one_line, visible
from gnollbench.roles.verdicts import form_json, form_schema, read_verdict
from gnollbench.scoring.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Material:
    """What a grader grades; never a duration.

    Attributes
    ----------
    findings : tuple of str
        The claim verifier's, one line each: for a reader, and for a re-grade.
    own_verdict : Verdict or None
        The grader's first verdict, at a re-grade (R35).
    others_verdict : Verdict or None
        The assessor's verdict, for a reader that is not blind (R31).
    """

    question: str
    rubric: Rubric
    answer: str
    snapshot: str | None = None
    findings: tuple[str, ...] = ()
    own_verdict: Verdict | None = None
    others_verdict: Verdict | None = None


@dataclass(slots=True)
class Graded:
    """What came back: a verdict, or why there is none; ``fatal`` where every further call would fail too."""

    verdict: Verdict | None = None
    unscored: Unscored | None = None
    fatal: bool = False


def grade_request(model: ModelConfig, material: Material) -> Request:
    """Build a grading request: fixed prefix with the board, then question, rubric and the fenced answer (R29).

    Whatever a model wrote stands between fence lines of one mark, which none of these texts holds.
    """
    answer = visible(material.answer)
    findings = tuple(map(one_line, material.findings))
    own, others = (
        visible(form_json(verdict)) if verdict else ""
        for verdict in (material.own_verdict, material.others_verdict)
    )
    rubric = material.rubric
    user = render(
        "grade_user.md.j2",
        question=material.question,
        parts=(
            ("## Board facts", rubric.board),
            ("## Required points", rubric.required),
            ("## Critical errors", rubric.critical),
            ("## Scope", (rubric.scope,) if rubric.scope else ()),
            ("## Form", (rubric.form,) if rubric.form else ()),
            ("## Source", rubric.source),
        ),
        findings=findings,
        own_verdict=own,
        others_verdict=others,
        mark=fence_mark(answer, own, others, *findings),
        answer=answer,
    )
    prefix = (Message("system", render("grade_system.md.j2")), *board_message(material.snapshot))
    return Request(model, (*prefix, Message("user", user)), schema=form_schema(), cache_prefix=len(prefix))


def board_message(snapshot: str | None) -> tuple[Message, ...]:
    """Return the message that holds the board, whole and ahead of the question; none without one (R9)."""
    return (Message("user", render("board.md.j2", snapshot=snapshot)),) if snapshot else ()


class Grader:
    """One grading model: assessor, co-assessor or reader."""

    def __init__(self, model: ModelConfig) -> None:
        self._model = model
        self._enforces = True  # until the endpoint refuses the form's schema

    async def grade(self, material: Material, log: CallLog) -> Graded:
        """Grade one answer; what goes wrong leaves it unscored with a code, and raises nothing."""
        graded = Graded()
        try:
            graded.verdict = await self._verdict(log, grade_request(self._model, material), material.answer)
        except Exception as fault:  # whatever it is: the other member's verdict must not be lost with it
            graded.unscored = unscored_of(fault)
            graded.fatal = isinstance(fault, ProviderFailure) and fault.kind == "configuration"
        return graded

    async def _verdict(self, log: CallLog, request: Request, answer: str) -> Verdict:
        """Return the verdict of a reply; one that holds none is asked for once more, but for a refusal.

        An endpoint that refuses the request with the form's schema is asked without it, from then on.
        """
        if not self._enforces:
            request = replace(request, schema=None)
        try:
            reply = await log.call_patiently(request)
        except HarnessFailure as refusal:
            if refusal.kind != "bad_request" or request.schema is None:
                raise
            request = replace(request, schema=None)  # by instruction alone, as the form says it too
            reply = await log.call_patiently(request)
            self._enforces = False
        try:
            return self._named(read_verdict(reply, visible(answer)))
        except NoReplyObject as problem:
            if problem.code is UnscoredCode.REFUSED:
                raise
            again = repair_request(request, reply, "grade_repair.md.j2", problem)
        return self._named(read_verdict(await log.call_patiently(again), visible(answer)))

    def _named(self, verdict: Verdict) -> Verdict:
        return verdict if verdict.model else verdict.model_copy(update={"model": self._model.model})


def unscored_of(fault: Exception) -> Unscored:
    """Return why a verdict or a text is missing: what was wrong with the reply, or with the call."""
    if isinstance(fault, NoReplyObject):
        return Unscored(code=fault.code, message=visible(str(fault)))
    if isinstance(fault, DeadlineReached | ContextFull):
        return Unscored(code=UnscoredCode.LIMIT, message=visible(str(fault)))
    known = isinstance(fault, ProviderFailure | HarnessFailure)
    message = str(fault) if known else f"internal: {type(fault).__name__}: {fault}"
    return Unscored(code=UnscoredCode.PROVIDER, message=visible(message))


def repair_request(request: Request, reply: Reply, template: str, problem: NoReplyObject) -> Request:
    """Return the request that asks once more for what a reply did not hold (R28).

    An empty reply is not shown again: providers refuse an empty message.
    """
    shown = (Message("assistant", reply.text),) if reply.text.strip() else ()
    asking = Message("user", render(template, problem=one_line(str(problem))))
    return replace(request, messages=(*request.messages, *shown, asking))
