"""The NetHack wiki from a MediaWiki dump."""

import bz2
import gzip
import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnollbench.corpus.mediawiki import file_name, import_dump, pages, summary
from gnollbench.corpus.nethackwiki import NetHackWiki
from gnollbench.corpus.wikitext import told
from gnollbench.errors import Refusal

DUMP = Path(__file__).parents[1] / "fixtures" / "nethack_dump.xml"
NEWT = """\
---
title: "Kettle newt"
namespace: article
summary: "The newest words do not stand last."
---
--- Monster Stats ---
Name: kettle newt
Symbol: :
Level: 0
Speed: 6
AC: 8
Frequency: 5 (Common)

The newest words do not stand last.


A kettle newt is a small reptile that lives in kettles. It bites for 1/2 of a point — never more.

## Strategy
Press [F] to fight it. A Valkyrie needs no help.
(upcoming in NetHack 3.7.0: It will swim.)
- Boil the kettle
  - but not the cook
1. wait

### Odds

Odds of a bite
Armour | Chance
10 | 1/20
none | 3 in 4

Category:Newts has more; see the cook's notes and '''raw'''.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wiki") / "nethack wiki"
    imported = import_dump(DUMP, target)
    assert (imported.pages, imported.redirects, imported.other_namespaces, imported.empty) == (6, 2, 1, 2)
    assert imported.left_out == {"mystery": 1}
    return target


def test_a_page_whole(folder: Path) -> None:
    """R14: the last revision by its time; boxes first, then text, lists, tables and templates in words."""
    lines = (folder / "Kettle newt.md").read_text("utf-8").split("\n")
    assert [line for line in lines if line] == [line for line in NEWT.split("\n") if line]


def test_files_and_index(folder: Path) -> None:
    """R14: a file a page that is none of redirect, talk, empty or code; names safe on every system."""
    index = json.loads((folder / "_index.json").read_text("utf-8"))
    assert index["Source__Mini__brew.c.md"] == {"title": "Source:Mini/brew.c", "namespace": "source"}
    assert (
        sorted(index)
        == sorted(path.name for path in folder.glob("*.md"))
        == [
            "Category__Newts.md",
            "Iron Kettle.md",
            "Iron kettle_2.md",
            "Kettle newt.md",
            "Source__Mini__brew.c.md",
            "Why _brew__ A question.md",
        ]
    )


def test_code_is_kept_as_it_is(folder: Path) -> None:
    """R14: a preformatted text is neither list nor link."""
    assert '```\n#include "brew.h"\n  *kettle = 1; /* [[no link]] */\n```' in (
        folder / "Source__Mini__brew.c.md"
    ).read_text("utf-8")


def test_the_tools_read_what_was_imported(folder: Path) -> None:
    """R14: search, filter, view and sections over the new folder."""
    wiki = NetHackWiki(folder)
    assert len(wiki.pages.pages) == 6
    assert wiki.search("bite odds").startswith("--- Kettle newt ---\n--- Monster Stats ---")
    assert wiki.search("newts", "category").startswith("--- Category:Newts ---")
    assert wiki.view("kettle newt", "odds").endswith(
        "none | 3 in 4\n\nCategory:Newts has more; see the cook's notes and '''raw'''."
    )
    question = wiki.view('Why "brew"? A question')
    assert 'Because Why "brew"? A question was asked for' in question
    assert next(page for page in wiki.pages.pages if page.title.startswith("Why")).attributes["summary"] == (
        'Because Why "brew"? A question was asked for long enough by everyone here!'
    )


@pytest.mark.parametrize("opened", [bz2.open, gzip.open])
def test_compressed_dumps(tmp_path: Path, folder: Path, opened: object) -> None:
    """R14: as dumps are published."""
    packed = tmp_path / f"dump.xml.{'bz2' if opened is bz2.open else 'gz'}"
    with opened(packed, "wb") as file:  # pyright: ignore[reportCallIssue]
        file.write(DUMP.read_bytes())
    import_dump(packed, tmp_path / "out")
    for path in folder.iterdir():
        assert (tmp_path / "out" / path.name).read_bytes() == path.read_bytes()


BOMB = (
    '<!DOCTYPE x [<!ENTITY a0 "aaaaaaaaaa">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    + ']><mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"><page><title>&a11;</title></page></mediawiki>'
)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file"),
        (b"", "breaks off"),
        (b"\0\1\2", "breaks off"),
        (b"# Markdown\n", "breaks off"),
        (b"<html><body/></html>", "root element is html"),
        (b"<mediawiki><page/></mediawiki>", "root element is mediawiki"),
        (DUMP.read_bytes()[:3000], "breaks off"),
        (b'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"></mediawiki>', "no page"),
        (BOMB.encode(), "breaks off"),
    ],
    ids=["missing", "empty", "binary", "markdown", "html", "unqualified", "cut", "no page", "entities"],
)
def test_what_is_no_dump_refuses(tmp_path: Path, content: bytes | None, said: str) -> None:
    """R3: the refusal says why, and nothing is left behind."""
    dump = tmp_path / "dump.xml"
    if content is not None:
        dump.write_bytes(content)
    with pytest.raises(Refusal) as refused:
        import_dump(dump, tmp_path / "out")
    assert said in refused.value.why
    assert "MediaWiki XML dump" in refused.value.lifted_by
    assert list(tmp_path.iterdir()) == ([] if content is None else [dump])


@pytest.mark.parametrize("suffix", [".bz2", ".gz"])
def test_a_wrong_compression_refuses(tmp_path: Path, suffix: str) -> None:
    """R3: also where the file only has the name of a compressed one, or breaks off."""
    whole = (bz2 if suffix == ".bz2" else gzip).compress(DUMP.read_bytes())
    for content in (b"plain", whole[: len(whole) // 2]):
        dump = tmp_path / f"dump.xml{suffix}"
        dump.write_bytes(content)
        with pytest.raises(Refusal, match="cannot be imported"):
            import_dump(dump, tmp_path / "out")


def test_a_folder_in_use_refuses(tmp_path: Path) -> None:
    """R3: pages of two imports never mix; an empty folder will do."""
    (tmp_path / "out").mkdir()
    import_dump(DUMP, tmp_path / "out")
    with pytest.raises(Refusal, match="not written to"):
        import_dump(DUMP, tmp_path / "out")


class Endless(io.RawIOBase):
    """A dump of one long page after another, made as it is read."""

    def __init__(self, count: int) -> None:
        self._parts = self._made(count)
        self._rest = b""

    def _made(self, count: int) -> Iterator[bytes]:
        yield b'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">'
        for number in range(count):
            yield f"<page><title>Page {number}</title><ns>0</ns>".encode()
            for old in range(3):
                text = f"revision {old} " * 4000
                yield f"<revision><timestamp>{old}</timestamp><text>{text}</text></revision>".encode()
            yield b"</page>"
        yield b"</mediawiki>"

    def read(self, size: int = -1, /) -> bytes:
        while 0 <= len(self._rest) < size and (part := next(self._parts, None)) is not None:
            self._rest += part
        given, self._rest = self._rest[:size], self._rest[size:]
        return given


def test_memory_does_not_grow_with_the_dump() -> None:
    """R14: 60 MB of pages take no more memory than 6 MB."""

    def peak(count: int) -> int:
        tracemalloc.start()
        assert sum(page.text.startswith("revision 2") for page in pages(Endless(count))) == count  # type: ignore
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    assert peak(400) < 1.2 * peak(40)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Wand of death", "Wand of death"),
        ("User:A/B", "User__A__B"),
        ('What? "No" <way>*|', "What_ _No_ _way__"),
        ("a\\b::/c", "a__b__c"),
        ("Trailing. .", "Trailing"),
        ("\x07", "_"),
        ("..", "_"),
        (".hidden", ".hidden_"),
        ("CON", "CON_"),
        ("aux.c", "aux.c_"),
        ("x" * 300, "x" * 200),
        ("汉" * 100, "汉" * 80),
    ],
)
def test_file_names(title: str, name: str) -> None:
    """R14: a name that every file system takes."""
    assert file_name(title) == name


@given(st.text())
def test_no_title_leaves_the_folder(title: str) -> None:
    """R14: whatever the title, a single name of a length that disks take."""
    name = file_name(title)
    assert name not in ("", ".", "..")
    assert not set(name) & set('/\\:*?"<>|\0')
    assert len(name.encode("utf-8", "surrogatepass")) <= 241


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "# A heading\nToo short.\nA sentence that is long enough. Another.",
            "A sentence that is long enough.",
        ),
        (
            "a | b | c and more of it\n- a list item that is long\nno",
            "a | b | c and more of it - a list item that is long no",
        ),
        ("Version 3.6.7 of the game has been out. Yes", "Version 3.6.7 of the game has been out."),
        ("word " * 100, ("word " * 100)[:200].strip()),
        ("", ""),
    ],
)
def test_summaries(text: str, said: str) -> None:
    """R14: the first sentence of the first line of prose."""
    assert summary(text) == said


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(
            [
                "{{",
                "}}",
                "[[",
                "]]",
                "|",
                "{|",
                "|}",
                "|-",
                "!",
                "==",
                "\n",
                "''",
                "<pre>",
                "</pre>",
                "<!--",
                "<ref>",
                "kbd",
                "frac",
                "monster",
                "*",
                "#",
                ":",
                "&amp;",
                "x=",
                "{{{",
                "<td>",
                "a",
            ]
        ),
        max_size=30,
    )
)
def test_broken_markup_still_gives_text(parts: list[str]) -> None:
    """R14: no markup stops an import."""
    assert "\ue000" not in told("Title", "".join(parts)).text
