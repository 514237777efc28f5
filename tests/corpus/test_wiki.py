"""The wiki tools over a small wiki of the project's own, and over the real one where it is there."""

import json
import os
import re
from pathlib import Path

import pytest

from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.nethackwiki import NetHackWiki
from gnollbench.corpus.pages import front_matter
from gnollbench.corpus.ranking import MOST_WORDS
from gnollbench.corpus.wiki import Wiki

FIXTURES = Path(__file__).parents[1] / "fixtures"
SHARED = Path(__file__).parents[3] / "shared"
REAL = SHARED / "corpus" / "gnollhack-wiki"
QUERIES = SHARED / "reference" / "wiki-queries.json"
real = pytest.mark.skipif(not REAL.is_dir(), reason="the real wiki is not here")


@pytest.fixture(scope="module")
def wiki() -> Wiki:
    return Wiki(FIXTURES / "wiki")


@pytest.fixture(scope="module")
def nethack() -> NetHackWiki:
    return NetHackWiki(FIXTURES / "nethack_wiki")


@pytest.fixture(scope="module")
def real_wiki() -> Wiki:
    return Wiki(REAL)


def shown(text: str) -> list[str]:
    """The paths of the articles in a search's result."""
    return re.findall(r"^--- (.+)\.md ---$", text, re.MULTILINE)


def test_pages_are_read_in_path_order_without_dot_folders(wiki: Wiki) -> None:
    """R14: files before sub-folders; a folder led by a dot holds no article."""
    paths = [page.path for page in wiki.pages.pages]
    assert paths[0] == "Options.md"
    assert not any(".agents" in path for path in paths)
    assert len(paths) == 9


def test_search_gives_a_snippet_an_article(wiki: Wiki) -> None:
    """R14: articles by their path, best first, with a closing line that counts them."""
    text = wiki.search("gnoll", max_results=2)
    assert len(shown(text)) == 2
    assert set(shown(text)) <= {"Monsters/Gnoll", "Races/Gnoll", "Monsters/Gnoll king"}
    assert text.splitlines()[-1].startswith("[2 of 3 matching articles shown.")


@pytest.mark.parametrize(("asked", "given"), [(-3, 1), (0, 1), (3, 3), (99, 5)])
def test_search_clamps_the_number_of_results(wiki: Wiki, asked: int, given: int) -> None:
    """R14: one to five articles."""
    assert len(shown(wiki.search("gnoll wand option king praying manual", max_results=asked))) == given


def test_all_found_are_shown_without_a_closing_line(wiki: Wiki) -> None:
    """R14: the closing line stands only where articles are left out."""
    assert "matching articles shown" not in wiki.search("basilisk")


@pytest.mark.parametrize(
    "query", ["AND NOT praying", '"praying" (', "NOT: praying", "praying^2 ~ * ?", "+praying -"]
)
def test_operators_are_words(wiki: Wiki, query: str) -> None:
    """R14: no query is parsed; every one of these finds the page on praying."""
    assert shown(wiki.search(query))[0] == "Guides/Guide to Praying"


def test_words_are_stemmed_and_possessives_dropped(wiki: Wiki) -> None:
    """R14: another form of a word finds the page."""
    assert shown(wiki.search("prayers"))[0] == "Guides/Guide to Praying"
    assert shown(wiki.search("the basilisk’s gazes"))[0] == "Monsters/Basilisk"


def test_a_title_weighs_more_than_a_body(wiki: Wiki) -> None:
    """R14: production's weights; the manual mentions the wand, the wand's page is named for it."""
    assert shown(wiki.search("wand"))[0] == "Items/Wand of digging"


def test_category_is_a_part_of_the_path_letter_case_included(wiki: Wiki) -> None:
    """R14: the category narrows by path; a miss says so and names what it hid."""
    assert set(shown(wiki.search("gnoll", category="Monsters/"))) == {"Monsters/Gnoll", "Monsters/Gnoll king"}
    missed = wiki.search("gnoll", category="monsters/")
    assert shown(missed) == []
    assert "letter case included" in missed
    assert "3 articles match" in missed
    assert "Races/Gnoll.md" in missed


def test_nothing_found_says_what_to_do(wiki: Wiki) -> None:
    """R14: a near-miss report of a few hundred characters that names the other tools."""
    text = wiki.search("zzzz")
    assert '"zzzz"' in text
    assert "wiki_view" in text
    assert "nethack_wiki_search" in text
    assert len(text) < 500
    assert "no word" in wiki.search("the of and")
    assert "Nothing matches without it" in wiki.search("zzzz", category="Monsters/")


