"""The pages of a wiki or a knowledge base, read from a folder, and the search over them (R14)."""

import difflib
import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gnollbench.corpus.kept import WORTH_KEEPING, Kept
from gnollbench.corpus.places import files_below
from gnollbench.corpus.ranking import Ranking, index_name

_NEAR = 3  # titles that a miss names


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    Attributes
    ----------
    path : str
        Relative to the corpus folder, with forward slashes and extension.
    title : str
        From the front matter where there is one, else the file name without its extension.
    text : str
        Without front matter; LF line ends.
    attributes : dict
        The front matter's keys and values.
    """

    path: str
    title: str
    text: str
    attributes: Mapping[str, str]

    @property
    def name(self) -> str:
        """The path without its extension."""
        return self.path.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a folder of pages is read: which files, how large at most in bytes, with front matter or not."""

    extensions: tuple[str, ...]
    largest_bytes: int | None = None
    front_matter: bool = False

    def wants(self, path: str) -> bool:
        """Tell whether a relative path is a page: right extension, no folder or file name led by a dot."""
        return path.lower().endswith(self.extensions) and not any(
            part.startswith(".") for part in path.split("/")
        )


class Pages:
    """The pages of one corpus in path order, their revision, and a search that is indexed at first use.

    Parameters
    ----------
    root : Path
        The corpus folder; nothing outside it is read.
    reading : Reading
        What is read, and how.
    fields : mapping
        Indexed field -> the text of it that a page has.
    kept : Kept, optional
        Where the index of a large corpus is kept between processes.
    """

    def __init__(
        self,
        root: Path,
        reading: Reading,
        fields: Mapping[str, Callable[[Page], str]],
        kept: Kept | None = None,
    ) -> None:
        self.warnings: list[str] = []
        self.pages = _read(root, reading, self.warnings)
        self.revision = content_hash((page.path, _whole(page)) for page in self.pages)
        self._fields, self._kept = fields, kept
        self._by_title: dict[str, list[Page]] = {}
        self._by_name: dict[str, Page] = {}
        for page in self.pages:
            self._by_title.setdefault(plain_title(page.title), []).append(page)
            self._by_name.setdefault(plain_title(page.name), page)
        self._ranking: Ranking | None = None
        self._lock = threading.Lock()

    @property
    def ranking(self) -> Ranking:
        """The index, built at first use."""
        with self._lock:
            if self._ranking is None:
                texts = [[text(page) for text in self._fields.values()] for page in self.pages]
                self._ranking = Ranking(list(self._fields), texts, self._kept_at())
            return self._ranking

    def titled(self, title: str) -> list[Page]:
        """Return the pages of that title, but for case and blanks, in path order."""
        return self._by_title.get(plain_title(title), [])

    def at(self, name: str) -> Page | None:
        """Return the page at a relative path without extension, but for case."""
        return self._by_name.get(plain_title(name))

    def search(
        self, query: str, weights: Mapping[str, float], most: int, among: Callable[[Page], bool] | None = None
    ) -> tuple[list[Page], int]:
        """Return the best pages for a query and how many matched in all; see `Ranking.search`."""
        positions: Sequence[int] | None = None
        if among is not None:
            positions = [at for at, page in enumerate(self.pages) if among(page)]
        hits, total = self.ranking.search(query, weights, most, positions)
        return [self.pages[hit.position] for hit in hits], total

    def near_titles(self, name: str) -> list[str]:
        """Return up to three titles that are spelt like a name."""
        close = difflib.get_close_matches(plain_title(name)[:100], self._by_title, _NEAR)
        return [self._by_title[title][0].title for title in close]

    def _kept_at(self) -> Path | None:
        if self._kept is None or sum(len(page.text) for page in self.pages) < WORTH_KEEPING:
            return None
        return self._kept.place("ranking", index_name(list(self._fields), self.revision))


def content_hash(files: Iterable[tuple[str, str]]) -> str:
    """Return the first 16 hex digits of the SHA-256 over paths and texts, in the order given."""
    digest = hashlib.sha256()
    for path, text in files:
        for part in (path, text):
            content = part.encode("utf-8", "surrogatepass")
            digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()[:16]


def front_matter(text: str) -> tuple[dict[str, str], str]:
    """Split a text into its front matter (keys in lower case, quotes dropped) and the rest.

    The front matter stands between two ``---`` lines at the very top, one ``key: value`` a line.
    """
    if not text.startswith("---\n"):
        return {}, text
    head, closed, body = text[4:].partition("\n---\n")
    if not closed:
        head, closed, body = text[4:].rstrip("\n").partition("\n---")
        if not closed or body:
            return {}, text
    pairs = (line.partition(":") for line in head.split("\n") if ":" in line)
    return {key.strip().lower(): _unquoted(value.strip()) for key, _, value in pairs}, body.lstrip("\n")


def plain_title(title: str) -> str:
    """Return a title without what does not tell titles apart: case, underscores, runs of blanks."""
    return " ".join(title.replace("_", " ").split()).casefold()


def _read(root: Path, reading: Reading, warnings: list[str]) -> list[Page]:
    pages: list[Page] = []
    mended: list[str] = []
    too_large: list[str] = []
    unreadable: list[str] = []
    for path in files_below(root, reading.wants):
        try:
            content = (root / path).read_bytes()
        except (OSError, RuntimeError):
            unreadable.append(path)
            continue
        if reading.largest_bytes is not None and len(content) > reading.largest_bytes:
            too_large.append(path)
            continue
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("utf-8-sig", "replace")
            mended.append(path)
        pages.append(_page(path, text.replace("\r\n", "\n").replace("\r", "\n"), reading.front_matter))
    losses = {
        "are not UTF-8 and were read with replacements": mended,
        f"are over {reading.largest_bytes} bytes and left out": too_large,
        "cannot be read and were left out": unreadable,
    }
    warnings += [f"{len(paths)} pages {what}, first {paths[0]}" for what, paths in losses.items() if paths]
    return pages


def _page(path: str, text: str, with_front_matter: bool) -> Page:
    attributes, body = front_matter(text) if with_front_matter else ({}, text)
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return Page(path, attributes.get("title") or stem, body, attributes)


def _whole(page: Page) -> str:
    return "".join(f"{key}: {value}\n" for key, value in page.attributes.items()) + page.text


def _unquoted(value: str) -> str:
    return value[1:-1].replace('\\"', '"') if len(value) > 1 and value[0] == value[-1] == '"' else value
