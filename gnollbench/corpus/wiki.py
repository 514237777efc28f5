"""The GnollHack wiki as the tools read it: search, view, monster and item look-ups (R14)."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from gnollbench.corpus import sections
from gnollbench.corpus.kept import Kept
from gnollbench.corpus.pages import Page, Pages, Reading
from gnollbench.corpus.result import echo

Order = Literal["production", "best"]

READING = Reading((".md", ".txt", ".html"), largest_bytes=100 * 1024)  # production reads no larger
WEIGHTS: Mapping[Order, Mapping[str, float]] = {
    "production": {"title": 5, "content": 1},
    # best of the weights tried on twenty questions with known pages: first 14, in five 20 (production 12, 16)
    "best": {"title": 0.5, "content": 1},
}
MOST_RESULTS = 5
SNIPPET_CHARS = 2500  # per article found; production's value
_LISTED_PATHS = 6  # of pages that share a title
_LOOKED_AT = 8  # hits of a look-up from which other titles are named
_OTHER_TITLES = 4
_NEAR_FILES = 3
_NOTICE_CHARS = 600  # of the notice before a cut article
_EXTENSIONS = (".md", ".txt", ".html")
_FOLDERS = {"monster": ("Monsters/",), "item": ("Items/", "Artifacts/")}


class Wiki:
    """The GnollHack wiki.

    Parameters
    ----------
    root : Path
        A folder of Markdown pages; the title of a page is its file name.
    order : {"production", "best"}
        Which field weights rank the pages.
    kept : Kept, optional
        Where the index is kept between processes.
    """

    def __init__(self, root: Path, order: Order = "production", kept: Kept | None = None) -> None:
        fields: dict[str, Callable[[Page], str]] = {
            "title": lambda page: page.title,
            "content": lambda page: page.text,
        }
        self.pages = Pages(root, READING, fields, kept)
        self._weights = WEIGHTS[order]

    def search(self, query: str, category: str | None = None, max_results: int = MOST_RESULTS) -> str:
        """Answer ``wiki_search``: a snippet per article, the best first.

        ``category`` is a part of the page's path, letter case included; ``max_results`` is clamped to 1-5.
        """
        most = min(max(max_results, 1), MOST_RESULTS)
        found, total = self.pages.search(query, self._weights, most, _category(category))
        if not found:
            return self._nothing_found(query, category)
        text = self._joined(found, query)
        if total > len(found):
            more = f", or max_results up to {MOST_RESULTS}" if most < MOST_RESULTS else ""
            text += (
                f"\n\n[{len(found)} of {total} matching articles shown. To see others, use more telling "
                f"words, a category (part of a path){more}.]"
            )
        return text

    def view(self, article: str, section: str | None = None, cap: int = 10_000) -> str:
        """Answer ``wiki_view``: an article, or one section of it, in at most ``cap`` characters."""
        found = self.find(article)
        if len(found) > 1:
            return _choice(article, found)
        if not found:
            return self._no_article(article)
        return opened(found[0].path, found[0].text, section, cap)

    def find(self, name: str) -> list[Page]:
        """Return the page that a name opens: several that share the title, or none at all.

        A name with a slash is a path first. Otherwise equal titles count, then the best title hit.
        """
        wanted = plain_name(name)
        if "/" in wanted and (page := self.pages.at(wanted)):
            return [page]
        return self.pages.titled(wanted) or self.pages.search(wanted, {"title": 1}, 1)[0]

    def exact(self, name: str) -> list[Page]:
        """Return the pages that a citation's name stands for: by path, else by equal title."""
        wanted = plain_name(name)
        page = self.pages.at(wanted)
        return [page] if page and "/" in wanted else self.pages.titled(wanted)

    def look_up(self, kind: Literal["monster", "item"], name: str, cap: int = 10_000) -> str:
        """Answer ``monster_lookup`` and ``item_lookup``: the page of that name, else the best of its kind."""

        def in_folder(page: Page) -> bool:
            return page.path.startswith(_FOLDERS[kind])

        found, _ = self.pages.search(name, self._weights, _LOOKED_AT, in_folder)
        named = [page for page in self.pages.titled(plain_name(name)) if in_folder(page)]
        if len(named) > 1:
            return _choice(name, named)
        if named:
            others = [page.title for page in found if page is not named[0]][:_OTHER_TITLES]
            also = f"\n\n[Also found: {'; '.join(others)}.]" if others else ""
            return opened(named[0].path, named[0].text, None, cap - len(also)) + also
        if not found:
            found, _ = self.pages.search(name, self._weights, MOST_RESULTS)
        if not found:
            return f'The GnollHack wiki has nothing on the {kind} "{echo(name)}".'
        found = found[:MOST_RESULTS]
        return self._joined(found, name, min(SNIPPET_CHARS, cap // len(found) - 2))

    def _joined(self, found: list[Page], query: str, budget: int = SNIPPET_CHARS) -> str:
        terms = sections.query_terms(query)
        return "\n\n".join(
            sections.snippet(f"--- {page.path} ---", page.text, terms, budget, _whole_article(page))
            for page in found
        )

    def _nothing_found(self, query: str, category: str | None) -> str:
        said = [f'Nothing in the GnollHack wiki matches "{echo(query)}".']
        if category:
            said.append(
                f'The category "{echo(category)}" must be part of a page\'s path, letter case included.'
            )
            elsewhere, total = self.pages.search(query, self._weights, _NEAR_FILES)
            names = ", ".join(page.path for page in elsewhere)
            said.append(
                f"Without it {total} articles match: {names}." if total else "Nothing matches without it."
            )
        elif not self.pages.ranking.words(query):
            said.append("It holds no word that can be searched for.")
        said += _spelt_alike(self.pages.near_titles(query))
        said.append("Try other words, wiki_view with a page's name, or nethack_wiki_search.")
        return " ".join(said)

    def _no_article(self, article: str) -> str:
        near = _spelt_alike(self.pages.near_titles(plain_name(article)))
        said = [f'The GnollHack wiki has no article named "{echo(article)}".', *near]
        return " ".join([*said, "Try wiki_search with other words, or nethack_wiki_view."])


def opened(heading: str, text: str, section: str | None, cap: int) -> str:
    """Print an article or one of its sections under its heading, with what is cut said before it.

    A section that is not there gives the whole article behind a note that lists its headings.
    """
    note = ""
    if section and section.strip():
        part = sections.named(text, section)
        if part is None:
            missing = f'There is no section "{echo(section)}". Sections: {sections.headings(text)}.'
            note = f"[{missing} The article follows.]\n"
        text = text if part is None else part
    head = f"{note}--- {heading} ---\n"
    if len(head) + len(text) <= cap:
        return head + text
    listed = "" if note else f" Sections: {sections.headings(text)[: _NOTICE_CHARS - 120]}."
    notice = f"[{{}} of {len(text)} characters are shown. Give section to read one part.{listed}]\n"
    shown = max(cap - len(head) - len(notice) - len(str(len(text))), 0)
    return notice.replace("{}", str(shown), 1) + head + text[:shown]


def plain_name(name: str) -> str:
    """Return a requested name as pages are named: forward slashes, no slash in front, no extension."""
    wanted = name.strip().replace("\\", "/").lstrip("/")
    for extension in _EXTENSIONS:
        if wanted.lower().endswith(extension):
            return wanted[: -len(extension)].rstrip()
    return wanted


def _category(category: str | None) -> Callable[[Page], bool] | None:
    return (lambda page: category in page.path) if category else None


def _choice(name: str, found: list[Page]) -> str:
    paths = "\n".join(page.path for page in found[:_LISTED_PATHS])
    return f'"{echo(name)}" is the title of {len(found)} articles. Call wiki_view with one of them:\n{paths}'


def _whole_article(page: Page) -> str:
    return f'wiki_view with article "{page.name}" shows the whole article.'


def _spelt_alike(titles: list[str]) -> list[str]:
    return [f"Titles spelt alike: {'; '.join(titles)}."] if titles else []
