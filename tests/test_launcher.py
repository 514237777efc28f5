"""A launch that reaches a provider, and the store that counts it from its beginning (R55)."""

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from mlflow import MlflowClient

from gnollbench import launcher
from gnollbench.cli import compose_launch
from gnollbench.commands import run_command
from gnollbench.errors import Refusal
from gnollbench.records.launch import Launch, Tracking
from gnollbench.tracking import Store

WORDS = ["questions=[q01]", "tracking.traces=false", "compliance.runs_per_hour=2"]


@pytest.fixture
def launch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Launch:
    """An embedded launch that counts as one that reaches a provider."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(launcher, "reaches_provider", lambda _: True)
    return compose_launch([*WORDS, f"tracking.uri=sqlite:///{tmp_path}/runs.db"])


def statuses(store: Store) -> list[str]:
    client = MlflowClient(store.uri)
    experiments = [experiment.experiment_id for experiment in client.search_experiments()]
    return [run.info.status for run in client.search_runs(experiments)]


def test_a_run_counts_while_it_is_under_way(launch: Launch, monkeypatch: pytest.MonkeyPatch) -> None:
    """R55: and it is one run of the store when it has ended."""
    store, execute = Store(launch.tracking), launcher.execute
    seen: list[Any] = []

    def watched(*arguments: Any) -> Any:
        seen.append((store.recent_runs(60), statuses(store)))
        return execute(*arguments)

    monkeypatch.setattr(launcher, "execute", watched)
    assert launcher.carry_out(launch) == 0
    assert seen == [(1, ["RUNNING"])]
    assert statuses(store) == ["FINISHED"]


def test_a_run_beyond_the_limit_is_withdrawn(launch: Launch, tmp_path: Path) -> None:
    """R55: those under way fill the hour; what is refused does not."""
    store = Store(launch.tracking)
    for run in ("one", "two"):
        store.announce(run, "standard")
    with pytest.raises(Refusal, match="launch is refused"):
        launcher.carry_out(launch)
    assert store.recent_runs(60) == 2
    assert not (tmp_path / "outputs").exists()


@pytest.mark.parametrize("fault", [RuntimeError, KeyboardInterrupt])
def test_a_run_that_breaks_is_not_left_running(
    launch: Launch, monkeypatch: pytest.MonkeyPatch, fault: type[BaseException]
) -> None:
    """R42, R55: it may have cost money, so it counts."""

    def broken(*_: Any) -> Any:
        raise fault

    monkeypatch.setattr(launcher, "execute", broken)
    with pytest.raises(fault):
        launcher.carry_out(launch)
    store = Store(launch.tracking)
    assert statuses(store) == ["KILLED"]
    assert store.recent_runs(60) == 1


def test_a_run_that_the_store_did_not_take_can_be_imported(
    launch: Launch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """R61: by the command that the launch names; it is one run of the store then."""
    with monkeypatch.context() as patch:
        patch.setattr(MlflowClient, "log_batch", lambda *_, **__: (_ for _ in ()).throw(OSError("disk full")))
        assert launcher.carry_out(launch) == 1
    said = capsys.readouterr().err
    store = Store(launch.tracking)
    assert statuses(store) == ["KILLED"]
    words = said.partition("gnollbench ")[2].split()
    assert run_command([*words, "--store", store.uri], compose_launch) == 0
    assert statuses(store) == ["FINISHED"]
    assert "imported" in capsys.readouterr().out


def test_a_store_that_opens_is_waited_for_although_a_signal_came() -> None:
    """R42: a process that ends while a thread imports may hang; a thread that was once joined in vain is gone."""
    gate, opened = threading.Event(), list[bool]()

    class Slow(Store):
        def open(self) -> None:
            gate.wait(30)
            opened.append(True)

    opening = launcher._Opening(Slow(Tracking(uri=None, experiment="e")))
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        opening.wait(30)
    threading.Timer(0.2, gate.set).start()
    opening.wait(30)
    assert opened == [True]
