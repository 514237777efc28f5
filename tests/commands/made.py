"""Folders of records for the commands, and the program as a whole process."""

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from gnollbench.cli import main
from gnollbench.records.files import read_record, write_record
from gnollbench.records.run import Cost, Key, ModelIdentity, Role, RunRecord
from gnollbench.scoring.verdict import Dimension, Levels, Verdict

Program = Callable[..., subprocess.CompletedProcess[str]]

RECORDS = Path(__file__).parents[1] / "oracles" / "records"


def run(
    ident: str,
    base: str = "panel",
    keys: Mapping[str, Any] | None = None,
    lowered: tuple[str, ...] = (),
    **head: Any,
) -> RunRecord:
    """A run made from one of the independent records, without scores as those are.

    Its keys carry the values in ``keys``; answers to the questions in ``lowered`` lose a level of Accuracy
    under each member, down to 0.
    """
    record = read_record(RECORDS / f"record-{base}.json")
    changed = {name: Key.of(name, value) for name, value in (keys or {}).items()}
    answers = [
        answer.model_copy(update={"verdicts": {m: _lowered(v) for m, v in answer.verdicts.items()}})
        if answer.question in lowered
        else answer
        for answer in record.answers
    ]
    own = record.keys | changed
    provider, model = str(own["provider"].value), str(own["model"].value)
    identities = {
        Role.CANDIDATE: ModelIdentity(provider=provider, model=model, family=provider),
        Role.ASSESSOR: ModelIdentity(provider="acme", model="judge-a", family="acme"),
        Role.CO_ASSESSOR: ModelIdentity(provider="beta", model="judge-b", family="beta"),
    }
    return record.model_copy(
        update={
            "run": record.run.model_copy(update={"id": ident, **head}),
            "keys": own,
            "answers": tuple(answers),
            "models": identities,
            "costs": {Role.CANDIDATE: Cost(input_tokens=1000, output_tokens=100, usd=0.25)},
        }
    )


def lay(record: RunRecord, folder: Path) -> Path:
    """Write a record where a run leaves it, under ``outputs`` in the folder."""
    file = folder / "outputs" / record.run.id / "record.json"
    file.parent.mkdir(parents=True)
    write_record(record, file)
    return file


def gnollbench(folder: Path, *words: str, python: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run the program in a folder, as a user does."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("MLFLOW_TRACKING", "GNOLLBENCH"))}
    return subprocess.run(
        [sys.executable, *python, "-m", "gnollbench", *words],
        cwd=folder,
        env=inherited,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def inside(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a folder and in this process, which has paid for mlflow already."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(folder),
        mock.patch.object(sys, "argv", ["gnollbench", *words]),
        mock.patch.dict(os.environ),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        os.environ.pop("MLFLOW_TRACKING_URI", None)
        with pytest.raises(SystemExit) as end:
            main()
    return subprocess.CompletedProcess(words, int(end.value.code or 0), out.getvalue(), err.getvalue())


def document(folder: Path, *words: str, by: Program = gnollbench) -> Any:
    """What a command prints under ``--json``; it must end well and say nothing else."""
    done = by(folder, *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def text(folder: Path, *words: str, by: Program = gnollbench) -> str:
    """What a command prints for a person; it must end well."""
    done = by(folder, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refusal(folder: Path, *words: str, by: Program = gnollbench) -> str:
    """What a command that is refused says; it must exit 2 and print nothing on stdout."""
    done = by(folder, *words)
    assert done.returncode == 2, done.stderr + done.stdout
    assert done.stdout == ""
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["refused", "why", "lift it"]
    return done.stderr


def _lowered(verdict: Verdict) -> Verdict:
    levels = {str(d): verdict.levels.of(d) for d in Dimension}
    levels["accuracy"] = max(levels["accuracy"] - 1, 0)
    return verdict.model_copy(update={"levels": Levels(**levels)})
