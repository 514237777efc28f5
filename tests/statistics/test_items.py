import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.errors import Withheld
from gnollbench.scoring.outcomes import RunStatus
from gnollbench.statistics.items import discrimination, is_budget_bound, items
from tests.statistics.made import question, run, unpublished


def runs_of(qualities, difficulty=50, **fields):
    """One run a quality of q01, each beside the same q02."""
    exam = [question("q01", difficulty), question("q02", 50)]
    return [
        run(f"run{number}", {"q01": value, "q02": 50.0}, questions=exam, **fields)
        for number, value in enumerate(qualities)
    ]


def first(records):
    return items(records)["items"][0]


def answered(record, **fields):
    """The record with its first answer changed."""
    changed = record.answers[0].model_copy(update=fields)
    return record.model_copy(update={"answers": (changed, *record.answers[1:])})


@pytest.mark.parametrize(
    ("qualities", "difficulty", "flags"),
    [
        ([97, 97, 97, 97], 3, ["saturated"]),
        ([100, 98, 97, 97], 20, ["saturated"]),
        ([98.5, 95.5, 98, 97], 20, ["saturated"]),
        ([100, 96.5, 100, 100], 20, []),  # spread 3.5
        ([96, 97, 97, 97], 20, []),  # mean 96.75
        ([40, 60, 50, 50], 25, ["miscalibrated"]),  # |100 - 50 - 25| = 25
        ([40, 60, 50, 50], 26, []),
        ([40, 60, 50, 50], 75, ["miscalibrated"]),
        ([40, 70, 50, 50], 50, ["unstable"]),  # spread 30
        ([40, 69.5, 50, 50], 50, []),
    ],
)
def test_flags_at_their_thresholds(qualities, difficulty, flags):
    """R53: saturated, miscalibrated, unstable."""
    assert first(runs_of(qualities, difficulty))["flags"] == flags


def test_a_row_shows_its_figures_and_what_they_were_taken_over():
    """R53."""
    row = first(runs_of([40, 60, 50, 54], 45))
    assert (row["question"], row["revision"], row["difficulty"]) == ("q01", "r1", 45)
    assert (row["runs"], row["models"], row["assessors"], row["methods"]) == (4, 1, 1, 1)
    assert (row["mean"], row["spread"], row["empirical_difficulty"]) == (51, 20, 49)
    assert (row["confounded"], row["insufficient"]) == (False, False)


def test_below_four_runs_a_row_is_insufficient():
    """R3, R53: its counts stand, nothing else."""
    found = items(runs_of([100, 100, 100]))
    row = found["items"][0]
    assert (row["runs"], row["insufficient"], row["flags"]) == (3, True, [])
    assert row["mean"] is row["spread"] is row["empirical_difficulty"] is row["discrimination"] is None
    entered = {entry["figure"] for entry in found["withheld"]}
    assert {"items.mean", "items.spread", "items.empirical_difficulty", "items.discrimination"} <= entered


@pytest.mark.parametrize(
    ("calls", "bound"), [([41, 45, 10, 10], True), ([41, 10, 10, 10], False), ([40, 40, 40, 40], False)]
)
def test_budget_bound_where_half_the_runs_used_nine_tenths(calls, bound):
    """R53: 90 % of 45 is 40.5."""
    records = [answered(r, tool_calls=n) for r, n in zip(runs_of([50, 52, 54, 56]), calls, strict=True)]
    assert ("budget_bound" in first(records)["flags"]) is bound


def test_a_budget_that_is_not_recorded_withholds_the_flag():
    """R3, R53."""
    assert isinstance(is_budget_bound([45, 45], [45, None]), Withheld)
    records = runs_of([50, 52, 54, 56])
    found = items([answered(records[0], tool_call_budget=None), *records[1:]])
    assert "items.budget_bound" in {entry["figure"] for entry in found["withheld"]}
    assert found["items"][0]["flags"] == []


