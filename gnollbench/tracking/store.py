"""The store: one MLflow run a record, found again by id, beginning of an id, or name (R61).

mlflow is imported where it is used: that alone takes two seconds.
"""

import sqlite3
import sys
import tempfile
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Any

from gnollbench.errors import HarnessFailure, Refusal
from gnollbench.records.addresses import public_uri
from gnollbench.records.files import parse_record, write_record
from gnollbench.records.launch import Tracking
from gnollbench.records.run import RunRecord
from gnollbench.records.transcript import Event
from gnollbench.scoring.outcomes import RunStatus
from gnollbench.tracking import entries
from gnollbench.tracking.address import artifact_folder, sqlite_file, store_uri, without_credentials
from gnollbench.tracking.opening import first_line, foreign_errors, is_there, open_client, require_writable

RECORD = "record.json"
REPORT = "report.md"
_TRANSCRIPTS = "transcripts"
_MATCHES = 100  # runs that one reference may fit before the list of them is cut
_PAGE = 1000
RUN = "run"  # kind of the MLflow runs that hold a record
_BEGUN = "begun"  # kind of those that do not yet: under way, being stored, or broken off in one of them
_TERMINAL = {RunStatus.FAILED: "FAILED", RunStatus.CANCELED: "KILLED"}


class Store:
    """The MLflow store of runs.

    Parameters
    ----------
    tracking : Tracking
        Address, first part of the experiments' names, and whether traces are wanted.
    suite : str, optional
        Suite whose experiment runs are logged to; the record's own by default.
    """

    def __init__(self, tracking: Tracking, suite: str | None = None) -> None:
        self.uri = store_uri(tracking)
        self._prefix, self._suite = tracking.experiment, suite
        self._opened: Any = None

    @property
    def client(self) -> Any:
        """The ``MlflowClient`` of the opened store."""
        self.open()
        return self._opened

    @property
    def is_file(self) -> bool:
        """Whether the store is a SQLite file."""
        return sqlite_file(self.uri) is not None

    def require_usable(self) -> None:
        """Refuse a SQLite store that cannot be written, without taking the seconds that opening one takes.

        Raises
        ------
        Refusal
            If its file is read-only, locked, no database, or cannot be made.
        """
        try:
            require_writable(self.uri)
        except (OSError, sqlite3.Error) as error:
            raise self._refusal("cannot be used", error) from error

    @property
    def present(self) -> bool:
        """Whether the store is there; it is not made.

        Raises
        ------
        Refusal
            If it cannot be read.
        """
        with self.refusing("cannot be used"):
            return is_there(self.uri)

    def open(self) -> None:
        """Reach the store; make or upgrade its schema first where it is SQLite.

        Under a file lock: several processes that make one SQLite schema at once break it for good.

        Raises
        ------
        Refusal
            If the store cannot be reached or is no MLflow store.
        """
        if self._opened is None:
            with self.refusing("cannot be used"):
                self._opened = open_client(self.uri)

    def log_run(self, record: RunRecord, folder: Path, reaches_provider: bool | None = None) -> str:
        """Store a run with its folder of artifacts and return its MLflow run id.

        A run that the store has already, such as one that was repaired, is brought up to date in place.

        Parameters
        ----------
        record : RunRecord
            Scored; figures that it withholds are not logged.
        folder : Path
            Logged whole: ``record.json``, ``report.md``, ``config.yaml``, ``transcripts/``.
        reaches_provider : bool, optional
            Whether the run counts towards the volume limits (R55); read off its configuration by default.

        Raises
        ------
        HarnessFailure
            If the store does not take the run.
        """
        from mlflow.entities import Metric, Param, RunTag

        ended_ms = _ended_ms(record)
        client = self.client
        with self.failing("did not take the run"), redirect_stdout(sys.stderr):  # mlflow prints links
            stored_as = self._present(record.run.id)
            run_id = stored_as or self._begun(record)
            try:
                there = client.get_run(run_id).data.params  # each is written once
                client.log_artifacts(run_id, str(folder))
                client.log_batch(
                    run_id,
                    metrics=[Metric(*figure[:2], ended_ms, figure[2]) for figure in entries.metrics(record)],
                    params=[
                        Param(*entry) for entry in entries.parameters(record).items() if entry[0] not in there
                    ],
                    tags=[RunTag(*entry) for entry in entries.tags(record, reaches_provider).items()],
                )
                client.set_terminated(run_id, _TERMINAL.get(record.run.status, "FINISHED"), ended_ms)
            except BaseException:
                if stored_as is None:
                    self.break_off(run_id)
                raise
        return run_id

    def log_imported(self, record: RunRecord, report: str) -> str:
        """Store a run that was made elsewhere, with its record and its report; as `log_run`."""
        with tempfile.TemporaryDirectory() as root:
            folder = Path(root)
            write_record(record, folder / RECORD)
            (folder / REPORT).write_text(report, encoding="utf-8")
            return self.log_run(record, folder)

    def replace_record(self, run_id: str, record: RunRecord) -> None:
        """Put another state of a stored run's record in the place of the one that is there.

        Raises
        ------
        HarnessFailure
            If the store does not take it.
        """
        with self.failing("did not take the record"), tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / RECORD
            write_record(record, file)
            self.client.log_artifact(run_id, str(file))

    def log_traces(self, run_id: str, record: RunRecord, events: Mapping[str, Iterable[Event]]) -> None:
        """Store the trace of each question in ``events``, its verdicts as assessments; all is stored on return.

        It takes the place of the one that the store has of the question, as after a repair.

        Raises
        ------
        HarnessFailure
            If the store does not take them.
        """
        client = self.client
        with self.failing("did not take the traces"):
            from mlflow.tracing.client import TracingClient

            from gnollbench.tracking.traces import stored_traces, traces_of

            experiment = client.get_run(run_id).info.experiment_id
            superseded = stored_traces(client, run_id, experiment, events)
            traces = TracingClient(self.uri)
            for info, spans in traces_of(record, events, run_id, experiment):
                traces.start_trace(info)
                traces.log_spans(experiment, spans)
            if superseded:
                client.delete_traces(experiment, trace_ids=superseded)

    def find(self, reference: str) -> RunRecord:
        """Return the record of a stored run, by its id, a unique beginning of it, or its name.

        Raises
        ------
        Refusal
            If no run fits, if several do, or if the store does not have the record.
        """
        with self.refusing("was not searched"):
            run = self._only(reference, self._matching(reference))
        return self.record_of(run.info.run_id)

    def run_of(self, run: str) -> str | None:
        """Return the MLflow run id of the run of that id; None where the store has none."""
        with self.refusing("was not searched"):
            return self._present(run)

    def record_of(self, run_id: str) -> RunRecord:
        """Return the record of a stored run by its MLflow run id.

        Raises
        ------
        Refusal
            If the store does not have it.
        """
        return parse_record(self.text_of(run_id, RECORD), f"{RECORD} of the stored run {run_id}")

    def text_of(self, run_id: str, artifact: str) -> str:
        """Return the text of an artifact, as `record_of`."""
        with self.refusing(f"does not give {artifact}"), tempfile.TemporaryDirectory() as folder:
            return Path(self.client.download_artifacts(run_id, artifact, folder)).read_text("utf-8")

    def fetch_transcripts(self, run_id: str, folder: Path) -> None:
        """Put the transcripts of a stored run into its folder; nothing where the store has none.

        Raises
        ------
        Refusal
            If the store does not give them.
        """
        with self.refusing("does not give the transcripts"):
            if any(entry.path == _TRANSCRIPTS for entry in self.client.list_artifacts(run_id)):
                folder.mkdir(parents=True, exist_ok=True)
                self.client.download_artifacts(run_id, _TRANSCRIPTS, str(folder))

    def announce(self, run: str, suite: str) -> str:
        """Store that a run which reaches a provider has begun, and return its MLflow run id.

        It counts from now on (R55); until `log_run` has stored it no search for a run finds it.

        Raises
        ------
        Refusal
            If the store does not take it.
        """
        with self.refusing("did not take the run"):
            reaches = {entries.REACHES_PROVIDER: "true"}
            return self._create(suite, run, entries.plain(run, 250), int(time.time() * 1000), reaches)

    def break_off(self, run_id: str) -> None:
        """Mark a run that is not going to be stored as killed; `log_run` can still store it."""
        with suppress(*foreign_errors()):
            self.client.set_terminated(run_id, "KILLED")

    def withdraw(self, run_id: str) -> None:
        """Take back an announcement: nothing was spent."""
        with suppress(*foreign_errors()):
            self.client.delete_run(run_id)

    def recent_runs(self, within_s: float, before: str | None = None) -> int:
        """Return how many runs that reached a provider started within the last so many seconds (R55).

        Parameters
        ----------
        before : str, optional
            MLflow run id; only the runs that started before this one count.
        """
        since_ms = int((time.time() - within_s) * 1000)
        wanted = f"tags.`{entries.REACHES_PROVIDER}` = 'true' AND attributes.start_time >= {since_ms}"
        with self.refusing("was not searched"):
            found = [run.info for kind in (RUN, _BEGUN) for run in self.search(wanted, kind=kind)]
        started = sorted((info.start_time, info.run_id) for info in found)
        return next((place for place, (_, run_id) in enumerate(started) if run_id == before), len(started))

    def _begun(self, record: RunRecord) -> str:
        """Return the MLflow run of a record that is not stored whole, made where there is none."""
        name = entries.plain(record.run.name or record.run.id, 250)
        begun = self._present(record.run.id, kind=_BEGUN)
        if begun is not None:
            self.client.update_run(begun, name=name)
            return begun
        started_ms = int(record.run.started_at.timestamp() * 1000)
        return self._create(self._suite or record.exam.suite, record.run.id, name, started_ms, {})

    def _create(self, suite: str, run: str, name: str, started_ms: int, more: Mapping[str, str]) -> str:
        tags = {entries.KIND: _BEGUN, entries.RUN_ID: entries.plain(run), **more}
        return self.client.create_run(self.experiment(suite), started_ms, tags, name).info.run_id

    def experiment(self, suite: str) -> str:
        """Return the id of a suite's experiment, made where it is not there."""
        from mlflow.exceptions import MlflowException

        client, name = self.client, f"{self._prefix}/{suite}"
        found = client.get_experiment_by_name(name)
        if found is not None:
            return found.experiment_id
        try:
            return client.create_experiment(name, artifact_folder(self.uri, suite))
        except MlflowException:
            made_meanwhile = client.get_experiment_by_name(name)  # by another process of the sweep
            if made_meanwhile is None:
                raise
            return made_meanwhile.experiment_id

    def _present(self, run: str, kind: str = RUN) -> str | None:
        runs = self.search(f"tags.`{entries.RUN_ID}` = {quoted(entries.plain(run))}", most=1, kind=kind)
        return runs[0].info.run_id if runs else None

    def _matching(self, reference: str) -> list[Any]:
        """Return the runs whose id begins so; where none does, those of that name."""
        by_id = self.search(f"tags.`{entries.RUN_ID}` LIKE {quoted(reference, '%')}", most=_MATCHES)
        fitting = [run for run in by_id if _run_id(run).startswith(reference)]
        exact = [run for run in fitting if _run_id(run) == reference]
        named = f"attributes.run_name = {quoted(reference)}"
        return exact or fitting or self.search(named, most=_MATCHES)

    def _only(self, reference: str, runs: list[Any]) -> Any:
        where = f"the store {public_uri(self.uri)}"
        if not runs:
            raise Refusal(
                f"run {reference!r} was not found",
                f"{where} has no run of that id or name",
                "name another run or another store",
            )
        if len(runs) > 1:
            ids = ", ".join(_run_id(run) for run in runs[:5]) + (", …" if len(runs) > 5 else "")
            raise Refusal(f"run {reference!r} is not unique", f"it fits {ids}", "name one of these ids")
        return runs[0]

    def search(self, *conditions: str, most: int | None = None, kind: str = RUN) -> list[Any]:
        """Return the MLflow runs of one kind in this project's experiments that fit, newest first."""
        client = self.client
        named = client.search_experiments(filter_string=f"name LIKE {quoted(self._prefix, '/%')}")
        experiments = [experiment.experiment_id for experiment in named]
        if not experiments:
            return []
        runs: list[Any] = []
        page, token = min(most or _PAGE, _PAGE), None
        while True:
            found = client.search_runs(
                experiments,
                " AND ".join([f"tags.`{entries.KIND}` = '{kind}'", *conditions]),
                max_results=page,
                order_by=["attributes.start_time DESC"],
                page_token=token,
            )
            runs += found
            token = found.token
            if token is None or (most is not None and len(runs) >= most):
                return runs

    @contextmanager
    def refusing(self, what: str) -> Generator[None]:
        try:
            yield
        except foreign_errors() as error:
            raise self._refusal(what, error) from error

    def _refusal(self, what: str, error: Exception) -> Refusal:
        reason = without_credentials(first_line(error), self.uri)
        store = f"the store {public_uri(self.uri)}"
        return Refusal(f"{store} {what}", reason, "mend it, or name another in tracking.uri")

    @contextmanager
    def failing(self, what: str) -> Generator[None]:
        try:
            yield
        except foreign_errors() as error:
            reason = without_credentials(first_line(error), self.uri)
            raise HarnessFailure("internal", f"the store {public_uri(self.uri)} {what}: {reason}") from error


def _ended_ms(record: RunRecord) -> int:
    run = record.run
    ended_s = run.ended_at.timestamp() if run.ended_at else run.started_at.timestamp() + run.elapsed_s
    return int(ended_s * 1000)


def _run_id(run: Any) -> str:
    return run.data.tags[entries.RUN_ID]


def quoted(text: str, rest: str = "") -> str:
    """Return the text as a literal of MLflow's filters, which know no escape."""
    mark = '"' if "'" in text else "'"
    if mark in text:
        raise Refusal(
            f"run {text!r} is refused", "no search takes both kinds of quotes", "name the run by its id"
        )
    return f"{mark}{text}{rest}{mark}"
