"""The command ``repair``: completes a run whose questions failed or whose verdicts are missing."""

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from gnollbench.commands.common import Adder, Compose, print_json
from gnollbench.commands.sources import RECORD, Found, Sources, with_run
from gnollbench.records.launch import Launch
from gnollbench.records.run import RunRecord
from gnollbench.scoring.outcomes import RunStatus
from gnollbench.signals import Interruption

_EXIT_CODES = {RunStatus.FAILED: 1, RunStatus.COMPLETED_WITH_ERRORS: 3}  # all others are 0


def add_commands(add: Adder) -> None:
    """Add the command that repairs a run."""
    with_run(add("repair", _repair, "re-run the failed questions, retry the missing assessments"))


def _repair(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.engine.repair import repaired_launch, todo_of
    from gnollbench.launcher import execute

    sources = Sources.of(asked)
    found = sources.find(asked.reference)
    launch = repaired_launch(found.record)
    folder = sources.outputs / found.record.run.id
    todo = todo_of(found.record, launch)
    print(f"run {found.record.run.id}: {todo}", file=sys.stderr)
    run_with = _prepared(found.record, launch)
    with Interruption() as interruption:
        finished = execute(folder, run_with, len(todo.asked) + len(todo.graded), interruption)
        written = _put(sources, found, launch, folder, finished)
    record: RunRecord = finished.record
    if asked.json:
        print_json({"run": record.run.id, "status": record.run.status, **asdict(todo), "written": written})
    else:
        from gnollbench.reports import glance

        print(glance(record))
        print(f"written     {', '.join(written)}")
    return _EXIT_CODES.get(record.run.status, 0)


def _prepared(record: RunRecord, launch: Launch) -> Callable[[Any, Any], Any]:
    """Admit and resolve the run's launch again; return what makes its repair of a journal and an observer."""
    from gnollbench.engine.admission import admit
    from gnollbench.engine.repair import Repair, require_same_keys
    from gnollbench.launcher import model_gateway, no_new_run, resolve_launch
    from gnollbench.records.suite import load_suite
    from gnollbench.shipped import suite_folder

    suite = load_suite(suite_folder(launch.suite.path))
    admit(launch, suite, os.environ, no_new_run)
    gateway = model_gateway(launch)
    resolved = resolve_launch(launch, suite)
    require_same_keys(record, resolved.keys)
    return partial(Repair, record, resolved, gateway)


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
