"""Rubric gaps: unverified claims that several model families make, and refuted claims (R54).

Two claims are alike where the Jaccard similarity of their token sets is at least 0.6. A cluster is a
connected component of that relation: not every two of its members need be alike.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from typing import Any

from gnollbench.errors import Withheld
from gnollbench.records.run import Answer, Role, RunRecord
from gnollbench.scoring.verdict import Citation, ClaimKind, Ruling
from gnollbench.statistics.ledger import Ledger
from gnollbench.statistics.runs import counting, distinct

ALIKE = 0.6  # R54: Jaccard similarity of two claims' token sets
FAMILIES_FOR_GAP = 2  # R54: model families that make the same claim, from which the rubric is suspected

_TOKEN = re.compile(r"\w+")

Tokens = frozenset[str]


class Reading(StrEnum):
    """What a cluster suggests: an incomplete rubric, or one family's invention."""

    RUBRIC_GAP = "rubric_gap"
    INVENTION = "invention"


@dataclass(frozen=True, slots=True)
class Statement:
    """An unverified claim as one answer makes it; ``family`` None is unknown."""

    quote: str
    tokens: Tokens
    question: str
    family: str | None


@dataclass(frozen=True, slots=True)
class Refutation:
    """A refuted statement: a topic for a knowledge article."""

    claim: str
    question: str
    citation: Citation | None

    def document(self) -> dict[str, Any]:
        """Return the JSON of one refuted claim."""
        citation = None if self.citation is None else self.citation.model_dump(mode="json")
        return {"claim": self.claim, "question": self.question, "citation": citation}


def gaps(records: Sequence[RunRecord]) -> dict[str, Any]:
    """Return clusters of unverified claims and the refuted claims: the JSON of ``gnollbench gaps``.

    ``count`` is how many answers make the claim; one that both members raised on an answer counts once.
    """
    ledger = Ledger()
    answers = [(run, answer) for run in distinct(records) for answer, _ in counting(run)]
    statements = [statement for run, answer in answers for statement in unverified(run, answer)]
    clusters = [_cluster(members, ledger) for members in clustered(statements)]
    clusters.sort(key=lambda cluster: (-cluster["count"], cluster["claim"]))
    refuted = dict.fromkeys(refutation for _, answer in answers for refutation in refutations(answer))
    return {
        "clusters": clusters,
        "refuted": [refutation.document() for refutation in refuted],
        "withheld": ledger.document(),
    }


def tokens_of(claim: str) -> Tokens:
    """Return a claim's set of words and numbers, without case and punctuation."""
    return frozenset(_TOKEN.findall(claim.casefold()))


def jaccard(first: Tokens, second: Tokens) -> float:
    """Return the shared tokens over all tokens of both, 0-1."""
    return len(first & second) / len(first | second)


def unverified(run: RunRecord, answer: Answer) -> Iterator[Statement]:
    """Yield the claims of an answer that its graders could not settle by the rubric, each once."""
    candidate = run.models.get(Role.CANDIDATE)
    seen: set[Tokens] = set()
    for member in run.run.mode.members:
        verdict = answer.verdicts.get(member)
        for claim in verdict.unverified_claims if verdict else ():
            tokens = tokens_of(claim.quote)
            if tokens and tokens not in seen:
                seen.add(tokens)
                yield Statement(claim.quote, tokens, answer.question, candidate and candidate.family)


def refutations(answer: Answer) -> Iterator[Refutation]:
    """Yield the answer's statements that the verifier refuted with a citation, not those of its graders."""
    for claim in answer.claims:
        if claim.effective_ruling is Ruling.REFUTED and claim.kind is not ClaimKind.ASSESSOR_STATEMENT:
            yield Refutation(claim.quote, answer.question, claim.citation)


def clustered(statements: Sequence[Statement]) -> list[list[Statement]]:
    """Group statements into connected components of likeness, in the order of their first members."""
    sets = list(dict.fromkeys(statement.tokens for statement in statements))
    leader = list(range(len(sets)))

    def root(place: int) -> int:
        while leader[place] != place:
            leader[place] = leader[leader[place]]
            place = leader[place]
        return place

    for first, second in alike_pairs(sets):
        a, b = sorted((root(first), root(second)))
        leader[b] = a
    place = {tokens: number for number, tokens in enumerate(sets)}
    groups: dict[int, list[Statement]] = {}
    for statement in statements:
        groups.setdefault(root(place[statement.tokens]), []).append(statement)
    return list(groups.values())


def alike_pairs(sets: Sequence[Tokens]) -> Iterator[tuple[int, int]]:
    """Yield the places of every two token sets that are alike, without trying every two.

    From the smallest set up. A set x that is alike to a smaller y shares at least 0.6 |x| of its own tokens,
    and at least 2 · 0.6 / 1.6 |y| of those of y. So the two meet within the rarest tokens of both, as far as
    `_foremost` goes: were they to meet only later, too few would be left to share.
    """
    frequency = Counter(token for tokens in sets for token in tokens)
    meeting: dict[str, list[int]] = {}
    for place in sorted(range(len(sets)), key=lambda number: len(sets[number])):
        rarest = sorted(sets[place], key=lambda token: (frequency[token], token))
        met = {other for token in _foremost(rarest, ALIKE) for other in meeting.get(token, ())}
        for token in _foremost(rarest, 2 * ALIKE / (1 + ALIKE)):
            meeting.setdefault(token, []).append(place)
        for other in sorted(met):
            if jaccard(sets[other], sets[place]) >= ALIKE:
                yield other, place


def _foremost(tokens: list[str], shared: float) -> list[str]:
    """Return so many tokens that, of the share that two alike sets have in common, one must be among them."""
    needed = ceil(round(shared * len(tokens), 9))
    return tokens[: len(tokens) - needed + 1]


def _cluster(members: Sequence[Statement], ledger: Ledger) -> dict[str, Any]:
    quotes = Counter(statement.quote for statement in members)
    claim = min(quotes, key=lambda quote: (-quotes[quote], len(quote), quote))
    families = {statement.family for statement in members}
    known = sorted(family for family in families if family is not None)
    return {
        "claim": claim,
        "questions": sorted({statement.question for statement in members}),
        "families": known,
        "count": len(members),
        "reading": ledger.take("clusters.reading", reading_of(known, None in families), claim),
    }


def reading_of(known: Sequence[str], some_unknown: bool) -> Reading | Withheld:
    """Return what a cluster suggests; withheld where an unknown family could make the second (R54)."""
    if len(known) >= FAMILIES_FOR_GAP:
        return Reading.RUBRIC_GAP
    if some_unknown:
        return Withheld("reading", "a candidate's family is not known", "records that name the family")
    return Reading.INVENTION
