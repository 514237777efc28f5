"""``doctor``: what is configured, what is missing, and with ``--ping`` what a model says (R16, R39)."""

import json
from pathlib import Path
from typing import Any

import pytest

from gnollbench.cli import compose_launch
from gnollbench.commands import run_command
from gnollbench.errors import Refusal
from tests.llm.asked import KEY
from tests.llm.runs import words
from tests.llm.wire import Answer, Reply, Said, serving

pytestmark = pytest.mark.xdist_group("litellm")

PRICES = (
    "candidate.prices={rates: {input_per_million: 2, output_per_million: 10, cached_input_per_million: 0.2}}"
)


@pytest.fixture(autouse=True)
def _a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def doctor(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = run_command(["doctor", "--json", *arguments], compose_launch)
    return code, {entry["what"]: entry for entry in json.loads(capsys.readouterr().out)}


def local(url: str) -> list[str]:
    return ["candidate=local", "candidate.model=some-model", f"candidate.endpoint={url}/v1"]


def test_the_default_needs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Embedded models, the starter corpus, a store to be made."""
    code, found = doctor(capsys)
    assert code == 0
    assert {entry["state"] for entry in found.values()} == {"ok"}
    assert "embedded-retriever/retriever" in found["candidate"]["detail"]
    assert not list(Path.cwd().iterdir())


def test_a_missing_key_is_named(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """R16: by its variable, before anything is sent."""
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    code, found = doctor(capsys, "candidate=claude", "panel=standard")
    assert code == 1
    named = {"candidate": "ANTHROPIC", "assessor": "ANTHROPIC", "co_assessor": "OPENAI", "reader": "GEMINI"}
    for role, variable in named.items():
        assert found[role]["state"] == "missing"
        assert f"{variable}_API_KEY" in found[role]["detail"]


def test_shipped_options_can_be_delivered(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """R16: with their keys there, every shipped model takes its settings, and its price is known."""
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, KEY)
    for option in ("claude", "gpt", "gemini"):
        code, found = doctor(capsys, f"candidate={option}", "panel=standard")
        assert code == 0
        assert all(
            "priced" in found[role]["detail"] for role in ("candidate", "assessor", "reader", "verifier")
        )
        assert KEY not in json.dumps(found)


def test_words_may_follow_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    """As they may for a launch; an option that there is none of is refused still."""
    code, found = doctor(capsys, "questions=[q01]", "--ping", "panel=offline_single")
    assert code == 0
    assert "ping" in found
    assert "co_assessor" not in found
    for unknown in (["doctor", "a=b", "--zorro", "c=d"], ["ui", "--json", "word"]):
        with pytest.raises(SystemExit) as refused:
            run_command(unknown, compose_launch)
        assert refused.value.code == 2
        assert "unrecognized arguments" in capsys.readouterr().err


def test_one_name_at_two_prices_is_refused() -> None:
    """R39: as a launch would be, before anything else is looked at."""
    own_reader = ["panel=standard", "reader.llm.endpoint=http://127.0.0.1:1/v1beta"]
    with pytest.raises(Refusal, match=r"the prices of google/.* are refused"):
        run_command(["doctor", *own_reader], compose_launch)


def test_a_setting_that_would_be_dropped_is_told(capsys: Any, monkeypatch: Any) -> None:
    """R16: without sending anything."""
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    code, found = doctor(capsys, "candidate=gemini", "candidate.parallel_execution=disabled")
    assert (code, found["candidate"]["state"]) == (1, "refused")
    assert "parallel_execution=disabled" in found["candidate"]["detail"]


def test_nothing_is_sent_without_ping(capsys: pytest.CaptureFixture[str]) -> None:
    """What is asked of the configuration is asked of nobody else."""
    with serving(Said()) as wire:
        code, found = doctor(capsys, *local(wire.url))
        assert wire.requests == []
    assert code == 0
    assert "no price is known" in found["candidate"]["detail"]


def test_ping_sends_one_request_and_says_its_cost(capsys: pytest.CaptureFixture[str]) -> None:
    """R39: (100 - 50) x 2 + 50 x 0.2 + 20 x 10 = 310 millionths."""
    with serving(Said("OK", model="served-1")) as wire:
        code, found = doctor(capsys, "--ping", *local(wire.url), PRICES)
    assert code == 0
    assert len(wire.requests) == 1
    told = found["ping candidate"]["detail"]
    assert all(part in told for part in ("'OK'", "served by served-1", "100 tokens in, 20 out", "$0.000310"))


def test_ping_asks_each_model_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Roles that share a model share its ping."""
    with serving(Said("OK")) as wire:
        same = {
            "provider": "reader-maker",
            "endpoint": f"{wire.url}/reader/v1beta",
            "max_output_tokens": 32000,
        }
        shared = [f"verifier.llm.{name}={value}" for name, value in same.items()]
        code, found = doctor(capsys, "--ping", *words(wire.url), *shared)
    assert code == 0
    assert {what for what in found if what.startswith("ping")} == {
        "ping candidate",
        "ping assessor",
        "ping co_assessor",
        "ping reader, verifier",
    }
    assert len(wire.requests) == 4


def test_ping_of_embedded_models_sends_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """There is nobody to ask."""
    code, found = doctor(capsys, "--ping")
    assert code == 0
    assert "nothing was sent" in found["ping"]["detail"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer({"error": {"message": "who are you?"}}, 401), "configuration: HTTP 401: who are you?"),
        (Answer({"error": {"message": "slow down"}}, 429), "rate_limit"),
        (Answer({"choices": []}), "malformed"),
        (Said(usage=None), "cost unknown"),
    ],
)
def test_ping_tells_what_goes_wrong(capsys: Any, answer: Reply, told: str) -> None:
    """R41: by its kind, after one attempt."""
    with serving(answer) as wire:
        code, found = doctor(capsys, "--ping", *local(wire.url))
    assert told in found["ping candidate"]["detail"]
    assert code == (0 if isinstance(answer, Said) else 1)
    assert len(wire.requests) == 1
