"""Runs of scripted models on a suite of four questions, quickly: what a launch settles is settled once."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import yaml

from gnollbench.cli import compose_launch
from gnollbench.engine.admission import Admission, admit
from gnollbench.engine.journal import Journal
from gnollbench.engine.launch import Resolved
from gnollbench.engine.repair import Repair, repaired_launch, require_same_keys
from gnollbench.engine.run import Finished, Run
from gnollbench.launcher import resolve_launch
from gnollbench.llm.gateway import ModelGateway
from gnollbench.llm.messages import Reply, Request
from gnollbench.records.run import Answer, RunRecord
from gnollbench.records.suite import load_suite
from gnollbench.scoring.verdict import Member, Verdict
from gnollbench.shipped import shipped_folder
from tests.engine.scripted import Silent

Model = Callable[[Request], Reply]
QUESTIONS = ("q01", "q03", "q04", "q05")
_KEPT: list[tempfile.TemporaryDirectory[str]] = []
_SETTING = {
    "candidate": "candidate.model",
    "a": "panel.assessor.model",
    "b": "panel.co_assessor.model",
    "reader": "reader.llm.model",
    "verifier": "verifier.llm.model",
    "writer": "writer.llm.model",
}


@cache
def small_suite() -> Path:
    """Four questions of the standard suite as a suite of their own."""
    _KEPT.append(tempfile.TemporaryDirectory(prefix="a suite "))
    folder = Path(_KEPT[-1].name) / "small"
    shutil.copytree(shipped_folder("suites") / "standard", folder)
    ratings = yaml.safe_load((folder / "ratings.yaml").read_text("utf-8"))
    for path in (folder / "questions").iterdir():
        if path.stem not in QUESTIONS:
            path.unlink()
    kept = {name: rating for name, rating in ratings.items() if name in QUESTIONS}
    (folder / "ratings.yaml").write_text(yaml.safe_dump(kept), "utf-8")
    return folder


@cache
def settled(words: tuple[str, ...]) -> tuple[Admission, Resolved]:
    """Compose, admit and resolve a launch."""
    launch = compose_launch(list(words))
    suite = load_suite(Path(launch.suite.path))
    return admit(launch, suite, {}, lambda _: 0), resolve_launch(launch, suite)


def words_of(models: Mapping[str, Model], overrides: tuple[str, ...]) -> tuple[str, ...]:
    absent = [f"{role}=none" for role in ("reader", "verifier") if role not in models]
    panel = () if "b" in models else ("panel=offline_single",)
    writer = ("writer=offline",) if "writer" in models else ()
    return (
        f"suite.path='{small_suite()}'",
        *panel,
        *writer,
        *absent,
        *(f"{_SETTING[role]}={role}" for role in models),
        *overrides,
    )


def gateway_of(models: Mapping[str, Model], resolved: Resolved) -> ModelGateway:
    gateway = ModelGateway(models, resolved.launch.retries, resolved.launch.concurrency.calls_per_provider)
    gateway.check(resolved.launch.models.values())
    return gateway


def run(folder: Path, models: Mapping[str, Model], *overrides: str) -> Finished:
    """Run the small suite; without a model ``b`` a single assessor grades."""
    admission, resolved = settled(words_of(models, overrides))
    with Journal(folder) as journal:
        going = Run("test-run", resolved, admission, gateway_of(models, resolved), journal, Silent())
        finished = asyncio.run(going.execute())
        journal.discard()
    return finished


def one(folder: Path, models: Mapping[str, Model], *overrides: str) -> Answer:
    """Run one question and return its answer."""
    return run(folder, models, "questions=[q03]", *overrides).record.answers[0]


def repair(folder: Path, record: RunRecord, models: Mapping[str, Model], *overrides: str) -> Finished:
    """Repair a run with models of the same names."""
    repaired_launch(record)
    _, resolved = settled(words_of(models, overrides))
    require_same_keys(record, resolved.keys)
    with Journal(folder) as journal:
        going = Repair(record, resolved, gateway_of(models, resolved), journal, Silent())
        finished = asyncio.run(going.execute())
        journal.discard()
    return finished


def asked_about(request: Request) -> str:
    """Which of the four questions a request is about."""
    text = request.messages[1].content.partition("# Rubric")[0]
    marks = {"q01": "highest experience level", "q03": "plain lich", "q04": "wand of death", "q05": ""}
    return next(name for name, mark in marks.items() if mark in text)


def only_on(question: str, broken: Model, otherwise: Model) -> Model:
    """A model that breaks on one question."""
    return lambda request: (broken if asked_about(request) == question else otherwise)(request)


def levels_of(verdicts: Mapping[Member, Verdict]) -> dict[str, tuple[int, ...]]:
    return {member.value: tuple(v.levels.model_dump().values()) for member, v in verdicts.items()}
