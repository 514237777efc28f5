"""The program as a user starts it: whole processes, the embedded default, real MLflow on SQLite (R61, R62)."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from gnollbench.records.launch import Launch
from gnollbench.records.run import KEY_KINDS
from gnollbench.shipped import shipped_folder
from tests.commands.made import inside
from tests.llm.wire import Answer, Said, serving


def gnollbench(folder: Path, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("MLFLOW_TRACKING", "GNOLLBENCH"))}
    return subprocess.run(
        [sys.executable, "-m", "gnollbench", *words],
        cwd=folder,
        env=inherited | environ,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a blank in its name in which the default was run once."""
    folder = tmp_path_factory.mktemp("a default run")
    done = gnollbench(folder)
    assert done.returncode == 0, done.stderr
    assert "report" in done.stdout
    return folder


LEFT = ["mlflow.db", "mlflow.db.lock", "mlruns", "outputs"]


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def record_file(folder: Path) -> Path:
    (path,) = folder.glob("outputs/*/record.json")
    return path


def test_default_run_leaves_record_report_transcripts(ran: Path) -> None:
    """The main job: 18 answers, a record, a report, transcripts; no journal, no Hydra folders."""
    folder = record_file(ran).parent
    record = json.loads(record_file(ran).read_text("utf-8"))
    assert len(record["answers"]) == 18
    assert record["results"]["intelligence"]["n"] == 18
    assert set(record["keys"]) == set(KEY_KINDS)
    assert len(list((folder / "transcripts").glob("*.jsonl"))) == 18
    assert {path.stem for path in (folder / "transcripts" / "run").iterdir()} == {
        "synthesis",
        "co_assessor_synthesis",
    }
    assert (folder / "report.md").stat().st_size > 1000
    assert not (folder / "journal.jsonl").exists()
    assert left_in(ran) == LEFT


def test_store_has_the_run(ran: Path) -> None:
    """R61: metrics, 27 key tags, artifacts and 18 traces are in MLflow."""
    with sqlite3.connect(ran / "mlflow.db") as store:
        tags = dict(store.execute("select key, value from tags"))
        metrics = dict(store.execute("select key, value from latest_metrics"))
        (traces,) = store.execute("select count(*) from trace_info").fetchone()
    assert {name for name in tags if name.startswith("gnollbench.key.")} == {
        f"gnollbench.key.{name}" for name in KEY_KINDS
    }
    record = json.loads(record_file(ran).read_text("utf-8"))
    assert metrics["intelligence_index"] == pytest.approx(record["results"]["intelligence"]["index"])
    assert traces == 18
    artifacts = {path.name for path in (ran / "mlruns").rglob("*") if path.is_file()}
    assert {"record.json", "report.md", "config.yaml", "q01.jsonl"} <= artifacts


def test_score_gives_the_run_s_own_figures(ran: Path) -> None:
    """The record scores unchanged, without a store."""
    done = gnollbench(ran, "score", str(record_file(ran)), "--json")
    document = json.loads(done.stdout)
    record = json.loads(record_file(ran).read_text("utf-8"))
    assert document["results"] == record["results"]
    assert document["answers"] == {answer["question"]: answer["score"] for answer in record["answers"]}


def test_second_run_agrees_in_all_keys(ran: Path, tmp_path: Path) -> None:
    """R43: two runs of the default agree in all 27 hashes, and in every score."""
    assert gnollbench(tmp_path).returncode == 0
    one, two = (json.loads(record_file(folder).read_text("utf-8")) for folder in (ran, tmp_path))
    assert one["keys"] == two["keys"]
    without_speed = [{**answer["score"], "speed": None} for answer in one["answers"]]
    assert without_speed == [{**answer["score"], "speed": None} for answer in two["answers"]]


def test_run_is_found_by_beginning_and_name(ran: Path) -> None:
    """A RUN is an id, its unique beginning, a name, or a file; outputs first, then the store."""
    run = record_file(ran).parent.name
    for reference in (run, run[:12], "retriever on standard", str(record_file(ran))):
        done = gnollbench(ran, "--store", "sqlite:///mlflow.db", "show", reference)
        assert done.returncode == 0, done.stderr
        assert run in done.stdout
    from_store = gnollbench(ran, "show", run, "--outputs", "nowhere", "--json")
    assert json.loads(from_store.stdout)["run"]["id"] == run
    assert gnollbench(ran, "show", "no such run").returncode == 2


