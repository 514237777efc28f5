import json

import numpy as np
import pytest

from gnollbench.errors import Refusal
from gnollbench.records.run import KEY_KINDS, Cost, KeyKind, Role
from gnollbench.statistics.models import models
from tests.statistics.made import run, unpublished

ALL = [80.0, 70, 60, 55]
CANDIDATE = [name for name, kind in KEY_KINDS.items() if kind is KeyKind.CANDIDATE]
OTHERS = [
    name
    for name, kind in KEY_KINDS.items()
    if kind in (KeyKind.FUNDAMENTAL, KeyKind.INSTRUMENT) and name != "difficulties"
]


def by_name(document):
    return {source["name"]: source for source in document["sources"]}


@pytest.mark.parametrize("name", CANDIDATE)
def test_another_candidate_is_measured(name):
    """R51: models differ in candidate keys; each source is one point with its own interval."""
    found = models({"one": [run("one", ALL)], "two": [run("two", ALL, changed={name: "x"})]})
    two = by_name(found)["two"]
    assert found["reference"] == "one"
    assert (two["measured"], two["reason"], two["n_runs"]) == (True, None, 1)
    assert two["intelligence"]["index"] == pytest.approx(np.mean(ALL))
    assert two["intelligence"]["low"] < np.mean(ALL) < two["intelligence"]["high"]


@pytest.mark.parametrize("name", OTHERS)
def test_another_exam_or_instrument_is_listed_without_measures(name):
    """R51: a change of grader can move scores more than a change of candidate."""
    found = models({"one": [run("one", ALL)], "two": [run("two", ALL, changed={"model": "m", name: "x"})]})
    two = by_name(found)["two"]
    assert two["measured"] is False
    assert name in two["reason"]
    assert two["intelligence"] is two["speed"] is two["cost"] is None
    assert "sources.two" in {entry["figure"] for entry in found["withheld"]}


def test_an_unknown_suite_is_not_the_same_suite():
    """R44, R51."""
    sources = {name: [run(name, ALL, changed={"suite": None})] for name in ("one", "two")}
    assert "suite is unknown" in by_name(models(sources))["two"]["reason"]


def test_sources_are_never_pooled_and_a_group_is_one_point():
    """R51."""
    group = [run(f"run{n}", [value + n for value in ALL]) for n in range(3)]
    found = by_name(models({"group": group, "run": [run("other", ALL, changed={"model": "x"})]}))
    assert found["group"]["n_runs"] == 3
    assert found["group"]["intelligence"]["covers"] == ["reproducibility", "item_sampling"]
    assert found["run"]["intelligence"]["covers"] == ["item_sampling"]


def test_a_source_that_may_not_be_pooled_is_not_measured():
    """R44, R51."""
    mixed = [run("a", ALL), run("b", ALL, changed={"model": "x"})]
    found = by_name(models({"one": [run("one", ALL)], "mixed": mixed}))
    assert found["mixed"]["measured"] is False
    assert "may not be pooled" in found["mixed"]["reason"]


def test_a_source_without_results_is_listed_and_a_reference_without_is_refused():
    """R3, R51."""
    found = models({"one": [run("one", ALL)], "broken": [unpublished("broken", ALL)]})
    assert by_name(found)["broken"]["reason"] == "no run publishes results"
    with pytest.raises(Refusal, match="reference"):
        models({"broken": [unpublished("broken", ALL)], "one": [run("one", ALL)]})


@pytest.mark.parametrize("name", ["thinking_level", "question_parallelism", "speed_calibration"])
def test_speed_compares_within_one_thinking_level_and_timing_mode(name):
    """R38, R51."""
    sources = {"one": [run("one", ALL)], "two": [run("two", ALL, changed={name: "x"})]}
    found = by_name(models(sources))
    assert (found["one"]["speed"]["comparable"], found["two"]["speed"]["comparable"]) == (True, False)


def costing(record, candidate, assessor):
    """The record with these costs, in US dollars."""
    costs = {Role.CANDIDATE: Cost(usd=candidate), Role.ASSESSOR: Cost(usd=assessor)}
    return record.model_copy(update={"costs": costs})


def test_cost_is_a_mean_a_run_with_its_interval_and_unknown_stays_unknown():
    """R39, R51: the candidate alone, and every role together; three runs give an interval."""
    group = [
        run(f"run{n}", ALL).model_copy(
            update={"costs": {Role.CANDIDATE: Cost(usd=n), Role.ASSESSOR: Cost(usd=2)}}
        )
        for n in (1.0, 2.0, 3.0)
    ]
    unknown = run("dark", ALL, changed={"model": "x"}).model_copy(
        update={"costs": {Role.CANDIDATE: Cost(usd=1.0), Role.ASSESSOR: Cost(usd=None)}}
    )
    found = by_name(models({"group": group, "dark": [unknown]}))
    total = found["group"]["cost"]["total_usd"]
    assert (total["value"], found["group"]["cost"]["candidate_usd"]["value"]) == (4, 2)
    assert total["high"] - total["value"] == pytest.approx(4.302652729749 * 1 / np.sqrt(3))
    assert found["dark"]["cost"]["total_usd"] == {"value": None, "low": None, "high": None}
    assert found["dark"]["cost"]["candidate_usd"]["value"] == 1


def test_what_is_not_charted_is_not_computed():
    """R51: no cost per index point, no all-pairs significance."""
    found = models({"one": [run("one", ALL, usd=1)], "two": [run("two", ALL, usd=2, changed={"model": "x"})]})
    text = json.dumps(found, allow_nan=False)
    assert "per_point" not in text
    assert '"p"' not in text
    assert set(found) == {"reference", "sources", "judge_families", "withheld"}
