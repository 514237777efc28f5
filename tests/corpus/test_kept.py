"""Indexes that are kept between processes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gnollbench.corpus import kept
from gnollbench.corpus.kept import Kept
from gnollbench.corpus.library import Library
from gnollbench.records.launch import CorpusConfig

FIXTURES = Path(__file__).parents[1] / "fixtures"
STARTER = Path(__file__).parents[2] / "gnollbench" / "corpus" / "starter" / "source"
ASK = """
import sys
from gnollbench.corpus.library import Library
from gnollbench.records.launch import CorpusConfig
library = Library.open(CorpusConfig.model_validate_json(sys.argv[1]))
library.warm()
print(library.wiki.search("kettle"), library.source.search_definitions("f77"))
print(library.source.constants("LARGE_777"), library.game_data.monster("gnoll"))
"""


def never() -> Any:
    raise AssertionError("it is kept already")


def test_made_once_for_each_content(tmp_path: Path) -> None:
    """R45: another content or another corpus is another index; the same is read, not made."""
    source = Kept(tmp_path / "deep", "source")
    assert source.value("names", "a", lambda: [["á", 1]]) == [["á", 1]]
    assert source.value("names", "a", never) == [["á", 1]]
    assert source.value("names", "b", lambda: 2) == 2
    assert source.value("lines", "a", lambda: 3) == 3
    assert Kept(tmp_path / "deep", "nethack_source").value("names", "a", lambda: 4) == 4
    assert Kept(tmp_path / "deep", "source").value("names", "a", never) == [["á", 1]]
    assert set(source.used) == {"names", "lines"}
    assert len(list((tmp_path / "deep").iterdir())) == 4


def test_other_code_makes_another_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R45: an index never outlives the code that made it."""
    index = Kept(tmp_path, "source")
    index.value("names", "a", lambda: 1)
    monkeypatch.setattr(kept, "_code", lambda: "edited")
    assert index.value("names", "a", lambda: 2) == 2


@pytest.mark.parametrize("spoilt", [b"", b"[1, 2", b"\xff"])
def test_a_spoilt_index_is_made_anew(tmp_path: Path, spoilt: bytes) -> None:
    """R45: a broken file is no reason to fail, and is mended."""
    index = Kept(tmp_path, "source")
    index.place("names", "a").write_bytes(spoilt)
    assert index.value("names", "a", lambda: [1]) == [1]
    assert json.loads(index.place("names", "a").read_bytes()) == [1]


def test_an_unwritable_folder_is_passed_over(tmp_path: Path) -> None:
    """R45: then every process makes its own."""
    (tmp_path / "file").write_text("", "utf-8")
    index = Kept(tmp_path / "file" / "indexes", "source")
    assert [index.value("names", "a", lambda: 1) for _ in range(2)] == [1, 1]


@pytest.fixture
def large(tmp_path: Path) -> CorpusConfig:
    """Corpora that are large enough for their indexes to be kept."""
    wiki, source = tmp_path / "wiki", tmp_path / "source"
    wiki.mkdir()
    for number in range(40):
        (wiki / f"Page {number}.md").write_text("a copper kettle of stew\n" * 1200, "utf-8")
    for file in STARTER.rglob("*.*"):
        target = source / file.relative_to(STARTER)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.read_bytes())
    for part in range(4):
        numbers = range(part * 4000, part * 4000 + 4000)
        text = "".join(
            f"#define LARGE_{number} {number} /* of many such lines */\nvoid\nf{number}()\n{{\n}}\n"
            for number in numbers
        )
        (source / "src" / f"large{part}.c").write_text(text, "utf-8")
    return CorpusConfig(
        wiki=str(wiki),
        nethack_wiki=str(FIXTURES / "nethack_wiki"),
        knowledge=str(FIXTURES / "knowledge"),
        source=str(source),
        cache=str(tmp_path / "cache"),
    )


def asked(corpus: CorpusConfig) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", ASK, corpus.model_dump_json()], stdout=subprocess.PIPE, text=True
    )


def test_two_processes_may_make_them_at_once(large: CorpusConfig) -> None:
    """R45: both answer alike, each index is whole, and a third process answers from them."""
    both = [asked(large), asked(large)]
    said = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert said[0] == said[1]
    for expected in ("kettle of stew", "src/large0.c", "#define LARGE_777 777", '"mname": "gnoll"'):
        assert expected in said[0]
    indexes = sorted((Path(str(large.cache)) / "indexes").iterdir())
    names = [path.name.rpartition("-")[0] for path in indexes]
    assert names == ["source-constants", "source-definitions", "source-tables", "wiki-ranking"]
    written = {path: path.stat().st_mtime_ns for path in indexes}
    third = asked(large)
    assert third.communicate()[0] == said[0]
    assert {path: path.stat().st_mtime_ns for path in indexes} == written


def test_only_what_changed_is_made_anew(large: CorpusConfig) -> None:
    """R45: an edited page leaves the source's indexes alone, and the other way round."""

    def indexes() -> set[str]:
        Library.open(large).warm()
        return {path.name for path in (Path(str(large.cache)) / "indexes").iterdir()}

    first = indexes()
    assert indexes() == first
    (Path(large.wiki) / "Page 1.md").write_text("edited", "utf-8")
    second = indexes()
    assert [name.rpartition("-")[0] for name in second - first] == ["wiki-ranking"]
    (Path(large.source) / "src" / "edited.c").write_text("int edited;\n", "utf-8")
    assert sorted(name.rpartition("-")[0] for name in indexes() - second) == [
        "source-constants",
        "source-definitions",
        "source-tables",
    ]


def test_the_age_of_every_index_is_told(large: CorpusConfig) -> None:
    """R45: what is kept has the time it was made; what is made each time has none."""
    library = Library.open(large)
    library.warm()
    made = library.index_times()
    assert set(made) == {"wiki-ranking", "source-definitions", "source-constants", "source-tables"}
    again = Library.open(large)
    again.warm()
    assert again.index_times() == made
