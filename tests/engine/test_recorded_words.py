"""Words from outside that a record takes in: of corpora, of their addresses, of providers (R3, R14, R41, R45)."""

import subprocess
from pathlib import Path

from gnollbench.cli import compose_launch
from gnollbench.corpus.places import synchronise
from gnollbench.engine.run import public_config
from gnollbench.llm.messages import Reply, Request
from gnollbench.records.files import read_record, record_json, write_record
from gnollbench.records.transcript import write_transcript
from tests.engine.scripted import USED, run_scripted, says, verdict

ONE = "questions=[q01]"
MODELS = {"candidate": says("It is 50."), "a": says(verdict()), "b": says(verdict())}


def test_losses_of_the_corpora_are_warnings_of_the_record(tmp_path: Path) -> None:
    """R3, R14: who reads the record learns that the candidate read less than there is."""
    wiki = tmp_path / "wiki"
    wiki.mkdir()
    (wiki / "Good.md").write_text("Stew.", "utf-8")
    (wiki / "Bad.md").write_bytes(b"\xff stew")
    (wiki / "Large.md").write_bytes(b"x" * 200_000)
    record = run_scripted(tmp_path, MODELS, ONE, f"corpus.wiki='{wiki}'").record
    losses = [warning for warning in record.run.warnings if warning.startswith("wiki: ")]
    assert [warning.rpartition(", first ")[2] for warning in losses] == ["Bad.md", "Large.md"]


def test_credentials_of_a_corpus_are_nowhere_in_a_record(tmp_path: Path) -> None:
    """R45: the address is kept, without what lets somebody in."""
    origin = tmp_path / "Wiki"
    origin.mkdir()
    (origin / "Orc.md").write_text("An orc.", "utf-8")
    git = ["git", "-C", str(origin), "-c", "user.name=T", "-c", "user.email=t@example.org"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "pages"]):
        subprocess.run([*git, *words], check=True)
    url, cache = f"file://me:hush@{origin}", tmp_path / "cache"
    synchronise(f"file://{origin}", cache)  # the same checkout: credentials make no other
    record = run_scripted(tmp_path, MODELS, ONE, f"corpus.wiki='{url}'", f"corpus.cache='{cache}'").record
    assert record.config["corpus"]["wiki"] == f"file://{origin}"
    assert "hush" not in record_json(record)


def test_every_corpus_address_is_public(tmp_path: Path) -> None:
    """R45: user, password and token go, for each corpus and the store; a path stays as it is."""
    names = ("wiki", "nethack_wiki", "knowledge", "source", "nethack_source", "flags", "cache")
    words = [f"corpus.{name}='https://me:hush@example.org/{name}.git?token=hush'" for name in names]
    config = public_config(compose_launch([*words, "tracking.uri='postgresql://me:hush@db/runs'"]))
    assert "hush" not in str(config)
    assert config["corpus"]["wiki"] == "https://example.org/wiki.git?token=…"
    assert public_config(compose_launch([f"corpus.wiki='{tmp_path}'"]))["corpus"]["wiki"] == str(tmp_path)


def test_half_characters_of_a_provider_reach_a_record_as_whole_ones(tmp_path: Path) -> None:
    """R41: no file takes a lone surrogate; whichever word holds one, the record is written and read again."""

    def halved(text: str) -> Reply:
        return Reply(
            text,
            "stop",
            usage=USED,
            native_finish_reason="end\ud800",
            served_model="model\udc00",
            service_tier="tier\ud83d",
        )

    def candidate(_: Request) -> Reply:
        return halved("It is \ud800 50.")

    models = dict.fromkeys(("a", "b", "reader", "verifier"), lambda _: halved(verdict()))
    finished = run_scripted(tmp_path, {"candidate": candidate, **models}, ONE)
    record = finished.record
    write_transcript(finished.events["q01"], tmp_path / "q01.jsonl")
    write_record(record, tmp_path / "record.json")
    assert read_record(tmp_path / "record.json") == record
    answer = record.answers[0]
    assert answer.finish_reason == "end\ufffd"
    assert record.models["candidate"].served == ("model\ufffd",)
    assert answer.verdicts["a"].model == "model\ufffd"
    assert "\ufffd" in answer.text
