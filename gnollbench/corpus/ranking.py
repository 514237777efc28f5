"""BM25 over the fields of a set of pages, with the weights that production ranks by (R14).

k1 is 1.2 and b 0.75; the score of a page is the sum over query words and fields of weight × BM25.
A word is a run of letters, digits and underscores with inner dots and apostrophes; English
possessives and stop words are dropped, the rest is stemmed (Snowball English), in pages and in
queries alike. A query is never parsed: AND, NOT, brackets and quotes are words or nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.places import make_once
from gnollbench.corpus.result import echo
from gnollbench.records.canonical import fingerprint

MOST_WORDS = 1024  # as many clauses as production's engine takes in one query
_WORD = r"\d+(?:[.,]\d+)+|\w+(?:[.']\w+)*"
_POSSESSIVE = re.compile(r"['’]s\b", re.IGNORECASE)
_STOP_WORDS = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if",
    "in", "into", "is", "it", "no", "not", "of", "on", "or", "such", "that",
    "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
]  # fmt: skip
_LONGEST_WORD = 255  # characters; longer runs are no words
# One thread and one segment even for the NetHack wiki, so that equal scores keep the pages' order.
_HEAP_BYTES = 256_000_000
_ORDER = "order"
_ENGLISH = "english"


@dataclass(frozen=True, slots=True)
class Hit:
    """One page found: its position in the list that was indexed, and its score (no unit, above 0)."""

    position: int
    score: float


class Ranking:
    """An index over pages, each given as one text per field.

    Parameters
    ----------
    fields : sequence of str
        The names of the fields.
    pages : iterable of sequence of str
        For every page its texts, in the order of ``fields``; not read if the index is found in ``kept_at``.
    kept_at : Path, optional
        Where the index is kept between processes; in memory if absent or not to be written to.
    """

    def __init__(
        self, fields: Sequence[str], pages: Iterable[Sequence[str]], kept_at: Path | None = None
    ) -> None:
        self._schema, self._analyser = _schema(fields), _analyser()
        index = self._kept(fields, pages, kept_at) if kept_at else self._built(fields, pages)
        self._searcher = index.searcher()

    def words(self, text: str) -> list[str]:
        """Return the words of a text as they are indexed: lower-case, stemmed, without stop words."""
        return self._analyser.analyze(_plain(text))

    def search(
        self, query: str, weights: Mapping[str, float], most: int, among: Sequence[int] | None = None
    ) -> tuple[list[Hit], int]:
        """Find the pages that hold any word of the query, the best first, equal scores in page order.

        Parameters
        ----------
        query : str
            Any text; its words are joined by OR.
        weights : mapping
            Field -> weight of its score.
        most : int
            How many hits to return.
        among : sequence of int, optional
            Positions to search among; all pages if absent.

        Returns
        -------
        tuple
            The hits, and the number of pages that matched in all.

        Raises
        ------
        ToolFailure
            If the query has more than ``MOST_WORDS`` words.
        """
        import tantivy

        words = self.words(query)
        if len(words) > MOST_WORDS:
            raise ToolFailure(
                f'The query "{echo(query)}" has {len(words)} words; at most {MOST_WORDS} can be searched for.'
            )
        if not words or (among is not None and not among):
            return [], 0
        clauses = [
            (tantivy.Occur.Should, tantivy.Query.boost_query(self._term(field, word), weight))
            for word in words
            for field, weight in weights.items()
        ]
        wanted = tantivy.Query.boolean_query(clauses)
        if among is not None:
            positions = tantivy.Query.term_set_query(self._schema, _ORDER, list(among))
            silent = tantivy.Query.const_score_query(positions, 0.0)
            wanted = tantivy.Query.boolean_query([(tantivy.Occur.Must, wanted), (tantivy.Occur.Must, silent)])
        found: Any = self._searcher.search(wanted, most, count=True)
        hits = [Hit(self._position(address), float(score)) for score, address in found.hits]
        return sorted(hits, key=lambda hit: (-hit.score, hit.position)), int(found.count)

    def _kept(self, fields: Sequence[str], pages: Iterable[Sequence[str]], folder: Path) -> Any:
        """Open the index in a folder, where it is built if it is not there."""
        import tantivy

        try:
            make_once(folder, lambda draft: self._built(fields, pages, str(draft)))
            index = tantivy.Index.open(str(folder))
        except (OSError, ValueError):  # not writable, or not an index
            return self._built(fields, pages)
        index.register_tokenizer(_ENGLISH, self._analyser)
        return index

    def _built(self, fields: Sequence[str], pages: Iterable[Sequence[str]], folder: str | None = None) -> Any:
        import tantivy

        index = tantivy.Index(self._schema, path=folder)
        index.register_tokenizer(_ENGLISH, self._analyser)
        writer = index.writer(heap_size=_HEAP_BYTES, num_threads=1)
        for position, texts in enumerate(pages):
            document = tantivy.Document()
            document.add_unsigned(_ORDER, position)
            for field, text in zip(fields, texts, strict=True):
                document.add_text(field, _plain(text))
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return index

    def _term(self, field: str, word: str) -> Any:
        import tantivy

        return tantivy.Query.term_query(self._schema, field, word)

    def _position(self, address: Any) -> int:
        return int(self._searcher.doc(address)[_ORDER][0])


def index_name(fields: Sequence[str], revision: str) -> str:
    """Return a name that differs for whatever would make another index: pages, fields, words, engine."""
    return fingerprint([revision, list(fields), _WORD, _STOP_WORDS, version("tantivy")])


def _schema(fields: Sequence[str]) -> Any:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field(_ORDER, stored=True, indexed=True)
    for field in fields:
        builder.add_text_field(field, tokenizer_name=_ENGLISH)
    return builder.build()


def _analyser() -> Any:
    import tantivy

    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.regex(_WORD))
    for step in (
        tantivy.Filter.remove_long(_LONGEST_WORD),
        tantivy.Filter.lowercase(),
        tantivy.Filter.custom_stopword(_STOP_WORDS),
        tantivy.Filter.stemmer("english"),
    ):
        builder = builder.filter(step)
    return builder.build()


def _plain(text: str) -> str:
    return _POSSESSIVE.sub("", text).replace("’", "'")
