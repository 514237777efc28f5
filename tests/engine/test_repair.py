"""Repair: a run with what failed completes to the figures of a run that never failed (R26, R41, R42, R43)."""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gnollbench.engine.repair import repaired_launch, require_same_keys
from gnollbench.errors import HarnessFailure, ProviderFailure, Refusal
from gnollbench.llm.failures import ContextFull, DeadlineReached
from gnollbench.llm.messages import Reply, Request, ToolCall, Usage
from gnollbench.records.figures import evaluate, scored
from gnollbench.records.files import read_record, write_record
from gnollbench.records.run import Key, Role, RunRecord
from gnollbench.scoring.outcomes import RunStatus
from tests.engine.rig import QUESTIONS, Model, asked_about, only_on, repair, run, settled, words_of
from tests.engine.said import TEXT, charged, grades, rules, text_of
from tests.engine.scripted import ANSWER, breaks, says, verdict

USED = Usage(input_tokens=100, cached_tokens=0, output_tokens=10, reasoning_tokens=0)


def by_question(**levels: int) -> Model:
    """A grader whose Accuracy differs from question to question, or another model's plain words."""

    def model(request: Request) -> Reply:
        if "# Your verdicts" in request.messages[-1].content:
            return Reply("A fair run.", "stop", usage=USED)
        level = levels.get(asked_about(request), 6)
        text = verdict(levels={"accuracy": level}, evidence={"accuracy": "Wrong about the value."})
        return Reply(text, "stop", usage=USED, served_model="grader-1")

    return model


def answers(request: Request) -> Reply:
    return Reply(f"{ANSWER} ({asked_about(request)})", "stop", usage=USED, served_model="candidate-1")


HEALTHY: dict[str, Model] = {
    "candidate": answers,
    "a": by_question(q03=3, q04=5),
    "b": by_question(q01=4, q03=2),
    "reader": by_question(q05=4),
}


def figures(record: RunRecord) -> dict[str, Any]:
    """All that scoring a record gives, but for what the clock decides."""
    evaluation = evaluate(record)
    shown: dict[str, Any] = {
        "scores": {
            name: score and score.model_dump(mode="json", exclude={"speed"})
            for name, score in evaluation.answers.items()
        },
        "results": evaluation.results and evaluation.results.model_dump(mode="json", exclude={"speed"}),
        "withheld": [entry.figure for entry in evaluation.withheld],
        "status": evaluation.status,
        "advice": [
            (a.question, a.verdicts, a.claims, a.flags, a.triggers, a.reader, a.regrade, a.unscored)
            for a in record.answers
        ],
        "syntheses": record.syntheses,
    }
    return shown


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    """A run that never failed."""
    return run(tmp_path_factory.mktemp("whole"), HEALTHY).record


def provider(kind: str, code: str | None) -> Model:
    return breaks(ProviderFailure(kind, code, "down"))


# Every way of the fault table in which a member can fail, as the gateway hands it over, and what the verdict is.
MEMBER_FAULTS: dict[str, tuple[Model, str]] = {
    "429": (provider("rate_limit", "429"), "provider"),
    "500": (provider("outage", "500"), "provider"),
    "502": (provider("outage", "502"), "provider"),
    "503": (provider("overloaded", "503"), "provider"),
    "504": (provider("outage", "504"), "provider"),
    "529": (provider("overloaded", "529"), "provider"),
    "connection refused": (provider("connection", None), "provider"),
    "no JSON over HTTP 200": (provider("malformed", "200"), "provider"),
    "no choices": (provider("malformed", None), "provider"),
    "a silent call": (provider("timeout", None), "provider"),
    "a cut stream": (provider("stream_cut", None), "provider"),
    "400": (breaks(HarnessFailure("bad_request", "no such field", "400")), "provider"),
    "a fault of ours": (breaks(ZeroDivisionError("oops")), "provider"),
    "the context window is full": (breaks(ContextFull("too long")), "limit"),
    "the deadline": (breaks(DeadlineReached("time")), "limit"),
    "the context window, told by the reply": (says(verdict(), "context"), "limit"),
    "cut by the output limit": (says('{"levels": {"accuracy": 6', "length"), "truncated"),
    "cut behind a whole verdict": (says(verdict(), "length"), "truncated"),
    "a filter with text": (says(verdict(), "refused"), "refused"),
    "a filter without text": (says("", "refused"), "refused"),
    "no text": (says(""), "no_json"),
    "prose": (says("A fine answer: full marks."), "no_json"),
    "a level that there is not": (says(verdict(levels={"accuracy": 7})), "schema"),
    "no number": (says(verdict().replace('"accuracy": 6', '"accuracy": NaN')), "not_finite"),
}


