"""Whether a citation resolves: a rubric's source line (R11), a verifier's citation (R34).

A rubric's line numbers are carried along and never checked: they drift with every commit. A verifier
has read its lines just now, so code looks where they stand: lines that never run prove nothing.
"""

import re
from dataclasses import dataclass

from gnollbench.corpus.library import Library
from gnollbench.corpus.pages import Page
from gnollbench.corpus.result import echo
from gnollbench.scoring.quality import occurs
from gnollbench.scoring.verdict import Citation, CitationKind

_WIKI = re.compile(r"(?P<nethack>nethack[ _])?(?:gnollhack )?wiki\s*:\s*(?P<page>.+)", re.IGNORECASE)
_PATH = re.compile(r"[\w./\\-]+\.(?:c|h|des|txt)\b")
_LINES = re.compile(r"\b(?:lines?\b|L?\d+\b)[\s\d,–-]*", re.IGNORECASE)
_SYMBOL = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Resolved:
    """What checking a citation found.

    Attributes
    ----------
    ok : bool
        Whether everything that code can check holds.
    reason : str
        What failed, one line; empty if nothing did.
    """

    ok: bool
    reason: str = ""


def resolve_source_line(library: Library, text: str) -> Resolved:
    """Resolve an entry of a rubric's source part: ``src/exper.c newuexp`` or ``wiki: Page`` (R11)."""
    if match := _WIKI.fullmatch(text.strip()):
        return _pages_found(_pages(library, match), text)
    path, symbols = _file_and_symbols(text)
    return _in_source(library, path, symbols, text)


def resolve(library: Library, citation: Citation, snapshot: str | None = None) -> Resolved:
    """Check a verifier's citation as far as code can (R34).

    Parameters
    ----------
    library : Library
        The launch's corpora.
    citation : Citation
        ``where`` names a file with the functions cited, a wiki page, or anything for a snapshot.
    snapshot : str, optional
        The snapshot's text, where the suite has one.

    Returns
    -------
    Resolved
        Not ok if the file, a symbol, the page or the quotation is not there, if a source citation
        gives neither lines nor a quotation, or if nothing calls a cited function or the one that
        the quotation, else the lines, stand in.
    """
    match citation.kind:
        case CitationKind.SNAPSHOT:
            if snapshot is not None and occurs(citation.quote, snapshot):
                return Resolved(True)
            return Resolved(False, "the quotation does not occur in the snapshot")
        case CitationKind.WIKI:
            return _wiki_citation(library, citation)
        case CitationKind.SOURCE:
            return _source_citation(library, citation)


def _wiki_citation(library: Library, citation: Citation) -> Resolved:
    match = _WIKI.fullmatch(citation.where.strip())
    pages = _pages(library, match) if match else library.wiki.exact(citation.where)
    if not pages:
        return _pages_found(pages, citation.where)
    if citation.quote.strip() and not any(occurs(citation.quote, page.text) for page in pages):
        return Resolved(False, f"the quotation does not occur in the wiki page {pages[0].name}")
    return Resolved(True)


def _source_citation(library: Library, citation: Citation) -> Resolved:
    path, symbols = _file_and_symbols(citation.where)
    found = _in_source(library, path, symbols, citation.where)
    if not found.ok:
        return found
    if not citation.quote.strip() and not citation.lines.strip():
        return Resolved(False, f"the deciding lines of {path} are not given")
    quoted = library.source.quoted_at(path, citation.quote)
    if citation.quote.strip() and not quoted:
        return Resolved(False, f"the quotation does not occur in {path}")
    for symbol in symbols:
        is_function = bool(library.source.definitions.named(symbol, "function"))
        if is_function and not library.source.has_call_site(symbol):
            return Resolved(False, f"nothing calls the cited function {symbol}")
    lines = [int(number) for number in re.findall(r"\d{1,9}", citation.lines)]
    places = quoted or [(cited, line) for cited in library.source.cited(path) for line in lines]
    dead = [library.source.why_dead(*place) for place in places]
    return Resolved(False, dead[0]) if dead and all(dead) else Resolved(True)


def _in_source(library: Library, path: str, symbols: list[str], text: str) -> Resolved:
    if not path:
        return Resolved(False, f'"{echo(text)}" names neither a source file nor a wiki page')
    if not library.source.has_file(path):
        return Resolved(False, f"the file {path} is not among the indexed sources")
    for symbol in symbols:
        if not library.source.has_symbol(symbol, path):
            return Resolved(False, f"{symbol} does not occur in {path}")
    return Resolved(True)


def _file_and_symbols(text: str) -> tuple[str, list[str]]:
    """Return the path that a text names and the first name in each of the comma-separated parts behind it."""
    match = _PATH.search(text)
    if match is None:
        return "", []
    rest = _LINES.sub(" ", text[match.end() :])
    names = (_SYMBOL.search(part) for part in re.split(r"[,;]|\band\b", rest))
    return match[0].replace("\\", "/"), [name[0] for name in names if name]


def _pages(library: Library, match: re.Match[str]) -> list[Page]:
    name = match["page"].partition("#")[0].strip()
    return library.nethack_wiki.pages.titled(name) if match["nethack"] else library.wiki.exact(name)


def _pages_found(pages: list[Page], text: str) -> Resolved:
    return Resolved(True) if pages else Resolved(False, f'the wiki has no page "{echo(text)}"')
