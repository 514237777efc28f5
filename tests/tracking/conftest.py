"""Stores to put records in: SQLite under a path with a space, PostgreSQL where it is installed."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from mlflow import MlflowClient

from gnollbench.records.launch import Tracking
from gnollbench.tracking import Store


@pytest.fixture(scope="module")
def uri(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('a store')}/my runs.db"


@pytest.fixture(scope="module")
def store(uri: str) -> Store:
    opened = Store(Tracking(uri=uri, experiment="gnollbench"))
    opened.open()
    return opened


@pytest.fixture
def client(store: Store) -> MlflowClient:
    return MlflowClient(store.uri)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URI of a private PostgreSQL cluster; skipped where the server's programs are not installed."""
    programs = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)), None)
    if programs is None or (os.getuid() == 0 and shutil.which("runuser") is None):
        pytest.skip("no PostgreSQL server is installed")
    as_user = ["runuser", "-u", "nobody", "--"] if os.getuid() == 0 else []  # initdb refuses root
    with tempfile.TemporaryDirectory() as folder:
        if as_user:
            os.chown(folder, pwd.getpwnam("nobody").pw_uid, -1)
        data, port = f"{folder}/data", free_port()
        server = [*as_user, str(programs.with_name("pg_ctl")), "-D", data, "-w"]
        settings = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c fsync=off"
        new = [*as_user, str(programs), "-D", data, "-A", "trust", "-U", "gnoll", "--no-sync", "-E", "UTF8"]
        subprocess.run(new, check=True, capture_output=True, cwd="/")
        subprocess.run(
            [*server, "-o", settings, "-l", f"{folder}/log", "start"],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd="/",
        )
        try:
            yield f"postgresql://gnoll:hush@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([*server, "-m", "immediate", "stop"], check=False, capture_output=True, cwd="/")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
