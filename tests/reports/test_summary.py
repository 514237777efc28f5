"""The figures in a report: with their interval, rounded in print, withheld where they are (R3, R37-R40)."""

import pytest

from gnollbench.errors import Withheld
from gnollbench.records.figures import scored
from gnollbench.records.results import MarkerCounts
from gnollbench.records.run import (
    Cost,
    Role,
    RunRecord,
    Scoring,
)
from gnollbench.reports import report_markdown
from gnollbench.reports.view import View
from gnollbench.scoring.verdict import (
    Member,
)
from tests.reports.made import COSTS, make, part, with_keys


def test_withheld_figures_are_said_to_be_withheld() -> None:
    """R3: with the reason and what lifts it; never 0."""
    record = make("small")
    summary = part(report_markdown(record), 2)
    assert record.withheld
    for entry in record.withheld:
        assert f"| `{entry.figure}` |" in summary
        assert entry.lifted_by in summary.replace("\\", "")
    assert "| *withheld* |" in summary


def test_outcomes_stand_with_their_interval() -> None:
    """R40: counts, the three rates, the Wilson interval of the first."""
    summary = part(report_markdown(make()), 2)
    assert "| 0 | 14 | 3 | 1 | 0 |" in summary
    assert "16.7 % | 95 % Wilson interval 5.8 % to 39.2 %, of 18 classified answers" in summary
    assert "confirmed `q03`, `q09`, `q11`" in summary
    assert "overturned `q18`" in summary


def test_costs_are_at_least_where_a_part_is_unknown() -> None:
    """R39: by role, the writer outside the total."""
    assert "**$2.25**" in part(report_markdown(make()), 2)
    assert "(outside the total)" in part(report_markdown(make()), 2)
    partly = {**COSTS, Role.VERIFIER: Cost(usd=None, reason="no price of boreal-mini")}
    summary = part(report_markdown(make(costs=partly)), 2)
    assert "**at least $2.25**" in summary
    assert "| verifier | unknown | unknown | unknown | no price of boreal-mini |" in summary
    assert "at least $2.25" in part(report_markdown(make(costs=partly)), 7)
    unknown = {Role.CANDIDATE: Cost(usd=None)}
    assert "**unknown**" in part(report_markdown(make(costs=unknown)), 2)


def test_what_is_known_of_a_cost_is_printed() -> None:
    """R39: tokens and dollars that are known in part are at least that."""
    partly = Cost(input_tokens=1200, output_tokens=40, usd=0.5, reason="no usage", unmetered=1, unpriced=2)
    summary = part(report_markdown(make(costs={**COSTS, Role.VERIFIER: partly})), 2)
    assert "**at least $2.75, 2 calls unknown**" in summary
    assert (
        "| verifier | at least 1,200 | at least 40 | at least $0.50, 2 calls unknown | no usage |" in summary
    )


def test_speed_is_printed_with_what_it_may_be_compared_with() -> None:
    """R38: one thinking level, one timing mode; a saturation warning when half the answers score 100."""
    record = make()
    assert "comparable only within one thinking level and one timing mode" in part(report_markdown(record), 2)
    assert "SATURATED" not in report_markdown(record)
    assert record.results is not None
    speed = record.results.speed.model_copy(update={"saturated": True})
    results = record.results.model_copy(update={"speed": speed})
    report = report_markdown(record.model_copy(update={"results": results}))
    assert "SATURATED: at least half the answers score 100" in part(report, 2)
    assert "no longer tells fast models apart" in part(report, 5)


@pytest.mark.parametrize(("completeness", "said"), [(3, True), (4, True), (5, False)])
def test_completeness_trailing_accuracy_is_pointed_out(completeness: int, said: bool) -> None:
    """R59: levels 5 and 4 are 87 - 72 = 15 points apart, 13 or more; 5 and 5 are 0."""
    report = report_markdown(with_levels(make(), completeness))
    assert ("Completeness trails Accuracy" in part(report, 2)) is said
    assert ("Completeness trails Accuracy" in part(report, 5)) is said


