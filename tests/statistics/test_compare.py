import json

import numpy as np
import pytest

from gnollbench.errors import Refusal
from gnollbench.records.run import KEY_KINDS, KeyKind
from gnollbench.statistics.compare import compare
from tests.statistics.made import names, question, run, unpublished
from tests.statistics.oracle import load, near

PAIRED = load("statistics.json")["paired"]
WELCH = load("statistics.json")["welch"]
ALL = [80.0, 70, 60, 55]


@pytest.mark.parametrize("case", PAIRED)
def test_records_give_the_oracles_comparison(case):
    """R50: treatment minus baseline over questions."""
    expected = case["expected"]
    found = compare(
        [run("base", case["baseline"])], [run("treat", case["treatment"], changed={"limits": "x"})]
    )
    assert (found["kind"], found["tier"], found["changed"]) == ("controlled", "C", ["limits"])
    assert found["n_pairs"] == expected["n"]
    for name in ("mean_difference", "ci_low", "ci_high", "dz"):
        assert found[name] == near(expected[name]), name
    ranks = {name: found["wilcoxon"][name] for name in ("p", "w_plus", "w_minus", "n_nonzero")}
    assert ranks == {name: near(expected[f"wilcoxon_{name}" if name == "p" else name]) for name in ranks}
    assert found["paired_t"] == {
        "t": near(expected["t"]),
        "p": near(expected["t_p"]),
        "df": expected["n"] - 1,
    }


@pytest.mark.parametrize("case", WELCH)
def test_items_of_several_runs_are_tested_by_welch_under_benjamini_hochberg(case):
    """R50: exploratory; a run that lacks an item's score does not count for that item."""
    items = case["items"]
    sides = {
        side: [
            run(f"{side}{n}", [item[side][n] if n < len(item[side]) else None for item in items])
            for n in range(max(len(item[side]) for item in items))
        ]
        for side in ("baseline", "treatment")
    }
    found = compare(**sides)
    assert found["kind"] == "noise"
    assert [row["p"] for row in found["items"]] == near(case["expected"]["p"])
    assert [row["p_adjusted"] for row in found["items"]] == near(case["expected"]["bh"])
    assert [row["question"] for row in found["items"] if row["significant"]] == case["expected"][
        "significant"
    ]
    means = [np.mean(item["treatment"]) - np.mean(item["baseline"]) for item in items]
    assert [row["difference"] for row in found["items"]] == near(means)
    assert found["exploratory"] == ["items"]


@pytest.mark.parametrize(
    "name", [name for name in KEY_KINDS if name not in ("question_revisions", "difficulties")]
)
def test_what_one_changed_key_makes_of_a_comparison(name):
    """R50: an instrument key is controlled, a candidate key compares models, the rest decide nothing."""
    base, treat = run("base", ALL), run("treat", ALL, changed={name: "x"})
    kind = KEY_KINDS[name]
    if kind is KeyKind.FUNDAMENTAL:
        with pytest.raises(Refusal, match=name):
            compare([base], [treat])
        return
    found = compare([base], [treat])
    expected = {
        KeyKind.INSTRUMENT: ("controlled", "C"),
        KeyKind.CANDIDATE: ("models", "none"),
        KeyKind.SPEED_COST: ("noise", "B"),
    }
    assert (found["kind"], found["tier"]) == expected[kind]
    assert found["changed"] == [name]


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"limits": "x", "reader": "y"}, ["limits", "reader", '"x" in treat', '"reader-1" in base']),
        ({"model": "x", "assessor": "y"}, ["model", "assessor"]),
        ({"model": "x", "system_prompt": "y"}, ["model", "system_prompt"]),
        ({"suite": "x"}, ["suite"]),
        ({"snapshot": "x"}, ["snapshot"]),
    ],
)
def test_anything_else_is_refused_with_the_keys(changed, named):
    """R44, R50: two instrument keys, candidate and instrument together, another suite or snapshot."""
    with pytest.raises(Refusal) as refusal:
        compare([run("base", ALL)], [run("treat", ALL, changed=changed)])
    for word in named:
        assert word in refusal.value.why
    assert refusal.value.lifted_by


