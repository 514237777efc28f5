"""The NetHack wiki, as the converter writes it: search and view (R14)."""

from collections.abc import Callable, Mapping
from pathlib import Path

from gnollbench.corpus.kept import Kept
from gnollbench.corpus.pages import Page, Pages, Reading, plain_title
from gnollbench.corpus.result import echo
from gnollbench.corpus.wiki import Order, opened, plain_name

READING = Reading((".md",), largest_bytes=500 * 1024, front_matter=True)  # production's limit
WEIGHTS: Mapping[Order, Mapping[str, float]] = {
    "production": {"title": 5, "summary": 2, "content": 1},
    "best": {
        "title": 0.5,
        "summary": 0.5,
        "content": 1,
    },  # as on the GnollHack wiki; not measured on this one
}
NAMESPACES = ("article", "source", "category", "forum", "help", "nethackwiki")
MOST_RESULTS = 5
ARTICLE_CHARS = 3000  # of each article found; production's value
_OTHER_TITLES = 4
_TOP = 5  # title hits and summary hits that other titles are taken from


class NetHackWiki:
    """The NetHack wiki: one folder of Markdown files with front matter (title, namespace, summary)."""

    def __init__(self, root: Path, order: Order = "production", kept: Kept | None = None) -> None:
        fields: dict[str, Callable[[Page], str]] = {
            "title": lambda page: page.title,
            "summary": lambda page: page.attributes.get("summary", ""),
            "content": lambda page: page.text,
        }
        self.pages = Pages(root, READING, fields, kept)
        self._weights = WEIGHTS[order]

    def search(self, query: str, namespace_filter: str | None = None, max_results: int = 3) -> str:
        """Answer ``nethack_wiki_search``: the best articles, each cut; ``max_results`` is clamped to 1-5."""
        most = min(max(max_results, 1), MOST_RESULTS)
        found, _ = self.pages.search(query, self._weights, most, _namespace(namespace_filter))
        if found:
            return "\n\n".join(_cut(page) for page in found)
        where = f' in the namespace "{echo(namespace_filter)}"' if namespace_filter else ""
        return f'Nothing in the NetHack wiki matches "{echo(query)}"{where}. Try other words.'

    def view(self, article: str, section: str | None = None, cap: int = 10_000) -> str:
        """Answer ``nethack_wiki_view``: the article of that title, else the best title hit, said so."""
        wanted = plain_name(article)
        by_title, _ = self.pages.search(wanted, {"title": 1}, _TOP)
        found = (self.pages.titled(wanted) or by_title)[:1]
        if not found:
            return f'The NetHack wiki has no article named "{echo(article)}". Try nethack_wiki_search.'
        page, note = found[0], ""
        if plain_title(page.title) != plain_title(wanted):
            by_summary, _ = self.pages.search(wanted, {"summary": 1}, _TOP)
            others = dict.fromkeys(other.title for other in [*by_title, *by_summary] if other is not page)
            listed = f" Other titles: {'; '.join(list(others)[:_OTHER_TITLES])}." if others else ""
            note = f'[No article is named "{echo(article)}"; this is "{page.title}".{listed}]\n'
        return note + opened(page.title, page.text, section, cap - len(note))


def _cut(page: Page) -> str:
    head = f"--- {page.title} ---\n"
    if len(page.text) <= ARTICLE_CHARS:
        return head + page.text
    note = f"[{ARTICLE_CHARS} of {len(page.text)} characters shown; nethack_wiki_view shows the article.]"
    return f"{head}{page.text[:ARTICLE_CHARS]}\n{note}"


def _namespace(name: str | None) -> Callable[[Page], bool] | None:
    wanted = (name or "").strip().lower()
    return (lambda page: page.attributes.get("namespace", "article").lower() == wanted) if wanted else None
