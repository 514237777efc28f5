"""Resolution of splits, member mean, agreement (R26, R27, R36)."""

from itertools import product
from random import Random
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.errors import Withheld
from gnollbench.scoring.panel import (
    Resolution,
    disagrees,
    icc_a1,
    mean_difference,
    member_scores,
    resolution_of,
    ruling_on,
)
from gnollbench.scoring.quality import Graded
from gnollbench.scoring.verdict import ClaimKind, Member, Ruling

FLAGGED = Graded(score=25, before_ceiling=84, flagged=True)
UNFLAGGED = Graded(score=90, before_ceiling=90, flagged=False)
LOW = Graded(score=9, before_ceiling=9, flagged=False)
QUOTE = "It is safe."


def panel(a: Graded, b: Graded, ruling: Ruling | None):
    resolution = resolution_of(a, b, ruling)
    return resolution, member_scores(a, b, resolution, ceiling=25)


@pytest.mark.parametrize(
    ("ruling", "resolution", "scores"),
    [
        (Ruling.REFUTED, Resolution.UPHELD, (25, 25)),
        (Ruling.SUPPORTED, Resolution.OVERTURNED, (84, 90)),
        (Ruling.INDETERMINATE, Resolution.UNRESOLVED, (25, 90)),
        (None, Resolution.UNRESOLVED, (25, 90)),
    ],
)
def test_split_is_settled_by_the_ruling(ruling, resolution, scores):
    """R36: the table, whichever member flags."""
    assert panel(FLAGGED, UNFLAGGED, ruling) == (resolution, scores)
    assert panel(UNFLAGGED, FLAGGED, ruling) == (resolution, scores[::-1])


def test_upheld_does_not_raise_a_low_score():
    """R36: the other member is capped, not set, at 25."""
    assert panel(FLAGGED, LOW, Ruling.REFUTED) == (Resolution.UPHELD, (25, 9))


@pytest.mark.parametrize("ruling", [*Ruling, None])
def test_no_ruling_moves_members_that_agree(ruling):
    """R2, R36: two flags stay, no flag stays, whatever the verifier says."""
    assert panel(FLAGGED, FLAGGED, ruling) == (Resolution.AGREED, (25, 25))
    assert panel(UNFLAGGED, LOW, ruling) == (None, (90, 9))


def test_confirmed_are_agreed_and_upheld():
    """R36."""
    assert {resolution for resolution in Resolution if resolution.confirmed} == {
        Resolution.AGREED,
        Resolution.UPHELD,
    }


def test_ruling_is_the_first_on_the_members_own_quote(make_claim):
    """R36: not another quote, not another member's, not another kind; the first of two."""
    claims = [
        make_claim("Another sentence.", Ruling.REFUTED),
        make_claim(QUOTE, Ruling.REFUTED, by=(Member.B,)),
        make_claim(QUOTE, Ruling.REFUTED, kind=ClaimKind.CHARGED),
        make_claim("It is\n**safe.**", Ruling.SUPPORTED, by=(Member.B, Member.A)),
        make_claim(QUOTE, Ruling.REFUTED),
    ]
    assert ruling_on(QUOTE, Member.A, claims) is Ruling.SUPPORTED
    assert ruling_on("Never raised.", Member.A, claims) is None


@pytest.mark.parametrize("ruling", [Ruling.SUPPORTED, Ruling.REFUTED])
def test_ruling_without_citation_is_indeterminate(make_claim, ruling):
    """R34: also where it settles a split."""
    claims = [make_claim(QUOTE, ruling, cited=False), make_claim(QUOTE, ruling)]
    assert ruling_on(QUOTE, Member.A, claims) is Ruling.INDETERMINATE


def test_agreement_matches_the_independent_values(statistics):
    """R27: ICC(A,1) to 1e-6, the differences to 1e-9, disagreements counted."""
    assert statistics["icc"]
    for case in statistics["icc"]:
        a, b, expected = case["a"], case["b"], case["expected"]
        absolute, signed = mean_difference(a, b)
        assert icc_a1(a, b) == pytest.approx(expected["icc_a1"], abs=1e-6)
        assert absolute == pytest.approx(expected["mean_absolute"], abs=1e-9)
        assert signed == pytest.approx(expected["mean_signed"], abs=1e-9)
        far = [x for x, y in zip(a, b, strict=True) if disagrees(x, y, split=False, points=15)]
        assert len(far) == expected["disagreements"]


def icc_by_anova(a: list[float], b: list[float]) -> float:
    """The definition, by the full two-way table of squares."""
    n, k = len(a), 2
    table = list(zip(a, b, strict=True))
    grand = mean([*a, *b])
    total = sum((x - grand) ** 2 for row in table for x in row)
    rows = k * sum((mean(row) - grand) ** 2 for row in table)
    columns = n * sum((mean(column) - grand) ** 2 for column in (a, b))
    msr, msc = rows / (n - 1), columns / (k - 1)
    mse = (total - rows - columns) / ((n - 1) * (k - 1))
    return (msr - mse) / (msr + (k - 1) * mse + k * (msc - mse) / n)


def test_closed_form_is_the_analysis_of_variance():
    """R27: on 200 random panels."""
    random = Random(27)
    for _ in range(200):
        n = random.randint(5, 50)
        a = [float(random.randint(1, 100)) for _ in range(n)]
        b = [min(100.0, max(1.0, x + random.randint(-30, 30))) for x in a]
        assert icc_a1(a, b) == pytest.approx(icc_by_anova(a, b), abs=1e-9)


def test_constant_offset_counts_as_disagreement():
    """R27: absolute agreement, so equal rankings with an offset are below 1."""
    a = [10.0, 30.0, 50.0, 70.0, 90.0]
    assert icc_a1(a, a) == pytest.approx(1)
    assert icc_a1(a, [x + 10 for x in a]) < 0.96


def test_icc_is_withheld_below_five_pairs():
    """R27, R3: no number, and the reason with it."""
    assert isinstance(icc_a1([1, 2, 3, 4], [1, 2, 3, 5]), Withheld)
    assert isinstance(icc_a1([1, 2, 3, 4, 5], [1, 2, 3, 5, 5]), float)


def test_icc_is_withheld_where_nothing_varies():
    """R27: 0 divided by 0 is no agreement of 0."""
    assert isinstance(icc_a1([87.0] * 6, [87.0] * 6), Withheld)


SCORES = st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=5, max_size=50)


@given(SCORES)
def test_icc_is_symmetric_and_at_most_one(pairs):
    """R27: over the whole domain."""
    a, b = zip(*pairs, strict=True)
    value, swapped = icc_a1(a, b), icc_a1(b, a)
    if isinstance(value, Withheld):
        assert isinstance(swapped, Withheld)
    else:
        assert value == pytest.approx(swapped, abs=1e-9)
        assert value <= 1 + 1e-12


def test_signed_difference_is_second_minus_first():
    """R27: B - A."""
    assert mean_difference([50, 50], [60, 40]) == (10, 0)
    assert mean_difference([50], [60]) == (10, 10)
    with pytest.raises(ValueError, match="no pairs"):
        mean_difference([], [])


@pytest.mark.parametrize(("gap", "split"), [*product([0, 15, 15.5, -15, -16], [True, False])])
def test_disagreement(gap, split):
    """R27: more than 15 points apart, or split on the critical error."""
    assert disagrees(50, 50 + gap, split, points=15) is (split or abs(gap) > 15)
