"""Three embedded graders: by words, by trigrams, by figures. No language model, no judges.

They fill in the grading form from a comparison of words, so that every part of a run can be exercised;
their scores say nothing about a language model. They differ in their rules, so that they mostly agree
and now and then do not.
"""

from collections.abc import Mapping
from functools import lru_cache

from gnollbench.llm.messages import Reply, Request
from gnollbench.llm.offline.comparison import Rule, figures_given, recall
from gnollbench.llm.offline.conversation import answering, task
from gnollbench.llm.offline.lexical import verdict
from gnollbench.llm.offline.material import read_material
from gnollbench.llm.offline.synthesis import assessment
from gnollbench.llm.offline.words import Statement, lexicon, tokens

NO_FORM = "This embedded model fills in the grading form and the closing assessment, and nothing else."
_CARRIED = 0.5  # worth of a trigram that only the question or the sentence before gives


def terms(request: Request) -> Reply:
    """Grade by the share of a point's words that one sentence says; all its figures must be there."""
    return _graded(request, _TERMS)


def trigrams(request: Request) -> Reply:
    """Grade by the share of a point's letter trigrams; half its figures will do, vagueness costs."""
    return _graded(request, _TRIGRAMS)


def numbers(request: Request) -> Reply:
    """Grade by figures first: they are half of the likeness wherever a point has any."""
    return _graded(request, _NUMBERS)


def _graded(request: Request, rule: Rule) -> Reply:
    message = task(request)
    material = read_material(message)
    text = verdict(material, rule) if material else assessment(message) or NO_FORM
    return answering(request, text, rule.served)


def _by_trigrams(
    point: Statement, said: Statement, carried: frozenset[str], weights: Mapping[str, float]
) -> float:
    wanted, given = letter_trigrams(point.plain), letter_trigrams(said.plain)
    around = letter_trigrams(" ".join(sorted(carried & point.words)))
    met = len(wanted & given) + _CARRIED * len(wanted & around - given)
    return met / len(wanted) if wanted else recall(point, said, carried, weights)


def _by_figures(
    point: Statement, said: Statement, carried: frozenset[str], weights: Mapping[str, float]
) -> float:
    words = recall(point, said, carried, weights)
    return (words + figures_given(point, said)) / 2 if point.figures else words


@lru_cache(maxsize=4096)
def letter_trigrams(text: str) -> frozenset[str]:
    """Return the letter trigrams of a text's telling words, blanks between words included."""
    function = lexicon().function
    joined = f" {' '.join(word for word in tokens(text) if word not in function)} "
    return frozenset(joined[at : at + 3] for at in range(len(joined) - 2))


# Set by hand on right, partial and wrong answers to the standard suite, so that a right one is held
# under each rule and a wrong one under none. Where a sentence begins to be a critical error the rules are
# furthest apart: there the members split, and the verifier has something to settle.
_TERMS = Rule("terms-1", recall, held=0.6, partly=0.4, wrong=0.6, critical=0.8, figures=1.0, padding=0.0)
_TRIGRAMS = Rule(
    "trigrams-1", _by_trigrams, held=0.5, partly=0.3, wrong=0.6, critical=0.55, figures=0.5, padding=0.2,
    charges_vagueness=True,
)  # fmt: skip
_NUMBERS = Rule(
    "numbers-1", _by_figures, held=0.65, partly=0.35, wrong=0.45, critical=0.8, figures=1.0, padding=0.1
)
