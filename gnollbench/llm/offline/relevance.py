"""Which passages meet a question: words weighed by how rare they are in what was found.

Sums over sets are exact (``fsum``), so that no order of a set decides between two passages.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log

from gnollbench.llm.offline.passages import Passage
from gnollbench.llm.offline.words import figures, lexicon, meaning, tokens

_BESIDE = 0.6  # worth of a word in the title or a heading, against one in the sentence
_COMMON = 0.4  # worth of a common word, against a rare one
_COVERED = 0.25  # worth of a word that a sentence picked before has met
_FIGURE = 1.4  # a sentence with a figure, where the question asks for one
_WORTHWHILE = 0.3  # of the best sentence's score; what scores less is left out
_LONG = 40  # words; a sentence of this length counts half
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]+")
_OF = re.compile(r"\b(\w+) of (\w+)(?: (monster|resistance))?")
_FRAME = ("gnollhack", "nethack", "game", "character")  # every question is about these


@dataclass(frozen=True, slots=True)
class Question:
    """A player's question.

    Attributes
    ----------
    words : tuple of str
        Its rarer words: names, then what stands around an "of", then the longer ones.
    worth : dict
        Stem of each telling word, and each figure -> what it is worth (0-1) before anything was found.
    counts : bool
        Whether it asks for a figure.
    """

    words: tuple[str, ...]
    worth: Mapping[str, float]
    counts: bool


def read_question(text: str) -> Question:
    """Read a question; the rarity of its words is guessed from a list of common ones."""
    lists = lexicon()
    said = tokens(text)
    stems = {word: root for word in said if word not in _FRAME and (root := meaning(word))}
    names = {name.lower() for name in _NAME.findall(text)}
    around = {word for phrase in _OF.findall(text.lower()) for word in phrase}
    rare = [word for word in stems if word not in lists.common]
    worth = dict.fromkeys((*figures(text), *stems.values()), _COMMON) | {stems[word]: 1.0 for word in rare}
    ordered = sorted(rare, key=lambda word: (word not in names, word not in around, -len(word)))
    return Question(tuple(ordered), worth, not lists.counting.isdisjoint(said))


def weigh(question: Question, found: Sequence[Passage]) -> dict[str, float]:
    """Return the weight of each of the question's stems: the rarer in what was found, the more."""
    holding = dict.fromkeys(question.worth, 0)
    for passage in found:
        for word in question.worth.keys() & passage.known:
            holding[word] += 1
    return {word: worth * log(2 + len(found) / (1 + holding[word])) for word, worth in question.worth.items()}


def met(weights: Mapping[str, float], found: Iterable[Passage]) -> float:
    """Return the share (0-1) of the weights that the best passage meets, its title and headings included."""
    total = fsum(weights.values())
    shares = (fsum(weights[word] for word in weights.keys() & passage.known) for passage in found)
    return max(shares, default=0.0) / total if total else 0.0


def score(
    question: Question,
    weights: Mapping[str, float],
    passage: Passage,
    covered: frozenset[str] = frozenset(),
) -> float:
    """Return how well a passage meets the question; words that are covered already count little."""
    said = passage.statement
    total = fsum(
        weights[word] * (1.0 if word in passage.terms else _BESIDE) * (_COVERED if word in covered else 1.0)
        for word in weights.keys() & passage.known
    )
    if question.counts and said.figures:
        total *= _FIGURE
    return total / (1 + len(said.plain.split()) / _LONG)


def pick(
    question: Question, weights: Mapping[str, float], found: Iterable[Passage], most: int
) -> list[Passage]:
    """Pick at most ``most`` passages one after another, each for what those before it left uncovered."""
    picked: list[Passage] = []
    covered: frozenset[str] = frozenset()
    best = 0.0
    left = [
        passage
        for passage in found
        if weights.keys() & passage.terms and not passage.terms <= passage.context
    ]
    while left and len(picked) < most:
        points, place = max(
            (score(question, weights, passage, covered), -place) for place, passage in enumerate(left)
        )
        best = best or points
        if points < _WORTHWHILE * best:
            break
        picked.append(left.pop(-place))
        covered |= picked[-1].terms
    return picked
