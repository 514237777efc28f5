"""What a stored run is in MLflow, how it is found again, and what a store at fault says (R55, R61)."""

import json
import sqlite3
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from mlflow import MlflowClient

from gnollbench.errors import HarnessFailure, Refusal
from gnollbench.records.canonical import fingerprint
from gnollbench.records.launch import Tracking
from gnollbench.records.run import KEY_KINDS, Cost, Key, ModelIdentity, Role
from gnollbench.scoring.outcomes import RunStatus
from gnollbench.tracking import Store
from tests.tracking.made import RECORDS, lay, make

CANDIDATE = {Role.CANDIDATE: ModelIdentity(provider="acme", model="m-1")}


def stored(client: MlflowClient, run_id: str) -> Any:
    return client.get_run(run_id)


def test_a_run_is_one_mlflow_run(store: Store, client: MlflowClient, tmp_path: Path) -> None:
    """R61: experiment, name, status, times, tags of the 27 keys, parameters, artifacts."""
    options = Key.of("prompt_options", {"response_style": "verbose", "source_references": False})
    record = make(
        head={"id": "one", "name": "first try"},
        models=CANDIDATE,
        keys={**make().keys, "prompt_options": options},
        provenance={"wiki": "w1k1", "a=b": "kept out", "source": None},
    )
    run = stored(client, store.log_run(record, lay(record, tmp_path)))
    assert client.get_experiment(run.info.experiment_id).name == "gnollbench/oracle-31-panel"
    assert (run.info.run_name, run.info.status) == ("first try", "FINISHED")
    assert run.info.start_time == record.run.started_at.timestamp() * 1000
    assert run.info.end_time == record.run.ended_at.timestamp() * 1000  # type: ignore[union-attr]
    hashes = {name: record.keys[name].hash for name in KEY_KINDS}
    assert len(hashes) == 27
    expected = {
        **{f"gnollbench.key.{name}": value for name, value in hashes.items()},
        "gnollbench.digest": fingerprint(hashes),
        "gnollbench.kind": "run",
        "gnollbench.run_id": "one",
        "gnollbench.status": "completed_with_limits",
        "gnollbench.candidate": "acme/m-1",
        "gnollbench.format": "gnollbench.run/1",
        "gnollbench.reaches_provider": "true",
    }
    assert expected.items() <= run.data.tags.items()
    assert run.data.params["candidate"] == "acme/m-1"
    assert run.data.params["thinking_level"] == "thinking_level-1"
    assert run.data.params["response_style"] == "verbose"
    assert run.data.params["source_references"] == "false"
    assert run.data.params["revision.wiki"] == "w1k1"
    assert sorted(item.path for item in client.list_artifacts(run.info.run_id)) == [
        "record.json",
        "report.md",
        "transcripts",
    ]


def test_the_metrics_are_the_figures_at_full_precision(
    store: Store, client: MlflowClient, tmp_path: Path
) -> None:
    """R37-R40: the figures of the oracle, and quality and model time by the question's place in the suite."""
    record = make(head={"id": "figures"})
    run = stored(client, store.log_run(record, lay(record, tmp_path)))
    expected = json.loads((RECORDS / "expected-panel.json").read_text("utf-8"))
    assert run.data.metrics["intelligence_index"] == pytest.approx(
        expected["results"]["intelligence"]["index"], abs=1e-9
    )
    assert run.data.metrics["intelligence_se"] == pytest.approx(
        expected["results"]["intelligence"]["se"], abs=1e-9
    )
    assert run.data.metrics["outcome.partial"] == 14
    assert run.data.metrics["critical_error_rate"] == pytest.approx(3 / 18)
    steps = {entry.step: entry.value for entry in client.get_metric_history(run.info.run_id, "quality")}
    order = [question.id for question in record.exam.questions]
    assert steps == {
        order.index(question) + 1: score["quality"] for question, score in expected["answers"].items()
    }


def test_a_run_that_was_broken_off_is_brought_up_to_date(
    store: Store, client: MlflowClient, tmp_path: Path
) -> None:
    """R41, R61: its repair has more answers; what MLflow lets nobody change stays as it is, and loses nothing."""
    whole = make(head={"id": "repaired"})
    part = make(
        head={"id": "repaired", "status": RunStatus.FAILED}, answers=whole.answers[:1], models=CANDIDATE
    )
    run_id = store.log_run(part, lay(part, tmp_path / "part"))
    assert stored(client, run_id).info.status == "FAILED"
    assert store.log_run(whole, lay(whole, tmp_path / "whole")) == run_id
    run = stored(client, run_id)
    assert (run.info.status, run.data.params["questions"]) == ("FINISHED", str(len(whole.exam.questions)))
    assert run.data.params["candidate"] == "acme/m-1"
    assert run.data.metrics["intelligence_index"] == pytest.approx(whole.results.intelligence.index)  # type: ignore[union-attr]


