"""One MLflow trace a question: a span a model call and a tool call, the verdicts as assessments (R61).

Traces are made whole and stored as they are. MLflow's own live spans would be queued, exported one by one,
and dropped with no more than a warning where that fails; this takes a tenth of the time and fails aloud.
"""

import json
import secrets
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from mlflow.entities import AssessmentError, AssessmentSource, Feedback, Span, SpanType, TraceInfo, TraceState
from mlflow.entities.trace_location import TraceLocation
from mlflow.tracing.constant import SpanAttributeKey, TraceMetadataKey, TraceTagKey

from gnollbench.records.canonical import as_object, safe_text
from gnollbench.records.run import Answer, RunRecord
from gnollbench.records.transcript import Event, ModelCall, ToolUse
from gnollbench.scoring.profile import method_of
from gnollbench.scoring.quality import graded
from gnollbench.scoring.verdict import Dimension, Verdict
from gnollbench.tracking.entries import RUN_ID, plain

_PREVIEW = 1000  # characters that MLflow's list of traces keeps of question and answer
_NAME = 250
_PAGE = 500


@dataclass(frozen=True, slots=True)
class _Step:
    """What becomes one span. Times are seconds since the epoch."""

    name: str
    kind: str
    start_s: float
    end_s: float
    inputs: Any
    outputs: Any
    problem: str | None = None
    attributes: dict[str, Any] = field(default_factory=dict[str, Any])


def traces_of(
    record: RunRecord, events: Mapping[str, Iterable[Event]], run_id: str, experiment: str
) -> Iterator[tuple[TraceInfo, list[Span]]]:
    """Yield the trace of each answer whose question is in ``events``, with its spans, the root first."""
    texts = {question.id: question.text for question in record.exam.questions}
    for answer in record.answers:
        if answer.question not in events:
            continue
        steps = [_step(event) for event in events[answer.question]]
        root = _root(answer, texts[answer.question], steps, record.run.started_at.timestamp())
        trace = secrets.token_bytes(16)
        info = TraceInfo(
            trace_id=_name_of(trace),
            trace_location=TraceLocation.from_experiment_id(experiment),
            request_time=int(root.start_s * 1000),
            execution_duration=int((root.end_s - root.start_s) * 1000),
            state=TraceState.ERROR if root.problem else TraceState.OK,
            request_preview=plain(root.inputs, _PREVIEW),
            response_preview=plain(root.outputs, _PREVIEW),
            trace_metadata={TraceMetadataKey.SOURCE_RUN: run_id, "mlflow.trace_schema.version": "3"},
            tags={TraceTagKey.TRACE_NAME: root.name, RUN_ID: plain(record.run.id)},
            assessments=list(_assessments(record, answer)),
        )
        top = secrets.token_bytes(8)
        children = [_span(step, trace, secrets.token_bytes(8), top) for step in steps]
        yield info, [_span(root, trace, top, None), *children]


def stored_traces(client: Any, run_id: str, experiment: str, questions: Iterable[str]) -> list[str]:
    """Return the ids of the traces that a stored run has of these questions."""
    names, found, token = {plain(question, _NAME) for question in questions}, list[TraceInfo](), None
    while True:
        page = client.search_traces(
            locations=[experiment], run_id=run_id, max_results=_PAGE, page_token=token, include_spans=False
        )
        found += [trace.info for trace in page]
        token = page.token
        if token is None:
            return [info.trace_id for info in found if info.tags.get(TraceTagKey.TRACE_NAME) in names]


def _root(answer: Answer, question: str, steps: Sequence[_Step], run_started_s: float) -> _Step:
    """The question's own span; where nothing tells its times, the turn as if it began with the run."""
    start_s = min((step.start_s for step in steps), default=run_started_s)
    end_s = max((step.end_s for step in steps), default=start_s + answer.turn_ms / 1000)
    failure = answer.failure
    problem = f"{failure.source}: {failure.kind} {failure.message}" if failure else None
    attributes = {"gnollbench.integrity": answer.integrity, "gnollbench.limits_hit": answer.limits_hit}
    name = plain(answer.question, _NAME)
    return _Step(name, SpanType.AGENT, start_s, end_s, question, answer.text, problem, attributes)


def _step(event: Event) -> _Step:
    return _model_call(event) if isinstance(event, ModelCall) else _tool_call(event)


