"""What the advisory roles' faults do to a run: nothing to its scores, and they are told of (R2, R33, R41, R42)."""

from pathlib import Path
from typing import Any

import pytest

from gnollbench.errors import HarnessFailure, ProviderFailure
from gnollbench.llm.failures import ContextFull, DeadlineReached
from gnollbench.llm.messages import Reply, Request, ToolCall
from gnollbench.records.figures import evaluate
from gnollbench.records.run import Role, RunRecord
from gnollbench.scoring.outcomes import RunStatus
from gnollbench.scoring.panel import Resolution
from tests.engine.rig import one, run
from tests.engine.said import TEXT, Model, claimed, critical, grades, rules, text_of
from tests.engine.scripted import breaks, says

CANDIDATE = says(TEXT)
SPLIT = {"a": grades(**critical(unverified_claims=[claimed()])), "b": grades()}
FAULTS: dict[str, Exception] = {
    "rate limit": ProviderFailure("rate_limit", "429", "slow down"),
    "outage": ProviderFailure("outage", "500", "down"),
    "cut stream": ProviderFailure("stream_cut", None, "cut"),
    "refused key": ProviderFailure("configuration", "401", "bad key"),
    "bad request": HarnessFailure("bad_request", "no such field", "400"),
    "context": ContextFull("too long"),
    "deadline": DeadlineReached("time"),
    "ours": ZeroDivisionError("oops"),
}


def scores(record: RunRecord) -> list[Any]:
    return [s and s.model_dump(exclude={"speed"}) for s in evaluate(record).answers.values()]


@pytest.mark.parametrize("fault", FAULTS)
def test_failing_verifier_leaves_a_split_unresolved(tmp_path: Path, fault: str) -> None:
    """R33, R36: its items are open with the reason; the status is not changed, a warning is recorded."""
    models = {"candidate": CANDIDATE, **SPLIT, "verifier": breaks(FAULTS[fault])}
    record = run(tmp_path, models).record
    assert record.run.status is RunStatus.COMPLETED
    for answer in record.answers:
        assert answer.claims
        assert all(claim.ruling == "indeterminate" and claim.reason for claim in answer.claims)
        assert answer.score is not None
        assert answer.score.resolution is Resolution.UNRESOLVED
        assert any(warning.startswith(f"{answer.question}: ") for warning in record.run.warnings)
    assert scores(record) == scores(run(tmp_path, {"candidate": CANDIDATE, **SPLIT}).record)


def test_verifier_out_of_budget_leaves_what_it_did_not_reach_open(tmp_path: Path) -> None:
    """R33: a budget used up is no failure; the warning names the limit or the missing ruling."""

    def never_ends(request: Request) -> Reply:
        if request.tools_closed:
            return Reply("", "stop")
        call = ToolCall(f"c{len(request.messages)}", "wiki_search", '{"query": "lich"}')
        return Reply("", "tool_calls", (call,))

    record = run(
        tmp_path, {"candidate": CANDIDATE, **SPLIT, "verifier": never_ends}, "questions=[q03]"
    ).record
    (answer,) = record.answers
    assert {claim.reason for claim in answer.claims} == {"the verifier's budget was used up: tool_rounds"}
    assert any("tool_rounds" in warning for warning in record.run.warnings)


@pytest.mark.parametrize("fault", FAULTS)
def test_failing_reader_costs_its_reading_alone(tmp_path: Path, fault: str) -> None:
    """R32, R42: the reading is missing and told of, the run completed with errors; every score stands."""
    models = {"candidate": CANDIDATE, **SPLIT, "reader": breaks(FAULTS[fault])}
    record = run(tmp_path, models).record
    assert record.run.status is RunStatus.COMPLETED_WITH_ERRORS
    assert len(record.answers) == 4
    for answer in record.answers:
        assert answer.reader is None
        assert answer.unscored["reader"].code in ("provider", "limit")
    assert record.results is not None
    assert scores(record) == scores(run(tmp_path, {"candidate": CANDIDATE, **SPLIT}).record)


