"""Where the store is, and what of its address is shown (R62)."""

from pathlib import Path

import pytest

from gnollbench.records.addresses import public_uri
from gnollbench.records.launch import Tracking
from gnollbench.tracking import store_uri
from gnollbench.tracking.address import without_credentials


def at(uri: str | None) -> Tracking:
    return Tracking(uri=uri, experiment="gnollbench")


def test_the_configuration_comes_before_the_environment_before_the_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """R62: a store without any set-up, and one that is named."""
    folder = tmp_path / "a b"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    assert store_uri(at(None)) == f"sqlite:///{folder}/mlflow.db"
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://server:5000")
    assert store_uri(at(None)) == "http://server:5000"
    assert store_uri(at("sqlite:///own.db")) == "sqlite:///own.db"


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgresql://u:p@h/d", "postgresql+psycopg2://u:p@h/d"),
        ("postgres://u:p@h/d", "postgresql+psycopg2://u:p@h/d"),
        ("postgresql+psycopg://u:p@h/d", "postgresql+psycopg://u:p@h/d"),
    ],
)
def test_postgresql_gets_the_driver_that_is_installed(given: str, used: str) -> None:
    """R61: SQLAlchemy would take another by itself; a driver that is named stays."""
    assert store_uri(at(given)) == used


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        ("postgresql://me:pass@h:5/d", "postgresql://h:5/d"),
        ("https://me:p@ss@h/", "https://h/"),
        ("postgresql://h/d?user=me&password=pass&x=1", "postgresql://h/d?user=me&password=…&x=1"),
        ("sqlite:////tmp/a@b/x.db", "sqlite:////tmp/a@b/x.db"),
    ],
)
def test_an_address_is_shown_without_its_credentials(uri: str, shown: str) -> None:
    """R3: a message can be passed on."""
    assert public_uri(uri) == shown


def test_a_message_is_shown_without_the_credentials() -> None:
    """R3: neither as written in the URI nor as the server reads them."""
    uri = "postgresql://me:p%40ss@h/d"
    assert without_credentials(f"p@ss and p%40ss of {uri}", uri) == "… and … of postgresql://h/d"
