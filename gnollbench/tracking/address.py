"""Where the store is, and how its address is shown."""

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from gnollbench.records.addresses import public_uri
from gnollbench.records.launch import Tracking

SQLITE = "sqlite:///"


def store_uri(tracking: Tracking) -> str:
    """Return the store's URI: as configured, else MLFLOW_TRACKING_URI, else SQLite in the working directory.

    ``postgresql://`` names the driver that the project installs: without one SQLAlchemy takes psycopg 3.
    """
    uri = tracking.uri or os.environ.get("MLFLOW_TRACKING_URI") or f"{SQLITE}{Path.cwd() / 'mlflow.db'}"
    return re.sub(r"^postgres(ql)?://", "postgresql+psycopg2://", uri)


def without_credentials(text: str, uri: str) -> str:
    """Return a message about a store with every trace of the credentials in its URI taken out."""
    password = _password(uri)
    for secret in sorted({password, unquote(password)} - {""}, key=len, reverse=True):
        text = text.replace(secret, "…")
    return public_uri(text)


def sqlite_file(uri: str) -> Path | None:
    """Return the absolute path of a SQLite store's file; None for any other store."""
    if not uri.startswith(SQLITE):
        return None
    return Path(uri.removeprefix(SQLITE).partition("?")[0]).absolute()


def artifact_folder(uri: str, suite: str) -> str | None:
    """Return where a suite's artifacts go: ``mlruns`` beside a SQLite file; None where a server decides.

    A database that is no file holds no artifacts: they go to ``mlruns`` in the working directory.
    """
    if uri.startswith(("http://", "https://")):
        return None
    file = sqlite_file(uri)
    root = (file.parent if file else Path.cwd()) / "mlruns"
    return str(root / (re.sub(r"[^\w.-]", "_", suite).strip(".") or "_"))


def _password(uri: str) -> str:
    try:
        return urlsplit(uri).password or ""
    except ValueError:
        return ""
