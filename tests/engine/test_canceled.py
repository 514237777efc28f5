"""A run that is canceled keeps what it has, and says what it does not know of its cost (R39, R42)."""

import asyncio
from pathlib import Path

import pytest

from gnollbench.engine.journal import Journal
from gnollbench.engine.repair import Repair
from gnollbench.engine.run import Finished, Run
from gnollbench.llm.gateway import ModelGateway
from gnollbench.llm.messages import Reply, Request, Usage
from gnollbench.records.figures import scored
from gnollbench.records.run import Role, RunRecord
from gnollbench.scoring.outcomes import RunStatus
from gnollbench.scoring.verdict import Member
from tests.engine.rig import Model, gateway_of, only_on, run, settled, words_of
from tests.engine.scripted import ANSWER, Silent, once, says, verdict

USED = Usage(input_tokens=100, cached_tokens=0, output_tokens=10, reasoning_tokens=0)
CLAIMED = verdict(unverified_claims=[{"quote": ANSWER, "suspected_false": False}])
MODELS: dict[str, Model] = {
    "candidate": once("wiki_search", '{"query": "lich"}'),
    "a": says(verdict()),
    "b": says(verdict()),
    "writer": says("A fair run."),
}


class Hangs:
    """A gateway whose call to one model never ends, from its n-th on.

    Attributes
    ----------
    reached : asyncio.Event
        It hangs, and every other call that stands beside it has ended.
    """

    def __init__(self, inner: ModelGateway, model: str, nth: int, beside: str | None) -> None:
        self._inner, self._model, self._left = inner, model, nth
        self._beside = asyncio.Event()
        self._beside_model = beside
        if beside is None:
            self._beside.set()
        self.reached = asyncio.Event()

    def body(self, request: Request) -> object:
        return self._inner.body(request)

    async def complete(self, request: Request, deadline: float) -> Reply:
        if request.model.model == self._model:
            self._left -= 1
            if self._left <= 0:
                await self._beside.wait()
                self.reached.set()
                await asyncio.Event().wait()
        reply = await self._inner.complete(request, deadline)
        if request.model.model == self._beside_model:
            self._beside.set()
        return reply


def canceled_at(
    folder: Path,
    model: str,
    *overrides: str,
    nth: int = 1,
    beside: str | None = None,
    past: RunRecord | None = None,
    models: dict[str, Model] = MODELS,
) -> Finished:
    """Run, or repair, and cancel it at the n-th call of a model, when a call beside it has ended."""
    admission, resolved = settled(words_of(models, overrides))

    async def going() -> Finished:
        gateway = Hangs(gateway_of(models, resolved), model, nth, beside)
        with Journal(folder) as journal:
            if past is None:
                whole = Run("test-run", resolved, admission, gateway, journal, Silent())
            else:
                whole = Repair(past, resolved, gateway, journal, Silent())
            task = asyncio.create_task(whole.execute())
            await asyncio.wait_for(gateway.reached.wait(), 20)
            task.cancel()
            return await task

    return asyncio.run(going())


def test_a_document_that_is_canceled_costs_no_run(tmp_path: Path) -> None:
    """R42, R60: all else is finished by then; the record says that the document is missing, and why."""
    finished = canceled_at(tmp_path, "writer")
    record = finished.record
    assert record.run.status is RunStatus.COMPLETED
    assert record.results is not None
    assert len(record.syntheses) == 2
    assert finished.documents == {}
    assert any("summary is missing: it was canceled" in warning for warning in record.run.warnings)
    assert record.costs[Role.WRITER].unpriced == 1
    assert scored(record) == record


def test_a_document_that_is_canceled_costs_no_repair(tmp_path: Path) -> None:
    """R42, R60: what was repaired stays repaired."""
    broken = MODELS | {"b": only_on("q03", says("prose"), MODELS["b"])}
    past = run(tmp_path, broken).record
    record = canceled_at(tmp_path, "writer", past=past).record
    assert record.run.status is RunStatus.COMPLETED
    assert all(set(answer.verdicts) == {Member.A, Member.B} for answer in record.answers)
    assert any("summary is missing: it was canceled" in warning for warning in record.run.warnings)


