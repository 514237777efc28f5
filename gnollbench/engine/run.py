"""The run: questions in order, grading behind answering, tail, syntheses, figures, status (R17, R42)."""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import fsum
from traceback import format_exc
from typing import Any, Protocol

from gnollbench import HARNESS_VERSION
from gnollbench.engine.admission import Admission
from gnollbench.engine.grading import due_triggers, grade_answer, read_answer
from gnollbench.engine.journal import Journal
from gnollbench.engine.launch import SCORING_METHOD, Resolved, probe
from gnollbench.engine.question import MEMBER_ROLES, Crew, Work, all_of, answer_question
from gnollbench.llm.gateway import Gateway
from gnollbench.records.addresses import public_uri
from gnollbench.records.figures import scored
from gnollbench.records.launch import Launch, ModelConfig
from gnollbench.records.run import (
    Answer,
    Cost,
    Exam,
    Mode,
    ModelIdentity,
    RecordedSnapshot,
    Role,
    RunHead,
    RunRecord,
    Synthesis,
    Unscored,
    UnscoredCode,
)
from gnollbench.records.transcript import Event
from gnollbench.records.usage import cost_of
from gnollbench.roles.calls import CallLog
from gnollbench.roles.documents import Document, ReportWriter
from gnollbench.roles.writer import GradedAnswer, SynthesisWriter
from gnollbench.scoring.flags import reader_selection
from gnollbench.scoring.outcomes import RunStatus
from gnollbench.scoring.verdict import Member, ReaderMode, Trigger

SYNTHESIS_ROLES = {Member.A: Role.SYNTHESIS, Member.B: Role.CO_ASSESSOR_SYNTHESIS}
_ALSO: dict[str, str] = {MEMBER_ROLES[member]: role for member, role in SYNTHESIS_ROLES.items()}
"""Which role the model of a role plays as well."""


class Observer(Protocol):
    """Who watches a run: a progress display, or nobody."""

    def asked(self, question: str) -> None:
        """A question has gone to the candidate."""

    def answered(self, answer: Answer) -> None:
        """A question was answered, or failed."""

    def graded(self, answer: Answer) -> None:
        """An answer has all that its grading gives."""

    def said(self, text: str) -> None:
        """The run has entered another stage."""


@dataclass(slots=True)
class Finished:
    """What a run leaves: its record, what happened, and by name the report writer's documents.

    ``events`` are by question; a role that works on the whole run stands as ``run/role``, which names no question.
    """

    record: RunRecord
    events: dict[str, Iterable[Event]]
    documents: dict[str, Document] = field(default_factory=dict[str, Document])


@dataclass(slots=True)
class _State:
    works: list[Work] = field(default_factory=list[Work])
    syntheses: list[Synthesis] = field(default_factory=list[Synthesis])
    logs: dict[str, CallLog] = field(default_factory=dict[str, CallLog])  # of no answer, by transcript
    warnings: list[str] = field(default_factory=list[str])
    ended: RunStatus | None = None  # set where the run was broken off