def test_a_query_of_too_many_words_is_a_failure(wiki: Wiki) -> None:
    """R14: a megabyte of words is refused quickly and echoed short."""
    with pytest.raises(ToolFailure, match=f"at most {MOST_WORDS}") as caught:
        wiki.search("gnoll " * 200_000)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "name", ["Basilisk", "basilisk.MD", "/Monsters/Basilisk", "monsters\\basilisk.md", " Basilisk.txt "]
)
def test_view_opens_by_title_or_path(wiki: Wiki, name: str) -> None:
    """R14: letter case, slashes and one extension do not matter."""
    assert wiki.view(name).startswith("--- Monsters/Basilisk.md ---\n## Level 7")


def test_view_of_a_shared_title_offers_the_paths(wiki: Wiki) -> None:
    """R14: two pages of one title are never chosen between silently."""
    text = wiki.view("gnoll")
    assert text.splitlines()[1:] == ["Monsters/Gnoll.md", "Races/Gnoll.md"]
    assert wiki.view("Races/Gnoll").startswith("--- Races/Gnoll.md ---")


def test_view_falls_back_to_the_best_title(wiki: Wiki) -> None:
    """R14: no equal title: the top title hit, without a floor; no title word at all: a miss."""
    assert wiki.view("praying guide").startswith("--- Guides/Guide to Praying.md ---")
    missed = wiki.view("Basilsk")
    assert "Basilisk" in missed
    assert "wiki_search" in missed
    assert shown(missed) == []


def test_view_of_a_section(wiki: Wiki) -> None:
    """R14: one section with what is below it; a missing one lists the headings before the article."""
    part = wiki.view("Races/Gnoll", "hit points")
    assert part.startswith("--- Races/Gnoll.md ---\n## ❤️ Hit points")
    assert "At later levels" in part
    missed = wiki.view("Races/Gnoll", "skills")
    assert missed.startswith('[There is no section "skills". Sections: 💪 Attribute scores; ❤️ Hit points;')
    assert "Gnolls smell rotten food" in missed


@pytest.mark.parametrize("cap", [1000, 5000, 10_000])
def test_view_fits_its_cap_and_says_what_is_cut(wiki: Wiki, cap: int) -> None:
    """R14: a long article is announced by a notice of at most 600 characters and fills the cap."""
    text = wiki.view("Options", cap=cap)
    notice = text.splitlines()[0]
    total = (FIXTURES / "wiki" / "Options.md").read_text("utf-8")
    assert cap - 20 <= len(text) <= cap
    assert len(notice) <= 600
    shown_chars = int(re.match(r"\[(\d+) of (\d+)", notice)[1])  # pyright: ignore[reportOptionalSubscript]
    assert text.endswith(total[:shown_chars])
    assert len(wiki.view("Options", "no such", cap=cap)) <= cap


def test_lookups_find_the_page_of_their_kind(wiki: Wiki) -> None:
    """R14: a look-up searches the folder of its kind and prefers the page of that name."""
    text = wiki.look_up("monster", "gnoll")
    assert shown(text) == ["Monsters/Gnoll"]
    assert text.endswith("[Also found: Gnoll king.]")
    assert shown(wiki.look_up("item", "frostfang")) == ["Artifacts/Frostfang"]
    assert shown(wiki.look_up("item", "digging wand"))[0] == "Items/Wand of digging"


def test_lookups_widen_when_their_folder_has_nothing(wiki: Wiki) -> None:
    """R14: the unfiltered retry, then the answer that there is nothing."""
    assert shown(wiki.look_up("monster", "digging"))[0] == "Items/Wand of digging"
    assert wiki.look_up("monster", "qqqq") == 'The GnollHack wiki has nothing on the monster "qqqq".'


def test_a_lookup_of_a_shared_title_in_its_folder_offers_paths(tmp_path: Path) -> None:
    """R14: two items of one name are offered, not chosen between."""
    for folder in ("Items", "Items/Manuals"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "Scroll.md").write_text("A scroll.", "utf-8")
    assert "wiki_view" in Wiki(tmp_path).look_up("item", "scroll")


def test_nothing_outside_the_folder_is_read(tmp_path: Path) -> None:
    """R14: links that leave the folder, linked folders, pipes and dot-folders are passed over."""
    outside, root = tmp_path / "outside", tmp_path / "wiki"
    (root / ".hidden").mkdir(parents=True)
    outside.mkdir()
    (outside / "Secret.md").write_text("secret", "utf-8")
    (root / "Real.md").write_text("real", "utf-8")
    (root / ".hidden" / "Dot.md").write_text("dot", "utf-8")
    (root / "Alias.md").symlink_to(root / "Real.md")
    (root / "Leak.md").symlink_to(outside / "Secret.md")
    (root / "Folder").symlink_to(outside, target_is_directory=True)
    (root / "Broken.md").symlink_to(root / "nothing.md")
    os.mkfifo(root / "Pipe.md")
    assert [page.path for page in Wiki(root).pages.pages] == ["Alias.md", "Real.md"]


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "a\0b", "..", "\ud800".encode("utf-8", "replace").decode()]
)
def test_a_view_is_never_a_path_of_the_machine(wiki: Wiki, name: str) -> None:
    """R14: names are looked up among the pages, so a path leads nowhere."""
    assert "no article" in wiki.view(name)