def test_half_a_grading_does_not_pass_for_a_whole_one(tmp_path: Path) -> None:
    """R33, R42: a repair that is canceled before its verifier has ruled leaves the answer to the next one."""
    models = MODELS | {"candidate": says(ANSWER), "a": says(CLAIMED), "verifier": says("{}")}
    past = run(tmp_path, models | {"b": only_on("q03", says("prose"), MODELS["b"])}).record
    record = canceled_at(tmp_path, "verifier", past=past, models=models).record
    assert record.run.status is RunStatus.COMPLETED_WITH_ERRORS
    assert [a.question for a in record.answers if len(a.verdicts) < 2] == ["q03"]
    assert record.costs[Role.VERIFIER].unpriced == 1
    assert record.costs[Role.CO_ASSESSOR].input_tokens == 60  # three, two that gave none, one more


def test_a_verdict_in_hand_is_kept(tmp_path: Path) -> None:
    """R39, R42: the other member's call was cut, and what it cost is not known."""
    finished = canceled_at(tmp_path, "b", "questions=[q03]", beside="a")
    record = finished.record
    (answer,) = record.answers
    assert record.run.status is RunStatus.CANCELED
    assert set(answer.verdicts) == {Member.A}
    assert record.costs[Role.ASSESSOR].usd == 0
    assert record.costs[Role.ASSESSOR].input_tokens == 10
    cut = record.costs[Role.CO_ASSESSOR]
    assert (cut.usd, cut.unpriced) == (None, 1)
    assert answer.usage[Role.CO_ASSESSOR].unpriced == 1
    said = [event.role for event in finished.events["q03"] if event.type == "model_call"]
    assert said == ["candidate", "candidate", "assessor", "co_assessor"]
    assert any("co_assessor: a call was cut" in warning for warning in record.run.warnings)


@pytest.mark.parametrize("nth", [1, 2])
def test_a_question_in_flight_has_cost_something(tmp_path: Path, nth: int) -> None:
    """R39, R42: no answer, but its calls, what is known of their cost, and that a part is not."""
    finished = canceled_at(tmp_path, "candidate", "questions=[q03]", nth=nth)
    record = finished.record
    assert (record.answers, record.run.status) == ((), RunStatus.CANCELED)
    cost = record.costs[Role.CANDIDATE]
    assert (cost.usd, cost.input_tokens) == ((None, None) if nth == 1 else (0, 10))
    assert (cost.unmetered, cost.unpriced) == (1, 1)
    assert [event.type for event in finished.events["q03"]].count("model_call") == nth
    assert any("candidate: a call was cut" in warning for warning in record.run.warnings)


def test_a_synthesis_that_is_canceled_costs_no_verdict(tmp_path: Path) -> None:
    """R39, R42: all verdicts stay, and its own cost is not known."""
    record = canceled_at(tmp_path, "b", nth=5).record
    assert record.run.status is RunStatus.CANCELED
    assert record.costs[Role.CO_ASSESSOR_SYNTHESIS].unpriced == 1
    assert record.costs[Role.CO_ASSESSOR].whole_usd == 0
    assert all(len(answer.verdicts) == 2 for answer in record.answers)


def test_every_role_says_what_it_was_served(tmp_path: Path) -> None:
    """R43: the writer too, and a synthesis under the member that wrote it."""

    def graders(request: Request) -> Reply:
        own = "# Your verdicts" in request.messages[-1].content
        return Reply(
            "A fair run." if own else verdict(), "stop", usage=USED, served_model="s-2" if own else "g-1"
        )

    models = {"candidate": says(ANSWER), "a": graders, "b": graders, "writer": says("A fair run.")}
    record = run(tmp_path, models).record
    served = {role: model.served for role, model in record.models.items()}
    assert served[Role.WRITER] == ("scripted-1",)
    assert served[Role.ASSESSOR] == served[Role.CO_ASSESSOR] == ("g-1", "s-2")
    assert served[Role.CANDIDATE] == ("scripted-1",)