def _model_call(call: ModelCall) -> _Step:
    said: Any = call.reply or {}
    reply = as_object(said if isinstance(said, dict) else asdict(said))
    attributes: dict[str, Any] = {
        "gnollbench.role": call.role,
        SpanAttributeKey.MODEL: call.model,
        SpanAttributeKey.MODEL_PROVIDER: call.provider,
    }
    usage: dict[str, int | None] = reply.get("usage") or {}
    read, written = usage.get("input_tokens"), usage.get("output_tokens")
    if read is not None and written is not None:
        attributes[SpanAttributeKey.CHAT_USAGE] = {
            "input_tokens": read,
            "output_tokens": written,
            "total_tokens": read + written,
        }
    if call.usd is not None:
        attributes[SpanAttributeKey.LLM_COST] = {"total_cost": call.usd}
    return _Step(
        name=plain(f"{call.role} {call.model}", _NAME),
        kind=SpanType.CHAT_MODEL,
        start_s=call.started_s,
        end_s=call.ended_s,
        inputs={"messages": call.messages},
        outputs=_choices(reply) if reply else None,
        problem=f"{call.failure.get('type')}: {call.failure.get('message')}" if call.failure else None,
        attributes=attributes,
    )


def _choices(reply: dict[str, Any]) -> dict[str, Any]:
    """The reply in the shape of the chat-completions protocol, which MLflow's UI shows as a conversation."""
    calls = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": call["arguments"]},
        }
        for call in reply.get("tool_calls") or ()
    ]
    message = {"role": "assistant", "content": reply.get("text"), **({"tool_calls": calls} if calls else {})}
    return {"choices": [{"index": 0, "message": message, "finish_reason": reply.get("finish_reason")}]}


def _tool_call(use: ToolUse) -> _Step:
    return _Step(
        name=plain(use.name, _NAME),
        kind=SpanType.TOOL,
        start_s=use.started_s,
        end_s=use.ended_s,
        inputs=_arguments(use.arguments),
        outputs=use.content if use.shown is None else use.shown,
        problem=None if use.success else "the tool reported a failure",
        attributes={"gnollbench.role": use.role},
    )


def _arguments(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _span(step: _Step, trace: bytes, own: bytes, parent: bytes | None) -> Span:
    attributes = {
        SpanAttributeKey.REQUEST_ID: _name_of(trace),
        SpanAttributeKey.SPAN_TYPE: step.kind,
        SpanAttributeKey.INPUTS: step.inputs,
        SpanAttributeKey.OUTPUTS: step.outputs,
        **step.attributes,
    }
    code = "STATUS_CODE_ERROR" if step.problem else "STATUS_CODE_OK"
    return Span.from_dict(
        {
            "trace_id": _base64(trace),
            "span_id": _base64(own),
            "parent_span_id": _base64(parent) if parent else None,
            "name": step.name,
            "start_time_unix_nano": int(step.start_s * 1_000_000_000),
            "end_time_unix_nano": int(step.end_s * 1_000_000_000),
            "status": {"code": code, "message": plain(step.problem or "")},
            "attributes": {name: _json(value) for name, value in attributes.items()},
            "events": [],
        }
    )


def _assessments(record: RunRecord, answer: Answer) -> Iterator[Feedback]:
    """The graders' verdicts as judges' feedback, what code made of them as code's."""
    for judge, verdict in {**answer.verdicts, "reader": answer.reader}.items():
        if verdict is not None:
            yield _verdict(record, answer, judge, verdict)
    for judge, unscored in answer.unscored.items():
        error = AssessmentError(error_code=unscored.code, error_message=plain(unscored.message))
        yield Feedback(name=f"quality.{judge}", error=error, source=_judge(judge))
    if answer.score is not None:
        yield _of_code("quality", answer.score.quality)
        if answer.score.outcome is not None:
            yield _of_code("outcome", str(answer.score.outcome))
        if answer.score.resolution is not None:
            yield _of_code("resolution", str(answer.score.resolution))
    if answer.flags:
        details = "\n".join(f"{flag.name} ({flag.member or '-'}): {flag.detail}" for flag in answer.flags)
        yield _of_code("flags", sorted({str(flag.name) for flag in answer.flags}), details)
    if answer.disputed:
        yield _of_code("disputed", True)


def _verdict(record: RunRecord, answer: Answer, judge: str, verdict: Verdict) -> Feedback:
    grade = graded(verdict, answer.text, record.profile, method_of(record.run.scoring_method))
    grounds = [f"{name} {verdict.levels.of(name)}: {verdict.evidence.of(name)}" for name in Dimension]
    if verdict.critical_error is not None:
        grounds.append(f"critical error: {verdict.critical_error.quote}")
    return Feedback(
        name=f"quality.{judge}",
        value=grade.score,
        source=_judge(verdict.model or judge),
        rationale=plain("\n".join(grounds)),
    )


def _judge(name: str) -> AssessmentSource:
    return AssessmentSource(source_type="LLM_JUDGE", source_id=plain(name, _NAME))


def _of_code(name: str, value: Any, rationale: str | None = None) -> Feedback:
    source = AssessmentSource(source_type="CODE", source_id="gnollbench")
    return Feedback(name=name, value=value, source=source, rationale=rationale and plain(rationale))


def _name_of(trace: bytes) -> str:
    return f"tr-{trace.hex()}"


def _base64(identity: bytes) -> str:
    return b64encode(identity).decode("ascii")


def _json(value: Any) -> str:
    return safe_text(json.dumps(value, ensure_ascii=False, default=str))
