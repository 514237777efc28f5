import json

import numpy as np
import pytest

from gnollbench.errors import Refusal
from gnollbench.records.figures import scored
from gnollbench.records.run import Cost, Role, RunRecord
from gnollbench.scoring.outcomes import Integrity
from gnollbench.scoring.verdict import Member
from gnollbench.statistics.replicates import replicates
from tests.statistics.made import answer, graded, names, question, run, unpublished, verdict
from tests.statistics.oracle import load, near

SETS = load("statistics.json")["multi"]


def exam(weights):
    return [question(name, weight) for name, weight in zip(names(len(weights)), weights, strict=True)]


@pytest.mark.parametrize("case", SETS)
def test_records_give_the_oracles_figures(case):
    """R47, R48, R49: from whole records, every figure of the document that the oracle has."""
    questions = exam(case["weight"])
    runs = [run(f"run{n}", row, questions=questions) for n, row in enumerate(case["quality"])]
    found, expected = replicates(runs), case["expected"]
    for name in expected.keys() - {"items"}:
        assert found[name] == near(expected[name]), name
    assert (found["n_runs"], found["tier"], found["route"]) == (len(runs), "A", "items")
    assert found["covers"] == ["reproducibility", "item_sampling"]
    assert found["low"] == near(max(expected["index"] - expected["half_width"], 0))
    assert found["high"] == near(min(expected["index"] + expected["half_width"], 100))
    for row, item in zip(found["items"], expected["items"], strict=True):
        assert {name: row[name] for name in item} == {
            name: value if name == "unstable" else near(value) for name, value in item.items()
        }


def test_bounds_clamp_and_are_marked_and_the_half_width_does_not():
    """R48."""
    found = replicates([run("one", [100, 100, 40]), run("two", [100, 97, 60]), run("three", [99, 98, 50])])
    assert found["high"] == 100
    assert found["truncated"] == {"low": False, "high": True}
    assert found["index"] + found["half_width"] > 100


def test_two_runs_cover_one_source():
    """R3, R48, R49: with two runs no reproducibility, per-item interval or unstable mark."""
    found = replicates([run("one", [80, 70, 60]), run("two", [82, 71, 64])])
    assert found["se_reproducibility"] is None
    assert found["t_critical"] is None
    assert found["covers"] == ["item_sampling"]
    assert found["half_width"] == pytest.approx(1.96 * found["se_item"])
    for item in found["items"]:
        assert item["half_width"] is None
        assert item["unstable"] is None
        assert item["sd"] is not None
    withheld = {entry["figure"] for entry in found["withheld"]}
    assert {"se_reproducibility", "t_critical", "items.half_width", "items.unstable"} <= withheld


def test_two_runs_of_two_items_have_no_interval():
    """R3, R48: nothing is 0 or of width zero for want of data."""
    found = replicates([run("one", [80, 70]), run("two", [82, 71])])
    assert (found["half_width"], found["low"], found["high"], found["covers"]) == (None, None, None, [])


def test_every_null_has_its_entry():
    """R3: a figure that cannot be given is null with an entry."""
    found = replicates([run("one", [80, None]), run("two", [82, None])])
    entered = {entry["figure"] for entry in found["withheld"]}
    for figure, value in found.items():
        assert value is not None or figure in entered
    for item in found["items"]:
        for figure, value in item.items():
            assert value is not None or f"items.{figure}" in entered
    assert found["items"][1]["n"] == 0


def test_with_a_missing_item_the_route_is_by_runs():
    """R47: the document shows the mean of the per-run indices and the other route beside it."""
    questions = exam([30, 70, 50])
    runs = [run(f"run{n}", row, questions=questions) for n, row in enumerate([[90, None, 50], [90, 40, 60]])]
    found = replicates(runs)
    by_run = [(30 * 90 + 50 * 50) / 80, (30 * 90 + 70 * 40 + 50 * 60) / 150]
    assert found["route"] == "runs"
    assert found["index"] == pytest.approx(np.mean(by_run))
    assert found["index_from_items"] == pytest.approx((30 * 90 + 70 * 40 + 50 * 55) / 150)
    assert found["index"] != pytest.approx(found["index_from_items"])


def test_runs_without_results_are_left_out_and_named():
    """R3, R41."""
    found = replicates([run("one", [80, 70, 60]), unpublished("broken", [10, 10, 10])])
    assert found["n_runs"] == 1
    assert found["index"] == pytest.approx(70)
    assert any("broken" in entry["reason"] for entry in found["withheld"])
    with pytest.raises(Refusal, match="broken"):
        replicates([unpublished("broken", [10, 10, 10])])


