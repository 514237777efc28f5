"""The corpora of a launch: where they lie, their revisions and sizes, and what a citation finds in them."""

import json
from datetime import UTC, datetime
from pathlib import Path

from gnollbench.corpus import knowledge, nethackwiki, wiki
from gnollbench.corpus.gamedata import GameData
from gnollbench.corpus.kept import Kept
from gnollbench.corpus.knowledge import Knowledge
from gnollbench.corpus.nethackwiki import NetHackWiki
from gnollbench.corpus.pages import Pages
from gnollbench.corpus.places import Wanted, clean_commit, default_cache, files_below, locate
from gnollbench.corpus.source import Source
from gnollbench.corpus.sourcetext import is_indexed
from gnollbench.corpus.wiki import Wiki
from gnollbench.errors import Refusal
from gnollbench.records.canonical import fingerprint
from gnollbench.records.launch import CorpusConfig


def _is_source(path: str) -> bool:
    return is_indexed(path, size=0)


_WANTED: dict[str, Wanted] = {
    "wiki": wiki.READING.wants,
    "nethack_wiki": nethackwiki.READING.wants,
    "knowledge": knowledge.READING.wants,
    "source": _is_source,
    "nethack_source": _is_source,
}


class Library:
    """The corpora that the tools read, opened for one launch.

    Once it is open, pages are read and revisions known. Indices are built when a tool first needs
    them, or all at once by `warm`.

    Parameters
    ----------
    corpus : CorpusConfig
        Where the corpora lie; paths are relative to the working directory.

    Attributes
    ----------
    wiki, nethack_wiki, knowledge
        The pages.
    game_data
        The game's tables of monsters, items and artifacts.
    revisions : dict
        Corpus (``wiki``, ``source``, ``nethack_wiki``, ``knowledge``, and ``nethack_source`` and
        ``flags`` where the launch names them) -> HEAD of a clean checkout, the commit asked for, or
        a hash of the contents.
    warnings : list of str
        What was left out or read with loss.

    Raises
    ------
    Refusal
        If a corpus is missing, not fetched yet or holds nothing that can be read, or the flag descriptions
        cannot be read.
    """

    def __init__(self, corpus: CorpusConfig) -> None:
        cache = Path(corpus.cache).expanduser() if corpus.cache else default_cache()
        locations = {name: getattr(corpus, name) for name in _WANTED}
        self._places = {
            name: locate(name, location, cache, _WANTED[name])
            for name, location in locations.items()
            if location is not None
        }
        self._flags = _flag_descriptions(corpus.flags)
        self._kept = {name: Kept(cache / "indexes", name) for name in self._places}
        self.wiki = Wiki(self._places["wiki"].root, corpus.ranking, self._kept["wiki"])
        self.nethack_wiki = NetHackWiki(
            self._places["nethack_wiki"].root, corpus.ranking, self._kept["nethack_wiki"]
        )
        self.knowledge = Knowledge(self._places["knowledge"].root)
        self._sources = {
            name: Source.open(self._places[name].root, self._kept[name])
            for name in ("source", "nethack_source")
            if name in self._places
        }
        self.game_data = GameData.open(self.source, self._flags)
        self.revisions = {name: self._revision(name) for name in self._places}
        if self._flags:
            self.revisions["flags"] = fingerprint(self._flags)
        self.warnings = [
            f"{name}: {warning}" for name, pages in self._pages().items() for warning in pages.warnings
        ]

    @classmethod
    def open(cls, corpus: CorpusConfig) -> "Library":
        """Open the corpora of a launch."""
        return cls(corpus)

    @property
    def has_nethack_source(self) -> bool:
        """Whether the launch names a NetHack source."""
        return "nethack_source" in self._places

    @property
    def source(self) -> Source:
        """The game's source."""
        return self._sources["source"]

    @property
    def nethack_source(self) -> Source:
        """NetHack's source; only where the launch names one."""
        return self._sources["nethack_source"]

    @property
    def counts(self) -> dict[str, int]:
        """Sizes for the run manifest: pages, articles, files, lines, constants, table entries. Reads all."""
        pages = {name: len(pages.pages) for name, pages in self._pages().items()}
        sources = {
            f"{name}_{what}": count
            for name, source in self._sources.items()
            for what, count in source.counts.items()
        }
        return pages | sources | self.game_data.counts

    def warm(self) -> dict[str, int]:
        """Build every index now, so that no tool call waits for one; return the counts."""
        for pages in (self.wiki.pages, self.nethack_wiki.pages):
            _ = pages.ranking
        return self.counts

    def index_times(self) -> dict[str, datetime]:
        """Return when each kept index that was asked for was made, in UTC; small ones are not kept."""
        used = [
            (f"{corpus}-{name}", place)
            for corpus, kept in self._kept.items()
            for name, place in kept.used.items()
        ]
        return {
            name: datetime.fromtimestamp(place.stat().st_mtime, UTC) for name, place in used if place.exists()
        }

    def _pages(self) -> dict[str, Pages]:
        return {
            "wiki": self.wiki.pages,
            "nethack_wiki": self.nethack_wiki.pages,
            "knowledge": self.knowledge.pages,
        }

    def _revision(self, name: str) -> str:
        place, pages = self._places[name], self._pages().get(name)
        files = list(files_below(place.root, _WANTED[name]))
        if not files or (pages is not None and not pages.pages):
            lost = "; ".join(pages.warnings) if pages is not None else ""
            raise Refusal(
                f"the {name} corpus is empty",
                lost or f"no file of {place.root} is one that the tools read",
                f"set corpus.{name} to a folder that holds them",
            )
        known = place.commit or clean_commit(place.root, files)
        return known or (pages.revision if pages else self._sources[name].text.revision)


def _flag_descriptions(location: str | None) -> dict[str, str]:
    """Read constant -> phrase from a flat JSON object; empty where the launch names no file."""
    if location is None:
        return {}
    try:
        content = json.loads(Path(location).expanduser().read_text("utf-8-sig"))
        return {str(constant): str(phrase) for constant, phrase in content.items()}
    except (OSError, ValueError, AttributeError) as error:
        raise Refusal(
            f"the flag descriptions {location} cannot be read",
            str(error) or type(error).__name__,
            "set corpus.flags to a JSON object of constants and phrases, or to null",
        ) from error
