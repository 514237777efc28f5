"""Answer against rubric, point by point, by one of several rules of likeness."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import fsum, sqrt

from gnollbench.llm.offline.material import Line, Material
from gnollbench.llm.offline.words import Statement, abstains, notation
from gnollbench.scoring.verdict import Basis

_CARRIED = 0.5  # worth of a word that the question or the sentence before gives, against one said
_TELLING = 0.5  # share of the words that set a critical error off from the rubric's truth
_SAID = 0.5  # share of a statement's words that a sentence must say itself where it gives none of its figures
_TOUCHED = 0.25  # the same, for a point that it only touches
_DENIAL = 0.9  # share of a point's words that a sentence says itself, so that its "not" is about the point

Likeness = Callable[[Statement, Statement, frozenset[str], Mapping[str, float]], float]
"""How like a point a sentence is (0-1): point, sentence, words carried over, weights of the words."""


class Standing(StrEnum):
    """How a required point stands in the answer."""

    HELD = "held"
    PARTLY = "partly"
    ABSENT = "absent"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Rule:
    """One lexical grader's rule.

    Attributes
    ----------
    served : str
        The name that it answers under.
    likeness : callable
        How it compares a point with a sentence.
    held, partly, wrong, critical : float
        Likeness from which a sentence holds a point, touches it, contradicts it by another figure or a
        denial, or asserts a critical error.
    figures : float
        Share of a point's figures that a sentence must give to hold it.
    padding : float
        Share of padding (0-1) that costs nothing.
    charges_vagueness : bool
        Whether a point that is held without its figures costs Accuracy too. The form forbids it: the
        consistency flags are there to catch such a grader.
    """

    served: str
    likeness: Likeness
    held: float
    partly: float
    wrong: float
    critical: float
    figures: float
    padding: float
    charges_vagueness: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """A required point, how it stands, and the sentence that is nearest to it."""

    point: Statement
    standing: Standing
    line: Line | None
    foreign: frozenset[str]  # figures of the sentence that neither rubric nor question has
    vague: bool  # the words of the point are there, its figures are not


@dataclass(frozen=True, slots=True)
class Asserted:
    """A sentence that asserts a critical error, and the required point that is nearest to the error."""

    line: Line
    error: Statement
    truth: Statement | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What comparing an answer with its rubric found.

    Attributes
    ----------
    judged : tuple of Judged
        The required points, in order.
    wrong : tuple of (Judged, Line, Basis)
        What the answer contradicts, required points before board facts.
    critical : Asserted or None
        The critical error that it asserts.
    matched : frozenset of str
        Quotes of the sentences that belong to a point.
    """

    judged: tuple[Judged, ...]
    wrong: tuple[tuple[Judged, Line, Basis], ...]
    critical: Asserted | None
    matched: frozenset[str]


def compare(material: Material, rule: Rule) -> Comparison:
    """Compare every required point and every critical error with the answer's sentences."""
    stating = tuple(line for line in material.lines if not abstains(line.whole.plain))
    comparing = _Comparing(material, rule, _weights(material.required), stating)
    judged = tuple(comparing.judged(point) for point in material.required)
    on_board = [comparing.judged(fact) for fact in material.board]
    wrong = tuple(
        (item, item.line, basis)
        for basis, items in ((Basis.RUBRIC, judged), (Basis.BOARD, on_board))
        for item in items
        if item.line and item.standing is Standing.WRONG
    )
    critical = comparing.asserted()
    matched = {item.line.whole.quote for item in judged if item.line and item.standing is not Standing.ABSENT}
    if critical is not None:
        matched.add(critical.line.whole.quote)
    return Comparison(judged, wrong, critical, frozenset(matched))


def recall(point: Statement, said: Statement, carried: frozenset[str], weights: Mapping[str, float]) -> float:
    """Return the weighted share of a point's words that a sentence says; carried words count half."""
    total = fsum(weights.get(word, 1.0) for word in point.words)
    met = fsum(
        weights.get(word, 1.0) * (1.0 if word in said.words else _CARRIED)
        for word in point.words & (said.words | carried)
    )
    return met / total if total else 0.0


def figures_given(point: Statement, said: Statement) -> float:
    """Return the share of a point's figures that a sentence gives; 1 where it has none."""
    return len(point.figures & said.counted) / len(point.figures) if point.figures else 1.0


def _weights(points: Iterable[Statement]) -> dict[str, float]:
    """Weigh words by how few points hold them: one over the root of their number."""
    holding: dict[str, int] = {}
    for point in points:
        for word in point.words:
            holding[word] = holding.get(word, 0) + 1
    return {word: 1 / sqrt(count) for word, count in holding.items()}


