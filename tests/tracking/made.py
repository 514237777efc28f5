"""Records to store, and their folders as a run leaves them."""

from pathlib import Path
from typing import Any

from gnollbench.records.figures import scored
from gnollbench.records.files import read_record, write_record
from gnollbench.records.run import RunRecord

RECORDS = Path(__file__).parents[1] / "oracles" / "records"


def make(name: str = "panel", head: dict[str, Any] | None = None, **fields: Any) -> RunRecord:
    """A scored record of the oracle's, with fields of its head and of itself replaced."""
    record = scored(read_record(RECORDS / f"record-{name}.json"))
    return record.model_copy(update={"run": record.run.model_copy(update=head or {}), **fields})


def lay(record: RunRecord, root: Path) -> Path:
    """Lay a record's folder out as a run leaves it."""
    folder = root / "out puts" / record.run.id
    (folder / "transcripts").mkdir(parents=True, exist_ok=True)
    write_record(record, folder / "record.json")
    (folder / "report.md").write_text("# A report\n", encoding="utf-8")
    (folder / "transcripts" / "q01.jsonl").write_text("{}\n", encoding="utf-8")
    return folder
