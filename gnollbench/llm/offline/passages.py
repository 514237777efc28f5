"""What a tool result of the wikis, the knowledge base or the source holds, sentence by sentence."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from gnollbench.llm.offline.words import Statement, plain, sentences, statement, telling

_PAGE = re.compile(r"--- (\S.*?)(?<! Stats) ---")
_HEADING = re.compile(r"(?:#{1,6}\s+|--- (?=.* Stats ---))(\S.*)")
_ENTRY = re.compile(r"(?:[-*+•]|\d+[.)])\s+(.*)")
_NOTE = re.compile(r"\[(?!\[).*\]")
_RULE_ROW = re.compile(r"[\s|:-]+")
_CODE_LINE = re.compile(r"(?:>>>|    )? ?\d+: ?(.*)")
_SOURCE = re.compile(r"\.[ch]\b")
_COMMENT = re.compile(r"/\*+(.*?)\*+/|//(.*)")
_EXTENSION = re.compile(r"\.(?:md|txt|html)$")
_ENTRY_WORDS = 8  # a list of longer entries is no sentence with its introduction
_ENTRIES = 8  # of such a list; more are left out


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence, list or table row of a page.

    Attributes
    ----------
    page : str
        The page's path without extension; empty where the result names none.
    statement : Statement
        The sentence; its quote is the page's own text.
    context : frozenset of str
        Stems of the page's title and of the heading above.
    terms : frozenset of str
        Stems and figures of the sentence.
    known : frozenset of str
        Terms and context together.
    """

    page: str
    statement: Statement
    context: frozenset[str]
    terms: frozenset[str]
    known: frozenset[str]

    @property
    def title(self) -> str:
        """The last part of the page's path."""
        return _title(self.page)


@lru_cache(maxsize=256)  # a model reads its history again at every call
def passages(result: str, page: str = "") -> tuple[Passage, ...]:
    """Read a tool result. Lines in square brackets are the tool's own notes and left out.

    ``page`` is what the text belongs to before the first line that names a page.
    """
    return tuple(_Reading(page).all_of(result))


def pages(result: str) -> list[str]:
    """Return the paths of a result's pages without extension, as the result orders them."""
    return [name for line in result.split("\n") if (name := _page(line))]


def _page(line: str) -> str:
    match = _PAGE.fullmatch(line.strip()) if line.startswith("---") else None
    return _EXTENSION.sub("", match[1]) if match else ""


def _title(page: str) -> str:
    return page.rpartition("/")[2]


@dataclass(slots=True)
class _Reading:
    """Where the reading of a result stands."""

    page: str
    heading: str = ""
    header: str = ""  # the header row of the table that is being read
    intro: list[str] = field(default_factory=list[str])  # a line that ends in a colon, and its entries

    def all_of(self, result: str) -> Iterator[Passage]:
        source = False
        for line in result.split("\n"):
            if name := _page(line):
                yield from self._list()
                self.page, self.heading, self.header = name, "", ""
                source = _SOURCE.search(name) is not None
            elif source:
                yield from self._comments(line)
            elif not (line.startswith("[") and _NOTE.fullmatch(line)):
                yield from self._line(line)
        yield from self._list()

    def _line(self, line: str) -> Iterator[Passage]:
        text = line.strip()
        if not text:
            return
        entry = _ENTRY.fullmatch(text)
        if self.intro and entry:
            self.intro.append(entry[1])
        else:
            yield from self._list()
        if text.startswith("|"):
            if self.header and not _RULE_ROW.fullmatch(text):
                yield self._passage(text, _row(self.header, text))
            self.header = self.header or text
            return
        self.header = ""
        if match := _HEADING.fullmatch(text):
            self.heading = match[1]
            return
        for sentence in sentences(text):
            if sentence.rstrip("*_ ").endswith(":") and not entry:
                self.intro = [sentence]
            else:
                yield self._passage(sentence)

    def _list(self) -> Iterator[Passage]:
        """Read an introduction and its list as one sentence."""
        first, *entries = self.intro or [""]
        names = [plain(entry).partition(" — ")[0].rstrip(" .") for entry in entries[:_ENTRIES]]
        if names and all(len(name.split()) <= _ENTRY_WORDS for name in names):
            yield self._passage(first, f"{plain(first)} {'; '.join(names)}")
        self.intro = []

    def _comments(self, line: str) -> Iterator[Passage]:
        match = _CODE_LINE.fullmatch(line)
        for comment in _COMMENT.finditer(match[1] if match else line):
            for sentence in sentences((comment[1] or comment[2] or "").strip()):
                yield self._passage(sentence)

    def _passage(self, quote: str, prose: str | None = None) -> Passage:
        said, context = statement(quote, prose), _context(_title(self.page), self.heading)
        terms = said.words | said.figures
        return Passage(self.page, said, context, terms, terms | context)


@lru_cache(maxsize=1024)
def _context(title: str, heading: str) -> frozenset[str]:
    return telling(f"{title} {heading}")


def _row(header: str, line: str) -> str:
    """Return a table row as prose: ``Experience Level 30, Experience Points 204000``."""
    cells = zip(_cells(header), _cells(line), strict=False)
    return ", ".join(f"{name} {cell}".strip() for name, cell in cells if cell)


def _cells(line: str) -> list[str]:
    return [plain(cell.strip()) for cell in line.strip().strip("|").split("|")]
