"""Outcome classes and rates, integrity, run status (R40-R42)."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.errors import Withheld
from gnollbench.scoring.outcomes import (
    Integrity,
    Outcome,
    Proportion,
    RunStatus,
    correct_when_attempted,
    integrity_of,
    outcome_of,
    status_of,
    wilson,
    wrong_instead_of_abstaining,
)


@pytest.mark.parametrize(
    ("levels", "abstains", "confirmed", "flagged", "outcome"),
    [
        ([(6, 6), (6, 6)], (False, False), True, True, Outcome.INCORRECT),
        ([(2, 6), (2, 6)], (False, False), False, False, Outcome.INCORRECT),
        ([(1, 6), (3, 6)], (True, True), False, False, Outcome.INCORRECT),
        ([(2, 6), (3, 6)], (False, False), False, False, Outcome.PARTIAL),
        ([(6, 0), (6, 0)], (True, True), False, False, Outcome.NOT_ATTEMPTED),
        ([(6, 0), (6, 0)], (True, False), False, False, Outcome.PARTIAL),
        ([(6, 0), (6, 0)], (True, True), False, True, Outcome.NOT_ATTEMPTED),
        ([(5, 4), (5, 4)], (False, False), False, False, Outcome.CORRECT),
        ([(4, 6), (6, 6)], (False, False), False, False, Outcome.CORRECT),
        ([(5, 4), (5, 3)], (False, False), False, False, Outcome.PARTIAL),
        ([(6, 6), (6, 6)], (False, False), False, True, Outcome.PARTIAL),
        ([(2, 6)], (False,), False, False, Outcome.INCORRECT),
        ([(5, 4)], (False,), False, False, Outcome.CORRECT),
        ([(5, 4)], (True,), False, False, Outcome.NOT_ATTEMPTED),
    ],
)
def test_classes_in_first_match_order(make_verdict, levels, abstains, confirmed, flagged, outcome):
    """R40: incorrect, not attempted, correct, partial; means of the members' levels."""
    verdicts = [
        make_verdict((a, c, 6, 6), not_attempted=n) for (a, c), n in zip(levels, abstains, strict=True)
    ]
    assert outcome_of(verdicts, confirmed, flagged) is outcome


def test_wilson_matches_the_independent_values(statistics):
    """R40: z = 1.96, to 1e-9."""
    assert statistics["wilson"]
    for case in statistics["wilson"]:
        found = wilson(case["k"], case["n"])
        assert isinstance(found, Proportion)
        for bound, value in case["expected"].items():
            assert getattr(found, bound) == pytest.approx(value, abs=1e-9)


def test_worked_rate():
    """R40: 1 of 18 is 5.6 %, 1.0 % to 25.8 %.

    z²/n = 3.8416/18 = 0.21342; centre (0.05556 + 0.10671) / 1.21342 = 0.13373;
    half 1.96/1.21342 · √(0.05247/18 + 3.8416/1296) = 1.61527 · 0.07668 = 0.12385; 0.0099 and 0.2576.
    """
    found = wilson(1, 18)
    assert isinstance(found, Proportion)
    assert [round(100 * x, 1) for x in (found.rate, found.low, found.high)] == [5.6, 1.0, 25.8]


@given(st.integers(1, 50).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_stays_within_its_scale(counts):
    """R40: over every k of n up to 50; never of no width."""
    found = wilson(*counts)
    assert isinstance(found, Proportion)
    assert 0 <= found.low <= found.rate + 1e-12
    assert found.rate <= found.high + 1e-12
    assert found.high <= 1
    assert found.high - found.low > 0.05


def test_rates_without_a_denominator_are_withheld():
    """R40, R3: not 0."""
    assert isinstance(wilson(0, 0), Withheld)
    assert isinstance(correct_when_attempted(0, 0, 0), Withheld)
    assert isinstance(wrong_instead_of_abstaining(0, 0), Withheld)


def test_the_two_other_rates():
    """R40: 8 / (8 + 1 + 1) and 3 / (3 + 1)."""
    assert correct_when_attempted(8, 1, 1) == 0.8
    assert wrong_instead_of_abstaining(3, 1) == 0.75


def test_one_bucket_an_answer_the_first_that_holds():
    """R41: over all sixteen combinations."""
    for failed, text, limit, scrubbed in product([True, False], ["", "text"], [True, False], [True, False]):
        bucket = integrity_of(failed, text, limit, scrubbed)
        holds = {
            Integrity.TRANSPORT_DEFECT: failed,
            Integrity.UNANSWERED: not text,
            Integrity.HARNESS_LIMIT: limit,
            Integrity.RECOVERED: scrubbed,
            Integrity.CLEAN: True,
        }
        assert bucket is next(name for name, does in holds.items() if does)


def test_blank_text_is_no_answer():
    """R41: white space alone answers nothing."""
    assert integrity_of(False, " \n", False, False) is Integrity.UNANSWERED


@pytest.mark.parametrize(
    ("counted", "errors", "limits", "status"),
    [
        (18, False, False, RunStatus.COMPLETED),
        (18, False, True, RunStatus.COMPLETED_WITH_LIMITS),
        (17, True, True, RunStatus.COMPLETED_WITH_ERRORS),
        (0, True, False, RunStatus.FAILED),
    ],
)
def test_status(counted, errors, limits, status):
    """R42: errors outrank limits; a run of which nothing counts failed."""
    assert status_of(counted, errors, limits) is status


def test_aborted():
    """R42."""
    assert {status for status in RunStatus if status.aborted} == {RunStatus.FAILED, RunStatus.CANCELED}
