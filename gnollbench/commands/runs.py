"""Commands on one run: show, report, export, score."""

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gnollbench.commands.common import Adder, Compose, cannot_write, print_json, write_text
from gnollbench.errors import Refusal
from gnollbench.records.run import RunRecord


def add_commands(add: Adder) -> None:
    """Add the commands on one run."""
    with_run(add("show", _show, "a run at a glance"))
    report = with_run(add("report", _report, "the seven-part report"))
    report.add_argument("--to", choices=("md", "json"), default="md")
    report.add_argument("--disclosure", choices=("internal", "provider"), default="internal")
    report.add_argument("-o", dest="file", type=Path, help="write to a file instead of stdout")
    export = with_run(add("export", _export, "a run's record as a file"))
    export.add_argument("-o", dest="file", type=Path, required=True)
    score = add("score", _score, "the figures of a record, without a store")
    score.add_argument("file", metavar="FILE", type=Path)
    score.add_argument("--method", type=int, help="scoring method, 12 or 13 (default: the record's)")
    score.add_argument("--profile", help="a profile of conf/profile (default: the record's)")


def with_run(entry: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Give a command its RUN and the places where that is looked up."""
    entry.add_argument(
        "reference", metavar="RUN", help="a run id, its unique beginning, a run's name, a file"
    )
    return with_places(entry)


def with_places(entry: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Give a command the folder and the store where runs are looked up."""
    entry.add_argument("--outputs", default="outputs", help="folder of records (default: outputs)")
    entry.add_argument("--store", help="MLflow URI (default: MLFLOW_TRACKING_URI, else sqlite:///mlflow.db)")
    return entry


def find_run(reference: str, outputs: str, store: str | None) -> RunRecord:
    """Look a run up: a file, then the folder of records, then the store.

    Raises
    ------
    Refusal
        If nothing fits, or more than one run does.
    """
    from gnollbench.records.files import read_record

    path = Path(reference).expanduser()
    if path.suffix == ".json" or path.is_file():
        return read_record(path)
    found = list(_in_outputs(reference, Path(outputs).expanduser()))
    if len(found) > 1:
        names = ", ".join(sorted(path.parent.name for path in found)[:5])
        raise Refusal(f"run {reference!r} is not unique", f"it fits {names}", "name more of its id")
    if found:
        return read_record(found[0])
    return open_store(store).find(reference)


def _in_outputs(reference: str, outputs: Path) -> Iterable[Path]:
    files = sorted(outputs.glob("*/record.json"))
    by_id = [path for path in files if path.parent.name.startswith(reference)]
    exact = [path for path in by_id if path.parent.name == reference]
    return exact or by_id or [path for path in files if _name(path) == reference]


def _name(path: Path) -> str | None:
    try:
        return json.loads(path.read_text("utf-8"))["run"]["name"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def open_store(uri: str | None) -> Any:
    from gnollbench.records.launch import Tracking
    from gnollbench.tracking import Store

    store = Store(Tracking(uri=uri, experiment="gnollbench"))
    store.open()
    return store


def _show(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.reports import glance

    record = find_run(asked.reference, asked.outputs, asked.store)
    if asked.json:
        head = record.model_dump(mode="json", include={"run", "models", "costs", "results", "withheld"})
        print_json(head)
    else:
        print(glance(record))
    return 0


def _report(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.reports import report_json, report_markdown

    record = find_run(asked.reference, asked.outputs, asked.store)
    if asked.json or asked.to == "json":
        text = json.dumps(report_json(record, asked.disclosure), ensure_ascii=False, indent=2) + "\n"
    else:
        text = report_markdown(record, asked.disclosure)
    if asked.file is None:
        sys.stdout.write(text)
    else:
        write_text(asked.file, text)
    return 0


def _export(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.records.files import write_record

    record = find_run(asked.reference, asked.outputs, asked.store)
    try:
        write_record(record, asked.file)
    except OSError as error:
        raise cannot_write(asked.file, error) from error
    if asked.json:
        print_json({"run": record.run.id, "file": str(asked.file)})
    else:
        print(f"{record.run.id} is in {asked.file}")
    return 0


def _score(asked: argparse.Namespace, compose: Compose) -> int:
    from gnollbench.records.figures import score_document
    from gnollbench.records.files import read_record

    profile = compose([f"profile={asked.profile}"]).profile if asked.profile else None
    record = read_record(asked.file)
    document = score_document(record, asked.method, profile)
    if asked.json:
        print_json(document)
        return 0
    for question, score in document["answers"].items():
        print(f"{question:<12} {'excluded' if score is None else score['quality']}")
    results = document["results"]
    print("results      " + ("withheld" if results is None else json.dumps(results["intelligence"])))
    for entry in document["withheld"]:
        print(f"withheld     {entry['figure']}: {entry['reason']}; {entry['lifted_by']} would lift it")
    return 0
