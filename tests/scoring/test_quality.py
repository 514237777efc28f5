"""Levels to Q, floor, rounding, ceiling, quotes (R19-R23)."""

from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.scoring.profile import METHODS
from gnollbench.scoring.quality import graded, occurs, round_half_up, weighted_geometric_mean
from gnollbench.scoring.verdict import CriticalError

TEXT = "Dip the unicorn horn. It is safe to drink from a sink."
DANGER = CriticalError(quote="It is safe to drink from a sink.")


@pytest.fixture(scope="session")
def score(profile, make_verdict):
    """Grade ``TEXT`` under levels and flags."""

    def grade(*levels: int, method: int = 13, **fields):
        return graded(make_verdict(levels, **fields), TEXT, profile, METHODS[method])

    return grade


def test_worked_example_is_84(profile, make_verdict, score):
    """R20: 87^0.55 · 72^0.25 · 100^0.10 · 87^0.10 = 87^0.65 · 72^0.25 · 100^0.10 = 84.1."""
    # 87^0.65 = 18.226, 72^0.25 = 2.913, 100^0.10 = 1.585: product 84.14
    q = weighted_geometric_mean(make_verdict((5, 4, 6, 5)).levels, profile)
    assert q == pytest.approx(87**0.65 * 72**0.25 * 100**0.10, abs=1e-12)
    assert score(5, 4, 6, 5).score == 84


def test_low_accuracy_is_not_compensated(score):
    """R20: 15^0.55 · 100^0.45 = 4.4345 · 7.9433 = 35.2, so 35, where an arithmetic mean gives 53."""
    assert score(1, 6, 6, 6).score == 35
    assert round(0.55 * 15 + 0.45 * 100) == 53


def test_extremes(score):
    """R20: all at level 0 is 1, all at level 6 is 100."""
    assert score(0, 0, 0, 0).score == 1
    assert score(6, 6, 6, 6).score == 100


def test_clamped_to_one(profile, make_verdict):
    """R20: a profile whose lowest level is worth nothing still scores 1."""
    cruel = profile.model_copy(update={"points": (0.0, *profile.points[1:])})
    assert weighted_geometric_mean(make_verdict((0, 6, 6, 6)).levels, cruel) == 1


def test_q_never_falls_when_a_level_rises(profile, make_verdict):
    """R19, R20: all 2,401 combinations, each with every step up on each dimension."""
    q = {
        levels: weighted_geometric_mean(make_verdict(levels).levels, profile)
        for levels in product(range(7), repeat=4)
    }
    assert len(q) == 2401
    for levels, value in q.items():
        for place in range(4):
            if levels[place] < 6:
                risen = (*levels[:place], levels[place] + 1, *levels[place + 1 :])
                assert q[risen] > value
                assert round_half_up(q[risen]) >= round_half_up(value)


def test_q_is_the_definition(profile, make_verdict):
    """R20: exponents belong to their dimensions, over all 2,401 combinations."""
    points, exponents = [1, 15, 35, 55, 72, 87, 100], [0.55, 0.25, 0.10, 0.10]
    for levels in product(range(7), repeat=4):
        slow = prod(points[level] ** w for level, w in zip(levels, exponents, strict=True))
        q = weighted_geometric_mean(make_verdict(levels).levels, profile)
        assert q == pytest.approx(slow, rel=1e-12)


@pytest.mark.parametrize(
    ("value", "whole"), [(0.5, 1), (1.5, 2), (2.5, 3), (84.49999, 84), (84.5, 85), (100.0, 100)]
)
def test_halves_round_up(value, whole):
    """R20: half up, where Python's own round would go to even."""
    assert round_half_up(value) == whole


def test_critical_error_caps_at_25(score):
    """R21: whatever the levels; a score below the ceiling stays."""
    assert score(6, 6, 6, 6, critical_error=DANGER).score == 25
    assert score(6, 6, 6, 6, critical_error=DANGER).before_ceiling == 100
    assert score(0, 0, 0, 0, critical_error=DANGER).score == 1


@pytest.mark.parametrize("quote", ["It is never safe.", "", "  ", "**", "it is safe to drink from a sink."])
def test_quote_that_is_not_in_the_answer_voids_the_flag(score, quote):
    """R21: no ceiling, and no flag at all; what the grader claims to have found is not read."""
    grade = score(6, 6, 6, 6, critical_error=CriticalError(quote=quote, found=True))
    assert grade.score == 100
    assert not grade.flagged


def test_flag_counts_though_the_record_says_not_found(score):
    """R21: found is recomputed in both directions."""
    assert score(6, 6, 6, 6, critical_error=CriticalError(quote=DANGER.quote, found=False)).flagged


def test_not_attempted_floor(score):
    """R23: 100^0.75 · 1^0.25 = 31.6 without the floor, 50 with it."""
    assert score(6, 0, 6, 6).score == 32
    assert score(6, 0, 6, 6, not_attempted=True).score == 50
    assert score(5, 0, 6, 6, not_attempted=True).score == 50


def test_floor_never_lowers(score):
    """R23: an abstention that scores above 50 keeps its score."""
    assert score(6, 4, 6, 6, not_attempted=True).score == score(6, 4, 6, 6).score == 92