@pytest.mark.parametrize("fault", MEMBER_FAULTS)
@pytest.mark.parametrize("member", ["a", "b"])
def test_failed_member_is_completed(tmp_path: Path, whole: RunRecord, member: str, fault: str) -> None:
    """R26, R41: no score for that answer, the other verdict kept, errors; then the figures of a whole run."""
    broken, code = MEMBER_FAULTS[fault]
    models = HEALTHY | {member: only_on("q03", broken, HEALTHY[member])}
    record = run(tmp_path, models).record
    other = "b" if member == "a" else "a"
    answer = next(a for a in record.answers if a.question == "q03")
    assert answer.score is None
    assert {name: why.code for name, why in answer.unscored.items()} == {member: code}
    assert list(answer.verdicts) == [other]
    assert record.run.status is RunStatus.COMPLETED_WITH_ERRORS
    assert evaluate(record).missing == ("q03",)
    assert record.results is not None
    assert (record.results.intelligence.n, record.results.intelligence.n_questions) == (3, 4)
    mended = repair(tmp_path, record, HEALTHY).record
    assert figures(mended) == figures(whole)
    assert [a for a in mended.answers if a.question != "q03"] == [
        a for a in record.answers if a.question != "q03"
    ]
    kept = next(a for a in mended.answers if a.question == "q03").verdicts
    assert kept[other] == answer.verdicts[other]


@pytest.mark.parametrize(
    "odd",
    [
        Usage(),
        Usage(input_tokens=None, cached_tokens=7, output_tokens=None),
    ],
)
def test_odd_usage_costs_no_verdict(tmp_path: Path, odd: Usage) -> None:
    """R39, R41: usage that is missing makes a cost unknown; the verdict stands. So does an unknown finish."""

    def strange(request: Request) -> Reply:
        return replace(HEALTHY["b"](request), usage=odd, finish_reason="unknown")

    record = run(tmp_path, HEALTHY | {"b": strange}).record
    assert record.run.status is RunStatus.COMPLETED
    assert record.costs[Role.CO_ASSESSOR].usd is None


@pytest.mark.parametrize("member", ["a", "b"])
def test_refused_key_of_a_member_fails_the_run_and_is_completed(
    tmp_path: Path, whole: RunRecord, member: str
) -> None:
    """R41, R42: 401 and the like end the run as failed; a repair asks what was not asked."""
    models = HEALTHY | {member: only_on("q03", provider("configuration", "401"), HEALTHY[member])}
    record = run(tmp_path, models).record
    assert record.run.status is RunStatus.FAILED
    assert record.results is None
    mended = repair(tmp_path, record, HEALTHY).record
    assert figures(mended) == figures(whole)
    assert mended.run.status is RunStatus.COMPLETED


CANDIDATE_FAULTS: dict[str, Model] = {
    "rate limit": provider("rate_limit", "429"),
    "outage": provider("outage", "500"),
    "cut stream": provider("stream_cut", None),
    "bad request": breaks(HarnessFailure("bad_request", "no such field", "400")),
    "a fault of ours": breaks(ZeroDivisionError("oops")),
    "refused key": provider("configuration", "401"),
}


