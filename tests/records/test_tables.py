"""Runs as pandas tables, and the documented session with them (R37-R43)."""

import contextlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gnollbench.records import answers_table, claims_table, costs_table, keys_table, verdicts_table
from gnollbench.records.figures import scored
from gnollbench.records.files import read_record
from gnollbench.records.launch import Tracking
from gnollbench.records.run import KEY_KINDS, Cost, Role, RunRecord
from tests.commands.made import lay, run

ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "tests" / "oracles" / "records"
DOCUMENT = ROOT / "docs" / "tables.md"


def record(name: str) -> RunRecord:
    return scored(read_record(RECORDS / f"record-{name}.json"))


def expected(name: str) -> dict[str, Any]:
    return json.loads((RECORDS / f"expected-{name}.json").read_text("utf-8"))


@pytest.mark.parametrize("name", ["panel", "edge", "missing", "unanswered", "single12"])
def test_answers_hold_the_independent_scores(name: str) -> None:
    """R20-R41: one row an answer, in its order; an excluded answer has no figure, an unanswered no speed."""
    table = answers_table(record(name))
    scores = expected(name)["answers"]
    assert list(table["question"]) == list(scores)
    for row, score in zip(table.to_dict("records"), scores.values(), strict=True):
        if score is None:
            assert all(row[figure] != row[figure] for figure in ("quality", "speed"))  # NaN
            continue
        assert row["quality"] == pytest.approx(score["quality"], abs=1e-9)
        assert row["critical_error"] == score["confirmed_critical_error"]
        if score["speed"] is None:
            assert row["speed"] != row["speed"]
            assert row["model_ms"] != row["model_ms"]
        else:
            assert row["speed"] == pytest.approx(score["speed"], abs=1e-9)
            assert row["model_ms"] == row["turn_ms"] - row["tool_ms"]


def test_a_withheld_figure_is_missing_and_never_0() -> None:
    """R3, R39: means leave it out; the columns stay numeric where nothing is known."""
    missing = answers_table(record("missing"))
    excluded = [question for question, score in expected("missing")["answers"].items() if score is None]
    assert excluded
    assert set(missing.loc[missing["quality"].isna(), "question"]) == set(excluded)
    none = record("panel").model_copy(update={"costs": {Role.CANDIDATE: Cost(reason="no price")}})
    costs = costs_table(none)
    assert costs["usd"].dtype == "float64"
    assert costs["usd"].isna().all()
    assert costs["reason"].tolist() == ["no price"]
    partly = Cost(input_tokens=10, output_tokens=1, usd=0.5, reason="no usage", unmetered=1, unpriced=1)
    row = costs_table(none.model_copy(update={"costs": {Role.CANDIDATE: partly}})).iloc[0]
    assert row[["input_tokens", "output_tokens", "usd"]].isna().all()  # known in part only


def test_verdicts_hold_levels_and_each_graders_own_score() -> None:
    """R19-R21, R27: before resolution; a charge counts where its quote is found."""
    table = verdicts_table(record("panel"))
    assert table.groupby("grader").size().to_dict() == {"a": 18, "b": 18}
    assert table["accuracy"].between(0, 6).all()
    index = record("panel").results.panel.member_index  # type: ignore[union-attr]
    difficulty = answers_table(record("panel")).set_index("question")["difficulty"]
    for member, stated in index.items():
        own = table[table["grader"] == member].set_index("question")["score"]
        assert (own * difficulty).sum() / difficulty.sum() == pytest.approx(stated, abs=1e-9)
    charged = table[table["critical_error"]]
    assert charged["critical_error_quote"].notna().all()
    assert (charged["score"] <= 25).all()


def test_claims_count_as_they_are_ruled() -> None:
    """R34: a ruling without a citation is indeterminate."""
    claims = claims_table(record("panel"))
    uncited = claims[claims["citation_kind"].isna()]
    assert len(claims) > len(uncited) > 0
    assert set(uncited["ruling"]) == {"indeterminate"}
    assert set(claims["raised_by"]) <= {"a", "b", "a, b"}


def test_keys_are_27_a_run() -> None:
    """R43: in the order of the table, composite values as JSON."""
    keys = keys_table([record("panel"), record("edge")])
    assert list(keys["key"]) == [*KEY_KINDS, *KEY_KINDS]
    revisions = keys[keys["key"] == "question_revisions"]["value"].iloc[0]
    assert json.loads(revisions) == record("panel").keys["question_revisions"].value


def test_tables_of_several_runs_join() -> None:
    """A run, a list and a generator; no run, no row, the same columns."""
    runs = [record("panel"), record("edge")]
    one, both = answers_table(runs[0]), answers_table(each for each in runs)
    assert len(one) == 18
    assert len(both) == 36
    joined = both.merge(verdicts_table(runs), on=["run", "question"])
    assert set(joined["run"]) == {"oracle-31-panel", "oracle-31-edge"}
    assert list(answers_table([]).columns) == list(one.columns)


@pytest.mark.parametrize("table", [answers_table, verdicts_table, claims_table, costs_table, keys_table])
def test_the_columns_are_documented(table: Any) -> None:
    """docs/tables.md names every column, in its order."""
    (line,) = [
        line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith(f"| `{table.__name__}`")
    ]
    assert line.split("|")[-2].strip().split(", ") == list(table([]).columns)


@pytest.mark.timeout(300)
def test_the_documented_session_runs(tmp_path: Path) -> None:
    """docs/tables.md, its code as it stands there, on runs of two candidates and a group in the store."""
    from gnollbench.tracking import Store
    from gnollbench.tracking.groups import create_group

    runs = [
        scored(run("a-1")),
        scored(run("a-2", lowered=("q06",))),
        scored(run("b-1", keys={"provider": "beta"})),
    ]
    store = Store(Tracking(uri=f"sqlite:///{tmp_path / 'mlflow.db'}", experiment="gnollbench"))
    for each in runs:
        store.log_run(each, lay(each, tmp_path).parent)
    create_group(store, "baseline", runs[:2])
    session: dict[str, Any] = {}
    with contextlib.chdir(tmp_path), pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        for block in re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL):
            exec(compile(block, str(DOCUMENT), "exec"), session)
    assert list(session["by_band"].index) == ["acme/m-1", "beta/m-1"]
    assert session["by_band"].notna().all(axis=None)
    assert session["apart"].is_monotonic_decreasing
    assert session["usd"].to_dict() == {("acme/m-1", "candidate"): 0.25, ("beta/m-1", "candidate"): 0.25}
    assert session["unknown"].empty
    assert session["differing"] == ["provider"]
    assert set(session["group"]["run"]) == {"a-1", "a-2"}


def test_the_tables_load_pandas_only_when_asked() -> None:
    """Start-up stays fast: the names are offered, pandas is not loaded."""
    code = (
        "import sys; import gnollbench.records as r; from gnollbench.records import answers_table;"
        "print('pandas' in sys.modules, hasattr(r, 'no_such_table'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["False", "False"]
