"""What a record states otherwise than scoring it gives (R24, R41)."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gnollbench.errors import Refusal
from gnollbench.records.figures import evaluate, scored
from gnollbench.records.files import parse_record, read_record
from gnollbench.records.run import RunRecord, Scoring
from gnollbench.records.stated import differences

RECORDS = sorted((Path(__file__).parents[1] / "oracles" / "records").glob("record-*.json"))
PANEL = RECORDS[0].with_name("record-panel.json")


def stating(record: RunRecord, **results: object) -> RunRecord:
    assert record.results is not None
    return record.model_copy(update={"results": record.results.model_copy(update=results)})


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_what_is_computed_here_is_confirmed(path: Path) -> None:
    """A scored record, and one that was not scored yet, differ nowhere; nor does its JSON."""
    record = scored(read_record(path))
    assert differences(record) == []
    assert differences(read_record(path)) == []
    assert differences(parse_record(record.model_dump_json(), "a copy")) == []


def test_a_figure_that_differs_is_named_with_both_values() -> None:
    """To 1e-9, absolute or relative."""
    record = scored(read_record(PANEL))
    assert record.results is not None
    index = record.results.intelligence.index
    for delta, named in ((1e-10, False), (1e-6, True)):
        off = record.results.intelligence.model_copy(update={"index": index + delta})
        found = differences(stating(record, intelligence=off))
        assert [(item.figure, item.stated, item.computed) for item in found] == (
            [("results.intelligence.index", index + delta, index)] if named else []
        )


def test_null_is_a_statement_and_an_absent_field_is_none() -> None:
    """record.md: an older record may lack a field; a null says that the figure is withheld."""
    record = scored(read_record(PANEL))
    assert [item.figure for item in differences(stating(record, panel=None))] == ["results.panel"]
    document = record.model_dump(mode="json")
    del document["results"]["panel"]
    del document["answers"][0]["score"]["speed"]
    lacking = RunRecord.model_validate(document, strict=False)
    assert differences(lacking) == []


def test_scores_results_disputes_and_status_are_compared() -> None:
    """R26, R32, R42: a score that is null, a dispute that is none, a status that the answers do not give."""
    record = scored(read_record(PANEL))
    first, second, *rest = record.answers
    answers = (
        first.model_copy(update={"score": None}),
        second.model_copy(update={"disputed": True}),
        *rest,
    )
    head = record.run.model_copy(update={"status": type(record.run.status)("completed_with_errors")})
    changed = record.model_copy(update={"run": head, "answers": answers, "results": None})
    assert [item.figure for item in differences(changed)] == [
        "run.status",
        "answers.q01.score",
        "answers.q02.disputed",
        "results",
    ]
    assert [item.document()["computed"] for item in differences(changed)][2] is False


def test_later_scorings_are_compared_under_their_own_rules() -> None:
    """R24: each by its method and profile."""
    record = scored(read_record(PANEL.with_name("record-single12.json")))
    again = evaluate(record, 13)
    scoring = Scoring(
        method=13,
        profile=record.profile,
        time=datetime(2026, 12, 1, tzinfo=UTC),
        scores=again.answers,
        results=again.results,
        keys=record.keys,
    )
    assert differences(record.model_copy(update={"scorings": (scoring,)})) == []
    wrong = scoring.model_copy(update={"scores": {**again.answers, "q01": None}})
    found = differences(record.model_copy(update={"scorings": (scoring, wrong)}))
    assert [item.figure for item in found] == ["scorings.1.scores.q01"]


def test_a_method_that_is_unknown_is_refused() -> None:
    """R24: no figure of it can be confirmed."""
    record = read_record(PANEL)
    head = record.run.model_copy(update={"scoring_method": 99})
    with pytest.raises(Refusal, match="99"):
        differences(record.model_copy(update={"run": head}))