def test_the_same_run_twice_is_no_replicate():
    """R46: a group is a set of runs."""
    assert replicates([run("one", [80, 70, 60])] * 3)["n_runs"] == 1


def test_a_set_of_tier_c_is_refused_and_its_key_named():
    """R44: never pooled."""
    with pytest.raises(Refusal) as refusal:
        replicates([run("one", [80]), run("two", [80], changed={"limits": "x"})])
    assert 'limits (instrument): "limits-1" in one · "x" in two' in refusal.value.why


def test_tier_b_pools_quality_and_marks_the_rest():
    """R44."""
    found = replicates([run("one", [80]), run("two", [90], changed={"question_parallelism": 4})])
    assert (found["tier"], found["degraded"], found["index"]) == ("B", ["speed", "cost"], 85)


def test_a_critical_error_in_some_runs_is_pointed_out():
    """R49: a rate strictly between 0 and 1."""
    found = replicates(
        [run("one", [20, 20], critical=["q01", "q02"]), run("two", [80, 20], critical=["q02"])]
    )
    rates = {item["question"]: item["critical_error_rate"] for item in found["items"]}
    marks = {item["question"]: item["critical_error_unsettled"] for item in found["items"]}
    assert rates == {"q01": 0.5, "q02": 1.0}
    assert marks == {"q01": True, "q02": False}


def test_dimensions_pool_members_means_and_leave_out_the_unanswered():
    """R49: Completeness levels 4 and 6 are (72 + 100) / 2 = 86 points; the unanswered have no levels."""
    answers = [
        answer("q01", verdicts={Member.A: verdict(completeness=4), Member.B: verdict()}),
        answer("q02", verdicts={Member.A: verdict(), Member.B: verdict()}),
        answer("q03", text="", integrity=Integrity.UNANSWERED),
    ]
    found = replicates([graded("one", answers)])["dimensions"]
    assert found["completeness"]["mean"] == pytest.approx((86 + 100) / 2)
    assert found["completeness"]["sd"] == pytest.approx(np.std([86, 100], ddof=1))
    assert found["accuracy"] == {"mean": 100, "sd": 0}


def test_model_time_percentiles_pool_all_answers():
    """R49: P50, P90 and maximum of turn minus tools; the unanswered question's timeout is none of them."""
    times = [1000, 2000, 3000, 4000, 5000]
    answers = [
        answer(name, turn_ms=time + 500, tool_ms=500, verdicts={Member.A: verdict(), Member.B: verdict()})
        for name, time in zip(names(5), times, strict=True)
    ]
    answers.append(answer("q06", text="", integrity=Integrity.UNANSWERED, turn_ms=420_000))
    assert replicates([graded("one", answers)])["speed"] == {
        "p50_ms": 3000,
        "p90_ms": 4600,
        "max_ms": 5000,
    }


def test_costs_disperse_over_runs_and_an_unknown_one_withholds_the_role():
    """R39, R49: unknown is not zero; the writer is costed outside the run."""
    one, two = run("one", [80], usd=0.10), run("two", [80], usd=0.30)
    found = replicates([one, two])["cost"]
    assert found["candidate"]["mean"] == pytest.approx(0.2)
    assert found["candidate"]["cv"] == pytest.approx(np.std([0.1, 0.3], ddof=1) / 0.2)
    written = two.model_copy(update={"costs": {Role.CANDIDATE: Cost(usd=None), Role.WRITER: Cost(usd=5.0)}})
    unknown = replicates([one, written])
    assert unknown["cost"] == {"candidate": {"mean": None, "sd": None, "cv": None}}
    assert any("unknown in two" in entry["reason"] for entry in unknown["withheld"])


def test_a_cost_of_one_run_has_no_dispersion():
    """R3, R49."""
    assert replicates([run("one", [80], usd=0.1)])["cost"]["candidate"] == {
        "mean": 0.1,
        "sd": None,
        "cv": None,
    }


def test_the_document_is_json():
    """R3: plain, with neither NaN nor infinity."""
    found = replicates([run(f"run{n}", [80 + n, 70, None, 40]) for n in range(3)])
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize("name", ["panel", "single13", "fifty"])
def test_a_run_alone_has_its_own_index_and_error(name):
    """R37, R48: one run's multi-run figures are those of its record."""
    expected = load(f"records/expected-{name}.json")["results"]["intelligence"]
    stored = RunRecord.model_validate_json(json.dumps(load(f"records/record-{name}.json")))
    record = scored(stored)
    found = replicates([record])
    assert found["index"] == near(expected["index"])
    assert found["se_item"] == near(expected["se"])
    assert (found["low"], found["high"]) == (near(expected["low"]), near(expected["high"]))
