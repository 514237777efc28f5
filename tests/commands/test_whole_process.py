"""The commands that use the store, each as a process of its own (R24, R46)."""

import json
from pathlib import Path

import pytest

from gnollbench.records.files import write_record
from tests.commands.made import RECORDS, document, run, text


@pytest.mark.timeout(600)
def test_the_way_of_a_record_through_the_store(tmp_path: Path) -> None:
    """Records in, a group of them, its statistics, a new scoring, and a record out again."""
    for number, lowered in enumerate(((), ("q01",), ("q06",)), start=1):
        write_record(run(f"r-{number}", lowered=lowered), tmp_path / f"r-{number}.json")
    imported = document(tmp_path, "import", "r-1.json", "r-2.json", "r-3.json")["imported"]
    assert [row["run"] for row in imported] == ["r-1", "r-2", "r-3"]
    assert document(tmp_path, "group", "create", "three", "r-1", "r-2", "r-3")["tier"] == "A"
    assert "reproducibility and item sampling" in text(tmp_path, "replicates", "three")
    assert document(tmp_path, "rescore", "r-1")["written"] == ["the store"]
    document(tmp_path, "export", "r-1", "-o", "out.json")
    out = json.loads((tmp_path / "out.json").read_text("utf-8"))
    expected = json.loads((RECORDS / "expected-panel.json").read_text("utf-8"))["results"]
    index = pytest.approx(expected["intelligence"]["index"], abs=1e-9)
    assert out["results"]["intelligence"]["index"] == index
    assert out["scorings"][0]["results"]["intelligence"]["index"] == index