@pytest.mark.parametrize("fault", CANDIDATE_FAULTS)
def test_failed_question_is_asked_again(tmp_path: Path, whole: RunRecord, fault: str) -> None:
    """R41: the failed question alone is asked again, or what a broken-off run never asked."""
    asked: list[str] = []

    def watched(request: Request) -> Reply:
        asked.append(asked_about(request))
        return answers(request)

    record = run(tmp_path, HEALTHY | {"candidate": only_on("q03", CANDIDATE_FAULTS[fault], answers)}).record
    assert record.run.status in (RunStatus.COMPLETED_WITH_ERRORS, RunStatus.FAILED)
    mended = repair(tmp_path, record, HEALTHY | {"candidate": watched}).record
    assert figures(mended) == figures(whole)
    before = {a.question for a in record.answers if a.failure is None}
    assert asked == [name for name in QUESTIONS if name not in before]
    assert {a.question: a for a in mended.answers if a.question in before} == {
        a.question: a for a in record.answers if a.question in before
    }


def test_repair_that_fails_again_keeps_what_was_there(tmp_path: Path, whole: RunRecord) -> None:
    """R41: a second outage changes nothing; a third attempt completes the run."""
    models = HEALTHY | {"candidate": only_on("q03", provider("outage", "500"), answers)}
    record = run(tmp_path, models).record
    again = repair(tmp_path, record, models).record
    assert again.run.status is RunStatus.COMPLETED_WITH_ERRORS
    assert again.results is None
    refused = HEALTHY | {"candidate": only_on("q03", provider("configuration", "401"), answers)}
    third = repair(tmp_path, again, refused).record
    assert third.run.status is RunStatus.COMPLETED_WITH_ERRORS
    assert [a.question for a in third.answers] == list(QUESTIONS)
    assert figures(repair(tmp_path, third, HEALTHY).record) == figures(whole)


def test_failed_run_that_fails_again_stays_failed(tmp_path: Path, whole: RunRecord) -> None:
    """R42: what was reached is kept, and a run of which questions were not reached is no whole one."""
    models = HEALTHY | {"candidate": only_on("q03", provider("configuration", "401"), answers)}
    record = run(tmp_path, models).record
    assert record.run.status is RunStatus.FAILED
    again = repair(tmp_path, record, models).record
    assert again.run.status is RunStatus.FAILED
    assert again.results is None
    assert [a.question for a in again.answers] == ["q01", "q03"]
    assert figures(repair(tmp_path, again, HEALTHY).record) == figures(whole)


def test_missing_reading_is_taken_again(tmp_path: Path, whole: RunRecord) -> None:
    """R42: a reading that was asked for and failed; no verdict and no score changes."""
    models = HEALTHY | {"reader": only_on("q04", says("no verdict"), HEALTHY["reader"])}
    record = run(tmp_path, models).record
    assert record.run.status is RunStatus.COMPLETED_WITH_ERRORS
    graders = {name: breaks(AssertionError("asked again")) for name in ("candidate", "a", "b")}
    mended = repair(tmp_path, record, HEALTHY | graders).record
    assert figures(mended) == figures(whole)


@pytest.mark.parametrize("lost", ["reader", "regrade"])
def test_only_the_missing_part_of_the_advice_is_taken_again(tmp_path: Path, lost: str) -> None:
    """R31, R35: a missing reading asks no assessor, a missing re-grade no reader."""
    first: dict[str, Any] = {
        "levels": {"accuracy": 3},
        "evidence": {"accuracy": "Wrong."},
        "charges": [charged()],
    }

    def assessor(request: Request) -> Reply:
        return grades(**({} if "# Your first verdict" in text_of(request) else first))(request)

    def again_lost(request: Request) -> Reply:
        return (says("no") if "# Your first verdict" in text_of(request) else assessor)(request)

    healthy = {"candidate": says(TEXT), "a": assessor, "reader": grades(), "verifier": rules("supported")}
    expected = run(tmp_path, healthy, "reader.mode=all").record
    broken: dict[str, dict[str, Model]] = {
        "reader": {"reader": only_on("q04", says("no"), grades())},
        "regrade": {"reader": only_on("q04", says("no"), grades()), "a": again_lost},
    }
    record = run(tmp_path, healthy | broken[lost], "reader.mode=all").record
    unasked = {"verifier": breaks(AssertionError("asked again"))}
    if lost == "reader":
        unasked["a"] = only_on("q04", breaks(AssertionError("asked again")), assessor)
    mended = repair(tmp_path, record, healthy | unasked, "reader.mode=all").record
    assert figures(mended) == figures(expected)
    assert all(answer.regrade is not None for answer in mended.answers)


