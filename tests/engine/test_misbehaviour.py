"""Models that misbehave: each ends in a recorded, valid state of the run, never in a traceback (R15, R26, R41)."""

from pathlib import Path

import pytest

from gnollbench.errors import HarnessFailure, ProviderFailure
from gnollbench.records.figures import evaluate
from gnollbench.records.files import read_record, write_record
from tests.engine.scripted import ANSWER, breaks, calls, once, run_scripted, says, verdict

ONE = "questions=[q01]"
GRADERS = {"a": says(verdict()), "b": says(verdict())}


def only_answer(folder: Path, models: dict, *overrides: str):
    finished = run_scripted(folder, models, ONE, *overrides)
    write_record(finished.record, folder / "record.json")
    assert read_record(folder / "record.json") == finished.record
    return finished.record, finished.record.answers[0]


def test_endless_tool_calls_end_at_the_round_limit(tmp_path: Path) -> None:
    """R15: 22 rounds, then one call without tools; the answer is valid and graded."""
    candidate = calls("wiki_search", '{"query": "lich"}')
    record, answer = only_answer(tmp_path, {"candidate": candidate, **GRADERS})
    assert (answer.tool_rounds, answer.model_calls, answer.tool_calls) == (22, 23, 22)
    assert answer.limits_hit == ("tool_rounds",)
    assert answer.integrity == "harness_limit"
    assert answer.text == ANSWER
    assert answer.score is not None
    assert record.run.status == "completed_with_limits"


def test_model_call_limit_is_a_cap(tmp_path: Path) -> None:
    """R15: the call that asks for the answer is the last within the model calls."""
    candidate = calls("wiki_search", '{"query": "lich"}')
    _, answer = only_answer(tmp_path, {"candidate": candidate, **GRADERS}, "limits.model_calls=5")
    assert answer.model_calls == 5
    assert answer.limits_hit == ("model_calls",)


def test_refused_tool_calls_are_not_counted(tmp_path: Path) -> None:
    """R15: over the tool budget a call is refused, not run and not counted; the loop still ends."""
    candidate = calls("wiki_search", '{"query": "lich"}')
    _, answer = only_answer(tmp_path, {"candidate": candidate, **GRADERS}, "limits.tool_calls=3")
    assert answer.tool_calls == 3
    assert answer.limits_hit == ("tool_calls", "tool_rounds")


def test_low_budget_is_told_to_the_candidate(tmp_path: Path) -> None:
    """R15: with a budget of 4 the first round's result already carries the notice; a refusal says it is used up."""
    candidate = calls("wiki_search", '{"query": "lich"}')
    finished = run_scripted(tmp_path, {"candidate": candidate, **GRADERS}, ONE, "limits.tool_calls=4")
    sent = [
        message["content"]
        for event in finished.events["q01"]
        if event.type == "model_call" and event.role == "candidate"
        for message in event.messages
        if message["role"] == "tool"
    ]
    assert "3 " in sent[0].rsplit("\n", 1)[-1]
    assert sent[4] != sent[0]
    assert "\n" not in sent[4].strip()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("no_such_tool", "{}"),
        ("wiki_search", "not json"),
        ("wiki_search", '["lich"]'),
        ("wiki_search", '{"query": "li'),
        ("wiki_search", "{}"),
        ("wiki_view", '{"article": 7}'),
    ],
)
def test_bad_tool_call_is_told_to_the_model(tmp_path: Path, name: str, arguments: str) -> None:
    """R41: a call that cannot be run is a tool result that says so; it counts, and the answer stands."""
    record, answer = only_answer(tmp_path, {"candidate": once(name, arguments), **GRADERS})
    assert answer.tool_calls == 1
    assert answer.integrity == "clean"
    assert "I read: " in answer.text
    assert record.run.status == "completed"


def test_prose_from_a_grader_is_no_verdict(tmp_path: Path) -> None:
    """R26: a reply without JSON is asked for once more, then unscored with its code; the answer is excluded."""
    models = {"candidate": says(ANSWER), "a": says(verdict()), "b": says("A fine answer, full marks!")}
    finished = run_scripted(tmp_path, models, ONE)
    answer = finished.record.answers[0]
    assert answer.unscored["b"].code == "no_json"
    assert list(answer.verdicts) == ["a"]
    assert answer.score is None
    asked = [event for event in finished.events["q01"] if event.role == "co_assessor"]
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (verdict(levels={"accuracy": 7}), "schema"),
        (verdict(levels={"accuracy": "5"}), "schema"),
        (verdict(levels={"accuracy": True}), "schema"),
        (verdict().replace('"accuracy": 6', '"accuracy": NaN'), "not_finite"),
        ("", "no_json"),
        ("[1, 2]", "no_json"),
    ],
)
def test_garbled_verdict_is_never_a_number(tmp_path: Path, reply: str, code: str) -> None:
    """R28: what is no verdict gets a code, and no score."""
    _, answer = only_answer(tmp_path, {"candidate": says(ANSWER), "a": says(verdict()), "b": says(reply)})
    assert answer.unscored["b"].code == code
    assert answer.score is None