@pytest.mark.parametrize("accuracy", range(5))
def test_no_floor_below_accuracy_5(score, accuracy):
    """R23: an abstention that states falsehoods is not lifted."""
    assert score(accuracy, 0, 0, 0, not_attempted=True).score < 50


def test_floor_and_ceiling_never_meet(score):
    """R23: with a critical error there is no floor, and a void flag is no critical error."""
    assert score(6, 0, 6, 6, not_attempted=True, critical_error=DANGER).score == 25
    assert score(5, 0, 0, 0, not_attempted=True, critical_error=DANGER).score == 12  # 87^0.55 = 11.7
    assert (
        score(6, 0, 6, 6, not_attempted=True, critical_error=CriticalError(quote="Never said.")).score == 50
    )


def test_floor_is_not_in_the_score_before_the_ceiling(score):
    """R36: what an overturned split uses has neither ceiling nor floor."""
    assert score(6, 0, 6, 6, not_attempted=True).before_ceiling == 32


def test_method_12_has_no_floor(score):
    """R24: an old run is scored under the rules that produced it; the ceiling it has."""
    assert score(6, 0, 6, 6, not_attempted=True, method=12).score == 32
    assert score(6, 6, 6, 6, critical_error=DANGER, method=12).score == 25


def test_fraction_of_a_not_attempted_score_rounds_after_the_floor(profile, make_verdict):
    """R23: the floor is applied before rounding."""
    half = profile.model_copy(update={"not_attempted_score": 47.5})
    abstention = make_verdict((6, 0, 6, 6), not_attempted=True)
    assert graded(abstention, TEXT, half, METHODS[13]).score == 48


def test_confidence_threshold_for_answering(score):
    """R23: t = (abstain - wrong) / (right - wrong) = (50 - 25) / (92 - 25) = 25 / 67 = 0.373."""
    abstain = score(6, 0, 6, 6, not_attempted=True).score
    wrong = score(6, 6, 6, 6, critical_error=DANGER).score
    right = score(6, 4, 6, 6).score  # 100^0.75 · 72^0.25 = 31.62 · 2.913 = 92.1
    assert (abstain, wrong, right) == (50, 25, 92)
    assert (abstain - wrong) / (right - wrong) == pytest.approx(0.37, abs=0.005)


def test_harmless_wrong_answer_and_abstention_roughly_tie(score):
    """R23: 35^0.55 · 72^0.45 = 7.07 · 6.85 = 48.4, beside the abstention's 50."""
    assert score(2, 4, 4, 4).score == 48


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("It is safe to drink.", "It is  safe\n\tto drink."),
        ("It is safe.", "It\u00a0is safe."),
        ("It is safe - drink it.", "It is safe—drink it."),
        ("It is safe -- drink it.", "It is safe – drink it."),
        ('"quite" safe', "“quite” safe"),
        ("'quite' safe", "„quite“ safe"),
        ("don't pray", "don’t pray"),
        ("It is safe.", "**It is safe.**"),
        ("**It is safe.**", "It is safe."),
        ("It is safe", "__It__ is *safe*."),
        ("It is safe.", "***It is* safe.**"),
        ("unsafely", "un**safe**ly"),
        ("safe to drink", "**It is safe to drink** now"),
        ("**It is safe", "**It is safe to drink**"),
        ("a +2 -3 weapon", "a +2 −3 weapon"),
    ],
)
def test_differences_that_a_quote_may_have(quote, text):
    """R21: white space, quotation-mark style, dash style, Markdown emphasis."""
    assert occurs(quote, text)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("it is safe", "It is safe"),
        ("It is safe!", "It is safe."),
        ("deals 23 damage", "deals 2*3 damage"),
        ("2 to the 23", "2 to the 2**3"),
        ("MRFIRE", "MR_FIRE"),
        ("well known", "well-known"),
        ("It is “safe”", "It is safe"),
        ("speed 12", "speed 1.2"),
        ("cafe", "café"),
        ("", "It is safe"),
        (" \n", "It is safe"),
        ("**", "It is **safe**"),
    ],
)
def test_differences_that_a_quote_may_not_have(quote, text):
    """R21: everything else must match exactly, case included."""
    assert not occurs(quote, text)


WORDS = st.lists(
    st.sampled_from(
        ["safe", "*safe*", "**It", "is**", "2*3", "snake_case", "—", "-", "“so”", "don’t", "_no_", "* "]
    ),
    min_size=1,
    max_size=12,
)


@given(words=WORDS, start=st.integers(0, 11), length=st.integers(1, 12))
def test_a_part_cut_at_words_occurs_in_the_whole(words, start, length):
    """R21: a verbatim quote is found wherever it was cut out, emphasis half in it or not."""
    quote = " ".join(words[start : start + length])
    plain = [character for character in quote if character.isalnum()]
    assert occurs(quote, " ".join(words)) or not plain


@given(st.text(alphabet="aB1 *_-—“\"'.\n", max_size=40))
def test_a_text_with_words_occurs_in_itself(text):
    """R21: no normalisation loses a quote that has a letter in it."""
    assert occurs(text, text) or not any(map(str.isalnum, text))
