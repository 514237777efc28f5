"""The knowledge base: topics, articles, revision."""

from pathlib import Path

import pytest

from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.knowledge import Knowledge, Topic

FOLDER = Path(__file__).parents[1] / "fixtures" / "knowledge"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return Knowledge(FOLDER)


def test_topics_are_keys_with_titles_and_summaries(knowledge: Knowledge) -> None:
    """R14: keys are paths below Content without extension, sorted; what lies outside Content is no topic."""
    assert knowledge.topics == [
        Topic("board/reading_the_map", "Reading the map", "What each symbol stands for"),
        Topic("game_modes", "Game modes", "Classic, casual and other modes"),
    ]


def test_a_plain_folder_is_a_knowledge_base_too() -> None:
    """R14: a folder without Content holds the articles itself."""
    keys = [topic.key for topic in Knowledge(FOLDER / "Content").topics]
    assert keys == ["board/reading_the_map", "game_modes"]


@pytest.mark.parametrize("topic", ["game_modes", " Game_Modes "])
def test_article_comes_without_front_matter(knowledge: Knowledge, topic: str) -> None:
    """R14: the body only, by its key, letter case aside."""
    assert knowledge.article(topic) == "# Game modes\n\nCasual mode lets you go on after death.\n"


@pytest.mark.parametrize("topic", ["modes", "../README", "Game modes", ""])
def test_a_miss_is_a_failure_that_lists_every_key(knowledge: Knowledge, topic: str) -> None:
    """R14: a knowledge-base miss counts as a failed call."""
    with pytest.raises(ToolFailure, match="board/reading_the_map, game_modes"):
        knowledge.article(topic)


def test_revision_follows_keys_and_whole_texts(tmp_path: Path) -> None:
    """R43: a changed summary changes the topic list, so it is another revision; another folder is none."""
    (tmp_path / "a.md").write_text("---\nsummary: one\n---\nbody", "utf-8")
    first = Knowledge(tmp_path).revision
    inner = tmp_path / "Content"
    inner.mkdir()
    (tmp_path / "a.md").rename(inner / "a.md")
    assert Knowledge(tmp_path).revision == first
    (inner / "a.md").write_text("---\nsummary: two\n---\nbody", "utf-8")
    assert Knowledge(tmp_path).revision != first