def test_bad_bytes_are_replaced_and_counted(tmp_path: Path) -> None:
    """R14: a page that is not UTF-8 is read; the loss is a warning. Line ends become one kind."""
    (tmp_path / "Bad.md").write_bytes(b"caf\xe9\r\nline")
    (tmp_path / "Good.md").write_bytes(b"\xef\xbb\xbfgood")
    (tmp_path / "Large.md").write_bytes(b"x" * (100 * 1024 + 1))
    pages = Wiki(tmp_path).pages
    assert [page.text for page in pages.pages] == ["caf\ufffd\nline", "good"]
    assert len(pages.warnings) == 2
    assert "Bad.md" in pages.warnings[0]
    assert "Large.md" in pages.warnings[1]


def test_the_revision_follows_the_content(tmp_path: Path) -> None:
    """R43: equal pages, equal revision; a changed or renamed page, another one."""
    (tmp_path / "A.md").write_bytes(b"one\r\n")
    first = Wiki(tmp_path).pages.revision
    (tmp_path / "A.md").write_bytes(b"one\n")
    assert Wiki(tmp_path).pages.revision == first
    (tmp_path / "A.md").rename(tmp_path / "B.md")
    assert Wiki(tmp_path).pages.revision != first


def test_front_matter_forms() -> None:
    """R14: keys up to the closing line; no closing line, no front matter."""
    assert front_matter('---\nTitle: "A \\"b\\": c"\nsummary: plain\n---\n\nbody') == (
        {"title": 'A "b": c', "summary": "plain"},
        "body",
    )
    assert front_matter("---\ntitle: x\n---\n") == ({"title": "x"}, "")
    assert front_matter("---\ntitle: x\n---") == ({"title": "x"}, "")
    assert front_matter("---\nnever closed\n") == ({}, "---\nnever closed\n")
    assert front_matter("---\ntitle: x\n---not a line\n")[0] == {}


def test_nethack_search_cuts_each_article(nethack: NetHackWiki) -> None:
    """R14: titles as headings, each article cut at 3,000 characters with a note of at most 128."""
    text = nethack.search("prayer")
    assert text.startswith("--- Prayer ---\n# Timeout")
    note = next(line for line in text.splitlines() if line.startswith("[3000 of"))
    assert "nethack_wiki_view" in note
    assert len(note) < 128
    assert "title:" not in text


def test_nethack_namespace_filter(nethack: NetHackWiki) -> None:
    """R14: only pages of the namespace; none of it is a success that says so."""
    assert nethack.search("prayer", "Source").startswith("--- Source:NetHack/pray.c ---")
    assert "Plain page" in nethack.search("stoning front matter", "article", 5)
    assert 'namespace "forum"' in nethack.search("prayer", "forum")


def test_nethack_view(nethack: NetHackWiki) -> None:
    """R14: the title asked for, else the nearest, said so; other titles come from titles and summaries."""
    assert nethack.view("cockatrice.md", "corpse") == "--- Cockatrice ---\n# Corpse\n\nWield it with gloves."
    near = nethack.view("cockatrice nest")
    assert near.startswith('[No article is named "cockatrice nest"; this is "Cockatrice".')
    assert "no article named" in nethack.view("zzzz")
    assert "Other titles: Prayer." in nethack.view("pray.c help")
    assert len(nethack.view("the prayer", cap=1000)) <= 1000


@real
def test_the_real_wiki_is_read_whole(real_wiki: Wiki) -> None:
    """R14: 2,430 pages outside the dot-folders."""
    assert len(real_wiki.pages.pages) == 2430
    assert real_wiki.pages.warnings == []


@real
@pytest.mark.parametrize(("order", "first", "in_five"), [("production", 11, 15), ("best", 14, 19)])
def test_search_quality(order: str, first: int, in_five: int) -> None:
    """R14: of twenty questions with known pages, how many are answered first and in five."""
    wiki = Wiki(REAL, order)  # pyright: ignore[reportArgumentType]
    asked = json.loads(QUERIES.read_text("utf-8"))
    found = [(shown(wiki.search(entry["query"])), entry["pages"]) for entry in asked]
    assert sum(paths[0] in pages for paths, pages in found) >= first
    assert sum(any(path in pages for path in paths) for paths, pages in found) >= in_five


@real
@pytest.mark.parametrize("name", ["Kraken", "Cockatrice", "Gnoll king"])
def test_real_monsters_are_found_by_name(real_wiki: Wiki, name: str) -> None:
    """R14: a monster's own page, not one that mentions it."""
    assert shown(real_wiki.look_up("monster", name)) == [f"Monsters/{name}"]
