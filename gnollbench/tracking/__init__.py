"""The MLflow store of runs: what is logged, and how it is found again. The only user of mlflow."""

from gnollbench.tracking.address import store_uri
from gnollbench.tracking.store import Store
from gnollbench.tracking.ui import serve_ui

__all__ = ["Store", "serve_ui", "store_uri"]
