"""Where the commands look runs and groups up: a file, then the folder of records, then the store.

The store is opened only where the other two do not answer, because its libraries take seconds to import,
and it is not made where it is not there.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from gnollbench.engine.journal import FILE_NAME as JOURNAL
from gnollbench.errors import Refusal
from gnollbench.records.addresses import public_uri
from gnollbench.records.launch import Tracking
from gnollbench.records.run import RunRecord

RECORD = "record.json"
_NAMED = 5  # runs that a message names before it breaks off


@dataclass(frozen=True, slots=True)
class Found:
    """A run, and the file that it was read from; None where it was the store."""

    record: RunRecord
    file: Path | None


@dataclass(frozen=True, slots=True)
class Source:
    """What one SOURCE names: a run under its id, or a group's runs under the group's name."""

    name: str
    records: tuple[RunRecord, ...]


def with_run(entry: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Give a command its RUN and the places where that is looked up."""
    entry.add_argument(
        "reference", metavar="RUN", help="a run id, its unique beginning, a run's name, a file"
    )
    return with_places(entry)


def with_places(entry: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Give a command the folder and the store where runs are looked up."""
    entry.add_argument("--outputs", default="outputs", help="folder of records (default: outputs)")
    entry.add_argument("--store", help="MLflow URI (default: MLFLOW_TRACKING_URI, else sqlite:///mlflow.db)")
    return entry


def find_run(reference: str, outputs: str, store: str | None) -> RunRecord:
    """Look one run up; see `Sources.find`."""
    return Sources(outputs, store).find(reference).record


class Sources:
    """The places of one command.

    Parameters
    ----------
    outputs : str
        Folder that holds ``<run id>/record.json``.
    store : str or None
        MLflow URI; None is the default store.
    """

    def __init__(self, outputs: str, store: str | None) -> None:
        self.outputs, self._uri = Path(outputs).expanduser(), store

    @classmethod
    def of(cls, asked: argparse.Namespace) -> "Sources":
        """Return the places that the command line names."""
        return cls(asked.outputs, asked.store)

    @cached_property
    def store(self) -> Any:
        """The store, opened; made where it is not there."""
        store = self._named_store()
        store.open()
        return store

    @cached_property
    def present_store(self) -> Any | None:
        """The store, opened; None where there is none yet."""
        return self.store if self._named_store().present else None

    def own_store(self, tracking: Tracking) -> Any:
        """Return the store that a run's configuration names, not opened; where it names none, that of the command.

        A record keeps no credentials: a store of the same address is reached by those that the command has.
        """
        from gnollbench.tracking import Store, store_uri

        named = self._named_store()
        if tracking.uri is None or public_uri(store_uri(tracking)) == public_uri(named.uri):
            tracking = tracking.model_copy(update={"uri": named.uri})
        return Store(tracking)

    def _named_store(self) -> Any:
        from gnollbench.tracking import Store

        return Store(Tracking(uri=self._uri, experiment="gnollbench"))

    def find(self, reference: str) -> Found:
        """Look a RUN up.

        Raises
        ------
        Refusal
            If nothing fits, or more than one run does.
        """
        file = _named_file(reference) or self._one_of(self._in_outputs(reference), reference)
        if file is not None:
            return _read(file)
        return Found(self._stored(reference), None)

    def runs(self, references: Iterable[str]) -> list[RunRecord]:
        """Look several RUNs up; one that is named twice is there once."""
        return distinct(self.find(reference).record for reference in references)

    def source(self, reference: str) -> Source:
        """Look a SOURCE up, its records scored by their own rules.

        A group comes after a file and a run's whole id, but before the beginning of an id and a run's name.
        """
        from gnollbench.records.figures import scored

        certain = _named_file(reference) or self.file_in_outputs(reference)
        group = None if certain else self.group(reference)
        if group is None:
            record = scored(self.find(reference).record)
            return Source(record.run.id, (record,))
        members = (self._member(run, stored_as) for run, stored_as in group.members.items())
        return Source(reference, tuple(map(scored, members)))

    def sources(self, references: Iterable[str]) -> list[Source]:
        """Look several SOURCEs up.

        Raises
        ------
        Refusal
            If one is not found, or two records of different content carry one id.
        """
        found = [self.source(reference) for reference in references]
        pooled(found)
        return list({source.name: source for source in found}.values())

    def group(self, name: str) -> Any | None:
        """Return the group of that name; None where the store has none."""
        if self.present_store is None:
            return None
        from gnollbench.tracking.groups import find_group

        return find_group(self.present_store, name)

    def file_in_outputs(self, run: str) -> Path | None:
        """Return the file of the run of that id in the folder of records."""
        return next((file for file in self._files if file.parent.name == run), None)

    def _in_outputs(self, reference: str) -> list[Path]:
        fitting = [path for path in self._files if reference and path.parent.name.startswith(reference)]
        exact = [path for path in fitting if path.parent.name == reference]
        return exact or fitting or [path for path in self._files if self._names[path] == reference]

    @cached_property
    def _files(self) -> list[Path]:
        return sorted(self.outputs.glob(f"*/{RECORD}"))

    @cached_property
    def _names(self) -> dict[Path, str | None]:
        return {path: _name(path) for path in self._files}

    def _one_of(self, files: Sequence[Path], reference: str) -> Path | None:
        if len(files) > 1:
            names = ", ".join(path.parent.name for path in files[:_NAMED])
            raise Refusal(f"run {reference!r} is not unique", f"it fits {names}", "name more of its id")
        return files[0] if files else None

    def _stored(self, reference: str) -> RunRecord:
        missing = Refusal(
            f"run {reference!r} was not found",
            f"{self.outputs} has no run of that id or name, and there is no store yet",
            "name another run, or another place with --outputs or --store",
        )
        if self.present_store is not None:
            try:
                return self.present_store.find(reference)
            except Refusal as refusal:
                missing = refusal
        journals = {path.parent.name: path for path in self.outputs.glob(f"*/{JOURNAL}")}
        if "was not found" in missing.what and reference in journals:
            missing = Refusal(
                f"run {reference} has no record",
                f"it is under way, or was killed before it ended; what it had by then is in {journals[reference]}",
                "wait for it, or make a new run",
            )
        raise missing

    def _member(self, run: str, stored_as: str) -> RunRecord:
        file = self.file_in_outputs(run)
        return _read(file).record if file else self.store.record_of(stored_as)


def pooled(sources: Iterable[Source]) -> list[RunRecord]:
    """Return the runs of several sources, each once.

    Raises
    ------
    Refusal
        If two records of different content carry one id.
    """
    return distinct(record for source in sources for record in source.records)


def distinct(records: Iterable[RunRecord]) -> list[RunRecord]:
    """Return each run once; see `pooled`."""
    runs: dict[str, RunRecord] = {}
    for record in records:
        if runs.setdefault(record.run.id, record) != record:
            raise Refusal(
                f"the runs {record.run.id} are refused",
                "two records of different content carry this id",
                "name one of them, or give the other its own run.id",
            )
    return list(runs.values())


def _named_file(reference: str) -> Path | None:
    path = Path(reference).expanduser()
    try:
        return path if path.suffix == ".json" or path.is_file() else None
    except OSError:  # longer than a file's name can be
        return None


def _read(file: Path) -> Found:
    from gnollbench.records.files import read_record

    return Found(read_record(file), file)


def _name(path: Path) -> str | None:
    try:
        return json.loads(path.read_text("utf-8"))["run"]["name"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
