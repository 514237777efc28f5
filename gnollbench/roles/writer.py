"""Synthesis: a member's closing assessment, written from the run's own verdicts (R17)."""

import time
from dataclasses import dataclass
from typing import Any

from gnollbench.errors import HarnessFailure, ProviderFailure
from gnollbench.llm.failures import ContextFull, DeadlineReached
from gnollbench.llm.messages import Message, Request
from gnollbench.records.canonical import safe_text
from gnollbench.records.launch import ModelConfig
from gnollbench.records.run import Synthesis, Unscored, UnscoredCode
from gnollbench.roles.calls import CallLog, Line
from gnollbench.roles.grading import GRADER_TIMEOUT_S, fence_mark
from gnollbench.roles.templates import render
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

    def __init__(self, line: Line, model: ModelConfig, member: Member) -> None:
        self._line, self._model, self._member = line, model, member

    async def write(self, answers: list[GradedAnswer]) -> tuple[Synthesis, CallLog]:
        """Write the assessment; a fault leaves it empty with its reason."""
        log = CallLog(self._line)
        verdicts = [_shape(answer) for answer in answers]
        mark = fence_mark("".join(verdict["evidence"] for verdict in verdicts))
        messages = (
            Message("system", render("synthesis_system.md.j2")),
            Message("user", render("synthesis_user.md.j2", verdicts=verdicts, mark=mark)),
        )
        try:
            reply = await log.call(Request(self._model, messages), time.monotonic() + GRADER_TIMEOUT_S)
        except ProviderFailure as failure:
            return self._missing(UnscoredCode.PROVIDER, f"{failure.kind}: {failure.message}"), log
        except (DeadlineReached, ContextFull, HarnessFailure) as failure:
            return self._missing(UnscoredCode.LIMIT, str(failure)), log
        if not reply.text.strip():
            return self._missing(UnscoredCode.REFUSED, "the reply was empty"), log
        return Synthesis(member=self._member, text=safe_text(reply.text.strip())), log

    def _missing(self, code: UnscoredCode, message: str) -> Synthesis:
        return Synthesis(member=self._member, text="", unscored=Unscored(code=code, message=message))


def _shape(answer: GradedAnswer) -> dict[str, Any]:
    verdict = answer.verdict
    evidence = " ".join(filter(None, verdict.evidence.model_dump().values()))
    quote = verdict.critical_error.quote if verdict.critical_error else ""
    return {
        "question": answer.question,
        "band": answer.band,
        "score": answer.score,
        "levels": ", ".join(f"{name} {level}" for name, level in verdict.levels.model_dump().items()),
        "critical": quote,
        "not_attempted": verdict.not_attempted,
        "evidence": safe_text(f"{evidence} {quote}".strip()),
    }
