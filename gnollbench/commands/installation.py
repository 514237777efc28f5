"""Commands on the installation: doctor, ui."""

import argparse
import os
from collections.abc import Iterator
from dataclasses import dataclass

from gnollbench import HARNESS_VERSION, __version__
from gnollbench.commands.common import Adder, Compose, print_json, with_config_dir
from gnollbench.errors import Refusal
from gnollbench.records.launch import Launch, ModelConfig, Retries


@dataclass(frozen=True, slots=True)
class _Finding:
    what: str
    state: str  # ok, or what is the matter in one word
    detail: str


def add_commands(add: Adder) -> None:
    """Add the commands on the installation."""
    doctor = add("doctor", _doctor, "what is configured and what is missing; sends nothing unless --ping")
    with_config_dir(doctor)
    doctor.add_argument(
        "--ping", action="store_true", help="send each model one tiny request, and say its cost"
    )
    doctor.add_argument(
        "words", nargs="*", metavar="OVERRIDE", help="such as candidate=claude panel=standard"
    )
    ui = add("ui", _ui, "the MLflow UI on the store")
    ui.add_argument("--store", help="MLflow URI (default: MLFLOW_TRACKING_URI, else sqlite:///mlflow.db)")
    ui.add_argument("--port", type=int, default=5000)


def _doctor(asked: argparse.Namespace, compose: Compose) -> int:
    launch = compose(asked.words, asked.config_dir)
    findings = [
        _Finding("gnollbench", "ok", f"{__version__}, harness {HARNESS_VERSION}"),
        *_models(launch),
        _launch(launch),
        _corpora(launch),
        _store(launch),
    ]
    if asked.ping:
        findings += _pings(launch, {finding.what for finding in findings if finding.state == "ok"})
    if asked.json:
        print_json([{"what": f.what, "state": f.state, "detail": f.detail} for f in findings])
    else:
        for finding in findings:
            print(f"{finding.what:<12} {finding.state:<8} {finding.detail}")
    return 0 if all(finding.state == "ok" for finding in findings) else 1


def _models(launch: Launch) -> Iterator[_Finding]:
    """Say of each role what it is, and whether its key is there and its settings can be delivered."""
    from gnollbench.engine.admission import key_problem
    from gnollbench.llm.gateway import ModelGateway
    from gnollbench.llm.offline import MODELS
    from gnollbench.llm.prices import name_of, snapshot

    gateway = ModelGateway(MODELS, launch.retries, 1)
    prices = snapshot(launch.models.values(), launch.prices)
    for role, model in launch.models.items():
        where = model.endpoint or "the provider's endpoint"
        priced = "priced" if prices[name_of(model)] else "no price is known"
        named = f"{name_of(model)}, {where}, {priced}"
        if problem := key_problem(model, os.environ):
            yield _Finding(role, "missing", f"{named}: {problem}")
            continue
        try:
            gateway.check([model])
        except Refusal as refusal:
            yield _Finding(role, "refused", f"{named}: {refusal.why}")
        else:
            yield _Finding(role, "ok", named)


def _launch(launch: Launch) -> _Finding:
    """Say whether the launch would be admitted, were all keys there and the volume limits wide (R25, R55)."""
    from gnollbench.engine.admission import admit
    from gnollbench.records.suite import load_suite
    from gnollbench.shipped import suite_folder

    keys = {model.api_key_env: "set" for model in launch.models.values() if model.api_key_env}
    try:
        suite = load_suite(suite_folder(launch.suite.path))
        admission = admit(launch, suite, keys, lambda _: 0)
    except Refusal as refusal:
        return _Finding("launch", "refused", f"{refusal.what}: {refusal.why}")
    asked = len(launch.questions or suite.questions)
    said = [f"{asked} of {len(suite.questions)} questions of {suite.name}", *admission.warnings]
    return _Finding("launch", "ok", "; ".join(said))


def _pings(launch: Launch, well: set[str]) -> list[_Finding]:
    """Send one request to each model that nothing is the matter with; roles that share one share its ping."""
    import asyncio

    from gnollbench.llm.gateway import ModelGateway
    from gnollbench.llm.ping import ping
    from gnollbench.llm.prices import name_of, snapshot

    asked: list[tuple[list[str], ModelConfig]] = []
    for role, model in launch.models.items():
        if role in well and not model.embedded:
            known = next((roles for roles, other in asked if other == model), None)
            if known is None:
                asked.append(([role], model))
            else:
                known.append(role)
    if not asked:
        away = any(not model.embedded for model in launch.models.values())
        why = "see the models above" if away else "every model is inside this process"
        return [_Finding("ping", "missing" if away else "ok", f"nothing was sent: {why}")]
    once = Retries(attempts=1, waits_s=(0.0,), retry_after_most_s=launch.retries.retry_after_most_s)
    gateway = ModelGateway({}, once, len(asked))
    prices = snapshot(launch.models.values(), launch.prices)

    async def all_of_them() -> list[_Finding]:
        pings = await asyncio.gather(*(ping(gateway, model, prices[name_of(model)]) for _, model in asked))
        return [
            _Finding(f"ping {', '.join(roles)}", "ok" if found.answered else "failed", found.detail)
            for (roles, _), found in zip(asked, pings, strict=True)
        ]

    return asyncio.run(all_of_them())


def _corpora(launch: Launch) -> _Finding:
    from gnollbench.corpus.library import Library

    try:
        counts = Library.open(launch.corpus).counts
    except Refusal as refusal:
        return _Finding("corpora", "missing", f"{refusal.what}: {refusal.why}")
    return _Finding("corpora", "ok", ", ".join(f"{count} {name}" for name, count in counts.items()))


def _store(launch: Launch) -> _Finding:
    from gnollbench.errors import GnollBenchError
    from gnollbench.records.addresses import public_uri
    from gnollbench.tracking import Store, store_uri
    from gnollbench.tracking.address import sqlite_file

    uri, store = store_uri(launch.tracking), Store(launch.tracking)
    file = sqlite_file(uri)
    try:
        store.require_usable()
        if file is not None and not file.exists():
            return _Finding("store", "ok", f"{public_uri(uri)} (made at the first run)")
        store.open()
    except GnollBenchError as error:
        return _Finding("store", "missing", str(error).replace("\n", ": "))
    return _Finding("store", "ok", public_uri(uri))


def _ui(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.tracking import serve_ui

    return serve_ui(asked.store, asked.port)
