"""Repairing a run: failed questions asked again, missing verdicts, readings and syntheses taken again (R26, R41).

What was finished stays as it is. Whether a repair still measures with the same instrument is decided by the
27 keys: a difference in any of them is refused by name.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from gnollbench.engine.admission import Admission
from gnollbench.engine.grading import regrade_answer
from gnollbench.engine.journal import Journal
from gnollbench.engine.launch import Resolved
from gnollbench.engine.question import Work, all_of
from gnollbench.engine.run import Observer, Run
from gnollbench.errors import Refusal
from gnollbench.llm.gateway import Gateway
from gnollbench.records.figures import scored
from gnollbench.records.launch import Launch
from gnollbench.records.run import KEY_KINDS, Answer, Cost, Key, ModelIdentity, Role, RunRecord, Usage
from gnollbench.records.scores import Standing, standing
from gnollbench.records.usage import cost_of
from gnollbench.scoring.outcomes import Integrity, RunStatus

_SHOWN = 80  # characters of a key's value in a refusal


def repaired_launch(record: RunRecord) -> Launch:
    """Return the launch that a run was made from, where the run can be repaired.

    Raises
    ------
    Refusal
        If the run was canceled, lacks nothing, or its record does not hold its configuration.
    """
    status = scored(record).run.status
    if status is RunStatus.CANCELED:
        raise _refusal(
            record,
            "it was canceled, and what a person or limits.run_usd broke off is not completed",
            "a new run",
        )
    if status not in (RunStatus.FAILED, RunStatus.COMPLETED_WITH_ERRORS):
        raise _refusal(
            record, f"it is {status}: no answer, verdict, reading or synthesis is missing", "nothing"
        )
    try:
        return Launch.model_validate_json(json.dumps(record.config))
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, problem["loc"]))
        raise _refusal(
            record, f"its configuration cannot be read ({where}: {problem['msg']})", "a new run"
        ) from error


def require_same_keys(record: RunRecord, now: Mapping[str, Key]) -> None:
    """Refuse to go on with another instrument, subject or exam than the run was made with (R43).

    Raises
    ------
    Refusal
        Naming every key that differs, with both values.
    """
    differing = [name for name in KEY_KINDS if record.keys[name].hash != now[name].hash]
    if differing:
        said = "; ".join(
            f"{name} was {_short(record.keys[name].value)}, is {_short(now[name].value)}"
            for name in differing
        )
        lifted_by = "the program, suite, corpora and settings of that run; or a new run"
        raise _refusal(record, f"its keys differ from what would answer and grade now: {said}", lifted_by)


@dataclass(frozen=True, slots=True)
class Todo:
    """What a run lacks: the questions that are to be asked, graded or read again, by id, in exam order."""

    asked: tuple[str, ...]
    graded: tuple[str, ...]
    read: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.asked or self.graded or self.read)

    def __str__(self) -> str:
        kinds = (("asked", self.asked), ("graded", self.graded), ("read", self.read))
        return "; ".join(f"{what} again {', '.join(names)}" for what, names in kinds if names) or "syntheses"


def todo_of(record: RunRecord, launch: Launch) -> Todo:
    """Return what a run lacks of what its launch asked for."""
    answers = {answer.question: answer for answer in record.answers}
    wanted = [q.id for q in record.exam.questions if launch.questions is None or q.id in launch.questions]
    asked = [question for question in wanted if _is_to_be_asked(answers.get(question))]
    kept = [answers[question] for question in wanted if question not in asked]
    graded = [a.question for a in kept if standing(a, record.run.mode) is Standing.MISSING]
    read = [a.question for a in kept if {"reader", "regrade"} & a.unscored.keys()]
    return Todo(tuple(asked), tuple(graded), tuple(read))


class Repair(Run):
    """A run that goes on from its record.

    Parameters
    ----------
    record : RunRecord
        Of the run that is to be repaired.
    resolved : Resolved
        Its launch, resolved again; with the same keys.
    """

    _name = "repair"

    def __init__(
        self,
        record: RunRecord,
        resolved: Resolved,
        gateway: Gateway,
        journal: Journal,
        observer: Observer,
    ) -> None:
        exam, todo = record.exam.questions, todo_of(record, resolved.launch)
        asked = {question.id for question in resolved.asked}
        resolved = replace(resolved, exam=exam, asked=tuple(q for q in exam if q.id in asked))
        super().__init__(record.run.id, resolved, Admission((), ()), gateway, journal, observer)
        self._past, self._todo = record, todo
        self._before = {answer.question: answer for answer in record.answers}
        self._asking = tuple(q for q in resolved.asked if q.id in todo.asked)
        kept = [q for q in resolved.asked if q.id not in todo.asked]
        self._state.works = [Work(question, self._before[question.id]) for question in kept]
        self._grading = [work for work in self._state.works if work.question.id in todo.graded]

    async def _questions(self) -> None:
        for work in self._grading:
            work.put(claims=(), regrade=None, reader=None, triggers=(), flags=())
        await super()._questions()
        if self._state.ended is None:
            await all_of(map(self._grade, self._grading))
        for work in self._state.works:
            regrade = self._state.ended is None and "regrade" in work.answer.unscored
            if regrade and not self._over_budget():
                await regrade_answer(self._resolved, self._crew, work)

    async def _grade(self, work: Work) -> None:
        before = work.answer
        try:
            await super()._grade(work)
        except asyncio.CancelledError:
            if len(work.answer.verdicts) == len(self._crew.graders):  # passes for whole, unverified
                work.put(verdicts=before.verdicts, unscored=before.unscored)
            raise

    async def _tail(self) -> None:
        """Read what the whole run selects and no reader has read; drop a reading that only the part called for."""
        if self._crew.reader is None:
            return
        self._observer.said("readings")
        selected = self._selected()
        for work in self._state.works:
            triggers = selected.get(work.question.id)
            if triggers is None:
                unscored = {name: why for name, why in work.answer.unscored.items() if name != "reader"}
                work.put(reader=None, triggers=(), unscored=unscored)
            elif work.answer.reader is None:
                await self._read(work, triggers)
            else:
                work.put(triggers=triggers)

    async def _syntheses(self) -> None:
        """Keep the syntheses where the verdicts that they were written from are the same."""
        if not self._todo.asked and not self._todo.graded:
            self._state.syntheses = [s for s in self._past.syntheses if s.unscored is None]
        await super()._syntheses()

    def _record(self, started: datetime, elapsed_s: float) -> RunRecord:
        """Return the run's own record with what the repair put into it."""
        present, past = super()._record(started, elapsed_s), self._past
        answers = self._answers()
        whole = {question.id for question in self._resolved.asked} <= answers.keys()
        warnings = (*past.run.warnings, *present.run.warnings, *self._notes(started))
        head = past.run.model_copy(
            update={
                "status": RunStatus.COMPLETED if whole else past.run.status,
                "ended_at": present.run.ended_at,
                "elapsed_s": past.run.elapsed_s + elapsed_s,
                "warnings": tuple(dict.fromkeys(warnings)),
            }
        )
        return past.model_copy(
            update={
                "run": head,
                "models": present.models,
                "answers": tuple(answers[q.id] for q in self._resolved.asked if q.id in answers),
                "syntheses": present.syntheses or past.syntheses,
                "costs": present.costs,
                "scorings": (),
            }
        )

    def _answers(self) -> dict[str, Answer]:
        """Return the answers as they stand: a question that was not reached keeps its failed one."""
        return {**self._before, **{work.question.id: work.answer for work in self._state.works}}

    def _notes(self, started: datetime) -> list[str]:
        notes = [f"Repaired on {started.astimezone(UTC):%Y-%m-%d %H:%M} UTC: {self._todo}."]
        moved = [
            name
            for name, revision in self._resolved.library.revisions.items()
            if revision != self._past.provenance.get(name)
        ]
        if moved:
            notes.append(f"The repair read another revision of {', '.join(moved)} than the run.")
        if self._journal.left:
            notes.append("An earlier repair was killed: what it spent is not in the costs.")
        if self._past.scorings:
            notes.append("Later scorings were of the answers before the repair and are gone: score again.")
        return notes

    def _identities(self) -> dict[Role, ModelIdentity]:
        """Return the run's models, with what the repair was served beside what the run was."""
        models = dict(self._past.models)
        for role, model in super()._identities().items():
            if role in models:
                served = tuple(dict.fromkeys((*models[role].served, *model.served)))
                models[role] = model.model_copy(update={"served": served})
        return models

    def _costs(self) -> dict[Role, Cost]:
        """Add what the repair spent to what the run had spent before (R39)."""
        present, past = super()._costs(), self._past.costs
        both = {role: [costs[role] for costs in (past, present) if role in costs] for role in Role}
        lost = [Usage()] if self._journal.left else []
        return {
            role: cost_of(*parts, *(lost if any(part.usd != 0 for part in parts) else []))
            for role, parts in both.items()
            if parts
        }


def _is_to_be_asked(answer: Answer | None) -> bool:
    return answer is None or answer.failure is not None or answer.integrity is Integrity.TRANSPORT_DEFECT


def _refusal(record: RunRecord, why: str, lifted_by: str) -> Refusal:
    return Refusal(f"repairing {record.run.id} is refused", why, lifted_by)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