def assessing(model: Model) -> dict[str, Model]:
    """Members of whom b breaks where it is asked for its assessment of the run."""

    def b(request: Request) -> Reply:
        return (model if "# Your verdicts" in text_of(request) else grades())(request)

    return {"candidate": CANDIDATE, "a": grades(), "b": b}


NO_TEXT = [*map(breaks, FAULTS.values()), says(""), says("half", "length"), says("no", "refused")]


@pytest.mark.parametrize("model", NO_TEXT)
def test_failing_synthesis_is_missing_and_told_of(tmp_path: Path, model: Model) -> None:
    """R17, R42: one member's is missing with its reason, the other's is there; indices stand."""
    record = run(tmp_path, assessing(model)).record
    first, second = record.syntheses
    assert (first.text, first.unscored) == ("A fair run.", None)
    assert second.text == ""
    assert second.unscored is not None
    assert record.run.status is RunStatus.COMPLETED_WITH_ERRORS
    assert record.results is not None


def test_synthesis_is_of_the_members_own_verdicts(tmp_path: Path) -> None:
    """R17: each member assesses what it graded itself, with the scores that the panel used."""
    seen: dict[str, str] = {}

    def member(name: str, **fields: Any) -> Model:
        def model(request: Request) -> Reply:
            if "# Your verdicts" in text_of(request):
                seen[name] = text_of(request)
            return grades(**fields)(request)

        return model

    a = member("a", **critical())
    void = {"critical_error": {"quote": "A lich has speed 7.", "reason": "12."}}
    b = member("b", levels={"completeness": 3}, evidence={"completeness": "Only b says this."}, **void)
    run(tmp_path, {"candidate": CANDIDATE, "a": a, "b": b, "verifier": rules("refuted")})
    assert "The rubric says speed 12." in seen["a"]
    assert "Only b says this." not in seen["a"]
    assert seen["a"].count("; critical error") == 4
    assert seen["b"].count("score 25;") == 4
    assert "; critical error" not in seen["b"]
    assert "completeness 3" in seen["b"]


@pytest.mark.parametrize("fault", FAULTS)
def test_failing_writer_costs_its_document_alone(tmp_path: Path, fault: str) -> None:
    """R60: no status and no figure depends on it; the warning says what is missing."""
    models = {"candidate": CANDIDATE, "a": grades(), "b": grades(), "writer": breaks(FAULTS[fault])}
    finished = run(tmp_path, models)
    assert finished.documents == {}
    assert finished.record.run.status is RunStatus.COMPLETED
    assert any("summary is missing" in warning for warning in finished.record.run.warnings)


def test_writer_is_costed_outside_the_run(tmp_path: Path) -> None:
    """R39, R60: its cost stands under its own role; it is asked once, after everything else."""
    order: list[str] = []

    def noting(name: str, model: Model) -> Model:
        return lambda request: (order.append(name), model(request))[1]

    models = {
        "candidate": noting("candidate", CANDIDATE),
        "a": noting("a", grades()),
        "b": noting("b", grades()),
        "writer": noting("writer", grades()),
    }
    finished = run(tmp_path, models)
    assert order.index("writer") == len(order) - 1
    assert set(finished.documents) == {"summary"}
    assert finished.record.costs[Role.WRITER].input_tokens == 10
    assert Role.WRITER not in finished.record.answers[0].usage


def test_run_without_results_has_no_document(tmp_path: Path) -> None:
    """R3, R60: there is nothing to write from."""
    models = {"candidate": CANDIDATE, "a": grades(), "b": grades(), "writer": breaks(AssertionError("asked"))}
    assert run(tmp_path, models, "questions=[q03]").documents == {}


def test_a_fault_in_grading_is_told_and_keeps_the_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R26, R41: a bug of ours behind the members' verdicts loses none of them."""
    monkeypatch.setattr("gnollbench.engine.grading.gather", lambda *_: 1 / 0)
    answer = one(tmp_path, {"candidate": CANDIDATE, **SPLIT, "verifier": rules("refuted")})
    assert set(answer.verdicts) == {"a", "b"}
    assert answer.score is not None
