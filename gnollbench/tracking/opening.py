"""Opening a store so that several processes can do it at once, and what can go wrong with one."""

import logging
import sqlite3
import tempfile
from collections.abc import Generator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from gnollbench.tracking.address import sqlite_file

_QUEUE_S = 300  # making a schema takes 2-7 s, and the processes of a wide sweep wait for each other
_REACH_S = 10  # a database server that does not answer by then is out of reach; mlflow would try for minutes
_LOCK_S = 30  # another process's writing takes far less than a second
_ADVISORY_LOCK = 0x676E6F6C  # any number that no other user of the database locks
_LONGEST_REASON = 300
_DATABASES = ("sqlite", "postgresql", "mysql", "mssql")


def require_writable(uri: str) -> None:
    """Try whether a SQLite store can be written, or made, without changing anything and without mlflow.

    Raises
    ------
    OSError, sqlite3.Error
        If it cannot. A lock that another process holds is waited for, but not for ever.
    """
    file = sqlite_file(uri)
    if file is None:
        return
    place = next(folder for folder in file.parents if folder.exists())
    with tempfile.TemporaryFile(dir=place):
        pass  # there the file's folder is to be made, or SQLite's own files beside it
    if file.exists():
        _write_nothing(file)


def is_there(uri: str) -> bool:
    """Say whether there is a store at an address, without making one; what is no database is asked when opened.

    Raises
    ------
    SQLAlchemyError
        If a database cannot be read.
    """
    file = sqlite_file(uri)
    if file is not None and not file.exists():
        return False
    if not uri.startswith(_DATABASES):
        return True
    from sqlalchemy import create_engine, inspect

    patience = {"connect_timeout": _REACH_S} if uri.startswith("postgresql") else {}
    engine = create_engine(uri, connect_args=patience)
    try:
        return inspect(engine).has_table("experiments")
    finally:
        engine.dispose()


def open_client(uri: str) -> Any:
    """Return an ``MlflowClient`` on a store whose schema is there and up to date.

    A SQLite schema is made or upgraded. Another database's is made where there is none; upgrading one that
    others use is their decision.
    """
    from mlflow import MlflowClient
    from mlflow.exceptions import MlflowException

    logging.getLogger("mlflow.store").setLevel(logging.CRITICAL)  # its faults reach us as exceptions
    with _alone(uri):
        try:
            return _reached(MlflowClient(uri, registry_uri=uri))
        except MlflowException as error:
            if sqlite_file(uri) is None or "out-of-date" not in str(error):
                raise
            _upgrade(uri)
            return _reached(MlflowClient(uri, registry_uri=uri))


def foreign_errors() -> tuple[type[Exception], ...]:
    """Return what mlflow and the libraries under it raise when a store is at fault."""
    from alembic.util import CommandError
    from mlflow.exceptions import MlflowException
    from requests import RequestException
    from sqlalchemy.exc import SQLAlchemyError

    return MlflowException, SQLAlchemyError, RequestException, CommandError, OSError, ImportError


def first_line(error: Exception) -> str:
    """Return the first line of an error's message, or its type where it has none."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:_LONGEST_REASON]


def _write_nothing(file: Path) -> None:
    """Write what is there already, in a transaction that is taken back.

    A lock is asked for each second: SQLite's own wait heeds no Ctrl-C. A read-only file grants it.
    """
    for second in range(1, _LOCK_S + 1):
        with closing(sqlite3.connect(file, timeout=1, isolation_level=None)) as store:
            try:
                store.execute("BEGIN IMMEDIATE")
                (version,) = store.execute("PRAGMA user_version").fetchone()
                store.execute(f"PRAGMA user_version = {version}")
                store.execute("ROLLBACK")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or second == _LOCK_S:
                    raise
            else:
                return


def _reached(client: Any) -> Any:
    client.search_experiments(max_results=1)
    return client


def _upgrade(uri: str) -> None:
    from mlflow.db import upgrade

    callback: Any = upgrade.callback
    callback(uri)


def _alone(uri: str) -> AbstractContextManager[Any]:
    """Return what keeps other processes from opening the store meanwhile.

    Two processes that make one schema at once fail, and a SQLite schema stays broken.
    """
    file = sqlite_file(uri)
    if file is not None:
        return _file_lock(file)
    return _server_lock(uri) if uri.startswith("postgresql") else nullcontext()


def _file_lock(file: Path) -> AbstractContextManager[Any]:
    from filelock import FileLock

    file.parent.mkdir(parents=True, exist_ok=True)
    return FileLock(file.with_name(f"{file.name}.lock"), timeout=_QUEUE_S)


@contextmanager
def _server_lock(uri: str) -> Generator[None]:
    from sqlalchemy import create_engine, text

    engine = create_engine(uri, connect_args={"connect_timeout": _REACH_S})
    try:
        with engine.connect() as connection:
            connection.execute(text(f"SET lock_timeout = '{_QUEUE_S}s'"))
            connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _ADVISORY_LOCK})
            yield  # closing the connection gives the lock back
    finally:
        engine.dispose()
