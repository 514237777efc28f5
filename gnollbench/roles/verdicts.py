"""What a grader returns, and how a verdict is read from its reply (R21-R23, R28).

A verdict that cannot be read is unscored with a code, never a number.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from gnollbench.llm.messages import Reply
from gnollbench.records.canonical import safe_text
from gnollbench.records.run import UnscoredCode
from gnollbench.roles.reply_json import NoReplyObject, last_object, reply_schema
from gnollbench.scoring.part import Part
from gnollbench.scoring.verdict import Charge, Evidence, Levels, Markers, UnverifiedClaim, Verdict

CUT = {
    "refused": (UnscoredCode.REFUSED, "the model refused, or a filter cut its reply"),
    "length": (UnscoredCode.TRUNCATED, "the output limit cut the reply"),
    "context": (UnscoredCode.LIMIT, "the reply did not fit the model's context window"),
}
"""Finish reasons of a reply that is not read, with the code that it is missing under and why."""


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


def form_schema() -> Mapping[str, Any]:
    """Return the JSON schema that a grader's reply is held to where the provider can (R28)."""
    return reply_schema(GradeForm)


def form_json(verdict: Verdict) -> str:
    """Return a verdict as the form that its grader filled in."""
    shown = verdict.model_dump(mode="json", include=set(GradeForm.model_fields))
    if verdict.critical_error is not None:
        shown["critical_error"] = {
            "quote": verdict.critical_error.quote,
            "reason": verdict.critical_error.reason,
        }
    return json.dumps({name: shown[name] for name in GradeForm.model_fields}, ensure_ascii=False, indent=1)


def read_verdict(reply: Reply, answer: str = "") -> Verdict:
    """Read a grader's reply: the last verdict in it counts that does not stand in the answer too.

    Raises
    ------
    NoReplyObject
        With the code under which the verdict is unscored. A reply that was cut is not read: what was still
        to come might have been the verdict.
    """
    if reply.finish_reason in CUT:
        raise NoReplyObject(*CUT[reply.finish_reason])
    try:
        form = GradeForm.model_validate_json(json_text(last_object(reply.text, "levels", answer)))
    except ValidationError as error:
        raise NoReplyObject(UnscoredCode.SCHEMA, first_problem(error)) from error
    fields = form.model_dump()
    return Verdict.model_validate({**fields, "model": reply.served_model or ""})


def json_text(value: Any) -> str:
    """Return a value that a model wrote as JSON that every file takes: a lone surrogate becomes U+FFFD."""
    return safe_text(json.dumps(value, ensure_ascii=False))


def first_problem(error: ValidationError) -> str:
    """Return the first thing that is wrong with a reply, on one line."""
    problem = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