def test_report_and_export(ran: Path, tmp_path: Path) -> None:
    """The report's seven parts, with the interval that takes a heavy library; the record, byte for byte."""
    run = record_file(ran).parent.name
    report = gnollbench(ran, "report", run)
    assert report.returncode == 0
    at_the_end = (record_file(ran).parent / "report.md").read_text("utf-8").splitlines()
    added = [line for line in report.stdout.splitlines() if line not in at_the_end]
    assert added
    assert all(
        "ICC(A,1)" in line or "Agreement of single" in line or set(line) <= set("|-:") for line in added
    )
    assert [line for line in at_the_end if line not in report.stdout.splitlines()] == [
        f"`gnollbench report {run}` prints the interval of ICC(A,1)."
    ]
    target = tmp_path / "out.json"
    assert gnollbench(ran, "export", run, "-o", str(target)).returncode == 0
    assert target.read_bytes() == record_file(ran).read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ["candidate=nope"],
        ["limits.tool_calls=0"],
        ["nonsense=1"],
        ["no-such-command"],
        ["--no-such-flag"],
        ["questions=[q99]"],
        ["suite.path=nowhere"],
        ["corpus.wiki=nowhere"],
        ["candidate=claude"],
        ["panel.co_assessor.provider=embedded-terms"],
        ["-m", "candidate=nope,retriever"],
        ["score", "nowhere.json"],
        ["show", "nowhere"],
        ["corpus", "call", "no_tool"],
        ["candidate.model=unknown"],
        ["outputs=/proc/nowhere"],
        ["tracking.uri=nonsense://x"],
        ["tracking.uri=sqlite:////proc/nowhere/runs.db"],
        ["show", "x" * 300],
        ["show", "x/" * 3000],
        ["score", "x" * 300],
        ["show", "x", "--outputs", "x" * 300],
        ["report", "x" * 300],
        ["suite.path=" + "x" * 300],
        ["corpus.wiki=" + "x" * 300],
        ["outputs=" + "x" * 300],
    ],
)
def test_refusal_is_short_exit_2_and_writes_nothing(tmp_path: Path, words: list[str]) -> None:
    """A refusal says what, why and what lifts it; nothing is stored."""
    done = gnollbench(tmp_path, *words, ANTHROPIC_API_KEY="")
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert list(tmp_path.glob("outputs/*")) == []


def test_a_path_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    """R62: and a file's name too."""
    deep = tmp_path.joinpath(*["folder-of-a-long-name" * 5] * 3)
    done = gnollbench(tmp_path, "questions=[q01]", "tracking.traces=false", f"outputs={deep}")
    assert done.returncode == 0, done.stderr
    (record,) = deep.glob("*/record.json")
    target = tmp_path / ("n" * 250 + ".json")
    assert gnollbench(tmp_path, "export", str(record), "-o", str(target)).returncode == 0
    assert target.read_bytes() == record.read_bytes()


def test_export_says_that_a_file_cannot_be_written(ran: Path) -> None:
    """R62: the user's to mend, so a refusal; nothing is written."""
    run = record_file(ran).parent.name
    for target in ("nowhere/out.json", "x" * 300, "mlflow.db/out.json"):
        for command in ("export", "report"):
            done = gnollbench(ran, command, run, "-o", target)
            assert done.returncode == 2, done.stderr
            assert "cannot be written" in done.stderr
            assert "internal" not in done.stderr


def test_report_into_a_file_says_so(ran: Path, tmp_path: Path) -> None:
    """R58: the document stands in the file, and under ``--json`` stdout holds one document too."""
    run, target = record_file(ran).parent.name, tmp_path / "F"
    told = json.loads(gnollbench(ran, "report", run, "--json", "-o", str(target)).stdout)
    assert told == {"run": run, "file": str(target)}
    assert json.loads(target.read_text("utf-8")) == json.loads(
        gnollbench(ran, "report", run, "--json").stdout
    )


