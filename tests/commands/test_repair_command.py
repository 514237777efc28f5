"""The command ``repair`` as a user starts it: a damaged run in its folder and in the store is made whole (R41, R42)."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gnollbench.commands.sources import Sources
from gnollbench.records.figures import scored
from gnollbench.records.files import read_record, write_record
from gnollbench.records.launch import Tracking
from gnollbench.records.run import Failure, FailureKind, FailureSource, RunRecord, Unscored, UnscoredCode
from gnollbench.scoring.outcomes import Integrity
from gnollbench.scoring.verdict import Member
from gnollbench.tracking import Store
from tests.engine.rig import small_suite


def gnollbench(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("MLFLOW_TRACKING", "GNOLLBENCH"))}
    return subprocess.run(
        [sys.executable, "-m", "gnollbench", *words],
        cwd=folder,
        env=inherited | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("a repaired run")
    done = gnollbench(folder, f"suite.path='{small_suite()}'", "writer=offline")
    assert done.returncode == 0, done.stderr
    return folder


def damaged(record: RunRecord) -> RunRecord:
    """The run as it would be had a provider failed on one question and a member on another."""
    answers = list(record.answers)
    failure = Failure(source=FailureSource.PROVIDER, kind=FailureKind.OUTAGE, code="500", message="down")
    answers[0] = answers[0].model_copy(
        update={
            "text": "",
            "raw": "",
            "integrity": Integrity.TRANSPORT_DEFECT,
            "failure": failure,
            "verdicts": {},
            "claims": (),
            "reader": None,
            "flags": (),
            "triggers": (),
        }
    )
    answers[1] = answers[1].model_copy(
        update={
            "verdicts": {Member.A: answers[1].verdicts[Member.A]},
            "unscored": {"b": Unscored(code=UnscoredCode.NO_JSON)},
            "claims": (),
            "reader": None,
        }
    )
    return scored(record.model_copy(update={"answers": tuple(answers), "syntheses": ()}))


def store_in(folder: Path) -> str:
    return f"sqlite:///{folder / 'mlflow.db'}"


def statuses_in(store: Path) -> list[str]:
    with sqlite3.connect(store) as opened:
        return [row[0] for row in opened.execute("select value from tags where key = 'gnollbench.status'")]


def spans_in(store: Path) -> list[tuple[str, int]]:
    """Each trace's question with the number of its spans."""
    with sqlite3.connect(store) as opened:
        return opened.execute(
            "select root.name, (select count(*) from spans where spans.trace_id = root.trace_id)"
            " from spans root where root.parent_span_id is null order by root.name"
        ).fetchall()


def without_times(record: RunRecord) -> Any:
    shown = record.model_dump(mode="json", include={"answers", "syntheses", "results", "keys"})
    for answer in shown["answers"]:
        for name in ("turn_ms", "tool_ms", "wait_ms", "ttft_ms", "usage"):
            del answer[name]
        answer["score"].pop("speed")
    del shown["results"]["speed"]
    return shown


def test_damaged_run_is_made_whole(ran: Path) -> None:
    """R41, R42: with the embedded models the repaired run is the run that never failed, in folder and store."""
    (path,) = ran.glob("outputs/*/record.json")
    whole = read_record(path)
    lines = len((path.parent / "transcripts" / "q01.jsonl").read_text("utf-8").splitlines())
    write_record(damaged(whole), path)
    damage = gnollbench(ran, "show", whole.run.id, "--json")
    assert json.loads(damage.stdout)["results"] is None
    done = gnollbench(ran, "repair", whole.run.id[:12], "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["status"], told["asked"], told["graded"], told["read"]) == (
        "completed",
        ["q01"],
        ["q03"],
        [],
    )
    mended = read_record(path)
    assert without_times(mended) == without_times(whole)
    assert len((path.parent / "transcripts" / "q01.jsonl").read_text("utf-8").splitlines()) > lines
    assert "Repaired on" in (path.parent / "report.md").read_text("utf-8")
    assert not (path.parent / "journal.jsonl").exists()
    assert told["written"] == [
        "outputs/" + str(path.relative_to(ran / "outputs")),
        f"the store {store_in(ran)}",
    ]
    assert statuses_in(ran / "mlflow.db") == ["completed"]
    stored = [json.loads(p.read_text("utf-8")) for p in (ran / "mlruns").rglob("record.json")]
    assert [record["run"]["warnings"] for record in stored] == [list(mended.run.warnings)]