def test_a_withheld_figure_is_not_logged(store: Store, client: MlflowClient, tmp_path: Path) -> None:
    """R3, R41: a run with a provider failure has no index, in MLflow too; no 0 stands in for it."""
    record = make("provider", head={"id": "withheld"})
    assert record.results is None
    metrics = stored(client, store.log_run(record, lay(record, tmp_path))).data.metrics
    assert metrics.keys() == {"quality", "model_ms"}


def test_an_unanswered_question_has_no_model_time(store: Store, client: MlflowClient, tmp_path: Path) -> None:
    """R41: it has its quality, 0, and no time."""
    record = make("unanswered", head={"id": "unanswered"})
    run = stored(client, store.log_run(record, lay(record, tmp_path)))
    unanswered = [answer.question for answer in record.answers if answer.integrity == "unanswered"]
    places = {q.id: place for place, q in enumerate(record.exam.questions, start=1)}
    qualities = {e.step: e.value for e in client.get_metric_history(run.info.run_id, "quality")}
    times = {e.step for e in client.get_metric_history(run.info.run_id, "model_ms")}
    assert unanswered
    assert all(qualities[places[question]] == 0 for question in unanswered)
    assert not times & {places[question] for question in unanswered}


@pytest.mark.parametrize(
    ("costs", "logged"),
    [
        ({}, {}),
        (
            {Role.CANDIDATE: Cost(usd=1.5), Role.ASSESSOR: Cost(usd=0.25), Role.WRITER: Cost(usd=9.0)},
            {"cost_usd": 1.75, "cost_usd.candidate": 1.5, "cost_usd.assessor": 0.25, "cost_usd.writer": 9.0},
        ),
        ({Role.CANDIDATE: Cost(usd=1.5), Role.ASSESSOR: Cost(usd=None)}, {"cost_usd.candidate": 1.5}),
        ({Role.CANDIDATE: Cost(usd=1.5, reason="a price is not known")}, {}),
    ],
)
def test_an_unknown_cost_is_no_metric(
    store: Store,
    client: MlflowClient,
    tmp_path: Path,
    costs: dict[Role, Cost],
    logged: dict[str, float],
) -> None:
    """R39: unknown is unknown, known in part too; the writer is outside the total."""
    record = make(head={"id": f"costs-{len(costs)}-{len(logged)}"}, costs=costs)
    metrics = stored(client, store.log_run(record, lay(record, tmp_path))).data.metrics
    assert {name: value for name, value in metrics.items() if name.startswith("cost")} == logged


@pytest.mark.parametrize(
    ("status", "terminal"),
    [
        (RunStatus.COMPLETED_WITH_ERRORS, "FINISHED"),
        (RunStatus.FAILED, "FAILED"),
        (RunStatus.CANCELED, "KILLED"),
    ],
)
def test_the_status_is_mlflows_too(
    store: Store, client: MlflowClient, tmp_path: Path, status: RunStatus, terminal: str
) -> None:
    """R42: how a run ended can be filtered by."""
    record = make(head={"id": f"ended-{status}", "status": status, "ended_at": None})
    run = stored(client, store.log_run(record, lay(record, tmp_path)))
    assert (run.info.status, run.data.tags["gnollbench.status"]) == (terminal, status)
    assert run.info.end_time == run.info.start_time + 1_200_000  # elapsed_s, where no end is told


