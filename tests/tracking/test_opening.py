"""A store that cannot be written is told before anything is spent, and nothing is changed by asking (R61)."""

import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from gnollbench.errors import Refusal
from gnollbench.records.launch import Tracking
from gnollbench.tracking import Store, opening

NOBODY = 65534


def at(file: Path) -> Store:
    return Store(Tracking(uri=f"sqlite:///{file}", experiment="gnollbench"))


def refused(store: Store) -> str:
    with pytest.raises(Refusal, match="cannot be used") as caught:
        store.require_usable()
    return caught.value.why


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter and write."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


@contextmanager
def nobody() -> Iterator[None]:
    """Have the rights of a user that owns nothing: root may write everything."""
    if os.getuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_store_that_is_to_be_made_is_usable_and_not_made(tmp_path: Path) -> None:
    """R61: neither the file nor its folder."""
    at(tmp_path / "not yet" / "runs.db").require_usable()
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_is_there_is_not_changed(tmp_path: Path) -> None:
    """R61: the lock is given back."""
    file = tmp_path / "runs.db"
    with closing(sqlite3.connect(file)) as store:
        store.execute("create table t (x)")
    before = file.read_bytes()
    at(file).require_usable()
    at(file).require_usable()
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    """R61: in the place of the folder, or of the database."""
    file = tmp_path / "runs.db"
    file.write_text("no database, and long enough to be none at first sight")
    assert "not a database" in refused(at(file))
    assert "directory" in refused(at(file / "runs.db"))


def test_a_folder_that_takes_no_file_is_told(open_folder: Path) -> None:
    """R61: a store could not be made there."""
    open_folder.chmod(0o555)
    with nobody():
        assert "Permission denied" in refused(at(open_folder / "runs.db"))
        assert "Permission denied" in refused(at(open_folder / "deep" / "runs.db"))


def test_a_read_only_file_is_told(open_folder: Path) -> None:
    """R61: it can be opened, and no run can be stored."""
    file = open_folder / "runs.db"
    with closing(sqlite3.connect(file)) as store:
        store.execute("create table t (x)")
    file.chmod(0o444)
    with nobody():
        assert "readonly" in refused(at(file))


def test_a_lock_is_waited_for_but_not_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R61: another process's writing passes; a lock that stays is told."""
    monkeypatch.setattr(opening, "_LOCK_S", 2)
    file = tmp_path / "runs.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as store:
        store.execute("create table t (x)")
        store.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        assert "locked" in refused(at(file))
        assert 1.5 < time.monotonic() - began < 10
