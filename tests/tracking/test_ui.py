"""The MLflow UI and the processes that it is made of (R61)."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.tracking.conftest import free_port


def listening(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1) as answer:
            return answer.status == 200
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_ending_the_program_ends_its_server(tmp_path: Path, number: signal.Signals) -> None:
    """R61: whoever ends it, no server is left on the port."""
    port = free_port()
    command = [sys.executable, "-m", "gnollbench", "ui", "--port", str(port)]
    environ = {**os.environ, "MLFLOW_TRACKING_URI": ""}
    program = subprocess.Popen(command, cwd=tmp_path, env=environ, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 120
    while not listening(port):
        assert program.poll() is None
        assert time.monotonic() < until
        time.sleep(0.2)
    program.send_signal(number)
    assert "Traceback" not in program.communicate(timeout=60)[1]
    assert program.returncode == 0
    assert not listening(port)
