"""A key is in nothing that a run writes or says: not even where a server repeats it (R61)."""

import contextlib
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from gnollbench.cli import compose_launch
from gnollbench.commands import run_command
from gnollbench.launcher import carry_out
from tests.llm.asked import KEY
from tests.llm.runs import PLACES, behaves, role_of, two_questions, words
from tests.llm.wire import Answer, Reply, Said, Sent, serving

pytestmark = pytest.mark.xdist_group("litellm")

COMMANDS = (["show"], ["report"], ["report", "--disclosure", "provider"], ["show", "--json"])


def repeats(sent: Sent) -> Reply:
    """Work, and say the key wherever a server can."""
    said = behaves(sent)
    if role_of(sent) == "candidate" and "Let me look" in (said.text or "") and not repeats.failed:
        repeats.failed = True
        return Answer({"error": {"message": f"overloaded, {KEY}", "code": KEY}}, 500, {"x-key": KEY})
    text = f"{said.text} {KEY}" if role_of(sent) in {"candidate", "synthesis"} else said.text
    return replace(said, text=text, model=f"served-{KEY}", tier=KEY, reason=said.reason)


repeats.failed = False


def launched(url: str, folder: Path, *more: str) -> tuple[int, str]:
    keyed = [f"{place}.api_key_env=A_PLANTED_KEY" for place in PLACES.values()]
    overrides = [*words(url), *keyed, f"suite.path='{two_questions()}'", f"outputs='{folder}/outputs'", *more]
    spoken = io.StringIO()
    with contextlib.redirect_stdout(spoken), contextlib.redirect_stderr(spoken):
        code = carry_out(compose_launch(overrides))
    return code, spoken.getvalue()


def places_of_key(folder: Path) -> list[str]:
    """The files under a folder that hold the key, whatever their kind."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert any(path.suffix == ".db" for path in files)
    return [str(path) for path in files if KEY.encode() in path.read_bytes()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("A_PLANTED_KEY", KEY)
    monkeypatch.setattr(repeats, "failed", False)
    return tmp_path


def test_a_repeated_key_is_nowhere(folder: Path) -> None:
    """R61: record, transcripts, report, MLflow's SQLite and artifacts, terminal, commands."""
    with serving(repeats) as wire:
        code, spoken = launched(wire.url, folder)
    assert code == 0
    assert any(KEY in value for sent in wire.requests for value in sent.headers.values())
    record = next((folder / "outputs").glob("*/record.json"))
    answers = json.loads(record.read_text("utf-8"))["answers"]
    assert all("***" in answer["text"] for answer in answers)
    for words_of_command in COMMANDS:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            run_command([words_of_command[0], record.parent.name, *words_of_command[1:]], compose_launch)
        spoken += said.getvalue()
    assert KEY not in spoken
    assert places_of_key(folder) == []


@pytest.mark.parametrize("status", [400, 401, 429])
def test_a_key_in_an_error_is_nowhere(folder: Path, status: int) -> None:
    """R61: what a provider says of a bad key or request goes into the record without it."""
    answer = Answer(
        {"error": {"message": f"no good: {KEY}", "code": f"bad_{KEY}"}}, status, {"retry-after": "0"}
    )
    with serving(answer) as wire:
        code, spoken = launched(wire.url, folder, "retries.waits_s=[0.0]")
    assert code in {1, 3}
    assert "no good: ***" in next((folder / "outputs").glob("*/record.json")).read_text("utf-8")
    assert KEY not in spoken
    assert places_of_key(folder) == []


def test_a_failed_connection_tells_no_key(folder: Path) -> None:
    """R61: nobody listens, and the libraries' own words do not say what would have been sent."""
    with serving(Said()) as wire:
        url = wire.url
    code, spoken = launched(url, folder, "retries.attempts=1")
    assert code in {1, 3}
    assert KEY not in spoken
    assert places_of_key(folder) == []
