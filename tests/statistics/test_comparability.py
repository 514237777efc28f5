import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.errors import Refusal
from gnollbench.records.run import KEY_KINDS, Key, KeyKind
from gnollbench.statistics.comparability import Tier, comparability, require_poolable
from tests.statistics.made import keys
from tests.statistics.oracle import load

CASES = load("tiers.json")
TIER_OF_KIND = {
    KeyKind.FUNDAMENTAL: Tier.NONE,
    KeyKind.CANDIDATE: Tier.NONE,
    KeyKind.INSTRUMENT: Tier.C,
    KeyKind.SPEED_COST: Tier.B,
}
changes = st.dictionaries(st.sampled_from(sorted(KEY_KINDS)), st.sampled_from(["x", "y", None]), max_size=4)
run_sets = st.lists(changes, min_size=1, max_size=5).map(
    lambda sets: {f"run{number}": keys(**changed) for number, changed in enumerate(sets)}
)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_every_verdict_of_the_oracle(case):
    """R44: tier, keys that differ and degraded aggregates."""
    runs = {
        f"run{number}": {name: Key.model_validate_json(json.dumps(key)) for name, key in own.items()}
        for number, own in enumerate(case["runs"])
    }
    found = comparability(runs).document()
    assert found["tier"] == case["expected"]["tier"]
    assert sorted(item["key"] for item in found["differences"]) == sorted(case["expected"]["differences"])
    assert found["degraded"] == case["expected"]["degraded"]
    assert found["poolable"] is (found["tier"] in "AB")


@pytest.mark.parametrize("name", KEY_KINDS)
def test_each_key_alone_gives_its_kinds_tier_and_is_named_with_its_values(name):
    """R43, R44."""
    verdict = comparability({"one": keys(), "two": keys(**{name: "other"})})
    value = None if name == "snapshot" else f"{name}-1"
    assert verdict.tier is TIER_OF_KIND[KEY_KINDS[name]]
    assert verdict.document()["differences"] == [
        {
            "key": name,
            "kind": str(KEY_KINDS[name]),
            "variants": [{"value": value, "runs": ["one"]}, {"value": "other", "runs": ["two"]}],
        }
    ]
    for word in (name, "other", "one", "two"):
        assert word in verdict.explanation


INSTRUMENT = [name for name, kind in KEY_KINDS.items() if kind is KeyKind.INSTRUMENT]


@pytest.mark.parametrize("first", INSTRUMENT)
def test_any_two_instrument_keys_are_refused(first):
    """R44: tier C claims that exactly one thing was varied."""
    for second in INSTRUMENT:
        if second != first:
            verdict = comparability({"one": keys(), "two": keys(**{first: "x", second: "y"})})
            assert verdict.tier is Tier.NONE
            with pytest.raises(Refusal) as refusal:
                require_poolable("pooling is refused", verdict)
            assert first in refusal.value.why
            assert second in refusal.value.why


def test_two_instrument_keys_apart_over_three_runs_are_refused_too():
    """R44: the verdict is over the whole set at once, not over its pairs."""
    runs = {"one": keys(), "two": keys(limits="x"), "three": keys(reader="y")}
    assert comparability(runs).tier is Tier.NONE


@given(run_sets, st.randoms(use_true_random=False))
def test_the_order_of_the_runs_does_not_matter(runs, random):
    """R44."""
    shuffled = list(runs.items())
    random.shuffle(shuffled)
    assert comparability(dict(shuffled)).document() == comparability(runs).document()


@given(changes.filter(lambda changed: None not in changed.values()))
def test_a_run_equals_itself(changed):
    """R44: whatever its keys are."""
    verdict = comparability({"one": keys(**changed), "two": keys(**changed)})
    assert verdict.tier is Tier.A
    assert verdict.differences == ()


@pytest.mark.parametrize("name", ["suite", "question_revisions", "difficulties"])
def test_an_exam_that_no_run_knows_is_not_the_same_exam(name):
    """R44: null in every run is no match, but for the snapshot; one run alone is tier A."""
    verdict = comparability({"one": keys(**{name: None}), "two": keys(**{name: None})})
    assert verdict.tier is Tier.NONE
    assert f"{name} is unknown" in verdict.explanation
    assert comparability({"one": keys(**{name: None})}).tier is Tier.A


def test_a_key_that_is_left_out_takes_no_part():
    """R50: questions are paired at one revision, so revisions never decide a comparison."""
    runs = {"one": keys(), "two": keys(question_revisions=None, difficulties="x")}
    assert comparability(runs, leaving_out={"question_revisions", "difficulties"}).tier is Tier.A


def test_at_tier_c_speed_and_cost_keys_mark_their_aggregates():
    """R44: they may differ besides the one instrument key."""
    verdict = comparability({"one": keys(), "two": keys(limits="x", speed_calibration="y")})
    assert (verdict.tier, verdict.degraded) == (Tier.C, ["speed"])


def test_a_composite_is_explained_by_the_settings_that_differ():
    """R44, R45: the values of a composite key are named without the fifty that match."""
    one, two = {"q01": 20, "q02": 30}, {"q01": 20, "q02": 45}
    verdict = comparability({"one": keys(difficulties=one), "two": keys(difficulties=two)})
    assert '{"q02":30} in one · {"q02":45} in two' in verdict.explanation
    assert verdict.document()["differences"][0]["variants"][0]["value"] == one


def test_no_run_has_no_verdict():
    """R44."""
    with pytest.raises(ValueError, match="at least one run"):
        comparability({})