def test_missing_synthesis_is_written_again(tmp_path: Path, whole: RunRecord) -> None:
    """R42: the one that is missing, and no other."""

    def mute(request: Request) -> Reply:
        return (
            says("")(request) if "# Your verdicts" in request.messages[-1].content else HEALTHY["b"](request)
        )

    record = run(tmp_path, HEALTHY | {"b": mute}).record
    assert record.run.status is RunStatus.COMPLETED_WITH_ERRORS
    others = {name: breaks(AssertionError("asked again")) for name in ("candidate", "a", "reader")}
    mended = repair(tmp_path, record, HEALTHY | others).record
    assert figures(mended) == figures(whole)


SINGLE = {name: HEALTHY[name] for name in ("candidate", "a", "reader")}


@pytest.mark.parametrize("mode", ["flagged", "flagged_and_outliers", "flagged_plus_sample", "all"])
@pytest.mark.parametrize("broken", ["q01", "q03"])
def test_selection_is_that_of_the_whole_run(tmp_path: Path, mode: str, broken: str) -> None:
    """R31: what the part had selected and the whole does not is no reading of the whole."""
    words = (f"reader.mode={mode}", "profile.reader.minimum=2")
    expected = run(tmp_path, SINGLE, *words).record
    models = SINGLE | {"a": only_on(broken, says("prose"), SINGLE["a"])}
    record = run(tmp_path, models, *words).record
    assert record.run.status is RunStatus.COMPLETED_WITH_ERRORS
    assert figures(repair(tmp_path, record, SINGLE, *words).record) == figures(expected)


def test_spent_money_stays_spent(tmp_path: Path) -> None:
    """R39: what failed attempts used is part of the run's costs after a repair; embedded models cost nothing."""
    stumbles = only_on("q03", says("prose"), HEALTHY["b"])
    record = run(tmp_path, HEALTHY | {"b": stumbles}).record
    mended = repair(tmp_path, record, HEALTHY).record
    for role, calls in ((Role.CO_ASSESSOR, 4), (Role.CO_ASSESSOR_SYNTHESIS, 2)):
        spent = mended.costs[role].input_tokens
        wasted = 20 if role is Role.CO_ASSESSOR else 0  # two replies of ten tokens without a verdict
        assert spent == 100 * calls + wasted
    assert mended.costs[Role.CANDIDATE] == record.costs[Role.CANDIDATE]
    assert mended.run.elapsed_s > record.run.elapsed_s
    assert any(warning.startswith("Repaired on") for warning in mended.run.warnings)


def test_tokens_of_a_failed_attempt_are_in_the_costs(tmp_path: Path) -> None:
    """R39: a candidate that used tokens before its provider failed has used them."""

    def fails_later(request: Request) -> Reply:
        if request.messages[-1].role == "tool":
            raise ProviderFailure("outage", "500", "down")
        call = ToolCall("c1", "wiki_search", '{"query": "lich"}')
        return Reply("", "tool_calls", (call,), usage=USED)

    record = run(tmp_path, HEALTHY | {"candidate": only_on("q03", fails_later, answers)}).record
    mended = repair(tmp_path, record, HEALTHY).record
    assert record.costs[Role.CANDIDATE].input_tokens == 400
    assert mended.costs[Role.CANDIDATE].input_tokens == 500
    assert mended.costs[Role.CANDIDATE].usd == 0


def test_what_a_killed_repair_spent_is_unknown(tmp_path: Path) -> None:
    """R39, R42: its journal is left; what the costs are known to be they are at least, and what is free stays free."""
    stumbles = only_on("q03", says("prose"), HEALTHY["b"])
    record = run(tmp_path / "run", HEALTHY | {"b": stumbles}).record
    paid = record.costs[Role.CANDIDATE].model_copy(update={"usd": 0.5})
    record = record.model_copy(update={"costs": {**record.costs, Role.CANDIDATE: paid}})
    assert repair(tmp_path / "first", record, HEALTHY).record.costs[Role.CANDIDATE] == paid
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "journal.jsonl").write_text('{"event": "started"}\n', "utf-8")
    record_file = tmp_path / "second" / "record.json"
    os.utime(tmp_path / "second" / "journal.jsonl", ns=(1, 1))
    record_file.write_text("{}", "utf-8")
    assert repair(tmp_path / "second", record, HEALTHY).record.costs[Role.CANDIDATE] == paid
    (tmp_path / "second" / "journal.jsonl").write_text('{"event": "started"}\n', "utf-8")
    os.utime(record_file, ns=(1, 1))
    mended = repair(tmp_path / "second", record, HEALTHY).record
    known, free = mended.costs[Role.CANDIDATE], mended.costs[Role.ASSESSOR]
    assert (known.usd, known.whole_usd, known.unmetered, known.unpriced) == (0.5, None, 1, 1)
    assert (free.usd, free.unmetered) == (0.0, 0)
    assert any("killed" in warning for warning in mended.run.warnings)


