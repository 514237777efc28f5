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
from gnollbench.errors import HarnessFailure, Refusal
from gnollbench.records.addresses import public_uri
from gnollbench.records.launch import Launch
from gnollbench.records.run import RunRecord
from gnollbench.records.transcript import read_transcript
from gnollbench.scoring.outcomes import RunStatus
from gnollbench.signals import Interruption

_TRANSCRIPTS = "transcripts"
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
    stores = _stores(sources, launch, found.record.run.id)
    _fetch_transcripts(stores, found.record.run.id, folder)
    with Interruption() as interruption:
        finished = execute(folder, run_with, len(todo.asked) + len(todo.graded), interruption)
        written, missed = _put(stores, found, launch, folder, finished)
    record: RunRecord = finished.record
    if asked.json:
        print_json({"run": record.run.id, "status": record.run.status, **asdict(todo), "written": written})
    else:
        from gnollbench.reports import glance

        print(glance(record))
        print(f"written     {', '.join(written)}")
    return 1 if missed else _EXIT_CODES.get(record.run.status, 0)


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


def _stores(sources: Sources, launch: Launch, run: str) -> dict[str, Any]:
    """Return the stores that have the run, by their addresses: the command's, and the one that it was stored in.

    The latter may be somebody else's: where it is not there or cannot be reached, that is said, and no more.
    """
    stores: dict[str, Any] = {}
    named, own = sources.present_store, sources.own_store(launch.tracking)
    if named is not None and named.run_of(run) is not None:
        stores[named.uri] = named
    try:
        if not own.present:
            why = "there is none"
        elif own.run_of(run) is None:
            why = "it does not have the run"
        else:
            return stores | {own.uri: own}
    except Refusal as refusal:
        why = refusal.why
    print(
        f"the store of the run, {public_uri(own.uri)}, is not updated: {why}; "
        "if it is elsewhere or needs a password, break off and name it with --store",
        file=sys.stderr,
    )
    return stores


def _fetch_transcripts(stores: dict[str, Any], run: str, folder: Path) -> None:
    """Have what happened before in the run's folder, where the run comes from a store: the repair's follows it."""
    for store in stores.values():
        if not (folder / _TRANSCRIPTS).is_dir():
            store.fetch_transcripts(store.run_of(run), folder)


def _put(
    stores: dict[str, Any], found: Found, launch: Launch, folder: Path, finished: Any
) -> tuple[list[str], bool]:
    """Put the repaired run into every place that keeps it; return the places' names, and whether one was missed."""
    from gnollbench.records.files import write_record

    written = [str(folder / RECORD)]
    if found.file is not None and found.file.resolve() != (folder / RECORD).resolve():
        write_record(finished.record, found.file)
        written.append(str(found.file))
    again = [question for question, events in finished.events.items() if events]
    missed = False
    for uri, store in stores.items():
        try:
            stored_as = store.log_run(finished.record, folder)
            if launch.tracking.traces:
                transcripts = {question: folder / _TRANSCRIPTS / f"{question}.jsonl" for question in again}
                whole = {question: read_transcript(path) for question, path in transcripts.items()}
                store.log_traces(stored_as, finished.record, whole)
        except HarnessFailure as failure:
            missed = True
            print(f"the store of the run is not up to date: {public_uri(str(failure))}", file=sys.stderr)
        else:
            written.append(f"the store {public_uri(uri)}")
    return written, missed
