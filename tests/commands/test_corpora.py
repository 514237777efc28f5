"""``gnollbench corpus``: list, sync, status, call, import-mediawiki."""

import json
import subprocess
from pathlib import Path

import pytest

from gnollbench.cli import compose_launch
from gnollbench.commands import run_command
from gnollbench.errors import Refusal

FIXTURES = Path(__file__).parents[1] / "fixtures"
DUMP = FIXTURES / "nethack_dump.xml"
FIXTURE_CORPORA = [
    f"corpus.{name}={FIXTURES / name}" for name in ("wiki", "nethack_wiki", "knowledge", "source")
]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of its own, with a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def corpus(*words: str) -> int:
    return run_command(["corpus", *words], compose_launch)


def test_list_names_every_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    """R14: where each lies, overrides included."""
    assert corpus("list", "corpus=gnollhack", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["wiki"].endswith("GnollHackWiki.git")
    assert corpus("list", "corpus.wiki=my folder") == 0
    assert "wiki            my folder\n" in capsys.readouterr().out


def test_status_tells_revisions_counts_and_warnings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R45: what a run would record, and that small corpora keep no index."""
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki" / "Bad.md").write_bytes(b"\xff page")
    assert corpus("status", *FIXTURE_CORPORA[1:], "corpus.wiki=wiki", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told["revisions"]) == {"wiki", "nethack_wiki", "knowledge", "source"}
    assert told["counts"] | {"wiki": 1, "source_files": 5, "nethack_wiki": 4} == told["counts"]
    assert told["indexes"] == {}
    assert "not UTF-8" in told["warnings"][0]
    assert corpus("status", *FIXTURE_CORPORA[1:], "corpus.wiki=wiki") == 0
    shown = capsys.readouterr().out
    assert f"source                   revision {told['revisions']['source']}" in shown
    assert "source_files             5" in shown
    assert "every index is made in memory" in shown
    assert "warning: wiki: 1 pages are not UTF-8" in shown


def test_status_tells_the_age_of_kept_indexes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R45: an index of a large corpus is kept, and its age told."""
    (tmp_path / "wiki").mkdir()
    for number in range(3):
        (tmp_path / "wiki" / f"Page {number}.md").write_text("kettles and stew\n" * 22_000, "utf-8")
    large = [*FIXTURE_CORPORA[:1], *FIXTURE_CORPORA[2:], "corpus.nethack_wiki=wiki"]
    assert corpus("status", *large) == 0
    assert "nethack_wiki-ranking     index made 0:00:0" in capsys.readouterr().out


def test_sync_fetches_and_tells_the_revision(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R45: a URL is cloned below the cache, then updated; a path is left alone."""
    origin = tmp_path / "far wiki"
    origin.mkdir()
    (origin / "Orc.md").write_text("An orc.", "utf-8")
    git = ["git", "-C", str(origin), "-c", "user.name=T", "-c", "user.email=t@example.org"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "pages"]):
        subprocess.run([*git, *words], check=True)
    head = subprocess.run(
        [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    url = f"corpus.wiki=file://{origin}"
    assert corpus("sync", url, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"wiki": {"folder": told["wiki"]["folder"], "revision": head}}
    assert Path(told["wiki"]["folder"]).is_relative_to(tmp_path / "cache" / "gnollbench")
    assert corpus("status", url, "--json") == 0
    assert json.loads(capsys.readouterr().out)["revisions"]["wiki"] == head
    assert corpus("sync") == 0
    assert "nothing to fetch" in capsys.readouterr().out


def test_call_prints_what_a_model_reads(capsys: pytest.CaptureFixture[str]) -> None:
    """R14: numbers and truth values are read from text; a cut result ends in its note; a failure is exit code 1."""
    asked = ("query=MAX_HEAT", "filenames_only=true", "max_results=1")
    assert corpus("call", "source_code_search", *asked, *FIXTURE_CORPORA) == 0
    assert capsys.readouterr().out == "include/brew.h (2 matches)\n"
    assert corpus("call", "wiki_search", "query=true", *FIXTURE_CORPORA) == 0
    assert "true" in capsys.readouterr().out
    assert corpus("call", "get_knowledge_article", "topic=nope", "--json", *FIXTURE_CORPORA) == 1
    assert json.loads(capsys.readouterr().out)["success"] is False
    assert corpus("call", "list_indexed_files", "limits.result_cap=1000", *FIXTURE_CORPORA) == 0
    assert (
        corpus("call", "source_code_search", "query=stirred", "limits.result_cap=1000", *FIXTURE_CORPORA) == 0
    )
    assert "[Cut: 1000 of " in capsys.readouterr().out


@pytest.mark.parametrize("words", [["call"], ["call", "no_tool"], ["call", "wiki_view", "Basilisk"]])
def test_a_call_that_cannot_be_read_refuses(words: list[str]) -> None:
    """R3: the refusal names the tools, or the form of an argument."""
    with pytest.raises(Refusal):
        corpus(*words, *FIXTURE_CORPORA)


def test_import_tells_what_it_took_and_left(capsys: pytest.CaptureFixture[str]) -> None:
    """R14: counts, and the templates that are not known; the folder then serves the tools."""
    assert corpus("import-mediawiki", str(DUMP), "out") == 0
    shown = capsys.readouterr().out
    assert "6 pages written to out; use them with corpus.nethack_wiki=out" in shown
    assert "2 redirects, 1 pages of other namespaces, 2 empty pages" in shown
    assert "1 unknown templates were left out, most often: mystery (1)" in shown
    assert corpus("call", "nethack_wiki_view", "article=Kettle newt", "corpus.nethack_wiki=out") == 0
    assert "--- Monster Stats ---" in capsys.readouterr().out
    assert corpus("import-mediawiki", str(DUMP), "again", "--json") == 0
    assert json.loads(capsys.readouterr().out)["unknown_templates"] == {"mystery": 1}


@pytest.mark.parametrize("words", [[], [str(DUMP)], [str(DUMP), "a", "b"], ["nowhere.xml", "out"]])
def test_an_import_that_cannot_be_done_refuses(tmp_path: Path, words: list[str]) -> None:
    """R3: wrong words or no dump; nothing is written."""
    with pytest.raises(Refusal):
        corpus("import-mediawiki", *words)
    assert not list(tmp_path.iterdir())