class Run:
    """One run of a resolved launch.

    Parameters
    ----------
    run_id : str
        The run's id, also the name of its folder.
    """

    _name = "run"

    def __init__(
        self,
        run_id: str,
        resolved: Resolved,
        admission: Admission,
        gateway: Gateway,
        journal: Journal,
        observer: Observer,
    ) -> None:
        self._id, self._resolved, self._admission = run_id, resolved, admission
        self._gateway, self._journal, self._observer = gateway, journal, observer
        self._crew = Crew(resolved, gateway)
        self._state = _State()
        self._asking = resolved.asked

    async def execute(self) -> Finished:
        """Run to the end, whatever the end is: a broken-off run still gives its record (R42).

        Raises
        ------
        Refusal
            If the delivery probe fails before the first question.
        """
        started, clock = datetime.now(UTC), time.monotonic()
        for question in self._asking[:1]:
            probe(self._resolved, self._gateway, question)
        self._journal.append("started", {"run": self._id, "at": started.isoformat()})
        try:
            await self._questions()
            if self._state.ended is None:
                await self._tail()
                await self._syntheses()
        except asyncio.CancelledError:
            self._break_off(RunStatus.CANCELED, "canceled by hand")
        record = scored(self._record(started, time.monotonic() - clock))
        record, documents = await self._documents(record)
        self._journal.append("ended", {"status": record.run.status.value})
        events: dict[str, Iterable[Event]] = {work.question.id: work.events for work in self._state.works}
        events |= {name: log.events for name, log in self._state.logs.items()}
        return Finished(record, events, documents)

    async def _questions(self) -> None:
        permits = asyncio.Semaphore(self._resolved.launch.concurrency.questions)
        grading: list[asyncio.Task[None]] = []
        asking: list[asyncio.Task[None]] = []
        try:
            for question in self._asking:
                await permits.acquire()
                if self._state.ended is not None or self._over_budget():
                    permits.release()
                    break
                asking.append(asyncio.create_task(self._ask(question, permits, grading)))
            for tasks in (asking, grading):
                await asyncio.gather(*tasks)
        finally:
            for task in (*asking, *grading):
                task.cancel()
            await asyncio.gather(*asking, *grading, return_exceptions=True)
            order = {question.id: place for place, question in enumerate(self._resolved.asked)}
            self._state.works.sort(key=lambda work: order[work.question.id])

    async def _ask(
        self, question: Any, permits: asyncio.Semaphore, grading: list[asyncio.Task[None]]
    ) -> None:
        try:
            self._observer.asked(question.id)
            log = self._state.logs[question.id] = self._crew.log(Role.CANDIDATE)
            work = await answer_question(self._resolved, self._crew, question, log)
            del self._state.logs[question.id]  # the answer has it
            self._state.works.append(work)
            self._journal.append("answered", {"answer": work.answer.model_dump(mode="json")})
            self._observer.answered(work.answer)
            grading.append(asyncio.create_task(self._grade(work)))
            if work.fatal:
                self._break_off(RunStatus.FAILED, work.fatal)
        finally:
            permits.release()

    async def _grade(self, work: Work) -> None:
        if work.gradable and not self._over_budget():
            try:
                await grade_answer(self._resolved, self._crew, work)
            except Exception as fault:  # ours: the answer stays unscored, the run goes on and says so
                work.warnings.append(f"{work.question.id}: grading broke: {type(fault).__name__}: {fault}")
                self._journal.append("fault", {"question": work.question.id, "trace": format_exc()})
            self._journal.append("graded", {"answer": work.answer.model_dump(mode="json")})
            if work.fatal:
                self._break_off(RunStatus.FAILED, work.fatal)
        self._observer.graded(work.answer)

    def _over_budget(self) -> bool:
        """Break off where nothing more may be spent on what the scores stand on: questions and verdicts."""
        if spent := self._spent():
            self._break_off(RunStatus.CANCELED, spent)
        return bool(spent)

    def _spent(self) -> str:
        """Say why nothing more may be spent; empty where it may (R39).

        A call whose cost is unknown, as one that was cut, is held to be no dearer than its role's dearest.
        """
        most = self._resolved.launch.limits.run_usd
        costs = {role: cost for role, cost in self._costs().items() if role is not Role.WRITER}
        if most is None:
            return ""
        spent = fsum(cost.usd or 0.0 for cost in costs.values())
        unknown = sum(cost.unpriced for cost in costs.values())
        if any(cost.usd is None for cost in costs.values()):
            return f"limits.run_usd is {most:g}, and what was spent is not known"
        dearest = self._crew.books.dearest
        held = spent + fsum(
            cost.unpriced * dearest.get(role, cost.usd or 0.0) for role, cost in costs.items()
        )
        if held >= most:
            also = f"; calls of unknown cost: {unknown}" if unknown else ""
            return f"limits.run_usd is {most:g}, and at least {spent:.4g} USD were spent{also}"
        return ""

    def _break_off(self, status: RunStatus, why: str) -> None:
        if self._state.ended is None:
            self._state.ended = status
            self._state.warnings.append(f"The {self._name} was broken off: {why}.")
            self._observer.said(self._state.warnings[-1])

    async def _tail(self) -> None:
        """Read what the whole run selects: outliers and the sample of a single-assessor run (R31)."""
        if self._crew.reader is None or self._crew.reader_mode is ReaderMode.ALL:
            return
        self._observer.said("follow-up readings")
        selected = self._selected()
        for work in self._state.works:
            triggers = selected.get(work.question.id)
            if triggers is None:
                continue
            if work.answer.reader is None and "reader" not in work.answer.unscored:
                await self._read(work, triggers)
            else:
                work.put(triggers=triggers)

    async def _read(self, work: Work, triggers: tuple[Trigger, ...]) -> None:
        if spent := self._spent():
            missing = {"reader": Unscored(code=UnscoredCode.LIMIT, message=spent)}
            work.put(triggers=triggers, unscored=work.answer.unscored | missing)
        else:
            await read_answer(self._resolved, self._crew, work, triggers)

    def _selected(self) -> dict[str, tuple[Trigger, ...]]:
        """Return which answers the whole run selects for the reader, and why."""
        members = len(self._crew.graders)
        whole = {w.question.id: w for w in self._state.works if len(w.answer.verdicts) == members}
        interim = scored(self._record(datetime.now(UTC), 0.0))
        qualities = {a.question: a.score.quality for a in interim.answers if a.score is not None}
        fired = {
            name: due_triggers(self._resolved, work.question, work.answer) for name, work in whole.items()
        }
        thresholds = self._resolved.launch.profile.reader
        return reader_selection(self._crew.reader_mode, fired, qualities, thresholds)

    async def _syntheses(self) -> None:
        """Have each member that has not yet done so write its assessment from its own verdicts (R17)."""
        if len(self._resolved.asked) < len(self._resolved.exam):
            return  # no exam: nothing to assess as a whole
        self._observer.said("syntheses")
        interim = {a.question: a for a in scored(self._record(datetime.now(UTC), 0.0)).answers}
        members = {Member(letter) for letter in self._resolved.launch.panel.members}
        members -= {synthesis.member for synthesis in self._state.syntheses}
        await all_of(self._synthesis(member, interim) for member in sorted(members))
        self._state.syntheses.sort(key=lambda synthesis: synthesis.member)

    async def _synthesis(self, member: Member, interim: dict[str, Answer]) -> None:
        role = SYNTHESIS_ROLES[member]
        answers = [
            GradedAnswer(
                question=work.question.id,
                band=work.question.band.value,
                score=score.members[member],
                verdict=work.answer.verdicts[member],
            )
            for work in self._state.works
            if (score := interim[work.question.id].score) is not None and member in work.answer.verdicts
        ]
        if not answers:
            return
        model = self._resolved.launch.panel.members[member.value]
        if spent := self._spent():
            missing = Unscored(code=UnscoredCode.LIMIT, message=spent)
            self._state.syntheses.append(Synthesis(member=member, text="", unscored=missing))
            return
        log = self._state.logs[f"run/{role}"] = self._crew.log(role)
        self._state.syntheses.append(await SynthesisWriter(model, member).write(answers, log))

    async def _documents(self, record: RunRecord) -> tuple[RunRecord, dict[str, Document]]:
        """Have the report writer write of the scored run; its cost stands outside the run's (R39, R60)."""
        writer = self._resolved.launch.writer.llm
        if writer is None or record.results is None or self._state.ended is not None:
            return record, {}
        self._observer.said("documents")
        log = self._state.logs[f"run/{Role.WRITER}"] = self._crew.log(Role.WRITER)
        document = await self._document(writer, record, log)
        missing = f"The report writer's summary is missing: {document.problem}."
        warnings = (*record.run.warnings, *log.notes, *([missing] if document.problem else []))
        run = record.run.model_copy(update={"warnings": warnings})
        pages = {} if document.problem else {"summary": document}
        present = {"run": run, "models": self._identities(), "costs": self._costs()}
        return record.model_copy(update=present), pages

    async def _document(self, writer: ModelConfig, record: RunRecord, log: CallLog) -> Document:
        if spent := self._spent():
            return Document("", "", problem=spent)
        try:
            return await ReportWriter(writer).write(record, log)
        except asyncio.CancelledError:  # the run is whole without it
            return Document("", "", problem="it was canceled by hand")

    def _record(self, started: datetime, elapsed_s: float) -> RunRecord:
        launch, resolved, state = self._resolved.launch, self._resolved, self._state
        snapshot = resolved.suite.snapshot
        partial = len(resolved.asked) < len(resolved.exam)
        part = ("Only a part of the suite was asked: no exam, no indices.",) if partial else ()
        spent = self._spent()
        told = not spent or any(spent in warning for warning in state.warnings)
        warnings = (
            *part,
            *(() if told else (f"{spent}.",)),
            *self._admission.warnings,
            *resolved.library.warnings,
            *state.warnings,
            *(note for log in state.logs.values() for note in log.notes),
            *(w for work in state.works for w in work.warnings),
        )
        return RunRecord(
            run=RunHead(
                id=self._id,
                name=launch.name or f"{launch.candidate.model} on {resolved.suite.name}",
                status=state.ended or RunStatus.COMPLETED,
                mode=Mode(launch.panel.mode),
                purpose=launch.compliance.purpose,
                started_at=started,
                ended_at=datetime.now(UTC),
                elapsed_s=elapsed_s,
                harness_version=HARNESS_VERSION,
                scoring_method=SCORING_METHOD,
                acknowledgements=self._admission.acknowledgements,
                warnings=warnings,
            ),
            models=self._identities(),
            keys=resolved.keys,
            config=public_config(launch),
            provenance=dict(resolved.library.revisions),
            exam=Exam(
                suite=resolved.suite.name,
                snapshot=RecordedSnapshot(hash=snapshot.hash, text=snapshot.text) if snapshot else None,
                questions=resolved.exam,
            ),
            profile=launch.profile,
            prices={
                name: price.model_dump(mode="json") if price else None
                for name, price in resolved.prices.items()
            },
            answers=tuple(work.answer for work in state.works),
            syntheses=tuple(state.syntheses),
            costs=self._costs(),
        )

    def _identities(self) -> dict[Role, ModelIdentity]:
        served = self._crew.books.served
        return {
            Role(role): ModelIdentity(
                provider=model.provider,
                model=model.model,
                family=model.lineage,
                served=tuple(
                    dict.fromkeys(
                        name for part in (role, _ALSO.get(role, "")) for name in served.get(part, [])
                    )
                ),
            )
            for role, model in self._resolved.launch.models.items()
        }

    def _costs(self) -> dict[Role, Cost]:
        used = self._crew.books.used
        return {role: cost_of(used[role]) for role in Role if role in used}


def public_config(launch: Launch) -> dict[str, Any]:
    """Return the resolved configuration as the record holds it, the store's password cut out."""
    config = launch.model_dump(mode="json")
    config["corpus"] = {
        name: public_uri(value) if isinstance(value, str) else value
        for name, value in config["corpus"].items()
    }
    if launch.tracking.uri is not None:
        config["tracking"]["uri"] = public_uri(launch.tracking.uri)
    return config


def new_run_id(now: datetime, token: str) -> str:
    """Return a run's id: it sorts by time and can name a folder."""
    return f"{now:%Y%m%d-%H%M%S}-{token}"