def test_the_store_that_a_run_names_is_updated(tmp_path: Path) -> None:
    """R41, R61: wherever the repair is started and without being named; each question keeps one trace, the whole."""
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    store = home / "own.db"
    done = gnollbench(home, f"suite.path='{small_suite()}'", f"tracking.uri='sqlite:///{store}'")
    assert done.returncode == 0, done.stderr
    before = spans_in(store)
    (path,) = home.glob("outputs/*/record.json")
    write_record(damaged(read_record(path)), path)
    assert gnollbench(home, "import", str(path), "--store", f"sqlite:///{home}/copy.db").returncode == 0
    assert statuses_in(home / "copy.db") == ["completed_with_errors"]
    place = ["--outputs", str(home / "outputs"), "--store", f"sqlite:///{home}/copy.db"]
    done = gnollbench(elsewhere, "repair", path.parent.name, *place, "--json")
    assert done.returncode == 0, done.stderr
    assert statuses_in(store) == statuses_in(home / "copy.db") == ["completed"]
    assert not list(elsewhere.iterdir())
    after = spans_in(store)
    assert [name for name, _ in after] == [name for name, _ in before] == ["q01", "q03", "q04", "q05"]
    assert {name for name, spans in after if spans > dict(before)[name]} == {"q01", "q03"}
    opened = Store(Tracking(uri=f"sqlite:///{store}", experiment="gnollbench"))
    stored_as = opened.run_of(path.parent.name)
    assert stored_as is not None
    opened.replace_record(stored_as, damaged(read_record(path)))
    done = gnollbench(elsewhere, "repair", path.parent.name, "--store", opened.uri)  # which alone has the run
    assert done.returncode == 0, done.stderr
    again = spans_in(store)
    assert {name for name, spans in again if spans > dict(after)[name]} == {"q01", "q03"}
    assert len(again) == 4


@pytest.mark.parametrize("uri", ["sqlite:///{}/none.db", "postgresql://127.0.0.1:1/db"])
def test_a_store_out_of_reach_is_told_of(ran: Path, tmp_path: Path, uri: str) -> None:
    """R61: a record of somebody else's machine is repaired, and its store is said not to be updated."""
    (path,) = ran.glob("outputs/*/record.json")
    record = damaged(read_record(path))
    uri = uri.format(tmp_path)
    config = {**record.config, "tracking": {**record.config["tracking"], "uri": uri}}
    write_record(record.model_copy(update={"config": config}), tmp_path / "other.json")
    done = gnollbench(tmp_path, "repair", "other.json", "--json")
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if "is not updated" in line]
    assert uri.partition("://")[2] in line
    assert "--store" in line
    assert json.loads(done.stdout)["status"] == "completed"
    assert not list(tmp_path.glob("*.db*"))


def test_a_run_s_store_is_reached_by_the_credentials_that_the_command_has() -> None:
    """R61: a record keeps none; another store gets none of them."""
    sources = Sources("outputs", "postgresql://me:hush@host/db")
    own = Tracking(uri="postgresql://host/db", experiment="gnollbench")
    assert sources.own_store(own).uri == "postgresql+psycopg2://me:hush@host/db"
    assert "hush" in sources.own_store(own.model_copy(update={"uri": None})).uri
    assert "hush" not in sources.own_store(own.model_copy(update={"uri": "postgresql://host/other"})).uri


def test_whole_run_is_refused(ran: Path) -> None:
    """R42: exit code 2, and why."""
    (path,) = ran.glob("outputs/*/record.json")
    before = path.read_bytes()
    done = gnollbench(ran, "repair", path.parent.name)
    assert done.returncode == 2
    assert "missing" in done.stderr
    assert path.read_bytes() == before


def test_changed_suite_is_refused_by_name(ran: Path, tmp_path: Path) -> None:
    """R43: a run of another exam is not completed with this one; nothing is written."""
    (path,) = ran.glob("outputs/*/record.json")
    record = damaged(read_record(path))
    keys = {
        **record.keys,
        "harness_version": record.keys["harness_version"].model_copy(update={"hash": "0", "value": 44}),
    }
    write_record(record.model_copy(update={"keys": keys}), tmp_path / "other.json")
    before = (tmp_path / "other.json").read_bytes()
    done = gnollbench(ran, "repair", str(tmp_path / "other.json"))
    assert done.returncode == 2
    assert "harness_version was 44, is 45" in done.stderr
    assert (tmp_path / "other.json").read_bytes() == before
