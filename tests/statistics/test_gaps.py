from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.records.run import Role
from gnollbench.scoring.verdict import ClaimKind, Member, Ruling
from gnollbench.statistics.gaps import Statement, alike_pairs, clustered, gaps, jaccard, tokens_of
from tests.statistics.made import answer, claim, graded, verdict

FOUNTAIN = "Dipping a long sword into a fountain can give Excalibur."
SAME = "Dipping a long sword into a fountain can yield Excalibur!"
OTHER = "A cockatrice corpse must never be touched with bare hands."


def claiming(ident, family, quotes, also_b=()):
    """A run of one answer on which member a, and b, list these unverified claims."""
    verdicts = {Member.A: verdict(unverified=quotes), Member.B: verdict(unverified=also_b)}
    families = {Role.CANDIDATE: family}
    return graded(ident, [answer("q01", verdicts=verdicts)], families=families, changed={"model": ident})


def test_two_families_suggest_a_gap_and_one_an_invention():
    """R54: nine shared tokens of ten either way; the other claim stands alone."""
    found = gaps([claiming("one", "alpha", [FOUNTAIN, OTHER]), claiming("two", "beta", [SAME])])
    assert jaccard(tokens_of(FOUNTAIN), tokens_of(SAME)) == 8 / 10
    assert found["clusters"] == [
        {
            "claim": FOUNTAIN,
            "questions": ["q01"],
            "families": ["alpha", "beta"],
            "count": 2,
            "reading": "rubric_gap",
        },
        {
            "claim": OTHER,
            "questions": ["q01"],
            "families": ["alpha"],
            "count": 1,
            "reading": "invention",
        },
    ]


def test_one_family_is_an_invention_however_often_it_says_so():
    """R54: two runs of one family are not two families."""
    found = gaps([claiming("one", "alpha", [FOUNTAIN]), claiming("two", "alpha", [SAME])])
    assert [(c["count"], c["reading"]) for c in found["clusters"]] == [(2, "invention")]


def test_a_claim_that_both_members_raise_is_one_claim():
    """R54: the candidate made it once."""
    found = gaps([claiming("one", "alpha", [FOUNTAIN], also_b=[FOUNTAIN.upper()])])
    assert found["clusters"][0]["count"] == 1


def test_an_unknown_family_withholds_the_reading_unless_two_are_known():
    """R3, R54."""
    found = gaps([claiming("one", "alpha", [FOUNTAIN]), claiming("two", None, [SAME])])
    assert found["clusters"][0]["reading"] is None
    assert found["withheld"][0]["figure"] == "clusters.reading"
    three = [
        claiming("one", "alpha", [FOUNTAIN]),
        claiming("two", None, [SAME]),
        claiming("x", "beta", [SAME]),
    ]
    assert gaps(three)["clusters"][0]["reading"] == "rubric_gap"


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [("a b c d e", "a b c", 0.6), ("a b c d", "a b x", 0.4), ("A, b!", "b a", 1.0), ("a", "b", 0.0)],
)
def test_jaccard_of_token_sets(first, second, value):
    """R54: without case and punctuation."""
    assert jaccard(tokens_of(first), tokens_of(second)) == value


def test_exactly_six_tenths_is_alike():
    """R54."""
    assert len(gaps([claiming("one", "x", ["a b c d e"]), claiming("two", "y", ["a b c"])])["clusters"]) == 1


def test_a_cluster_is_a_connected_component():
    """R54: the ends of a chain need not be alike."""
    chain = ["a b c d e", "b c d e f", "c d e f g"]
    assert jaccard(tokens_of(chain[0]), tokens_of(chain[2])) < 0.6
    statements = [Statement(text, tokens_of(text), "q01", "x") for text in chain]
    assert clustered(statements) == [statements]


sets = st.lists(st.frozensets(st.sampled_from("abcdefghij"), min_size=1), max_size=25, unique=True)


@given(sets)
def test_no_pair_is_missed_and_none_is_made_up(token_sets):
    """R54: the filter finds the pairs that trying every two finds."""
    every = {
        (i, j) for (i, x), (j, y) in combinations(enumerate(token_sets), 2) if len(x & y) / len(x | y) >= 0.6
    }
    found = list(alike_pairs(token_sets))
    assert {(min(pair), max(pair)) for pair in found} == every
    assert len(found) == len(every)


def test_refuted_claims_are_topics_once_each_with_their_citation():
    """R34, R54: uncited rulings and the graders' own statements are none."""
    claims = (
        claim(ClaimKind.UNVERIFIED, Ruling.REFUTED, [Member.A]),
        claim(ClaimKind.UNVERIFIED, Ruling.REFUTED, [Member.B]),
        claim(ClaimKind.UNVERIFIED, Ruling.SUPPORTED, [Member.A], quote="It holds."),
        claim(ClaimKind.SUSPECTED_FALSE, Ruling.REFUTED, [Member.A], cited=False, quote="Uncited."),
        claim(ClaimKind.ASSESSOR_STATEMENT, Ruling.REFUTED, [Member.A], quote="The grader's own."),
    )
    verdicts = {Member.A: verdict(), Member.B: verdict()}
    record = graded("one", [answer("q01", verdicts=verdicts, claims=claims)])
    citation = {"kind": "source", "where": "src/potion.c", "lines": "10-12", "quote": ""}
    assert gaps([record])["refuted"] == [{"claim": "It is so.", "question": "q01", "citation": citation}]