def test_dry_run_needs_no_store(tmp_path: Path) -> None:
    """R55: it sends nothing, so it counts nothing and touches no store, under a provider's model too."""
    done = gnollbench(
        tmp_path,
        "dry_run=true",
        "candidate=claude",
        "tracking.uri=nonsense://x",
        "compliance.runs_per_hour=1",
        ANTHROPIC_API_KEY="sk-none",
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["model"]
    assert list(tmp_path.iterdir()) == []


def test_dry_run_prints_the_request_and_sends_nothing(tmp_path: Path) -> None:
    """The first request as it would be sent: prompt, question, sixteen tools."""
    done = gnollbench(tmp_path, "dry_run=true")
    body = json.loads(done.stdout)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert len(body["tools"]) == 16
    assert list(tmp_path.iterdir()) == []


def test_some_questions_are_no_exam(tmp_path: Path) -> None:
    """A part of the suite gives answers and no indices, and says so."""
    done = gnollbench(tmp_path, "questions=[q03,q11]", "tracking.traces=false")
    assert done.returncode == 0, done.stderr
    record = json.loads(record_file(tmp_path).read_text("utf-8"))
    assert [answer["question"] for answer in record["answers"]] == ["q03", "q11"]
    assert record["results"] is None
    assert record["withheld"][0]["figure"] == "results"


def test_single_mode(tmp_path: Path) -> None:
    """R31: a single assessor with a second reader in its default mode, labelled conditioned."""
    done = gnollbench(tmp_path, "panel=offline_single", "tracking.traces=false")
    assert done.returncode == 0, done.stderr
    record = json.loads(record_file(tmp_path).read_text("utf-8"))
    assert record["run"]["mode"] == "single"
    assert record["results"]["panel"] is None
    assert record["results"]["reader"]["conditioned"] is True
    assert sum(answer["reader"] is not None for answer in record["answers"]) >= 4


def test_sweep_runs_each_job_and_its_code_is_the_worst(tmp_path: Path) -> None:
    """R62: a refused job of a sweep leaves the others whole; the sweep's code is its worst run's."""
    done = gnollbench(tmp_path, "-m", "limits.tool_calls=0,5", "questions=[q01]", "tracking.traces=false")
    assert done.returncode == 2
    assert len(list(tmp_path.glob("outputs/*/record.json"))) == 1
    assert left_in(tmp_path) == LEFT


def test_user_s_own_options(tmp_path: Path) -> None:
    """R61: ``--config-dir`` adds options to any group."""
    options = tmp_path / "my conf" / "limits"
    options.mkdir(parents=True)
    text = (shipped_folder("conf") / "limits" / "standard.yaml").read_text("utf-8")
    (options / "tight.yaml").write_text(text.replace("tool_calls: 45", "tool_calls: 2"), "utf-8")
    done = gnollbench(
        tmp_path, "--config-dir", "my conf", "limits=tight", "questions=[q01]", "tracking.traces=false"
    )
    assert done.returncode == 0, done.stderr
    record = json.loads(record_file(tmp_path).read_text("utf-8"))
    assert record["config"]["limits"]["tool_calls"] == 2


def test_doctor_takes_the_user_s_own_options(tmp_path: Path) -> None:
    """R61: what a launch takes, the commands that look at one take too; a folder with a quote in its name."""
    options = tmp_path / "it's mine" / "candidate"
    options.mkdir(parents=True)
    text = (shipped_folder("conf") / "candidate" / "retriever.yaml").read_text("utf-8")
    (options / "own.yaml").write_text(text + "family: my-family\nservice_tier: none-such\n", "utf-8")
    done = gnollbench(tmp_path, "doctor", "--config-dir", "it's mine", "candidate=own")
    assert "candidate" in done.stdout, done.stderr
    first = gnollbench(tmp_path, "--config-dir", "it's mine", "doctor", "candidate=own")
    assert (first.stdout, first.stderr) == (done.stdout, done.stderr)
    assert gnollbench(tmp_path, "doctor", "candidate=own").returncode == 2
    assert "there is no such folder" in gnollbench(tmp_path, "doctor", "--config-dir", "nowhere").stderr


ASCII = {"PYTHONIOENCODING": "ascii"}
C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("environ", [ASCII, C_LOCALE])
def test_a_terminal_that_lacks_a_character_gets_its_escape(ran: Path, environ: dict[str, str]) -> None:
    """R58, R62: and a JSON document stays one, with the same content."""
    run = record_file(ran).parent.name
    for words in (("show", run), ("report", run), ("tier", run), ("items", run)):
        done = gnollbench(ran, *words, **environ)
        assert done.returncode == 0, done.stderr
        assert done.stdout.isascii()
    plain = gnollbench(ran, "report", run, "--json").stdout
    escaped = gnollbench(ran, "report", run, "--json", **environ).stdout
    assert not plain.isascii()
    assert json.loads(escaped) == json.loads(plain)


@pytest.mark.parametrize("words", [["show"], ["score"], ["import"], ["report"], ["group", "show"]])
def test_a_file_name_that_is_no_utf_8_is_refused_by_its_escape(tmp_path: Path, words: list[str]) -> None:
    """R62: no traceback."""
    name = os.fsdecode(b"caf\xe9.json")
    done = gnollbench(tmp_path, *words, name)
    assert done.returncode == 2, done.stderr
    assert "caf\\udce9.json" in done.stderr


PASSWORD = "hush-hush-7"
ADDRESS = f"postgresql://me:{PASSWORD}@127.0.0.1:1/d"


@pytest.mark.parametrize(
    "words",
    [
        [f"tracking.uri={ADDRESS}?a=b"],
        [f"tracking.uri={ADDRESS}", "nonsense=1"],
        ["-m", f"tracking.uri={ADDRESS}", "limits.tool_calls=0,5"],
        [ADDRESS],
        ["show", ADDRESS],
        [f"tracking={ADDRESS}"],
    ],
)
def test_a_password_in_a_word_is_not_said_again(tmp_path: Path, words: list[str]) -> None:
    """R61: whatever is wrong with the command line."""
    done = gnollbench(tmp_path, *words)
    assert done.returncode == 2
    assert PASSWORD not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "words", [("--cfg", "job", "-p", "tracking"), ("-c", "all"), ("-cjob", "--pack", "tracking")]
)
def test_a_configuration_is_shown_without_a_password(tmp_path: Path, words: tuple[str, ...]) -> None:
    """R61: what is asked for with --cfg is often pasted into a report."""
    done = gnollbench(tmp_path, *words, f"tracking.uri={ADDRESS}")
    assert done.returncode == 0
    assert "uri: postgresql://127.0.0.1:1/d" in done.stdout
    assert PASSWORD not in done.stdout + done.stderr


