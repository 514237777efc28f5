"""Synthesis: a member's closing assessment, written from the run's own verdicts (R17)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gnollbench.llm.messages import Message, Reply, Request
from gnollbench.records.launch import ModelConfig
from gnollbench.records.run import Synthesis, UnscoredCode
from gnollbench.roles.calls import CallLog
from gnollbench.roles.grading import unscored_of
from gnollbench.roles.reply_json import NoReplyObject
from gnollbench.roles.templates import render
from gnollbench.roles.untrusted import fence_mark, one_line, visible
from gnollbench.roles.verdicts import CUT
from gnollbench.scoring.verdict import Member, Verdict


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """One answer as its grader saw it, for the synthesis."""

    question: str
    band: str
    score: int
    verdict: Verdict


class SynthesisWriter:
    """One panel member writing its closing assessment."""

    def __init__(self, model: ModelConfig, member: Member) -> None:
        self._model, self._member = model, member

    async def write(self, answers: list[GradedAnswer], log: CallLog) -> Synthesis:
        """Write the assessment; a fault leaves it empty with its reason."""
        try:
            request = synthesis_request(self._model, answers)
            reply = await log.call_patiently(request)
            text = whole_text(reply)
        except Exception as fault:  # whatever it is: the run's scores stand
            return Synthesis(member=self._member, text="", unscored=unscored_of(fault))
        return Synthesis(member=self._member, text=text)


def whole_text(reply: Reply) -> str:
    """Return a reply's text.

    Raises
    ------
    NoReplyObject
        If it was cut or refused, or holds none.
    """
    if reply.finish_reason in CUT:
        raise NoReplyObject(*CUT[reply.finish_reason])
    text = visible(reply.text).strip()
    if not text:
        raise NoReplyObject(UnscoredCode.REFUSED, "the reply was empty")
    return text


def synthesis_request(model: ModelConfig, answers: Sequence[GradedAnswer]) -> Request:
    """Build the request for a closing assessment: the member's own verdicts, their prose fenced (R17, R29)."""
    verdicts = [_shape(answer) for answer in answers]
    mark = fence_mark(*(verdict["evidence"] for verdict in verdicts))
    messages = (
        Message("system", render("synthesis_system.md.j2")),
        Message("user", render("synthesis_user.md.j2", verdicts=verdicts, mark=mark)),
    )
    return Request(model, messages, cache_prefix=1)


def _shape(answer: GradedAnswer) -> dict[str, Any]:
    """What a member is shown of its own verdict: figures in the open, prose and quotes in a fence."""
    verdict = answer.verdict
    error = verdict.critical_error if verdict.critical_error and verdict.critical_error.found else None
    evidence = [*verdict.evidence.model_dump().values(), error.quote if error else ""]
    return {
        "question": answer.question,
        "band": answer.band,
        "score": answer.score,
        "levels": ", ".join(f"{name} {level}" for name, level in verdict.levels.model_dump().items()),
        "critical": error is not None,
        "not_attempted": verdict.not_attempted,
        "evidence": one_line(" ".join(filter(None, evidence))),
    }
