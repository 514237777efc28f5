"""The commands on runs, corpora and the installation; each takes ``--json``."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from gnollbench import HARNESS_VERSION, __version__
from gnollbench.errors import Refusal
from gnollbench.records.launch import Launch
from gnollbench.records.run import RunRecord

Compose = Callable[[list[str]], Launch]
"""Composes and validates a launch from Hydra overrides."""

COMMANDS = ("show", "report", "export", "score", "corpus", "doctor", "ui")


def run_command(arguments: list[str], compose: Compose) -> int:
    """Carry out a command and return its exit code.

    Raises
    ------
    Refusal
        With what is wrong; nothing was changed.
    """
    if arguments[0] not in COMMANDS:
        raise Refusal(
            f"there is no command {arguments[0]!r}",
            f"the commands are {', '.join(COMMANDS)}; a launch is made of name=value words",
            "see gnollbench --help",
        )
    asked = _parser().parse_args(arguments)
    return asked.run(asked, compose)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gnollbench")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(
        name: str, run: Callable[[argparse.Namespace, Compose], int], text: str
    ) -> argparse.ArgumentParser:
        entry = commands.add_parser(name, help=text, description=text)
        entry.add_argument("--json", action="store_true", help="one JSON document on stdout")
        entry.set_defaults(run=run)
        return entry

    def of_run(entry: argparse.ArgumentParser) -> argparse.ArgumentParser:
        entry.add_argument(
            "reference", metavar="RUN", help="a run id, its unique beginning, a run's name, a file"
        )
        entry.add_argument("--outputs", default="outputs", help="folder of records (default: outputs)")
        entry.add_argument(
            "--store", help="MLflow URI (default: MLFLOW_TRACKING_URI, else sqlite:///mlflow.db)"
        )
        return entry

    of_run(command("show", _show, "a run at a glance"))
    report = of_run(command("report", _report, "the seven-part report"))
    report.add_argument("--to", choices=("md", "json"), default="md")
    report.add_argument("--disclosure", choices=("internal", "provider"), default="internal")
    report.add_argument("-o", dest="file", type=Path, help="write to a file instead of stdout")
    export = of_run(command("export", _export, "a run's record as a file"))
    export.add_argument("-o", dest="file", type=Path, required=True)
    score = command("score", _score, "the figures of a record, without a store")
    score.add_argument("file", metavar="FILE", type=Path)
    score.add_argument("--method", type=int, help="scoring method, 12 or 13 (default: the record's)")
    score.add_argument("--profile", help="a profile of conf/profile (default: the record's)")
    corpus = command("corpus", _corpus, "what the tools read: list, sync, status, call TOOL name=value …")
    corpus.add_argument("action", choices=("list", "sync", "status", "call"))
    corpus.add_argument("words", nargs="*", metavar="WORD", help="TOOL and its arguments; corpus=… overrides")
    doctor = command("doctor", _doctor, "what is configured and what is missing; sends nothing")
    doctor.add_argument(
        "words", nargs="*", metavar="OVERRIDE", help="such as candidate=claude panel=standard"
    )
    ui = command("ui", _ui, "the MLflow UI on the store")
    ui.add_argument("--store", help="MLflow URI (default: MLFLOW_TRACKING_URI, else sqlite:///mlflow.db)")
    ui.add_argument("--port", type=int, default=5000)
    return parser


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
    return _store(store).find(reference)


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


def _store(uri: str | None) -> Any:
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
        _print_json(head)
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
        _write(asked.file, text)
    return 0


def _export(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.records.files import write_record

    record = find_run(asked.reference, asked.outputs, asked.store)
    try:
        write_record(record, asked.file)
    except OSError as error:
        raise _cannot_write(asked.file, error) from error
    if asked.json:
        _print_json({"run": record.run.id, "file": str(asked.file)})
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
        _print_json(document)
        return 0
    for question, score in document["answers"].items():
        print(f"{question:<12} {'excluded' if score is None else score['quality']}")
    results = document["results"]
    print("results      " + ("withheld" if results is None else json.dumps(results["intelligence"])))
    for entry in document["withheld"]:
        print(f"withheld     {entry['figure']}: {entry['reason']}; {entry['lifted_by']} would lift it")
    return 0


def _corpus(asked: argparse.Namespace, compose: Compose) -> int:
    overrides = [word for word in asked.words if word.startswith(("corpus=", "corpus.", "chat.guides="))]
    words = [word for word in asked.words if word not in overrides]
    if asked.action == "list":
        return _corpus_list(asked, compose, overrides)
    if asked.action == "call":
        return _corpus_call(asked, compose(overrides), words)
    launch = compose(overrides)
    return _corpus_sync(asked, launch) if asked.action == "sync" else _corpus_status(asked, launch)


def _corpus_list(asked: argparse.Namespace, compose: Compose, overrides: list[str]) -> int:
    corpus = compose(overrides).corpus.model_dump(mode="json")
    if asked.json:
        _print_json(corpus)
    else:
        for name, location in corpus.items():
            print(f"{name:<15} {'–' if location is None else location}")
    return 0


def _corpus_sync(asked: argparse.Namespace, launch: Launch) -> int:
    from gnollbench.corpus.places import default_cache, is_url, synchronise

    corpus = launch.corpus
    cache = Path(corpus.cache).expanduser() if corpus.cache else default_cache()
    urls = {
        name: location
        for name in ("wiki", "nethack_wiki", "knowledge", "source", "nethack_source")
        if (location := getattr(corpus, name)) is not None and is_url(location)
    }
    done = {name: str(synchronise(location, cache)) for name, location in urls.items()}
    if asked.json:
        _print_json(done)
    else:
        for name, folder in done.items():
            print(f"{name:<15} {folder}")
        if not done:
            print("no corpus of this configuration is a git URL; nothing to fetch")
    return 0


def _corpus_status(asked: argparse.Namespace, launch: Launch) -> int:
    from gnollbench.corpus.library import Library

    library = Library.open(launch.corpus)
    status = {"revisions": library.revisions, "counts": library.counts, "warnings": library.warnings}
    if asked.json:
        _print_json(status)
        return 0
    for name, revision in library.revisions.items():
        print(f"{name:<24} revision {revision}")
    for name, count in library.counts.items():
        print(f"{name:<24} {count}")
    for warning in library.warnings:
        print(f"warning: {warning}")
    return 0


def _corpus_call(asked: argparse.Namespace, launch: Launch, words: list[str]) -> int:
    from gnollbench.corpus.caps import ResultBudget
    from gnollbench.corpus.library import Library
    from gnollbench.corpus.tools import Guides, Toolset

    toolset = Toolset(Library.open(launch.corpus), Guides.load(launch.chat.guides), launch.limits.result_cap)
    names = [tool["name"] for tool in toolset.declarations]
    if not words or words[0] not in names:
        raise Refusal(
            f"corpus call {words[0] if words else ''} is refused",
            f"the tools are {', '.join(names)}",
            "name one",
        )
    arguments = dict(_argument(word) for word in words[1:])
    result = toolset.call(words[0], arguments)
    limits = launch.limits
    budget = ResultBudget(limits.result_cap, limits.batch_cap, limits.turn_cap)
    budget.start_round()
    shown = budget.shown(words[0], result)
    if asked.json:
        _print_json({"success": shown.success, "content": shown.content})
    else:
        print(shown.content)
    return 0 if shown.success else 1


def _argument(word: str) -> tuple[str, Any]:
    name, equals, text = word.partition("=")
    if not equals:
        raise Refusal(
            f"the argument {word!r} is refused", "it is not of the form name=value", "write name=value"
        )
    if text in {"true", "false"}:
        return name, text == "true"
    return name, int(text) if text.lstrip("-").isdecimal() else text


def _doctor(asked: argparse.Namespace, compose: Compose) -> int:
    from gnollbench.corpus.library import Library

    launch = compose(asked.words)
    findings: list[tuple[str, str, str]] = [("gnollbench", "ok", f"{__version__}, harness {HARNESS_VERSION}")]
    for role, model in launch.models.items():
        findings.append(
            (role, *_key_state(model.api_key_env, model.embedded), f"{model.provider}/{model.model}")
        )
    try:
        findings.append(("corpora", "ok", _counts(Library.open(launch.corpus).counts)))
    except Refusal as refusal:
        findings.append(("corpora", "missing", f"{refusal.what}: {refusal.why}"))
    findings.append(_store_state(launch))
    if asked.json:
        _print_json([{"what": what, "state": state, "detail": detail} for what, state, detail in findings])
    else:
        for what, state, detail in findings:
            print(f"{what:<12} {state:<8} {detail}")
    return 0 if all(state == "ok" for _, state, _ in findings) else 1


def _key_state(variable: str | None, embedded: bool) -> tuple[str]:
    missing = not embedded and variable is not None and not os.environ.get(variable)
    return ("missing" if missing else "ok",)


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _store_state(launch: Launch) -> tuple[str, str, str]:
    from gnollbench.errors import GnollBenchError
    from gnollbench.tracking import Store, public_uri, store_uri

    uri = store_uri(launch.tracking)
    if uri.startswith("sqlite:///") and not Path(uri.removeprefix("sqlite:///")).exists():
        return "store", "ok", f"{public_uri(uri)} (made at the first run)"
    try:
        Store(launch.tracking).open()
    except GnollBenchError as error:
        return "store", "missing", str(error).replace("\n", ": ")
    return "store", "ok", public_uri(uri)


def _ui(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.tracking import serve_ui

    return serve_ui(asked.store, asked.port)


def _print_json(document: Any) -> None:
    print(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise _cannot_write(path, error) from error


def _cannot_write(path: Path, error: OSError) -> Refusal:
    return Refusal(f"{path} cannot be written", error.strerror or type(error).__name__, "name another file")
