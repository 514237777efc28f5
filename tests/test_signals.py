"""How the program ends when it is told to: Ctrl-C, SIGTERM, a closed terminal (R42)."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from gnollbench.signals import Interruption


async def told(number: signal.Signals | None, pause_s: float = 5.0) -> str:
    """Get a signal, then wait; say how that went."""
    if number is not None:
        signal.raise_signal(number)
    try:
        await asyncio.sleep(pause_s)
    except asyncio.CancelledError:
        return "canceled"
    return "to its end"


def test_the_first_cancels_what_runs_and_is_raised_at_the_end() -> None:
    """R42: what was begun is written before the program ends."""
    done: list[str] = []

    def run() -> None:
        with Interruption() as interruption:
            done.append(interruption.run(told(signal.SIGINT)))
            done.append("written")

    with pytest.raises(KeyboardInterrupt):
        run()
    assert done == ["canceled", "written"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_one_that_comes_before_the_loop_cancels_too() -> None:
    """R42: a run that was told to end before its first question ends with a record of that."""
    done: list[str] = []

    def run() -> None:
        with Interruption() as interruption:
            signal.raise_signal(signal.SIGINT)
            done.append(interruption.run(told(None)))

    with pytest.raises(KeyboardInterrupt):
        run()
    assert done == ["canceled"]


def test_the_second_is_raised_at_once() -> None:
    """R42: who insists need not wait."""
    done: list[int] = []

    def run() -> None:
        with Interruption():
            for time_ in (1, 2, 3):
                signal.raise_signal(signal.SIGINT)
                done.append(time_)

    with pytest.raises(KeyboardInterrupt):
        run()
    assert done == [1]


def test_without_one_nothing_changes() -> None:
    """R42: nor is an exception hidden."""
    with Interruption() as interruption:
        assert interruption.run(told(None, 0)) == "to its end"
    with pytest.raises(ValueError, match="own"), Interruption():
        raise ValueError("its own")


class Program:
    """The program as a process that a test signals."""

    def __init__(self, folder: Path, *words: str, **environ: str) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gnollbench", *words],
            cwd=folder,
            env={**os.environ, "MLFLOW_TRACKING_URI": "", **environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.said: list[str] = []

    def signalled_at(self, beginning: str, number: signal.Signals, times: int = 1) -> str:
        """Signal the process as it says a line for the so-manieth time; return all that it said."""
        assert self.process.stderr is not None
        while times:
            line = self.process.stderr.readline()
            assert line, self.said
            self.said.append(line)
            times -= line.startswith(beginning)
        return self.signalled(number)

    def signalled(self, number: signal.Signals) -> str:
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=150)
        said = "".join(self.said) + err
        assert "Traceback" not in said + out
        assert self.process.returncode == 130, said
        return said

    def records(self) -> dict[str, Any]:
        records = [json.loads(p.read_text("utf-8")) for p in self.folder.glob("outputs/*/record.json")]
        return {record["run"]["name"]: record["run"]["status"] for record in records}

    def stored(self) -> list[str]:
        with sqlite3.connect(self.folder / "mlflow.db") as store:
            return [status for (status,) in store.execute("select status from runs")]


def test_ctrl_c_ends_a_sweep_and_keeps_what_came_before(tmp_path: Path) -> None:
    """R42, R62: the job under way is recorded as canceled, those before it stay, no other begins."""
    sweep = Program(tmp_path, "-m", "name=one,two,three,four", "tracking.traces=false")
    said = sweep.signalled_at("run ", signal.SIGINT, times=2)
    assert sweep.records() == {"one": "completed", "two": "canceled"}
    assert sorted(sweep.stored()) == ["FINISHED", "KILLED"]
    assert said.count("\nrun ") + said.startswith("run ") == 2
    assert not list(tmp_path.glob("outputs/*/journal.jsonl"))


def test_sigterm_ends_a_run_as_ctrl_c_does(tmp_path: Path) -> None:
    """R42: in the first moments of a run, while the store still opens beside it."""
    run = Program(tmp_path, "name=one", "tracking.traces=false")
    run.signalled_at("run ", signal.SIGTERM)
    assert run.records() == {"one": "canceled"}
    assert run.stored() == ["KILLED"]


def test_sigterm_while_a_run_is_stored_lets_it_be_stored(tmp_path: Path) -> None:
    """R42, R61: a finished run stays finished, in the store too."""
    run = Program(tmp_path, "name=one")
    while not list(tmp_path.glob("outputs/*/record.json")):
        assert run.process.poll() is None
        time.sleep(0.01)
    run.signalled(signal.SIGTERM)
    assert run.records() == {"one": "completed"}
    assert run.stored() == ["FINISHED"]


def test_sigterm_while_the_store_is_waited_for_leaves_nothing(tmp_path: Path) -> None:
    """R42: nothing was begun, and nothing is left."""
    with FileLock(tmp_path / "mlflow.db.lock"):
        waiting = Program(
            tmp_path,
            "candidate=local",
            "candidate.model=m",
            "candidate.endpoint=http://192.0.2.1/v1",
            "candidate.api_key_env=null",
        )
        time.sleep(6)  # by then it waits, on a slow machine it still imports
        assert "canceled" in waiting.signalled(signal.SIGTERM)
    assert not (tmp_path / "outputs").exists()
