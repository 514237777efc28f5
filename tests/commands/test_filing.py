"""import and rescore as a user calls them on a real SQLite store (R24, R42)."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gnollbench.records.files import read_record
from tests.commands import made
from tests.commands.made import RECORDS, inside, lay, run

document = partial(made.document, by=inside)
refusal = partial(made.refusal, by=inside)
text = partial(made.text, by=inside)


def stated(name: str, folder: Path, **head: Any) -> tuple[Path, dict[str, Any]]:
    """An independent record with the scores and results that were worked out for it, as a file."""
    record = json.loads((RECORDS / f"record-{name}.json").read_text("utf-8"))
    expected = json.loads((RECORDS / f"expected-{name}.json").read_text("utf-8"))
    for answer in record["answers"]:
        answer["score"] = expected["answers"][answer["question"]]
    record["results"] = expected["results"]
    record["run"] |= head
    return write(record, folder / f"{record['run']['id']}.json"), record


def write(record: dict[str, Any], file: Path) -> Path:
    file.write_text(json.dumps(record), encoding="utf-8")
    return file


def test_import_of_independent_records(tmp_path: Path) -> None:
    """Figures worked out apart from the project are confirmed; a second import says the run is there."""
    files = [str(stated(name, tmp_path)[0]) for name in ("panel", "single12", "canceled")]
    first = document(tmp_path, "import", *files)["imported"]
    assert [(row["file"], row["differences"], row["already_there"]) for row in first] == [
        (file, [], False) for file in files
    ]
    assert {row["already_there"] for row in document(tmp_path, "import", *files)["imported"]} == {True}
    stored = document(tmp_path, "show", "oracle-31-panel")
    assert stored["results"]["intelligence"]["index"] == pytest.approx(47.09447983, abs=1e-6)
    artifacts = {path.name for path in (tmp_path / "mlruns").rglob("*") if path.is_file()}
    assert artifacts == {"record.json", "report.md"}


def test_import_reports_each_figure_that_differs(tmp_path: Path) -> None:
    """Import re-scores: what the file states otherwise is named, and not what is kept."""
    file, record = stated("panel", tmp_path)
    record["results"]["intelligence"]["index"] += 1
    record["answers"][3]["score"]["members"]["a"] = 99
    record["answers"][4]["score"] = None
    record["run"]["status"] = "completed"
    write(record, file)
    (row,) = document(tmp_path, "import", str(file))["imported"]
    found = {entry["figure"]: (entry["stated"], entry["computed"]) for entry in row["differences"]}
    index = record["results"]["intelligence"]["index"]
    assert found.keys() == {
        "run.status",
        "answers.q04.score.members.a",
        "answers.q05.score",
        "results.intelligence.index",
    }
    assert found["run.status"] == ("completed", "completed_with_limits")
    assert found["answers.q04.score.members.a"] == (99, 69)
    assert found["results.intelligence.index"] == (index, pytest.approx(index - 1, abs=1e-9))
    kept = document(tmp_path, "show", "oracle-31-panel")["results"]["intelligence"]["index"]
    assert kept == pytest.approx(index - 1, abs=1e-9)
    said = text(tmp_path, "import", str(file))
    assert "answers.q04.score.members.a: 99 stated, 69 computed" in said
    assert "is there already" in said


def test_nothing_is_stored_where_one_file_is_refused(tmp_path: Path) -> None:
    """record.md: a strict reading error names the field's path; nothing is stored, no store is made."""
    good, record = stated("panel", tmp_path)
    levels = record["answers"][3]["verdicts"]["a"]["levels"]
    levels["accuracy"] = 7
    bad = write(record, tmp_path / "bad.json")
    assert "answers.3.verdicts.a.levels.accuracy" in refusal(tmp_path, "import", str(good), str(bad))
    levels["accuracy"] = 6
    unknown = write(record | {"surprise": 1}, tmp_path / "unknown.json")
    assert "surprise" in refusal(tmp_path, "import", str(good), str(unknown))
    assert not (tmp_path / "mlflow.db").exists()


def test_other_content_under_a_known_id_is_refused(tmp_path: Path) -> None:
    """R3: one id is one run, in the files, in the folder of records and in the store."""
    file, record = stated("panel", tmp_path, id="known")
    record["answers"][0]["text"] = "Another answer."
    other = write(record, tmp_path / "other.json")
    assert "other content" in refusal(tmp_path, "import", str(file), str(other))
    document(tmp_path, "import", str(file))
    assert "known" in refusal(tmp_path, "import", str(other))
    lay(run("mine"), tmp_path)
    mine = write(record | {"run": record["run"] | {"id": "mine"}}, tmp_path / "mine.json")
    assert "mine" in refusal(tmp_path, "import", str(mine))


def test_rescore_stands_beside_the_first_scoring(tmp_path: Path) -> None:
    """R24: a new scoring in the record and in the store; answers and first scoring are untouched."""
    file, _ = stated("single12", tmp_path)
    document(tmp_path, "import", str(file))
    place = lay(read_record(file), tmp_path)
    before = json.loads(place.read_text("utf-8"))
    made = document(tmp_path, "rescore", "oracle-31-single12", "--method", "13")
    assert (made["method"], made["profile"]) == (13, "standard")
    assert made["keys"]["scoring_method"]["value"] == 13
    assert len(made["written"]) == 2
    after = json.loads(place.read_text("utf-8"))
    (scoring,) = after.pop("scorings")
    assert after == {name: value for name, value in before.items() if name != "scorings"}
    assert scoring["results"]["outcomes"] is not None
    assert scoring["keys"]["scoring_method"]["value"] == 13
    assert scoring["keys"]["assessor"] == before["keys"]["assessor"]
    said = text(tmp_path, "rescore", "oracle-31-single12", "--profile", "standard")
    assert "method 12, profile standard" in said
    stored = tmp_path / "from the store.json"
    words = ("export", "oracle-31-single12", "--outputs", "nowhere", "-o", str(stored))
    document(tmp_path, *words)
    kept = json.loads(stored.read_text("utf-8"))["scorings"]
    assert [entry["method"] for entry in kept] == [13, 12]
    assert kept == json.loads(place.read_text("utf-8"))["scorings"]


def test_rescore_of_a_file_needs_no_store(tmp_path: Path) -> None:
    """R24: the record is brought up to date where it is."""
    place = lay(run("a-1"), tmp_path)
    assert document(tmp_path, "rescore", "a-1")["written"] == ["outputs/a-1/record.json"]
    (scoring,) = read_record(place).scorings
    assert scoring.results is not None
    assert scoring.results.intelligence.index == pytest.approx(47.09447983, abs=1e-6)
    assert [path.name for path in tmp_path.iterdir()] == ["outputs"]


@pytest.mark.parametrize(
    ("name", "words", "said"),
    [
        ("canceled", [], "broken off"),
        ("panel", ["--method", "12"], "no rule for two"),
        ("panel", ["--method", "14"], "knows the methods 12, 13"),
        ("panel", ["--profile", "nowhere"], "nowhere"),
    ],
)
def test_rescore_is_refused(tmp_path: Path, name: str, words: list[str], said: str) -> None:
    """R24, R42: a broken-off run, a panel record under method 12; nothing is written."""
    place = lay(run("a-1", base=name), tmp_path)
    before = place.read_bytes()
    assert said in refusal(tmp_path, "rescore", "a-1", *words)
    assert place.read_bytes() == before