def test_the_system_prompt_may_follow_the_prompt_options():
    """R50: the options are part of the prompt."""
    changed = {"prompt_options": "verbose", "system_prompt": "x"}
    found = compare([run("base", ALL)], [run("treat", ALL, changed=changed)])
    assert (found["kind"], found["changed"]) == ("models", ["prompt_options", "system_prompt"])


def test_an_unknown_suite_is_refused():
    """R44."""
    unknown = {"suite": None}
    with pytest.raises(Refusal, match="suite is unknown"):
        compare([run("base", ALL, changed=unknown)], [run("treat", ALL, changed=unknown)])


def test_each_side_must_be_poolable_by_itself():
    """R50."""
    mixed = [run("one", ALL), run("two", ALL, changed={"limits": "x"})]
    with pytest.raises(Refusal, match="treatment"):
        compare([run("base", ALL)], mixed)
    with pytest.raises(Refusal, match="baseline"):
        compare(mixed, [run("treat", ALL)])


def test_only_questions_at_one_revision_that_both_scored_are_paired():
    """R50: the rest are excluded with the reason, and revisions and difficulties alone never refuse."""
    one = [question(name, 50) for name in ("q01", "q02", "q03", "q05")]
    two = [question("q01", 60), question("q02", 50, "r2"), question("q03", 50), question("q04", 50)]
    base = run("base", {"q01": 80, "q02": 70, "q03": None, "q05": 40}, questions=one)
    treat = run("treat", {"q01": 85, "q02": 90, "q03": 60, "q04": 50}, questions=two)
    found = compare([base], [treat])
    assert (found["kind"], found["tier"], found["changed"]) == ("noise", "A", [])
    assert (found["n_pairs"], found["mean_difference"]) == (1, 5)
    assert {entry["question"]: entry["reason"] for entry in found["excluded"]} == {
        "q02": "another revision",
        "q03": "no score in the baseline",
        "q05": "no score: the treatment did not ask it",
        "q04": "no score: the baseline did not ask it",
    }


def test_pairs_are_cross_run_means():
    """R50: an item that one run of a side lacks is the mean over the others."""
    base = [run("b1", [60, 70, 50]), run("b2", [64, None, 50])]
    treat = [run("t1", [70, 75, 40]), run("t2", [72, 77, 48])]
    found = compare(base, treat)
    assert [row["difference"] for row in found["items"]] == [71 - 62, 76 - 70, 44 - 50]
    assert found["items"][1]["p"] is None
    assert found["items"][1]["significant"] is None


def test_a_run_against_itself_shows_no_difference():
    """R50: and no interval of width zero."""
    one = run("one", ALL)
    found = compare([one], [one])
    assert (found["mean_difference"], found["wilcoxon"]["p"]) == (0, 1)
    assert found["ci_low"] is found["ci_high"] is found["paired_t"] is found["dz"] is None
    assert {"ci_low", "ci_high", "paired_t", "dz"} <= {entry["figure"] for entry in found["withheld"]}


def test_no_pair_withholds_every_figure():
    """R3."""
    other = [question(name, 50, "r2") for name in names(4)]
    found = compare([run("base", ALL)], [run("treat", ALL, questions=other)])
    figures = ("mean_difference", "ci_low", "wilcoxon", "paired_t", "dz", "smallest_detectable_difference")
    assert [found[name] for name in figures] == [None] * len(figures)
    assert set(figures) <= {entry["figure"] for entry in found["withheld"]}
    assert len(found["excluded"]) == 4


def test_runs_without_results_are_left_out_of_a_side_and_named():
    """R3, R41."""
    found = compare([run("base", ALL), unpublished("broken", [0, 0, 0, 0])], [run("treat", ALL)])
    assert found["mean_difference"] == 0
    assert any("broken" in entry["reason"] for entry in found["withheld"])
    with pytest.raises(Refusal, match="broken"):
        compare([unpublished("broken", ALL)], [run("treat", ALL)])


def test_the_document_is_json():
    """R3."""
    found = compare([run("base", ALL)], [run("treat", [81.0, 75, None, 60])])
    assert json.loads(json.dumps(found, allow_nan=False)) == found