@dataclass(frozen=True, slots=True)
class _Comparing:
    """One answer under one rule."""

    material: Material
    rule: Rule
    weights: Mapping[str, float]
    lines: tuple[Line, ...]  # those that say something, and not that nothing was found

    def judged(self, point: Statement) -> Judged:
        """Say how a required point stands in the sentence that is nearest to it."""
        if not self.lines:
            return Judged(point, Standing.ABSENT, None, frozenset(), False)
        likeness, share, place = max(
            (self._likeness(point, line), figures_given(point, line.beside(point)), -place)
            for place, line in enumerate(self.lines)
        )
        line = self.lines[-place]
        foreign = self._foreign(point, line)
        standing = self._standing(point, line, likeness)
        if self._contradicts(point, line, likeness, foreign):
            standing = Standing.WRONG
        vague = likeness >= self.rule.held and share < self.rule.figures and not foreign
        return Judged(point, standing, line, foreign, vague)

    def asserted(self) -> Asserted | None:
        """Return the first sentence that asserts one of the rubric's critical errors."""
        required = self.material.required
        for error in self.material.critical:
            truth = max(required, key=lambda point: len(point.words & error.words), default=None)
            for line in self.lines:
                if self._asserts(line, error, truth):
                    return Asserted(line, error, truth)
        return None

    def _likeness(self, point: Statement, line: Line) -> float:
        """Return how like a point a sentence is; 0 where it says nothing of it itself."""
        said = line.beside(point)
        if not (said.words & point.words or said.counted & point.figures):
            return 0.0
        return self.rule.likeness(point, said, line.carried, self.weights)

    def _standing(self, point: Statement, line: Line, likeness: float) -> Standing:
        said = line.beside(point)
        own = len(point.words & said.words) / (len(point.words) or 1)
        counted = bool(point.figures & said.counted)
        new = point.words - self.material.question.words
        if not counted and (own < _TOUCHED or (new and not new & said.words)):
            return Standing.ABSENT  # it only says again what was asked
        given = figures_given(point, said) >= self.rule.figures
        agrees = said.denied == point.denied or bool(point.figures)
        if given and agrees and likeness >= self.rule.held and (counted or own >= _SAID):
            return Standing.HELD
        return Standing.PARTLY if likeness >= self.rule.partly else Standing.ABSENT

    def _contradicts(self, point: Statement, line: Line, likeness: float, foreign: frozenset[str]) -> bool:
        if likeness < self.rule.wrong or self._true(line, point):
            return False
        said = line.beside(point)
        own = len(said.words & point.words) / (len(point.words) or 1)
        opposed = said.denied != point.denied and own >= _DENIAL and not point.figures
        given = any(point.figures & other.home.counted for other in self.lines)
        return opposed or (bool(foreign) and not given)

    def _asserts(self, line: Line, error: Statement, truth: Statement | None) -> bool:
        said = line.home
        if said.tentative or said.denied != error.denied or not error.figures <= said.counted:
            return False
        telling = error.words - (truth.words if truth else frozenset())
        if len(telling & said.words) < _TELLING * len(telling):
            return False
        if not error.figures and len(error.words & said.words) < _SAID * len(error.words):
            return False
        if truth and (truth.figures - error.figures) & said.counted:
            return False
        return self._likeness(error, line) >= self.rule.critical and not self._true(line, error)

    def _true(self, line: Line, charged: Statement) -> bool:
        """Tell whether a sentence fits a required point as well as its charge, or was found to be true."""
        if " ".join(line.whole.quote.split()) in self.material.supported:
            return True
        fit = self._fit(charged, line)
        return any(
            self._fit(point, line) >= fit
            for point in self.material.required
            if point.denied == (said := line.beside(point)).denied and point.figures <= said.counted
        )

    def _fit(self, point: Statement, line: Line) -> float:
        """Return the likeness times the share of the sentence's own words that the point has."""
        said = line.beside(point)
        return self._likeness(point, line) * len(said.words & point.words) / (len(said.words) or 1)

    def _foreign(self, point: Statement, line: Line) -> frozenset[str]:
        """Return the sentence's figures in the point's notation that neither rubric nor question has."""
        known = (self.material.question, *self.material.required, *self.material.board)
        figures = line.beside(point).figures - frozenset[str]().union(*(part.figures for part in known))
        kinds = {notation(figure) for figure in point.figures}
        return frozenset(figure for figure in figures if notation(figure) in kinds)
