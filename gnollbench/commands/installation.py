"""Commands on the installation: doctor, ui."""

import argparse
import os
from pathlib import Path

from gnollbench import HARNESS_VERSION, __version__
from gnollbench.commands.common import Adder, Compose, print_json
from gnollbench.errors import Refusal
from gnollbench.records.launch import Launch


def add_commands(add: Adder) -> None:
    """Add the commands on the installation."""
    doctor = add("doctor", _doctor, "what is configured and what is missing; sends nothing")
    doctor.add_argument(
        "words", nargs="*", metavar="OVERRIDE", help="such as candidate=claude panel=standard"
    )
    ui = add("ui", _ui, "the MLflow UI on the store")
    ui.add_argument("--store", help="MLflow URI (default: MLFLOW_TRACKING_URI, else sqlite:///mlflow.db)")
    ui.add_argument("--port", type=int, default=5000)


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
        print_json([{"what": what, "state": state, "detail": detail} for what, state, detail in findings])
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
    from gnollbench.records.addresses import public_uri
    from gnollbench.tracking import Store, store_uri

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
