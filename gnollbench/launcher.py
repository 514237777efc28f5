"""One validated launch carried out: admission, resolution, run, record, report, tracking."""

import asyncio
import contextlib
import json
import os
import secrets
import signal
import sys
import threading
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path

from gnollbench.display import display
from gnollbench.engine.admission import Admission, admit, reaches_provider
from gnollbench.engine.journal import Journal
from gnollbench.engine.launch import Resolved, probe, resolve
from gnollbench.engine.run import Finished, Run, new_run_id
from gnollbench.errors import GnollBenchError
from gnollbench.llm.gateway import ModelGateway
from gnollbench.records.files import write_record
from gnollbench.records.launch import Launch
from gnollbench.records.suite import Suite, load_suite
from gnollbench.records.transcript import write_transcript
from gnollbench.scoring.outcomes import RunStatus
from gnollbench.shipped import suite_folder
from gnollbench.tracking import Store

EXIT_CODES = {
    RunStatus.COMPLETED: 0,
    RunStatus.COMPLETED_WITH_LIMITS: 0,
    RunStatus.FAILED: 1,
    RunStatus.COMPLETED_WITH_ERRORS: 3,
    RunStatus.CANCELED: 130,
}


def carry_out(launch: Launch) -> int:
    """Carry out a launch and return its exit code; the result goes to stdout, all else to stderr.

    Raises
    ------
    Refusal
        Before anything was spent or stored.
    """
    suite = load_suite(suite_folder(launch.suite.path))
    store = Store(launch.tracking, suite.name)
    admission = admit(launch, suite, os.environ, store.recent_runs)
    gateway = _gateway(launch)
    resolved = resolve_launch(launch, suite)
    if launch.dry_run:
        body = gateway.body(resolved.request(resolved.asked[0]))
        print(json.dumps(body, ensure_ascii=False, indent=2))
        return 0
    probe(resolved, gateway, resolved.asked[0])
    resolved.library.warm()  # no tool call waits for an index
    with _store_opening(store, at_once=reaches_provider(launch)) as opened:
        folder, finished = _run(resolved, admission, gateway)
        stored = _track(opened, store, launch, folder, finished)
    _print_result(folder, finished)
    return max(EXIT_CODES[finished.record.run.status], 0 if stored else 1)


def resolve_launch(launch: Launch, suite: Suite) -> Resolved:
    """Open the corpora and settle all that a run stands on."""
    from gnollbench.corpus.library import Library

    return resolve(launch, suite, Library.open(launch.corpus))


def _gateway(launch: Launch) -> ModelGateway:
    from gnollbench.llm.offline import MODELS

    gateway = ModelGateway(MODELS, launch.retries, launch.concurrency.calls_per_provider)
    gateway.check(launch.models.values())
    return gateway


def _run(resolved: Resolved, admission: Admission, gateway: ModelGateway) -> tuple[Path, Finished]:
    run_id = new_run_id(datetime.now(UTC), secrets.token_hex(3))
    folder = Path(resolved.launch.outputs).expanduser() / run_id
    print(f"run {run_id}: {resolved.launch.candidate.model} on {resolved.suite.name}", file=sys.stderr)
    for warning in admission.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    with Journal(folder) as journal, display(len(resolved.asked)) as observer:
        run = Run(run_id, resolved, admission, gateway, journal, observer)
        finished = asyncio.run(_interruptible(run))
        _write_outputs(folder, finished)
        journal.discard()
    return folder, finished


async def _interruptible(run: Run) -> Finished:
    """Run to the end; SIGTERM breaks the run off as Ctrl-C does, and its record is still written."""
    task = asyncio.current_task()
    if task is not None and threading.current_thread() is threading.main_thread():
        with contextlib.suppress(NotImplementedError):  # Windows
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await run.execute()


def _write_outputs(folder: Path, finished: Finished) -> None:
    import yaml

    from gnollbench.reports import report_markdown

    record = finished.record
    write_record(record, folder / "record.json")
    (folder / "report.md").write_text(report_markdown(record, icc_interval=False), encoding="utf-8")
    config = yaml.safe_dump(record.config, allow_unicode=True, sort_keys=False)
    (folder / "config.yaml").write_text(config, encoding="utf-8")
    for name, page in finished.documents.items():
        (folder / "documents").mkdir(exist_ok=True)
        (folder / "documents" / f"{name}.md").write_text(page, encoding="utf-8")
    for question, events in finished.events.items():
        write_transcript(events, folder / "transcripts" / f"{question}.jsonl")


class _Opening:
    """The store, opened beside the run: its libraries take seconds to import."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.problem: GnollBenchError | None = None
        self._thread = threading.Thread(target=self._open, daemon=True)
        self._thread.start()

    def _open(self) -> None:
        try:
            self._store.open()
        except GnollBenchError as error:
            self.problem = error

    def wait(self) -> None:
        """Wait until the store is open, or could not be opened."""
        self._thread.join()


@contextlib.contextmanager
def _store_opening(store: Store, *, at_once: bool) -> Generator[_Opening]:
    """Open the store beside the run, or before it where a call will cost money."""
    opening = _Opening(store)
    if at_once:
        opening.wait()
        if opening.problem is not None:
            raise opening.problem
    try:
        yield opening
    finally:
        opening.wait()  # a process that ends while a thread imports hangs


def _track(opened: _Opening, store: Store, launch: Launch, folder: Path, finished: Finished) -> bool:
    opened.wait()
    try:
        if opened.problem is not None:
            raise opened.problem
        run = store.log_run(finished.record, folder)
        if launch.tracking.traces:
            store.log_traces(run, finished.record, finished.events)
    except GnollBenchError as error:
        print(f"the run is not in the store: {error}", file=sys.stderr)
        print(f"its record is whole: {folder / 'record.json'}", file=sys.stderr)
        return False
    return True


def _print_result(folder: Path, finished: Finished) -> None:
    from gnollbench.reports import glance

    print(glance(finished.record))
    print(f"report      {folder / 'report.md'}")
