"""Commands on one run: show, report, export, score."""

import argparse
import json
import sys
from pathlib import Path

from gnollbench.commands.common import Adder, Compose, cannot_write, print_json, with_config_dir, write_text
from gnollbench.commands.sources import find_run, with_run
from gnollbench.errors import HarnessFailure
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
    score = with_config_dir(add("score", _score, "the figures of a record, without a store"))
    score.add_argument("file", metavar="FILE", type=Path)
    score.add_argument("--method", type=int, help="scoring method, 12 or 13 (default: the record's)")
    score.add_argument("--profile", help="a profile of conf/profile (default: the record's)")


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
        return 0
    write_text(asked.file, text)
    _print_written(asked, record)
    return 0


def _export(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.records.files import write_record

    record = find_run(asked.reference, asked.outputs, asked.store)
    try:
        write_record(record, asked.file)
    except HarnessFailure as failure:
        if isinstance(failure.__cause__, OSError):
            raise cannot_write(asked.file, failure.__cause__) from failure
        raise
    _print_written(asked, record)
    return 0


def _print_written(asked: argparse.Namespace, record: RunRecord) -> None:
    if asked.json:
        print_json({"run": record.run.id, "file": str(asked.file)})
    else:
        print(f"{record.run.id} is in {asked.file}")


def _score(asked: argparse.Namespace, compose: Compose) -> int:
    from gnollbench.records.figures import score_document
    from gnollbench.records.files import read_record

    profile = compose([f"profile={asked.profile}"], asked.config_dir).profile if asked.profile else None
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
