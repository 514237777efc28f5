"""What the embedded models make of words: stems, figures, denials, sentences.

No language model: word lists (``words.yaml``), suffixes and regular expressions.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d{1,4}d\d{1,4}")
_ENDINGS = (("ies", "y"), ("ied", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_SHORTEST_STEM = 3  # letters; a shorter rest is another word
_FIGURE = re.compile(
    r"(?P<dice>\d{1,4}d\d{1,4})"
    r"|(?P<part>\d{1,9})(?: in |/| out of )(?P<whole>\d{1,9})"
    r"|(?P<percent>\d{1,9}(?:\.\d{1,9})?) ?(?:%|percent|per cent)"
    r"|(?P<plain>\d{1,15}(?:\.\d{1,15})?)"
)
_DIGIT = re.compile(r"\d")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_MARKER = re.compile(r"^\s*(?:(?:[-*+•>]|\d+[.)]|#{1,6})\s+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)*_]*\s+(?=[\"'“(*_\[]*[A-Z0-9])")
_MARKED = re.compile(r"[\[<*_`$\\]|\s\s|[\t\n]|^[^\w\"'“(+\-−]")
_MARKUP = (
    (re.compile(r"!\[[^\[\]]*\]\([^()]*\)|<[^<>]*>"), " "),  # pictures, tags
    (re.compile(r"\[\[([^\[\]|]*)\|[^\[\]]*\]\]"), r"\1"),  # [[text|page]]
    (re.compile(r"\[\[(?:[^\[\]]*/)?([^\[\]/]*)\]\]"), r"\1"),  # [[/folder/page]]
    (re.compile(r"\[([^\[\]]*)\]\([^()]*\)"), r"\1"),  # [text](address)
    (re.compile(r"\\text\{([^}]*)\}"), r"\1"),
    (re.compile(r"\\times"), "×"),
    (re.compile(r"\*\*|__|[`$\\]|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)"), ""),
    (re.compile(r"^[^\w\"'“(+\-−$]+"), ""),  # an emoji in front
    (re.compile(r"\s+"), " "),
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence as the embedded models read it.

    Attributes
    ----------
    quote : str
        As it stands in the text that it was taken from.
    plain : str
        The same without Markdown.
    words : frozenset of str
        Stems of its telling words; words that mean one thing in the game share a stem.
    figures : frozenset of str
        Its figures: ``50``, ``8d6``, ``25%`` (``1 in 4`` is ``25%``).
    counted : frozenset of str
        Figures with the number words among them: ``two`` is ``2``.
    denied, tentative : bool
        Whether it denies what it says, and whether it says so tentatively.
    """

    quote: str
    plain: str
    words: frozenset[str]
    figures: frozenset[str]
    counted: frozenset[str]
    denied: bool
    tentative: bool


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The word lists of ``words.yaml``, stems where words are compared by stem."""

    function: frozenset[str]
    denying: frozenset[str]
    tentative: frozenset[str]
    abstaining: tuple[str, ...]
    common: frozenset[str]
    counting: frozenset[str]
    numerals: Mapping[str, str]
    alike: Mapping[str, str]


@cache
def lexicon() -> Lexicon:
    """Read the word lists, once."""
    text = Path(__file__).with_name("words.yaml").read_text("utf-8")
    lists: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return Lexicon(
        function=frozenset(lists["function"].split()),
        denying=frozenset(lists["denying"].split()),
        tentative=frozenset(lists["tentative"].split()),
        abstaining=tuple(lists["abstaining"]),
        common=frozenset(lists["common"].split()),
        counting=frozenset(lists["counting"].split()),
        numerals={word: str(number) for word, number in lists["numerals"].items()},
        alike={stem(word): stem(group[0]) for group in lists["alike"] for word in group},
    )


@lru_cache(maxsize=20_000)  # more than the words of any question's pages
def stem(word: str) -> str:
    """Cut a lower-case word's ending: ``identifies`` and ``identified`` are ``identify``."""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word[: -len(ending)] + instead
            if ending in ("ing", "ed") and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST_STEM else word


def tokens(text: str) -> list[str]:
    """Return the lower-case words of a plain text; a possessive is its noun."""
    found = _TOKEN.findall(text.lower().replace("’", "'"))
    return [word.removesuffix("'s") for word in found] if "'" in text or "’" in text else found


@lru_cache(maxsize=20_000)
def meaning(word: str) -> str | None:
    """Return the stem that a word's meaning goes by, or None where the word tells nothing."""
    lists = lexicon()
    if word in lists.function or word in lists.denying or word in lists.numerals:
        return None
    if "'" in word or word[0].isdigit():  # I'm, don't; dice
        return None
    root = stem(word)
    return lists.alike.get(root, root)


def telling(text: str) -> frozenset[str]:
    """Return the stems of a plain text's telling words."""
    return _stems(tokens(text))


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(root for word in words if (root := meaning(word)))


def figures(text: str) -> frozenset[str]:
    """Return the figures of a plain text, in one notation."""
    if not _DIGIT.search(text):
        return frozenset()
    return frozenset(_figure(match) for match in _FIGURE.finditer(_THOUSANDS.sub("", text.lower())))


def _figure(match: re.Match[str]) -> str:
    if match["whole"]:
        part, whole = int(match["part"]), int(match["whole"])
        return f"{100 * part / whole:g}%" if 0 < part < whole else match["part"]
    if match["percent"]:
        return f"{float(match['percent']):g}%"
    return match["dice"] or f"{float(match['plain']):.12g}"


def notation(figure: str) -> str:
    """Return how a figure is written: ``dice``, ``percent`` or ``plain``."""
    return "dice" if "d" in figure else "percent" if figure.endswith("%") else "plain"


def plain(markdown: str) -> str:
    """Return a line of Markdown as prose: emphasis, links, tags and formula marks taken off."""
    if _MARKED.search(markdown):
        for pattern, instead in _MARKUP:
            markdown = pattern.sub(instead, markdown)
    return markdown.strip()


@lru_cache(maxsize=4096)  # the sentences of a question's pages and answer
def statement(quote: str, prose: str | None = None) -> Statement:
    """Read one sentence; ``prose`` is its plain text where that is not simply ``plain(quote)``."""
    lists = lexicon()
    text = plain(quote) if prose is None else prose
    words = tokens(text)
    digits = figures(text)
    return Statement(
        quote=quote,
        plain=text,
        words=_stems(words),
        figures=digits,
        counted=digits | {lists.numerals[word] for word in words if word in lists.numerals},
        denied=not lists.denying.isdisjoint(words) or "n't" in text.replace("’", "'"),
        tentative=not lists.tentative.isdisjoint(words),
    )


def sentences(text: str) -> list[str]:
    """Split Markdown into sentences, each a stretch of the text; a line break ends one."""
    found: list[str] = []
    for line in text.split("\n"):
        parts = _SENTENCE_END.split(_MARKER.sub("", line))
        found += [part.strip() for part in parts if part and part.strip()]
    return found


def abstains(text: str) -> bool:
    """Tell whether a sentence says that something was not found or could not be verified."""
    lower = text.lower().replace("’", "'")
    return any(phrase in lower for phrase in lexicon().abstaining)
