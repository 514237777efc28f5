"""One validated launch carried out: admission, resolution, run, record, report, tracking."""

import contextlib
import json
import os
import secrets
import sys
import threading
from collections.abc import Callable, Generator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from gnollbench.display import display
from gnollbench.engine.admission import Admission, admit, reaches_provider, require_volume
from gnollbench.engine.journal import Journal
from gnollbench.engine.launch import Resolved, probe, resolve
from gnollbench.engine.run import Finished, Observer, Run, new_run_id
from gnollbench.errors import GnollBenchError, Refusal
from gnollbench.llm.gateway import ModelGateway
from gnollbench.records.files import write_record
from gnollbench.records.launch import Launch
from gnollbench.records.suite import Suite, load_suite
from gnollbench.records.transcript import write_transcript
from gnollbench.scoring.outcomes import RunStatus
from gnollbench.shipped import suite_folder
from gnollbench.signals import Interruption, leave_signals
from gnollbench.tracking import Store

_IMPORT_S = 30  # the store's libraries are imported by then on a slow machine; a lock on it may last longer
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
    KeyboardInterrupt
        If the program was told to end; a run that had begun is written and stored, as canceled.
    """
    suite = load_suite(suite_folder(launch.suite.path))
    store = Store(launch.tracking, suite.name)
    if not launch.dry_run:
        store.require_usable()
    admission = admit(launch, suite, os.environ, no_new_run if launch.dry_run else store.recent_runs)
    gateway = model_gateway(launch)
    resolved = resolve_launch(launch, suite)
    if launch.dry_run:
        body = gateway.body(resolved.request(resolved.asked[0]))
        print(json.dumps(body, ensure_ascii=False, indent=2))
        return 0
    probe(resolved, gateway, resolved.asked[0])
    resolved.library.warm()  # no tool call waits for an index
    run_id = new_run_id(datetime.now(UTC), secrets.token_hex(3))
    folder = Path(launch.outputs).expanduser() / run_id
    with (
        _store_opening(store, at_once=reaches_provider(launch)) as opened,
        Interruption() as interruption,
        _announced(store, launch, suite.name, run_id),
    ):
        _say_what_begins(run_id, resolved, admission)
        run_with = partial(Run, run_id, resolved, admission, gateway)
        finished = execute(folder, run_with, len(resolved.asked), interruption)
        stored = _track(opened, store, launch, folder, finished)
        _print_result(folder, finished)
    return max(EXIT_CODES[finished.record.run.status], 0 if stored else 1)


def no_new_run(_: float) -> int:
    """What sends nothing, or goes on with a run that was counted when it started, counts no run (R55)."""
    return 0


def resolve_launch(launch: Launch, suite: Suite) -> Resolved:
    """Open the corpora and settle all that a run stands on."""
    from gnollbench.corpus.library import Library

    return resolve(launch, suite, Library.open(launch.corpus))


def model_gateway(launch: Launch) -> ModelGateway:
    """Return the gateway of a launch, its models' settings checked.

    Raises
    ------
    Refusal
        If a model's adapter would not deliver a setting (R16).
    """
    from gnollbench.llm.offline import MODELS

    gateway = ModelGateway(MODELS, launch.retries, launch.concurrency.calls_per_provider)
    gateway.notice = _say
    gateway.check(launch.models.values())
    return gateway


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _say_what_begins(run_id: str, resolved: Resolved, admission: Admission) -> None:
    print(f"run {run_id}: {resolved.launch.candidate.model} on {resolved.suite.name}", file=sys.stderr)
    for warning in admission.warnings:
        print(f"warning: {warning}", file=sys.stderr)


def execute(
    folder: Path, run_with: Callable[[Journal, Observer], Run], answers: int, interruption: Interruption
) -> Finished:
    """Execute a run, or a repair, of so many answers and write what it leaves into its folder (R42)."""
    with Journal(folder) as journal, display(answers) as observer:
        finished = interruption.run(run_with(journal, observer).execute())
        _write_outputs(folder, finished)
        journal.discard()
    return finished


def _write_outputs(folder: Path, finished: Finished) -> None:
    """Write what a run left into its folder; what a repair makes happen follows what happened before."""
    import yaml

    from gnollbench.reports import document_markdown, report_markdown

    record = finished.record
    write_record(record, folder / "record.json")
    (folder / "report.md").write_text(report_markdown(record, icc_interval=False), encoding="utf-8")
    config = yaml.safe_dump(record.config, allow_unicode=True, sort_keys=False)
    (folder / "config.yaml").write_text(config, encoding="utf-8")
    for name, document in finished.documents.items():
        (folder / "documents").mkdir(exist_ok=True)
        page = document_markdown(record, document)
        (folder / "documents" / f"{name}.md").write_text(page, encoding="utf-8")
    for question, events in finished.events.items():
        path = folder / "transcripts" / f"{question}.jsonl"
        before = path.read_text("utf-8") if path.exists() else ""
        write_transcript(events, path)
        path.write_text(before + path.read_text("utf-8"), encoding="utf-8")


class _Opening:
    """The store, opened beside the run: its libraries take seconds to import."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.problem: GnollBenchError | None = None
        self._ended = threading.Event()  # joining a thread fails for good once a signal has interrupted it
        threading.Thread(target=self._open, daemon=True).start()

    def _open(self) -> None:
        try:
            self._store.open()
        except GnollBenchError as error:
            self.problem = error
        finally:
            self._ended.set()

    def wait(self, most_s: float | None = None) -> None:
        """Wait until the store is open, or could not be opened."""
        self._ended.wait(most_s)


@contextlib.contextmanager
def _store_opening(store: Store, *, at_once: bool) -> Generator[_Opening]:
    """Open the store beside the run; before it where a call will cost money, or where it is no file."""
    if at_once or not store.is_file:
        store.open()
    opening = _Opening(store)
    try:
        yield opening
    finally:
        try:
            opening.wait(_IMPORT_S)  # a process that ends while a thread imports hangs
        except KeyboardInterrupt:
            leave_signals()  # so that who cannot wait these seconds ends the process
            opening.wait(_IMPORT_S)
            raise


@contextlib.contextmanager
def _announced(store: Store, launch: Launch, suite: str, run_id: str) -> Generator[None]:
    """Let the store know of a run that reaches a provider while it is under way, so that it counts (R55).

    Of several that begin at once those that the limits allow go on.
    """
    if not reaches_provider(launch):
        yield
        return
    announced = store.announce(run_id, suite)
    try:
        require_volume(launch, partial(store.recent_runs, before=announced))
        yield
    except Refusal:
        store.withdraw(announced)
        raise
    except BaseException:
        store.break_off(announced)
        raise


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
        print(
            f"its record is whole; store it with: gnollbench import {folder / 'record.json'}", file=sys.stderr
        )
        return False
    return True


def _print_result(folder: Path, finished: Finished) -> None:
    from gnollbench.reports import glance

    print(glance(finished.record))
    print(f"report      {folder / 'report.md'}")
