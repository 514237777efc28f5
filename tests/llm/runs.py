"""Runs over HTTP: roles at their own addresses of one local server, each in a protocol of its own."""

import asyncio
import json
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from gnollbench.cli import compose_launch
from gnollbench.engine.admission import Admission, admit
from gnollbench.engine.journal import Journal
from gnollbench.engine.launch import Resolved
from gnollbench.engine.run import Finished, Run
from gnollbench.launcher import resolve_launch, suite_folder
from gnollbench.llm.gateway import EmbeddedModel, ModelGateway
from gnollbench.records.launch import EMBEDDED
from gnollbench.records.suite import load_suite
from gnollbench.shipped import shipped_folder
from tests.engine.scripted import Silent, says, verdict
from tests.llm.wire import Said, Sent, endpoint

PLACES = {
    "candidate": "candidate",
    "assessor": "panel.assessor",
    "co_assessor": "panel.co_assessor",
    "reader": "reader.llm",
    "verifier": "verifier.llm",
}
PROTOCOLS = {
    "candidate": "openai",
    "assessor": "openai",
    "co_assessor": "anthropic",
    "reader": "google",
    "verifier": "google",
}
MODELS = {"openai": "some-model", "anthropic": "claude-sonnet-5", "google": "gemini-3.1-pro-preview"}
ANSWER = "A lich is slow. It casts cold spells."
CLAIMED = {"quote": "A lich is slow.", "suspected_false": False}
RULED = json.dumps({"rulings": [{"item": 1, "ruling": "indeterminate", "reason": "no page says"}]})
LOOKS = (("wiki_search", '{"query": "lich"}'), ("monster_lookup", '{"query": "lich"}'))
TWO = ("q01", "q03")
_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def role_of(sent: Sent) -> str:
    """The role that a request comes from: the first step of its address; a member without a form synthesises.

    A provider's own address, as it stands, is the candidate's.
    """
    role = sent.path.split("/")[1]
    role = role if role in PLACES else "candidate"
    graded = "unverified_claims" in sent.said or role not in {"assessor", "co_assessor"}
    return role if graded else {"assessor": "synthesis", "co_assessor": "co_assessor_synthesis"}[role]


def has_results(sent: Sent) -> bool:
    """Whether tools have answered in this conversation."""
    marks = ('"role": "tool"', "tool_result", "function_response", "function_call_output")
    return any(mark in sent.said for mark in marks)


def behaves(sent: Sent) -> Said:
    """What a role says that does its work: two look-ups and an answer, a verdict, a ruling, a synthesis."""
    role = role_of(sent)
    if role == "candidate":
        return Said(ANSWER) if has_results(sent) else Said("Let me look.", LOOKS)
    if role == "verifier":
        return Said(RULED) if has_results(sent) else Said(None, LOOKS[:1])
    if role in {"synthesis", "co_assessor_synthesis"}:
        return Said("It answers in brief.")
    return Said(verdict(unverified_claims=[CLAIMED]))


def in_process(role: str) -> EmbeddedModel:
    """The model of a role that is at no address: it does its work without a tool."""
    texts = {"candidate": ANSWER, "verifier": RULED}
    return says(texts.get(role, verdict(unverified_claims=[CLAIMED])))


def words(url: str, only: str | None = None, **protocols: str) -> tuple[str, ...]:
    """The overrides that put every role at its address; or ``only`` one, and the others in this process."""
    spoken = PROTOCOLS | protocols
    found = ["candidate=local", "panel=standard"]
    for role, place in PLACES.items():
        protocol = spoken[role]
        away = only in {None, role} or (only == "synthesis" and role == "assessor")
        fields = {
            "provider": f"{role.replace('_', '-')}-maker",
            "model": MODELS[protocol] if away else role,
            "endpoint": endpoint(f"{url}/{role}", protocol) if away else EMBEDDED,
            "protocol": protocol,
            "api_key_env": "null",
            "thinking_level": "null",
        }
        found += [f"{place}.{name}={value}" for name, value in fields.items()]
    return tuple(found)


@cache
def two_questions() -> Path:
    """Two questions of the standard suite as a suite of their own: a whole exam, with syntheses."""
    _KEPT.append(tempfile.TemporaryDirectory(prefix="two questions "))
    folder = Path(_KEPT[-1].name) / "two"
    shutil.copytree(shipped_folder("suites") / "standard", folder)
    ratings = yaml.safe_load((folder / "ratings.yaml").read_text("utf-8"))
    for path in (folder / "questions").iterdir():
        if path.stem not in TWO:
            path.unlink()
    kept = {name: ratings[name] for name in TWO}
    (folder / "ratings.yaml").write_text(yaml.safe_dump(kept), "utf-8")
    return folder


@cache
def settled(overrides: tuple[str, ...]) -> tuple[Admission, Resolved]:
    """Compose, admit and resolve a launch, once."""
    launch = compose_launch(list(overrides))
    suite = load_suite(suite_folder(launch.suite.path))
    environ = {model.api_key_env: "set" for model in launch.models.values() if model.api_key_env}
    return admit(launch, suite, environ, lambda _: 0), resolve_launch(launch, suite)


def run(
    folder: Path,
    overrides: tuple[str, ...],
    environ: Mapping[str, str] | None = None,
    embedded: Mapping[str, EmbeddedModel] | None = None,
    **gateway: Any,
) -> Finished:
    """Carry a launch out as the program does, up to its record."""
    admission, resolved = settled(overrides)
    launch = resolved.launch
    here = embedded or {role: in_process(role) for role in PLACES}
    calls = launch.concurrency.calls_per_provider
    models = ModelGateway(here, launch.retries, calls, environ or {}, **gateway)
    with Journal(folder) as journal:
        return asyncio.run(Run("test-run", resolved, admission, models, journal, Silent()).execute())
