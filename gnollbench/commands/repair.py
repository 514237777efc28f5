"""The command ``repair``: completes a run whose questions failed or whose verdicts are missing."""

import argparse
import asyncio
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gnollbench.commands.common import Adder, Compose, print_json
from gnollbench.commands.sources import RECORD, Found, Sources, with_run
from gnollbench.display import display
from gnollbench.records.launch import Launch
from gnollbench.records.run import RunRecord
from gnollbench.scoring.outcomes import RunStatus

_EXIT_CODES = {RunStatus.FAILED: 1, RunStatus.COMPLETED_WITH_ERRORS: 3}  # all others are 0


def add_commands(add: Adder) -> None:
    """Add the command that repairs a run."""
    with_run(add("repair", _repair, "re-run the failed questions, retry the missing assessments"))


def _repair(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.engine.repair import repaired_launch, todo_of

    sources = Sources.of(asked)
    found = sources.find(asked.reference)
    launch = repaired_launch(found.record)
    folder = sources.outputs / found.record.run.id
    todo = todo_of(found.record, launch)
    print(f"run {found.record.run.id}: {todo}", file=sys.stderr)
    finished = _carried_out(found.record, launch, folder, len(todo.asked) + len(todo.graded))
    record: RunRecord = finished.record
    written = _put(sources, found, launch, folder, finished)
    if asked.json:
        print_json({"run": record.run.id, "status": record.run.status, **asdict(todo), "written": written})
    else:
        from gnollbench.reports import glance

        print(glance(record))
        print(f"written     {', '.join(written)}")
    return _EXIT_CODES.get(record.run.status, 0)


def _carried_out(record: RunRecord, launch: Launch, folder: Path, answers: int) -> Any:
    from gnollbench.corpus.library import Library
    from gnollbench.engine.admission import admit
    from gnollbench.engine.journal import Journal
    from gnollbench.engine.launch import resolve
    from gnollbench.engine.repair import Repair, require_same_keys
    from gnollbench.llm.gateway import ModelGateway
    from gnollbench.llm.offline import MODELS
    from gnollbench.records.suite import load_suite
    from gnollbench.shipped import suite_folder

    suite = load_suite(suite_folder(launch.suite.path))
    admit(launch, suite, os.environ, _no_new_run)
    gateway = ModelGateway(MODELS, launch.retries, launch.concurrency.calls_per_provider)
    gateway.check(launch.models.values())
    resolved = resolve(launch, suite, Library.open(launch.corpus))
    require_same_keys(record, resolved.keys)
    with Journal(folder) as journal, display(answers) as observer:
        finished = asyncio.run(Repair(record, resolved, gateway, journal, observer).execute())
        _write(folder, finished)
        journal.discard()
    return finished


def _no_new_run(_: float) -> int:
    """A repair goes on with a run that was counted when it started (R55)."""
    return 0


def _write(folder: Path, finished: Any) -> None:
    """Write what the repair changed into the run's folder; what happened again follows what happened before."""
    from gnollbench.records.files import write_record
    from gnollbench.records.transcript import write_transcript
    from gnollbench.reports import report_markdown

    write_record(finished.record, folder / RECORD)
    (folder / "report.md").write_text(report_markdown(finished.record, icc_interval=False), encoding="utf-8")
    for name, page in finished.documents.items():
        (folder / "documents").mkdir(exist_ok=True)
        (folder / "documents" / f"{name}.md").write_text(page, encoding="utf-8")
    for question, events in finished.events.items():
        if events:
            path = folder / "transcripts" / f"{question}.jsonl"
            before = path.read_text("utf-8") if path.exists() else ""
            write_transcript(events, path)
            path.write_text(before + path.read_text("utf-8"), encoding="utf-8")


def _put(sources: Sources, found: Found, launch: Launch, folder: Path, finished: Any) -> list[str]:
    """Put the repaired run into every place that keeps it; return the places' names."""
    from gnollbench.records.files import write_record

    written = [str(folder / RECORD)]
    if found.file is not None and found.file.resolve() != (folder / RECORD).resolve():
        write_record(finished.record, found.file)
        written.append(str(found.file))
    store = sources.present_store
    if store is not None and store.run_of(finished.record.run.id) is not None:
        stored_as = store.log_run(finished.record, folder)
        if launch.tracking.traces:
            again = {question: events for question, events in finished.events.items() if events}
            store.log_traces(stored_as, finished.record, again)
        written.append("the store")
    return written