def test_a_run_takes_a_fixed_number_of_calls(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R61: one batch and one set of artifacts, however many questions the run has."""
    calls: list[str] = []
    for name in (
        "log_batch",
        "log_artifacts",
        "log_metric",
        "log_param",
        "set_tag",
        "log_text",
        "log_artifact",
    ):
        original = getattr(MlflowClient, name)
        monkeypatch.setattr(
            MlflowClient, name, lambda *a, _o=original, _n=name, **k: (calls.append(_n), _o(*a, **k))[1]
        )
    record = make("fifty", head={"id": "fifty"})
    store.log_run(record, lay(record, tmp_path))
    assert calls == ["log_artifacts", "log_batch"]


def test_a_repaired_run_is_brought_up_to_date(store: Store, client: MlflowClient, tmp_path: Path) -> None:
    """R41: the run stays one run; its later figures and record take the place of the earlier ones."""
    broken = make("provider", head={"id": "repaired", "ended_at": datetime(2026, 11, 1, 11, tzinfo=UTC)})
    first = store.log_run(broken, lay(broken, tmp_path))
    exam = make().exam.model_copy(update={"suite": broken.exam.suite})
    head = {"id": "repaired", "ended_at": datetime(2026, 11, 1, 12, tzinfo=UTC)}
    whole = make(head=head, exam=exam, keys=broken.keys)
    assert store.log_run(whole, lay(whole, tmp_path)) == first
    run = stored(client, first)
    assert run.data.tags["gnollbench.status"] == whole.run.status
    assert run.data.metrics["intelligence_index"] == whole.results.intelligence.index  # type: ignore[union-attr]
    assert store.find("repaired") == whole


def test_a_run_is_found_by_id_beginning_and_name(store: Store, tmp_path: Path) -> None:
    """R61: what comes back is the record as it was stored."""
    record = make(head={"id": "find-abc-1", "name": "the gnoll's own run"})
    other = make(head={"id": "find-abd-1", "name": "twice"})
    third = make(head={"id": "find-abd-2", "name": "twice"})
    fourth = make(head={"id": "find-abd-20"})
    for each in (record, other, third, fourth):
        store.log_run(each, lay(each, tmp_path))
    assert store.find("find-abc-1") == store.find("find-abc") == store.find("the gnoll's own run") == record
    assert store.find("find-abd-2") == third  # an id in full, though another begins with it
    for reference in ("find-abd", "twice"):
        with pytest.raises(Refusal, match="not unique") as caught:
            store.find(reference)
        assert "find-abd-1" in caught.value.why


@pytest.mark.parametrize("reference", ["nowhere", "%", "_ind-abc-1", "FIND-ABC-1", "a'b\"c", ""])
def test_what_is_not_there_is_refused(store: Store, reference: str, tmp_path: Path) -> None:
    """R3: wildcards are plain characters, and no guess is made."""
    for ident in ("find-abc-1", "find-abc-2"):
        record = make(head={"id": ident})
        store.log_run(record, lay(record, tmp_path))
    with pytest.raises(Refusal):
        store.find(reference)


def test_a_run_without_its_record_is_refused(store: Store, client: MlflowClient, tmp_path: Path) -> None:
    """R3: a store that lost its artifacts says so."""
    record = make(head={"id": "lost"})
    run_id = store.log_run(record, lay(record, tmp_path))
    Path(client.get_run(run_id).info.artifact_uri, "record.json").unlink()
    with pytest.raises(Refusal):
        store.find("lost")


def test_recent_runs_that_reach_a_provider_are_counted(tmp_path: Path) -> None:
    """R55: over all suites; embedded and loopback runs are not counted, nor older ones."""
    store = Store(Tracking(uri=f"sqlite:///{tmp_path}/recent.db", experiment="gnollbench"))
    assert store.recent_runs(3600) == 0
    now = datetime.now(UTC)
    here: dict[str, Any] = {
        "candidate": {"endpoint": "embedded"},
        "panel": {"assessor": {"endpoint": "http://127.0.0.1:8000/v1"}, "co_assessor": None},
        "reader": {"llm": {"endpoint": "http://[::1]:1/v1"}},
        "verifier": {"llm": {"endpoint": "http://localhost/v1"}},
    }
    away = {**here, "verifier": {"llm": {"endpoint": None}}}
    runs = [
        ("panel", now - timedelta(minutes=59), away),
        ("small", now - timedelta(minutes=10), away),
        ("panel", now - timedelta(minutes=61), away),
        ("panel", now - timedelta(minutes=10), here),
    ]
    for place, (name, started, config) in enumerate(runs):
        record = make(name, head={"id": f"r{place}", "started_at": started, "ended_at": None}, config=config)
        store.log_run(record, lay(record, tmp_path))
    assert store.recent_runs(3600) == 2
    assert store.recent_runs(7200) == 3
    record = make(head={"id": "told", "started_at": now}, config=here)
    store.log_run(record, lay(record, tmp_path), reaches_provider=True)
    assert store.recent_runs(3600) == 3


def test_a_run_under_way_counts_and_is_not_found(store: Store, client: MlflowClient, tmp_path: Path) -> None:
    """R55: a run that reaches a provider counts from its beginning, once; R3: no search takes it for a record."""
    before = store.recent_runs(60)
    run_id = store.announce("under-way", "small")
    assert store.recent_runs(60) == before + 1
    assert store.run_of("under-way") is None
    with pytest.raises(Refusal):
        store.find("under-way")
    record = make("small", head={"id": "under-way", "name": "told", "started_at": datetime.now(UTC)})
    assert store.log_run(record, lay(record, tmp_path)) == run_id
    assert store.recent_runs(60) == before + 1
    run = stored(client, run_id)
    assert (run.info.run_name, run.info.status) == ("told", "FINISHED")
    assert store.find("under-way") == record


def test_of_runs_that_begin_at_once_each_counts_those_before_it(store: Store) -> None:
    """R55: so that as many go on as the limits allow, not more and not fewer."""
    before = store.recent_runs(60)
    announced = [store.announce(f"at-once-{n}", "small") for n in range(3)]
    places = [store.recent_runs(60, before=run_id) for run_id in announced]
    assert sorted(places) == [before, before + 1, before + 2]
    store.withdraw(announced[0])
    store.break_off(announced[1])
    assert store.recent_runs(60) == before + 2


@pytest.mark.parametrize("broken", ["log_artifacts", "log_batch"])
def test_storing_that_is_broken_off_can_be_done_again(
    store: Store, client: MlflowClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """R42, R61: no run is left as if it were running, and the next attempt stores it whole, once."""
    record = make(head={"id": f"broken-{broken}"})
    folder = lay(record, tmp_path)

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(MlflowClient, broken, interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.log_run(record, folder)
    (left,) = client.search_runs(
        [client.get_experiment_by_name("gnollbench/oracle-31-panel").experiment_id],  # type: ignore[union-attr]
        f"tags.`gnollbench.run_id` = 'broken-{broken}'",
    )
    assert left.info.status == "KILLED"
    assert store.run_of(record.run.id) is None
    assert store.log_run(record, folder) == left.info.run_id
    assert store.find(record.run.id) == record


def test_hostile_texts_are_stored(store: Store, client: MlflowClient, tmp_path: Path) -> None:
    """R61: no name, and no value of a key, is too long or too strange for the store."""
    strange = "x\x00\ud800" * 5000
    record = make(head={"id": "strange", "series": strange})
    keys = {
        **record.keys,
        "thinking_level": record.keys["thinking_level"].model_copy(update={"value": strange}),
    }
    head = record.run.model_copy(update={"name": "Ж🐉 " + "n" * 400})
    record = record.model_copy(update={"keys": keys, "run": head})
    folder = lay(make(head={"id": "strange"}), tmp_path)
    run = stored(client, store.log_run(record, folder))
    assert run.info.run_name.startswith("Ж🐉 nnn")
    assert run.data.params["thinking_level"].endswith("…")
    assert "\x00" not in run.data.tags["gnollbench.series"]


def test_artifacts_stay_beside_the_store(tmp_path: Path) -> None:
    """R61: a suite's name, which an imported record chose, is no way out of the folder."""
    store = Store(Tracking(uri=f"sqlite:///{tmp_path}/in here/runs.db", experiment="gnollbench"))
    record = make(head={"id": "out"})
    record = record.model_copy(update={"exam": record.exam.model_copy(update={"suite": "../../../etc"})})
    run = MlflowClient(store.uri)
    run_id = store.log_run(record, lay(record, tmp_path))
    artifacts = Path(run.get_run(run_id).info.artifact_uri).resolve()
    assert artifacts.is_relative_to(tmp_path / "in here" / "mlruns")


SWEEP = """
import sys
from pathlib import Path
from gnollbench.records.files import read_record
from gnollbench.records.launch import Tracking
from gnollbench.tracking import Store
record = read_record(Path(sys.argv[2]))
record = record.model_copy(update={"run": record.run.model_copy(update={"id": sys.argv[3]})})
store = Store(Tracking(uri=sys.argv[1], experiment="gnollbench"))
store.open()
store.log_run(record, Path(sys.argv[2]).parent)
"""


def sweep(uri: str, folder: Path) -> list[subprocess.CompletedProcess[str]]:
    command = [sys.executable, "-c", SWEEP, uri, str(folder / "record.json")]
    jobs = [
        subprocess.Popen([*command, f"job-{n}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for n in range(3)
    ]
    return [subprocess.CompletedProcess(job.args, 0, *job.communicate()) for job in jobs if job.wait() == 0]


def test_three_processes_open_a_fresh_store_at_once(tmp_path: Path) -> None:
    """R62: a sweep's jobs need no store made beforehand, and MLflow says nothing on stdout."""
    uri = f"sqlite:///{tmp_path}/fresh one.db"
    done = sweep(uri, lay(make("small", head={"id": "job"}), tmp_path))
    assert [job.stdout for job in done] == ["", "", ""]
    assert Store(Tracking(uri=uri, experiment="gnollbench")).recent_runs(time.time()) == 3


def test_a_schema_of_an_earlier_mlflow_is_upgraded(tmp_path: Path) -> None:
    """R61: a store that an earlier MLflow made can be used."""
    from alembic import command
    from alembic.script import ScriptDirectory
    from mlflow.store.db.utils import _get_alembic_config
    from mlflow.store.tracking.dbmodels.initial_models import Base as InitialBase
    from sqlalchemy import create_engine

    uri = f"sqlite:///{tmp_path}/old.db"
    config = _get_alembic_config(uri)
    scripts = ScriptDirectory.from_config(config)
    head = scripts.get_current_head()
    earlier = [script.revision for script in scripts.walk_revisions()][5]
    InitialBase.metadata.create_all(create_engine(uri))
    command.upgrade(config, earlier)
    record = make(head={"id": "upgraded"})
    store = Store(Tracking(uri=uri, experiment="gnollbench"))
    store.log_run(record, lay(record, tmp_path))
    assert store.find("upgraded") == record
    with sqlite3.connect(f"{tmp_path}/old.db") as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (head,)


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    """R3: the refusal names the store and the reason, and the file stays as it was."""
    file = tmp_path / "notes.db"
    file.write_text("no database", encoding="utf-8")
    with pytest.raises(Refusal, match="not a database") as caught:
        Store(Tracking(uri=f"sqlite:///{file}", experiment="gnollbench")).open()
    assert "notes.db" in caught.value.what
    assert file.read_text("utf-8") == "no database"


@pytest.mark.parametrize(
    "uri",
    [
        "postgresql://gnoll:s3cr%40t@127.0.0.1:9/runs",
        "http://gnoll:s3cr%40t@127.0.0.1:9",
        "postgresql://gnoll@127.0.0.1:9/runs?password=s3cr%40t",
    ],
)
def test_a_store_out_of_reach_is_refused_soon_and_without_its_password(uri: str) -> None:
    """R3: no minutes of retries, no credentials in the message."""
    began = time.monotonic()
    with pytest.raises(Refusal) as caught:
        Store(Tracking(uri=uri, experiment="gnollbench")).open()
    assert time.monotonic() - began < 20
    assert "127.0.0.1" in str(caught.value)
    assert "s3cr" not in str(caught.value)


def test_a_store_that_fails_after_the_run_is_a_fault_of_the_harness(tmp_path: Path) -> None:
    """R42: the run is not refused, it is over; its record is on the disk."""
    file = tmp_path / "gone.db"
    store = Store(Tracking(uri=f"sqlite:///{file}", experiment="gnollbench"))
    store.open()
    with sqlite3.connect(file) as database:
        database.execute("DROP TABLE experiments")
    record = make(head={"id": "late"})
    with pytest.raises(HarnessFailure, match="did not take the run"):
        store.log_run(record, lay(record, tmp_path))


def test_importing_the_store_does_not_import_mlflow() -> None:
    """R62: start-up stays fast."""
    check = "import sys, gnollbench.tracking; sys.exit('mlflow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_postgresql_holds_runs_and_traces(postgres: str, tmp_path: Path) -> None:
    """R61: a sweep on a fresh database of a team's server; what SQLite takes, it takes."""
    folder = lay(make("small", head={"id": "job"}), tmp_path)
    assert len(sweep(postgres, folder)) == 3
    store = Store(Tracking(uri=postgres, experiment="gnollbench"))
    assert store.recent_runs(time.time()) == 3
    record = make(head={"id": "on-pg", "name": "on the server", "series": "nul\x00"})
    run_id = store.log_run(record, folder)
    store.log_traces(run_id, record, {"q01": []})
    assert store.find("on-pg").run.id == "job"  # the folder's record: a small one
    with pytest.raises(Refusal, match="not unique"):
        store.find("job")
