"""What a question's trace is in MLflow (R61)."""

from pathlib import Path
from typing import Any

import pytest
from mlflow import MlflowClient
from mlflow.entities import Trace

from gnollbench.errors import HarnessFailure
from gnollbench.llm.messages import Reply, ToolCall, Usage
from gnollbench.records.run import RunRecord, Unscored, UnscoredCode
from gnollbench.records.transcript import Event, ModelCall, ToolUse, read_transcript, write_transcript
from gnollbench.scoring.verdict import Flag, FlagName, Member
from gnollbench.tracking import Store, traces
from tests.tracking.made import lay, make

BEGAN_S = 1_790_000_000.25
REPLY = Reply(
    text="",
    finish_reason="tool_calls",
    tool_calls=(ToolCall("c1", "wiki_search", '{"query": "gnoll"}'),),
    usage=Usage(input_tokens=700, cached_tokens=0, output_tokens=30),
)


def model_call(**fields: Any) -> ModelCall:
    return ModelCall(
        **{
            "role": "candidate",
            "provider": "acme",
            "model": "m-1",
            "started_s": BEGAN_S,
            "ended_s": BEGAN_S + 2,
            "messages": ({"role": "user", "content": "Is it safe? \x00\ud800"},),
            "reply": REPLY,
            "usd": 0.0125,
            **fields,
        }
    )


def tool_use(**fields: Any) -> ToolUse:
    return ToolUse(
        **{
            "role": "candidate",
            "name": "wiki_search",
            "arguments": '{"query": "gnoll"}',
            "started_s": BEGAN_S + 2,
            "ended_s": BEGAN_S + 2.5,
            "success": True,
            "content": "a long page",
            **fields,
        }
    )


def traced(
    store: Store, tmp_path: Path, record: RunRecord, events: dict[str, list[Event]]
) -> dict[str, Trace]:
    run_id = store.log_run(record, lay(record, tmp_path))
    store.log_traces(run_id, record, events)
    client = MlflowClient(store.uri)
    locations = [client.get_run(run_id).info.experiment_id]
    found = client.search_traces(locations=locations, run_id=run_id)
    return {trace.info.tags["mlflow.traceName"]: trace for trace in found}


