"""The MLflow UI on a store."""

import os
import signal
import subprocess
import sys
from contextlib import suppress

from gnollbench.errors import Refusal
from gnollbench.records.addresses import public_uri
from gnollbench.records.launch import Tracking
from gnollbench.tracking.address import store_uri
from gnollbench.tracking.store import Store

_LAST_S = 10  # what a server may take to finish its requests


def serve_ui(uri: str | None, port: int) -> int:
    """Serve the MLflow UI on a store until it is interrupted, which is 0; return the server's exit code.

    One worker and no job execution: two processes instead of fifteen, ready in a third of the time.

    Raises
    ------
    Refusal
        If the store cannot be used, or is a server with a UI of its own.
    """
    tracking = Tracking(uri=uri, experiment="gnollbench")
    address = store_uri(tracking)
    if address.startswith("http"):
        raise Refusal(
            "ui is refused", "this store is a server, with a UI of its own", f"open {public_uri(address)}"
        )
    Store(tracking).open()
    environment = {
        **os.environ,
        "MLFLOW_BACKEND_STORE_URI": address,
        "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
    }
    print(f"{public_uri(address)} at http://127.0.0.1:{port}", file=sys.stderr, flush=True)
    command = ["-m", "mlflow", "ui", "--host", "127.0.0.1", "--port", str(port), "--workers", "1"]
    server = subprocess.Popen([sys.executable, *command], env=environment, start_new_session=True)
    try:
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        _take_down(server)


def _take_down(server: subprocess.Popen[bytes]) -> None:
    """End the server with its worker, which would outlive it: they are a process group of their own."""
    for name in ("SIGTERM", "SIGKILL"):
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(server.pid, getattr(signal, name))
            else:
                server.kill()  # Windows
        with suppress(subprocess.TimeoutExpired):
            server.wait(_LAST_S)
            return
