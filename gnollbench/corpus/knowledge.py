"""The curated knowledge articles: topic keys, summaries, bodies (R14)."""

from dataclasses import dataclass
from pathlib import Path

from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.pages import Page, Pages, Reading
from gnollbench.corpus.result import echo

READING = Reading((".md",), front_matter=True)
_CONTENT = "Content"  # the folder of a knowledge-base repository that holds its articles


@dataclass(frozen=True, slots=True)
class Topic:
    """One entry of the topic list that the system prompt shows.

    Attributes
    ----------
    key : str
        Relative path without extension, forward slashes; what ``get_knowledge_article`` takes.
    title, summary : str
        From the article's front matter; empty where it has none.
    """

    key: str
    title: str
    summary: str


class Knowledge:
    """The knowledge base.

    Attributes
    ----------
    topics : list of Topic
        Sorted by key.
    revision : str
        Hash over keys and full texts: what the knowledge base is compared by (R43).
    """

    def __init__(self, root: Path) -> None:
        self.pages = Pages(knowledge_root(root), READING, {})
        self.revision = self.pages.revision
        self._articles = {page.name.casefold(): page for page in self.pages.pages}
        self.topics = sorted((_topic(page) for page in self.pages.pages), key=lambda topic: topic.key)

    def article(self, topic: str) -> str:
        """Answer ``get_knowledge_article``: the body of the article with that key, but for case.

        Raises
        ------
        ToolFailure
            If there is none; the message lists every key.
        """
        page = self._articles.get(topic.strip().casefold())
        if page is None:
            keys = ", ".join(entry.key for entry in self.topics)
            raise ToolFailure(f'There is no knowledge article "{echo(topic)}". The topics are: {keys}.')
        return page.text


def knowledge_root(root: Path) -> Path:
    """Return the folder of articles: ``Content`` of a knowledge-base repository, else the folder itself."""
    return root / _CONTENT if (root / _CONTENT).is_dir() else root


def _topic(page: Page) -> Topic:
    return Topic(page.name, page.attributes.get("title", ""), page.attributes.get("summary", ""))