def test_confounds_mark_the_row():
    """R53: two assessors, two scoring methods; other candidates are only counted."""
    records = runs_of([50, 52, 54, 56])
    other = run("other", {"q01": 51.0, "q02": 50.0}, changed={"assessor": "x", "model": "y"})
    row = first([*records, other])
    assert (row["assessors"], row["models"], row["flags"]) == (2, 2, ["assessor_confounded"])
    assert row["confounded"] is True
    older = records[0].model_copy(update={"run": records[0].run.model_copy(update={"scoring_method": 12})})
    row = first([older, *records[1:]])
    assert (row["methods"], row["flags"], row["confounded"]) == (2, ["scoring_method_mixed"], True)


def test_rows_are_by_question_and_revision():
    """R53: an edited question is another item."""
    old, new = runs_of([50, 52, 54, 56]), [question("q01", 50, "r2"), question("q02", 50)]
    edited = [run(f"new{n}", {"q01": 90.0, "q02": 50.0}, questions=new) for n in range(4)]
    rows = {(row["question"], row["revision"]): row for row in items([*old, *edited])["items"]}
    assert (rows["q01", "r1"]["mean"], rows["q01", "r2"]["mean"]) == (53, 90)
    assert rows["q02", "r1"]["runs"] == 8


def test_runs_rated_differently_have_no_one_difficulty():
    """R53: calibration against two ratings is withheld."""
    found = items([*runs_of([10, 10], 20), *renamed(runs_of([10, 10], 80))])
    assert found["items"][0]["difficulty"] is None
    assert "miscalibrated" not in found["items"][0]["flags"]
    assert "items.miscalibrated" in {entry["figure"] for entry in found["withheld"]}


def renamed(records):
    return [r.model_copy(update={"run": r.run.model_copy(update={"id": f"{r.run.id}b"})}) for r in records]


def test_broken_off_runs_take_no_part_and_runs_without_an_index_only_not_in_discrimination():
    """R41, R53."""
    records = runs_of([50, 52, 54, 56])
    head = records[0].run.model_copy(update={"status": RunStatus.CANCELED})
    assert items([records[0].model_copy(update={"run": head}), *records[1:]])["n_runs"] == 3
    partial = unpublished("partial", [100.0, 50])
    row = first([*records, partial])
    assert (row["runs"], row["mean"]) == (5, 62.4)
    assert row["discrimination"] == (54 + 56) / 2 - (50 + 52) / 2


@pytest.mark.parametrize(
    ("qualities", "indices", "expected"),
    [
        ([90, 80, 40, 50], [70, 60, 30, 20], 85 - 45),
        ([90, 80, 0, 40, 50], [70, 60, 45, 30, 20], 85 - 45),  # the middle run takes no part
        ([90, 80, 0, 40, 50], [70, 60, None, 30, 20], 85 - 45),
        ([10, 90], [80, 20], -80),
        ([60, 60, 60, 60], [50, 50, 50, 50], 0),  # whichever half a run is put in
    ],
)
def test_discrimination_is_top_half_minus_bottom_half(qualities, indices, expected):
    """R53."""
    assert discrimination(qualities, indices) == expected


@pytest.mark.parametrize(
    ("qualities", "indices"), [([90, 80, 40, 50], [70, 60, 60, 20]), ([90], [70]), ([], [])]
)
def test_discrimination_that_hangs_on_chance_is_withheld(qualities, indices):
    """R3, R53: runs of equal index on both sides of the divide; fewer than two runs."""
    assert isinstance(discrimination(qualities, indices), Withheld)


@given(
    st.lists(st.tuples(st.integers(0, 100), st.integers(0, 5)), min_size=2, max_size=9),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_runs_does_not_matter(pairs, random):
    """R53."""
    shuffled = random.sample(pairs, len(pairs))
    assert discrimination(*zip(*pairs, strict=True)) == discrimination(*zip(*shuffled, strict=True))


def test_the_document_is_json_and_writes_nothing_back():
    """R3, R8: the records' difficulties are as they were."""
    records = runs_of([10, 20, 30, 40], 90)
    found = items(records)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert {r.exam.questions[0].difficulty for r in records} == {90}