def test_the_concise_style_is_no_excuse_in_the_verbose_one() -> None:
    """R59: the pattern is shown, its usual reading is not."""
    record = with_keys(with_levels(make(), 3), prompt_options={"response_style": "verbose"})
    summary = part(report_markdown(record), 2)
    assert "Completeness trails Accuracy by 32.0 points" in summary
    assert "obedience" not in summary


def with_levels(record: RunRecord, completeness: int) -> RunRecord:
    """The record with every answer graded Accuracy 5 and that Completeness."""
    answers = tuple(
        answer.model_copy(
            update={
                "verdicts": {
                    member: verdict.model_copy(
                        update={
                            "levels": verdict.levels.model_copy(
                                update={"accuracy": 5, "completeness": completeness}
                            )
                        }
                    )
                    for member, verdict in answer.verdicts.items()
                }
            }
        )
        for answer in record.answers
    )
    return record.model_copy(update={"answers": answers})


def test_the_readers_agreement_is_labelled_where_it_is_conditioned() -> None:
    """R31, R32: a reader of a single assessor's doubts gives no unbiased rate; a reference reader does."""
    single = make("single13")
    answers = tuple(
        answer.model_copy(update={"reader": answer.verdicts[Member.A]}) for answer in single.answers
    )
    report = report_markdown(scored(single.model_copy(update={"answers": answers})))
    assert "### Agreement of the reader (conditioned)" in part(report, 2)
    assert "the reader's agreement is conditioned" in part(report, 5)
    panel = make()
    answers = tuple(
        answer.model_copy(update={"reader": answer.verdicts[Member.A]}) for answer in panel.answers
    )
    report = report_markdown(scored(panel.model_copy(update={"answers": answers})))
    assert "conditioned" not in report.split("### Known limits")[0]
    assert "### Disputed answers" in part(report, 5)


def test_numbers_are_rounded_in_print_only() -> None:
    """R3: one decimal of the index in the report, all of them in the record."""
    record = make()
    assert record.results is not None
    report = report_markdown(record)
    assert "**47.1**" in report
    assert str(record.results.intelligence.index) not in report
    assert record == make()


def test_later_scorings_stand_beside_the_first() -> None:
    """R24: with their method and profile."""
    record = make()
    later = Scoring(
        method=13,
        profile=record.profile.model_copy(update={"name": "mild"}),
        time=record.run.started_at,
        scores={},
        results=None,
        keys={},
    )
    summary = part(report_markdown(record.model_copy(update={"scorings": (later,)})), 2)
    assert "| 2026-11-01 10:00 | 13 | `mild` | none |  |" in summary


def test_markers_are_counted() -> None:
    """R28: the instrument's own share."""
    record = make()
    assert record.results is not None
    markers = MarkerCounts(out_of_scope=1, form=3, beside_unexplained=2)
    record = record.model_copy(update={"results": record.results.model_copy(update={"markers": markers})})
    assert (
        "1 point out of scope and 3 points of form were recorded by graders and not deducted; 2 of them"
        in part(report_markdown(record), 2)
    )


def test_panel_agreement_has_its_interval() -> None:
    """R27: ICC(A,1) of the reports comes with pingouin's 95 % interval, around the closed form's value."""
    record = make("panel")
    assert record.results is not None
    assert record.results.panel is not None
    row = next(line for line in part(report_markdown(record), 2).splitlines() if "two-way random" in line)
    value, interval = (cell.strip().replace("−", "-") for cell in row.split("|")[2:4])
    low, high = (float(bound) for bound in interval.split(" to "))
    assert float(value) == pytest.approx(record.results.panel.icc_a1, abs=0.005)
    assert low < float(value) < high


def test_interval_of_too_few_answers_is_withheld() -> None:
    """R27: below five pairs no interval is made up."""
    record = make("panel")
    few = scored(record.model_copy(update={"answers": record.answers[:4]}))
    view = View(few)
    assert isinstance(view.icc, Withheld)
    assert "5" in view.icc.lifted_by