def test_a_question_is_a_tree_of_its_calls(store: Store, tmp_path: Path) -> None:
    """R61: the question above, a span a model call and a tool call, with their own times."""
    events: list[Event] = [
        model_call(),
        tool_use(success=False),
        model_call(
            role="assessor",
            model="judge-a",
            started_s=BEGAN_S + 3,
            ended_s=BEGAN_S + 4,
            reply=None,
            failure={"type": "ProviderFailure", "message": "outage"},
            usd=None,
        ),
    ]
    record = make(head={"id": "tree"})
    trace = traced(store, tmp_path, record, {"q02": events})["q02"]
    root, call, tool, grading = sorted(
        trace.data.spans, key=lambda span: (span.parent_id or "", span.start_time_ns)
    )
    answer = next(answer for answer in record.answers if answer.question == "q02")
    assert (root.span_type, root.inputs, root.outputs) == (
        "AGENT",
        record.exam.questions[1].text,
        answer.text,
    )
    assert (root.start_time_ns, root.end_time_ns) == (int(BEGAN_S * 1e9), int((BEGAN_S + 4) * 1e9))
    assert {span.parent_id for span in (call, tool, grading)} == {root.span_id}
    assert [span.span_type for span in (call, tool, grading)] == ["CHAT_MODEL", "TOOL", "CHAT_MODEL"]
    assert call.inputs["messages"][0]["content"].startswith("Is it safe?")
    assert call.outputs["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "wiki_search"
    assert call.end_time_ns - call.start_time_ns == 2_000_000_000
    assert (tool.inputs, tool.outputs, tool.status.status_code) == (
        {"query": "gnoll"},
        "a long page",
        "ERROR",
    )
    assert (grading.status.status_code, grading.status.description) == ("ERROR", "ProviderFailure: outage")
    assert trace.info.token_usage == {"input_tokens": 700, "output_tokens": 30, "total_tokens": 730}
    assert trace.info.cost is not None
    assert trace.info.cost["total_cost"] == pytest.approx(0.0125)
    assert (trace.info.state, trace.info.execution_duration) == ("OK", 4000)


def test_verdicts_are_judges_assessments_and_figures_are_codes(store: Store, tmp_path: Path) -> None:
    """R26, R30, R36: each member's own score with its grounds; the published one, outcome and resolution."""
    record = make(head={"id": "assessed"})
    flags = (Flag(name=FlagName.REFUTED_CLAIM, member=Member.A, detail="it is not"),)
    answers = tuple(a.model_copy(update={"flags": flags, "disputed": True}) for a in record.answers)
    record = record.model_copy(update={"answers": answers})
    trace = traced(store, tmp_path, record, {"q03": []})["q03"]
    values = {a.name: (a.feedback.value, a.source.source_type) for a in trace.info.assessments}
    by_question = {answer.question: answer for answer in record.answers}
    score = by_question["q03"].score
    assert score is not None
    assert score.resolution == "upheld"
    assert values["quality"] == (25.0, "CODE")
    assert values["outcome"] == ("incorrect", "CODE")
    assert values["resolution"] == ("upheld", "CODE")
    assert values["flags"] == (["refuted_claim"], "CODE")
    assert values["disputed"] == (True, "CODE")
    as_graded = {name: value for name, (value, kind) in values.items() if kind == "LLM_JUDGE"}
    assert as_graded.keys() == {"quality.a", "quality.b"}
    assert max(as_graded.values()) > 25  # before the resolution capped it
    sources = {a.name: (a.source.source_id, a.rationale) for a in trace.info.assessments}
    assert sources["quality.a"][0] == "judge-a"
    assert "accuracy" in sources["quality.a"][1]


def test_a_missing_verdict_is_an_error_not_a_number(store: Store, tmp_path: Path) -> None:
    """R26: an unscored answer has no quality, and says why."""
    record = make("missing", head={"id": "unscored"})
    answer = next(a for a in record.answers if a.score is None)
    unscored = answer.model_copy(
        update={"unscored": {"b": Unscored(code=UnscoredCode.NO_JSON, message="prose")}}
    )
    answers = tuple(unscored if a is answer else a for a in record.answers)
    record = record.model_copy(update={"answers": answers})
    trace = traced(store, tmp_path, record, {answer.question: []})[answer.question]
    assessments = {a.name: a.feedback for a in trace.info.assessments}
    assert "quality" not in assessments
    assert assessments["quality.b"].value is None
    assert assessments["quality.b"].error.error_code == "no_json"


def test_a_failed_question_is_a_failed_trace(store: Store, tmp_path: Path) -> None:
    """R41: with the failure's source and kind; its times are the turn's where no call was made."""
    record = make("provider", head={"id": "failed-trace"})
    failed = next(a for a in record.answers if a.failure is not None)
    trace = traced(store, tmp_path, record, {failed.question: []})[failed.question]
    assert trace.info.state == "ERROR"
    assert trace.data.spans[0].status.description.startswith("provider: ")
    assert trace.info.request_time == record.run.started_at.timestamp() * 1000


def test_only_questions_with_events_are_traced(store: Store, tmp_path: Path) -> None:
    """R41: a repair stores the traces of what it ran again, not of the whole run a second time."""
    record = make(head={"id": "some"})
    assert traced(store, tmp_path, record, {"q01": [], "q05": [tool_use(arguments="no json")]}).keys() == {
        "q01",
        "q05",
    }


def test_a_question_that_is_stored_again_has_one_trace(
    store: Store, tmp_path: Path, monkeypatch: Any
) -> None:
    """R41: the whole of it; the one that it supersedes is gone, and no other is."""
    monkeypatch.setattr(traces, "_PAGE", 2)
    record = make(head={"id": "again"})
    other = make(head={"id": "another"})
    traced(store, tmp_path, other, {"q01": [model_call()]})
    before = traced(store, tmp_path, record, {"q01": [model_call()], "q02": [], "q03": [], "q05": []})
    run_id = store.run_of("again")
    assert run_id is not None
    transcript = tmp_path / "q01.jsonl"
    write_transcript([model_call(), tool_use(), model_call(role="assessor")], transcript)
    store.log_traces(run_id, record, {"q01": read_transcript(transcript), "run/assessor": [model_call()]})
    client = MlflowClient(store.uri)
    experiment = client.get_run(run_id).info.experiment_id
    found = client.search_traces(locations=[experiment], run_id=run_id)
    now = {trace.info.tags["mlflow.traceName"]: trace for trace in found}
    assert len(found) == 4
    assert now["q01"].info.trace_id != before["q01"].info.trace_id
    assert {now[name].info.trace_id for name in ("q02", "q03", "q05")} == {
        before[name].info.trace_id for name in ("q02", "q03", "q05")
    }
    assert len(now["q01"].data.spans) == 4
    call = next(span for span in now["q01"].data.spans if span.name == "candidate m-1")
    assert call.outputs["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "wiki_search"
    assert len(client.search_traces(locations=[experiment], run_id=store.run_of("another"))) == 1


def test_traces_of_an_unknown_run_are_a_fault(store: Store) -> None:
    """R61: nothing is dropped in silence."""
    with pytest.raises(HarnessFailure, match="did not take the traces"):
        store.log_traces("0" * 32, make(), {"q01": []})