def test_repair_call_can_mend_a_verdict(tmp_path: Path) -> None:
    """R28: the one repair call is used."""

    def stumbles(request):
        text = "Sorry." if len(request.messages) == 2 else f"Here:\n```json\n{verdict()}\n```\n"
        return says(text)(request)

    _, answer = only_answer(tmp_path, {"candidate": says(ANSWER), "a": stumbles, "b": says(verdict())})
    assert set(answer.verdicts) == {"a", "b"}
    assert answer.score is not None
    assert answer.score.quality == 100


def test_last_verdict_wins(tmp_path: Path) -> None:
    """R29: a forged verdict before the real one changes nothing."""
    reply = f"```json\n{verdict()}\n```\nMine is:\n```json\n{verdict(levels={'accuracy': 2})}\n```"
    _, answer = only_answer(tmp_path, {"candidate": says(ANSWER), "a": says(reply), "b": says(verdict())})
    assert answer.verdicts["a"].levels.accuracy == 2


def test_provider_failure_publishes_no_indices(tmp_path: Path) -> None:
    """R41: the answer is not assessed, and the run gives no results."""
    models = {"candidate": breaks(ProviderFailure("rate_limit", "429", "slow down")), **GRADERS}
    finished = run_scripted(tmp_path, models)
    record = finished.record
    assert {answer.integrity for answer in record.answers} == {"transport_defect"}
    assert all(not answer.verdicts for answer in record.answers)
    assert record.results is None
    assert any("provider" in entry.reason for entry in record.withheld)


def test_refused_key_ends_the_run_at_once(tmp_path: Path) -> None:
    """R41: where every further call would fail too, none is made."""
    models = {"candidate": breaks(ProviderFailure("configuration", "401", "bad key")), **GRADERS}
    record = run_scripted(tmp_path, models).record
    assert record.run.status == "failed"
    assert len(record.answers) == 1


def test_fault_of_ours_is_not_the_providers(tmp_path: Path) -> None:
    """R41: an exception in our own code is a harness failure."""
    _, answer = only_answer(tmp_path, {"candidate": breaks(ZeroDivisionError("oops")), **GRADERS})
    assert answer.failure is not None
    assert (answer.failure.source, answer.failure.kind) == ("harness", "internal")


def test_broken_grader_excludes_its_answer_alone(tmp_path: Path) -> None:
    """R26: an outage of one member excludes the answer; the others' indices stand."""

    def fails_on_one(request):
        if "Excalibur" in request.messages[1].content.partition("# Rubric")[0]:
            raise ProviderFailure("outage", "500", "down")
        return says(verdict())(request)

    models = {"candidate": says(ANSWER), "a": says(verdict()), "b": fails_on_one}
    record = run_scripted(tmp_path, models).record
    assert evaluate(record).missing == ("q07",)
    assert record.run.status == "completed_with_errors"
    assert record.results is not None
    assert (record.results.intelligence.n, record.results.intelligence.n_questions) == (17, 18)


def test_silence_on_a_normal_stop_scores_zero(tmp_path: Path) -> None:
    """R41: a normal stop without text is the model's failure: unanswered, 0, no answer."""
    _, answer = only_answer(tmp_path, {"candidate": says("  "), **GRADERS})
    assert answer.integrity == "unanswered"
    assert answer.score is not None
    assert (answer.score.quality, answer.score.outcome, answer.score.speed) == (0, "no_answer", None)


def test_leaked_payload_is_scrubbed_before_grading(tmp_path: Path) -> None:
    """R18: graders read authored text only; what was cut stays in the record."""
    seen: list[str] = []

    def looks(request):
        seen.append(request.messages[1].content)
        return says(verdict())(request)

    leaked = '<tool_call>{"name": "wiki_search"}</tool_call>' + ANSWER
    _, answer = only_answer(tmp_path, {"candidate": says(leaked), "a": looks, "b": looks})
    assert answer.integrity == "recovered"
    assert (answer.text, answer.raw) == (ANSWER, leaked)
    assert all("tool_call" not in text for text in seen)


def test_members_read_the_same_and_no_duration(tmp_path: Path) -> None:
    """R17, R18: both members get the identical prompt, without any time in it."""
    seen: list[tuple] = []

    def looks(request):
        seen.append(request.messages)
        return says(verdict())(request)

    only_answer(tmp_path, {"candidate": says(ANSWER), "a": looks, "b": looks})
    assert seen[0] == seen[1]
    assert "turn_ms" not in str(seen)
    assert " ms" not in str(seen[0][1].content)


def test_internal_bug_in_a_harness_call_is_named(tmp_path: Path) -> None:
    """R41: a request that the provider calls wrong is ours, excluded, with the run completed with errors."""
    models = {"candidate": breaks(HarnessFailure("bad_request", "no such field", "400")), **GRADERS}
    record = run_scripted(tmp_path, models).record
    assert {answer.failure.kind for answer in record.answers if answer.failure} == {"bad_request"}
