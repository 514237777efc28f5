"""The grading form of assessor, co-assessor and reader, and how a verdict is read (R21-R23, R28, R29).

A verdict that cannot be read is unscored with a code, never a number.
"""

import json
import time
from dataclasses import dataclass, replace

from pydantic import ValidationError

from gnollbench.errors import HarnessFailure, ProviderFailure
from gnollbench.llm.failures import ContextFull, DeadlineReached
from gnollbench.llm.messages import Message, Reply, Request
from gnollbench.records.canonical import hash_text, safe_text
from gnollbench.records.launch import ModelConfig
from gnollbench.records.run import Unscored, UnscoredCode
from gnollbench.records.suite import Rubric
from gnollbench.roles.calls import CallLog, Line
from gnollbench.roles.reply_json import NoReplyObject, last_object
from gnollbench.roles.templates import render
from gnollbench.scoring.part import Part
from gnollbench.scoring.verdict import Charge, Evidence, Levels, Markers, UnverifiedClaim, Verdict

GRADER_TIMEOUT_S = 900.0  # a judge at the highest effort; its silence must end somewhere


class ChargedError(Part):
    """A critical error as a grader returns it; whether the quote is found is not the grader's to say."""

    quote: str
    reason: str


class GradeForm(Part):
    """The reply that a grader is asked for."""

    evidence: Evidence
    levels: Levels
    critical_error: ChargedError | None
    not_attempted: bool
    unverified_claims: tuple[UnverifiedClaim, ...]
    charges: tuple[Charge, ...]
    markers: Markers


@dataclass(frozen=True, slots=True)
class Material:
    """What a grader grades: never a duration, never another verdict."""

    question: str
    rubric: Rubric
    answer: str
    snapshot: str | None = None
    findings: tuple[str, ...] = ()


@dataclass(slots=True)
class Graded:
    """What came back: a verdict, or why there is none; ``fatal`` where every further call would fail too."""

    log: CallLog
    verdict: Verdict | None = None
    unscored: Unscored | None = None
    fatal: bool = False


def grade_request(model: ModelConfig, material: Material) -> Request:
    """Build a grading request: fixed prefix, then board, question, rubric and the fenced answer (R29)."""
    answer = safe_text(material.answer)
    rubric = material.rubric
    user = render(
        "grade_user.md.j2",
        snapshot=material.snapshot,
        question=material.question,
        parts=(
            ("## Board facts", rubric.board),
            ("## Required points", rubric.required),
            ("## Critical errors", rubric.critical),
            ("## Scope", (rubric.scope,) if rubric.scope else ()),
            ("## Form", (rubric.form,) if rubric.form else ()),
            ("## Source", rubric.source),
        ),
        findings=material.findings,
        mark=fence_mark(answer),
        answer=answer,
    )
    messages = (Message("system", render("grade_system.md.j2")), Message("user", user))
    return Request(model, messages, schema=GradeForm.model_json_schema(), cache_prefix=1)


def fence_mark(text: str) -> str:
    """Return a fence mark that the text cannot close: it is made from the text's own hash."""
    mark = f"ANSWER-{hash_text(text)}"
    while mark in text:
        mark = f"ANSWER-{hash_text(mark + text)}"
    return mark


def read_verdict(reply: Reply) -> Verdict:
    """Read a grader's reply.

    Raises
    ------
    NoReplyObject
        With the code under which the verdict is unscored.
    """
    if reply.finish_reason == "refused":
        raise NoReplyObject(UnscoredCode.REFUSED, "the grader refused, or a filter cut its reply")
    try:
        content = last_object(reply.text)
        form = GradeForm.model_validate_json(json.dumps(content))
    except NoReplyObject as error:
        if reply.finish_reason == "length":
            raise NoReplyObject(UnscoredCode.TRUNCATED, "the output limit cut the reply") from error
        raise
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        path = ".".join(map(str, first["loc"]))
        raise NoReplyObject(UnscoredCode.SCHEMA, f"{path}: {first['msg']}") from error
    fields = form.model_dump(exclude={"critical_error"})
    charged = (
        {"quote": form.critical_error.quote, "reason": form.critical_error.reason}
        if form.critical_error
        else None
    )
    return Verdict.model_validate({**fields, "critical_error": charged, "model": reply.served_model or ""})


class Grader:
    """One grading model: assessor, co-assessor or reader."""

    def __init__(self, line: Line, model: ModelConfig) -> None:
        self._line, self._model = line, model

    async def grade(self, material: Material) -> Graded:
        """Grade one answer; a reply that holds no verdict is asked for once more."""
        graded = Graded(CallLog(self._line))
        request = grade_request(self._model, material)
        try:
            reply = await self._call(graded, request)
            try:
                graded.verdict = self._named(read_verdict(reply))
            except NoReplyObject as problem:
                if problem.code is UnscoredCode.REFUSED:
                    raise
                repair = Message("user", render("grade_repair.md.j2", problem=str(problem)))
                again = replace(
                    request, messages=(*request.messages, Message("assistant", reply.text), repair)
                )
                reply = await self._call(graded, again)
                graded.verdict = self._named(read_verdict(reply))
        except NoReplyObject as problem:
            graded.unscored = Unscored(code=problem.code, message=str(problem))
        except ProviderFailure as failure:
            graded.unscored = Unscored(
                code=UnscoredCode.PROVIDER, message=f"{failure.kind}: {failure.message}"
            )
            graded.fatal = failure.kind == "configuration"
        except (DeadlineReached, ContextFull, HarnessFailure) as failure:
            graded.unscored = Unscored(code=UnscoredCode.LIMIT, message=str(failure))
        return graded

    def _named(self, verdict: Verdict) -> Verdict:
        return verdict if verdict.model else verdict.model_copy(update={"model": self._model.model})

    async def _call(self, graded: Graded, request: Request) -> Reply:
        return await graded.log.call(request, time.monotonic() + GRADER_TIMEOUT_S)