def test_repaired_record_is_a_record(tmp_path: Path) -> None:
    """R42: it is written and read back, and scoring it again changes nothing."""
    record = run(tmp_path, HEALTHY | {"a": only_on("q05", says("prose"), HEALTHY["a"])}).record
    mended = repair(tmp_path, record, HEALTHY).record
    write_record(mended, tmp_path / "record.json")
    assert read_record(tmp_path / "record.json") == mended == scored(mended)


def refused(record: RunRecord, now: Mapping[str, Key] | None = None) -> Refusal:
    def ask() -> None:
        repaired_launch(record)
        require_same_keys(record, now or record.keys)

    with pytest.raises(Refusal) as caught:
        ask()
    return caught.value


def test_canceled_and_whole_runs_are_not_repaired(whole: RunRecord) -> None:
    """R42: what a person broke off is never completed; what lacks nothing needs nothing."""
    head = whole.run.model_copy(update={"status": RunStatus.CANCELED})
    assert "canceled" in refused(whole.model_copy(update={"run": head})).why
    assert "completed" in refused(whole).why


def test_record_without_its_configuration_is_refused(whole: RunRecord) -> None:
    """R42: an imported record may not say how it was made."""
    head = whole.run.model_copy(update={"status": RunStatus.FAILED})
    assert "configuration" in refused(whole.model_copy(update={"run": head, "config": {}})).why


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (("panel.co_assessor.thinking_level=high",), "assessor"),
        (("verifier=offline",), "verifier"),
        (("limits.tool_calls=10",), "limits"),
        (("candidate.max_output_tokens=100",), "output_limit"),
        (("profile.not_attempted_score=40",), "scoring_profile"),
        (("concurrency.questions=2",), "question_parallelism"),
    ],
)
def test_other_settings_are_refused_by_name(whole: RunRecord, words: tuple[str, ...], key: str) -> None:
    """R43: a repair measures with the same instrument, or not at all."""
    _, other = settled((*words_of(HEALTHY, ()), *words))
    head = whole.run.model_copy(update={"status": RunStatus.FAILED})
    refusal = refused(whole.model_copy(update={"run": head}), other.keys)
    assert f"{key} was " in refusal.why
    assert refusal.why.count(" was ") == 1


def test_every_differing_key_is_named(whole: RunRecord) -> None:
    """R43: all of them at once, with both values."""
    moved = {
        "harness_version": Key.of("harness_version", 44),
        "knowledge_base": Key.of("knowledge_base", "x"),
    }
    head = whole.run.model_copy(update={"status": RunStatus.FAILED})
    refusal = refused(whole.model_copy(update={"run": head}), whole.keys | moved)
    assert "harness_version was 45, is 44" in refusal.why
    assert "knowledge_base was" in refusal.why


def test_later_scorings_do_not_outlive_their_answers(tmp_path: Path) -> None:
    """R24: a scoring of the answers before the repair is no scoring of those after it."""
    from datetime import UTC, datetime

    from gnollbench.engine.again import rescored

    record = run(tmp_path, HEALTHY | {"a": only_on("q05", says("prose"), HEALTHY["a"])}).record
    record = rescored(record, datetime.now(UTC))
    mended = repair(tmp_path, record, HEALTHY).record
    assert mended.scorings == ()
    assert any("score again" in warning for warning in mended.run.warnings)
    assert json.dumps(mended.config) == json.dumps(record.config)
