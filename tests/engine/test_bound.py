"""What a run may cost is asked before each stage that spends, and told where it was passed (R39, R42)."""

from pathlib import Path

import pytest

from gnollbench.engine.question import Crew
from gnollbench.llm.messages import Reply
from gnollbench.llm.prices import Cost
from gnollbench.records.launch import ModelConfig
from gnollbench.records.run import Role, RunRecord, UnscoredCode
from gnollbench.scoring.outcomes import RunStatus
from tests.engine.rig import Model, only_on, repair, run
from tests.engine.scripted import ANSWER, says, verdict

MODELS: dict[str, Model] = {
    "candidate": says(ANSWER),
    "a": says(verdict()),
    "b": says(verdict()),
    "reader": says(verdict()),
    "writer": says("A fair run."),
}


@pytest.fixture
def priced(monkeypatch: pytest.MonkeyPatch) -> dict[str, Cost]:
    """What each model's call costs, by its name; the others' are free."""
    prices: dict[str, Cost] = {}

    def price(_: Crew, model: ModelConfig, __: Reply) -> Cost:
        return prices.get(model.model, Cost(0.0))

    monkeypatch.setattr(Crew, "_price", price)
    return prices


def verdicts_of(record: RunRecord) -> int:
    return sum(len(answer.verdicts) for answer in record.answers)


def warned(record: RunRecord, words: str) -> bool:
    return any(words in warning for warning in record.run.warnings)


def test_no_answer_is_graded_beyond_the_bound(priced: dict[str, Cost], tmp_path: Path) -> None:
    """R42: what the last answer passes is broken off, with what was graded by then, and no score."""
    priced["candidate"] = Cost(1.0)
    record = run(tmp_path, MODELS, "limits.run_usd=4", "concurrency.questions=1").record
    assert record.run.status is RunStatus.CANCELED
    assert len(record.answers) == 4
    assert verdicts_of(record) < 8
    assert record.results is None
    assert warned(record, "broken off: limits.run_usd is 4, and at least 4 USD were spent")


def test_a_graded_run_stands_without_its_syntheses(priced: dict[str, Cost], tmp_path: Path) -> None:
    """R17, R42: they are missing with the reason, and so is the document; every score stands."""
    priced["reader"] = Cost(1.0)
    finished = run(tmp_path, MODELS, "limits.run_usd=4")
    record = finished.record
    assert record.run.status is RunStatus.COMPLETED_WITH_ERRORS
    assert record.results is not None
    assert [s.unscored and s.unscored.code for s in record.syntheses] == [UnscoredCode.LIMIT] * 2
    assert finished.documents == {}
    assert warned(record, "limits.run_usd is 4, and at least 4 USD were spent")


def test_a_reading_beyond_the_bound_is_missing(priced: dict[str, Cost], tmp_path: Path) -> None:
    """R31, R42: a single assessor's follow-up readings come last; the scores stand without them."""
    single = {role: model for role, model in MODELS.items() if role not in ("b", "writer")}
    priced["a"] = Cost(1.0)
    record = run(tmp_path, single, "limits.run_usd=4", "reader.mode=flagged_plus_sample").record
    unread = [answer.unscored["reader"].code for answer in record.answers if "reader" in answer.unscored]
    assert unread
    assert set(unread) == {UnscoredCode.LIMIT}
    assert record.results is not None


def test_a_document_beyond_the_bound_is_missing(priced: dict[str, Cost], tmp_path: Path) -> None:
    """R60: with a warning; the run is whole."""
    priced["a"] = Cost(1.0)
    finished = run(tmp_path, MODELS, "limits.run_usd=5")
    assert finished.record.run.status is RunStatus.COMPLETED
    assert finished.documents == {}
    assert Role.WRITER not in finished.record.costs
    assert warned(finished.record, "summary is missing: limits.run_usd is 5")


def test_a_bound_that_is_passed_last_is_told(priced: dict[str, Cost], tmp_path: Path) -> None:
    """R39: nothing was left to be stopped, and the record says so all the same; a run within it says nothing."""
    priced["a"] = Cost(1.0)
    models = {role: model for role, model in MODELS.items() if role != "writer"}
    assert warned(run(tmp_path / "at", models, "limits.run_usd=5").record, "limits.run_usd is 5")
    assert not warned(run(tmp_path / "within", models, "limits.run_usd=6").record, "limits.run_usd")


def test_an_unknown_cost_breaks_off_a_bound_run(priced: dict[str, Cost], tmp_path: Path) -> None:
    """R39: unknown is not zero: who could not tell when the bound is passed does not go on."""
    priced["a"] = Cost(None, "no usage")
    record = run(tmp_path / "bound", MODELS, "limits.run_usd=100", "concurrency.questions=1").record
    assert record.run.status is RunStatus.CANCELED
    assert warned(record, "broken off: limits.run_usd is 100, and what was spent is not known")
    free = run(tmp_path / "free", MODELS).record
    assert free.run.status is RunStatus.COMPLETED


def test_a_call_of_unknown_cost_counts_as_the_dearest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """R39: one call that was cut does not end a run; the bound is held to all the same."""
    costs = iter([Cost(1.0), Cost(None, "cut"), Cost(1.0), Cost(1.0)])

    def price(_: Crew, model: ModelConfig, __: Reply) -> Cost:
        return next(costs) if model.model == "candidate" else Cost(0.0)

    monkeypatch.setattr(Crew, "_price", price)
    record = run(tmp_path, MODELS, "limits.run_usd=3", "concurrency.questions=1").record
    assert (record.run.status, len(record.answers)) == (RunStatus.CANCELED, 3)
    assert warned(record, "at least 2 USD were spent; calls of unknown cost: 1")


def test_a_repair_spends_what_the_run_left(priced: dict[str, Cost], tmp_path: Path) -> None:
    """R39, R42: the bound is on the run, and what the run had spent counts."""
    priced["a"] = Cost(1.0)
    broken = MODELS | {"b": only_on("q03", says("prose"), MODELS["b"])}
    past = run(tmp_path / "run", broken, "limits.run_usd=7").record
    assert past.run.status is RunStatus.COMPLETED_WITH_ERRORS
    assert past.costs[Role.ASSESSOR].usd == 4
    priced["b"] = Cost(2.0)
    record = repair(tmp_path / "repair", past, MODELS, "limits.run_usd=7").record
    assert record.costs[Role.CO_ASSESSOR].usd == 2
    assert record.costs[Role.SYNTHESIS].usd == 1
    assert [s.unscored and s.unscored.code for s in record.syntheses] == [UnscoredCode.LIMIT] * 2
    assert warned(record, "limits.run_usd is 7, and at least 7 USD were spent")
