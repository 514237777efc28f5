"""The MLflow UI on a store."""

import os
import subprocess
import sys

from gnollbench.errors import Refusal
from gnollbench.records.addresses import public_uri
from gnollbench.records.launch import Tracking
from gnollbench.tracking.address import store_uri
from gnollbench.tracking.store import Store


def serve_ui(uri: str | None, port: int) -> int:
    """Serve the MLflow UI on a store until it is interrupted; return the server's exit code.

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
    with subprocess.Popen([sys.executable, *command], env=environment) as server:
        try:
            return server.wait()
        except KeyboardInterrupt:
            return server.wait()
