"""The BM25 index: scores, ties, words, and the copy that is kept between processes."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gnollbench.corpus import pages
from gnollbench.corpus.kept import Kept
from gnollbench.corpus.pages import Pages, Reading
from gnollbench.corpus.ranking import Ranking, index_name

PAGES = [["Gnoll king", "rules gnolls"], ["Orc", "hates a gnoll's smell"], ["Elf", "sings"]]


def never_read() -> Iterator[list[str]]:
    raise AssertionError("the kept index makes reading needless")
    yield []


def test_equal_scores_keep_the_order_of_pages() -> None:
    """R14: ties are resolved the same way every time."""
    hits, total = Ranking(["title"], [["same words"]] * 40).search("same", {"title": 1}, 10)
    assert [hit.position for hit in hits] == list(range(10))
    assert total == 40


def test_bm25_by_hand() -> None:
    """R14: k1 1.2, b 0.75, idf ln(1 + (N - n + 0.5) / (n + 0.5)), weights as factors.

    Three pages of two words each, so length is average and tf (k1 + 1) / (tf + k1) = 1 at tf 1.
    "gnoll" stands in one: ln(1 + 2.5 / 1.5) = 0.98083; five times that is 4.90415.
    """
    ranking = Ranking(["title"], [["gnoll king"], ["orc shaman"], ["elf lord"]])
    hits, _ = ranking.search("gnoll", {"title": 5}, 3)
    assert [hit.position for hit in hits] == [0]
    assert hits[0].score == pytest.approx(4.90415, abs=1e-4)


def test_fields_and_words_add_up() -> None:
    """R14: the score is the sum over fields and words, each with its weight."""
    ranking = Ranking(["title", "content"], PAGES)
    both, _ = ranking.search("gnoll", {"title": 5, "content": 1}, 3)
    assert [hit.position for hit in both] == [0, 1]
    title, _ = ranking.search("gnoll", {"title": 1}, 3)
    content, _ = ranking.search("gnoll", {"content": 1}, 3)
    assert both[0].score == pytest.approx(5 * title[0].score + content[0].score, rel=1e-5)


def test_words() -> None:
    """R14: letters, digits, underscores, inner dots and apostrophes; stop words and possessives go."""
    ranking = Ranking(["title"], [["x"]])
    words = ranking.words("The Vlad's AND NOT 3.4.3, 1,000 (o'hara) pm_gnoll x-ray: RUNNING")
    assert words == ["vlad", "3.4.3", "1,000", "o'hara", "pm_gnoll", "x", "ray", "run"]


@pytest.mark.parametrize(("among", "found"), [([0, 1, 2], [0, 1]), ([1, 2], [1]), ([2], []), ([], [])])
def test_search_among(among: list[int], found: list[int]) -> None:
    """R14: only the pages named are found, at the scores that they have among all."""
    ranking = Ranking(["title", "content"], PAGES)
    weights = {"title": 5, "content": 1}
    hits, total = ranking.search("gnoll", weights, 5, among)
    assert [hit.position for hit in hits] == found
    assert total == len(found)
    everywhere = {hit.position: hit.score for hit in ranking.search("gnoll", weights, 5)[0]}
    assert all(hit.score == pytest.approx(everywhere[hit.position]) for hit in hits)


def test_a_kept_index_is_opened_again(tmp_path: Path) -> None:
    """R14: a second process reads no page, and finds the same."""
    place = tmp_path / "deep" / "index"
    built = Ranking(["title", "content"], PAGES, place)
    opened = Ranking(["title", "content"], never_read(), place)
    weights = {"title": 5, "content": 1}
    assert opened.search("gnolls", weights, 5) == built.search("gnolls", weights, 5)
    assert [path.name for path in place.parent.iterdir()] == ["index"]


def test_a_spoilt_or_unwritable_place_is_passed_over(tmp_path: Path) -> None:
    """R14: an index that cannot be kept is built in memory."""
    spoilt = tmp_path / "spoilt"
    spoilt.mkdir()
    (spoilt / "meta.json").write_text("{", "utf-8")
    (tmp_path / "file").write_text("", "utf-8")
    for place in (spoilt, tmp_path / "file" / "index"):
        assert Ranking(["title", "content"], PAGES, place).search("elf", {"title": 1}, 5)[1] == 1


def test_index_names_follow_what_makes_an_index() -> None:
    """R14: other pages or other fields are another index."""
    assert index_name(["title"], "a") == index_name(["title"], "a")
    assert len({index_name(["title"], "a"), index_name(["title"], "b"), index_name(["text"], "a")}) == 3


def test_only_a_large_corpus_keeps_its_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R14: small ones leave nothing behind."""
    (tmp_path / "A.md").write_text("some words", "utf-8")
    fields = {"title": lambda page: page.title, "content": lambda page: page.text}
    kept = Kept(tmp_path / "indexes", "wiki")
    assert Pages(tmp_path, Reading((".md",)), fields, kept).search("words", {"content": 1}, 1)[1] == 1
    assert not (tmp_path / "indexes").exists()
    monkeypatch.setattr(pages, "WORTH_KEEPING", 5)
    assert Pages(tmp_path, Reading((".md",)), fields, kept).search("words", {"content": 1}, 1)[1] == 1
    assert list((tmp_path / "indexes").iterdir()) == list(kept.used.values())


def test_many_threads_search_at_once(tmp_path: Path) -> None:
    """R17: the index is built once, whoever asks first, and answers alike."""
    (tmp_path / "A.md").write_text("some words", "utf-8")
    shelf = Pages(tmp_path, Reading((".md",)), {"content": lambda page: page.text})
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: shelf.search("words", {"content": 1}, 1), range(64)))
    assert found == [found[0]] * 64
