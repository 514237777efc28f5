"""A default run has something of everything that grading can give, without any provider (R17, R30-R36)."""

import asyncio
from pathlib import Path

import pytest

from gnollbench.cli import compose_launch
from gnollbench.engine.admission import admit
from gnollbench.engine.journal import Journal
from gnollbench.engine.run import Run
from gnollbench.launcher import resolve_launch
from gnollbench.llm.gateway import ModelGateway
from gnollbench.llm.offline import MODELS
from gnollbench.records.run import RunRecord
from gnollbench.records.suite import load_suite
from gnollbench.scoring.panel import Resolution
from gnollbench.scoring.verdict import FlagName, Ruling
from gnollbench.shipped import suite_folder
from tests.engine.scripted import Silent


def default_run(folder: Path, *words: str) -> RunRecord:
    launch = compose_launch(list(words))
    suite = load_suite(suite_folder(launch.suite.path))
    gateway = ModelGateway(MODELS, launch.retries, launch.concurrency.calls_per_provider)
    with Journal(folder) as journal:
        admission = admit(launch, suite, {}, lambda _: 0)
        run = Run("r", resolve_launch(launch, suite), admission, gateway, journal, Silent())
        return asyncio.run(run.execute()).record


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    return default_run(tmp_path_factory.mktemp("panel"))


def test_members_split_and_the_verifier_settles_some(panel: RunRecord) -> None:
    """R36: agreed, overturned and unresolved critical errors stand in one run."""
    resolutions = {answer.score.resolution for answer in panel.answers if answer.score}
    assert {Resolution.AGREED, Resolution.OVERTURNED, Resolution.UNRESOLVED} <= resolutions
    assert panel.results is not None
    assert panel.results.outcomes is not None
    assert panel.results.outcomes.critical_errors.overturned


def test_rulings_flags_readings_and_syntheses_are_there(panel: RunRecord) -> None:
    """R30-R34: every kind of ruling, several flags, a reading of each answer, disputes, two assessments."""
    rulings = {claim.effective_ruling for answer in panel.answers for claim in answer.claims}
    assert rulings == set(Ruling)
    flags = {flag.name for answer in panel.answers for flag in answer.flags}
    assert {FlagName.UNEVIDENCED_DEDUCTION, FlagName.CONTESTED_CRITICAL_ERROR} <= flags
    assert len(flags) >= 3
    assert all(answer.reader is not None for answer in panel.answers)
    assert any(answer.disputed for answer in panel.answers)
    assert [synthesis.member for synthesis in panel.syntheses] == ["a", "b"]
    assert not any(answer.unscored for answer in panel.answers)
    assert panel.run.status == "completed"


def test_single_assessor_grades_once_more(tmp_path: Path) -> None:
    """R31, R35: a second reader on a sample, and a re-grade where the verifier contests a charge."""
    words = (
        "panel=offline_single",
        "panel.assessor.model=trigrams",
        "panel.assessor.provider=embedded-trigrams",
    )
    record = default_run(tmp_path, *words)
    assert record.results is not None
    assert record.results.regrade is not None
    assert record.results.regrade.n >= 1
    assert record.results.regrade.difference > 0
    assert record.results.reader is not None
    assert record.results.reader.conditioned