@pytest.mark.parametrize("fault", [RuntimeError, ValueError])
def test_a_fault_of_a_job_does_not_show_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    """R61: Hydra would print the job's overrides, and with them a password."""

    def broken(_: Launch) -> int:
        raise fault(f"something about {ADDRESS}")

    monkeypatch.setattr("gnollbench.launcher.carry_out", broken)
    done = inside(tmp_path, "-m", f"tracking.uri={ADDRESS}", "name=one,two")
    assert done.returncode == 1
    assert done.stderr.count("something about postgresql://127.0.0.1:1/d") == 2
    assert PASSWORD not in done.stdout + done.stderr


def test_version_and_help(tmp_path: Path) -> None:
    """``--version`` names package, harness and scoring method; ``--help`` the groups and commands."""
    assert "harness 45, scoring method 13" in gnollbench(tmp_path, "--version").stdout
    text = gnollbench(tmp_path, "--help").stdout
    assert all(word in text for word in ("candidate", "panel", "retriever", "show", "corpus"))


def test_corpus_call_prints_what_a_model_would_read(tmp_path: Path) -> None:
    """R14: one tool as a candidate would run it."""
    done = gnollbench(tmp_path, "corpus", "call", "wiki_view", "article=Experience Level")
    assert done.returncode == 0
    assert "50" in done.stdout


def test_doctor_names_the_missing_key(tmp_path: Path) -> None:
    """What is configured and missing, without sending anything."""
    assert gnollbench(tmp_path, "doctor").returncode == 0
    done = gnollbench(tmp_path, "doctor", "candidate=claude", "--json", ANTHROPIC_API_KEY="")
    assert done.returncode == 1
    states = {entry["what"]: entry["state"] for entry in json.loads(done.stdout)}
    assert states["candidate"] == "missing"
    assert states["launch"] == "ok"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["panel=standard", "panel.co_assessor.provider=anthropic"], "both members come from anthropic"),
        (["questions=[q99]"], "questions q99 are not in suite standard"),
        (["suite.path=/nowhere"], "/nowhere"),
    ],
)
def test_doctor_tells_of_a_launch_that_would_be_refused(tmp_path: Path, words: list[str], why: str) -> None:
    """R25: before anything is asked for."""
    done = gnollbench(tmp_path, "doctor", *words, "--json", OPENAI_API_KEY="set", ANTHROPIC_API_KEY="set")
    (launch,) = [entry for entry in json.loads(done.stdout) if entry["what"] == "launch"]
    assert (done.returncode, launch["state"]) == (1, "refused")
    assert why in launch["detail"]


def test_a_run_that_is_broken_off_says_why(tmp_path: Path) -> None:
    """R41: on the terminal too, with what to look at; options may stand between words."""
    with serving(Answer("<html>", 404)) as wire:
        done = gnollbench(
            tmp_path,
            "candidate=local",
            "--config-dir",
            str(tmp_path),
            f"candidate.endpoint={wire.url}/v1",
            "candidate.api_key_env=null",
            "candidate.model=m",
            "tracking.traces=false",
        )
    assert done.returncode == 1, done.stderr
    for said in (done.stdout, done.stderr):
        assert "The run was broken off: the candidate's provider refuses every call" in said
    assert "see its endpoint, model, key" in done.stdout


def test_secret_reaches_no_file(tmp_path: Path) -> None:
    """Nothing leaks: a key that the server repeats is in no output and no stored file."""
    secret = "sk-very-secret-value"
    with serving(lambda sent: Said(f"It was sent {sent.headers['authorization']}.")) as wire:
        done = gnollbench(
            tmp_path,
            "candidate=local",
            f"candidate.endpoint={wire.url}/v1",
            "candidate.api_key_env=MY_KEY",
            "questions=[q01]",
            MY_KEY=secret,
        )
    assert done.returncode == 0, done.stderr
    assert secret in wire.requests[0].headers["authorization"]
    assert "Bearer ***" in next(tmp_path.rglob("record.json")).read_text("utf-8")
    assert secret not in done.stdout + done.stderr
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert secret.encode() not in path.read_bytes(), path
