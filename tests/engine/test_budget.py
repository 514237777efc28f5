"""A bound on what a run may cost is kept, or refused where it could not be (R39, R42)."""

from pathlib import Path

import pytest

from gnollbench.cli import compose_launch
from gnollbench.errors import Refusal
from gnollbench.launcher import resolve_launch, suite_folder
from gnollbench.records.suite import load_suite
from tests.llm.runs import run, two_questions, words
from tests.llm.wire import Said, serving

PRICED = "candidate.prices={rates: {input_per_million: 2, output_per_million: 10}}"


def test_a_bound_without_a_price_is_refused() -> None:
    """R39: a cost that is not known is not zero, so nobody would notice that the bound was passed."""
    launch = compose_launch(["candidate=local", "candidate.model=mine", "limits.run_usd=5"])
    with pytest.raises(Refusal, match=r"limits\.run_usd") as caught:
        resolve_launch(launch, load_suite(suite_folder(launch.suite.path)))
    assert "local/mine" in caught.value.why


@pytest.mark.xdist_group("litellm")
@pytest.mark.parametrize(("bound", "status"), [(0.0001, "canceled"), (100.0, "completed")])
def test_a_run_stops_at_its_bound(bound: float, status: str, tmp_path: Path) -> None:
    """R42: broken off once that much is spent, with what it has cost; never before."""
    with serving(Said("It is slow.", tokens=(100, 0, 0, 10, 0))) as wire:
        asked = (
            *words(wire.url, "candidate"),
            PRICED,
            f"suite.path='{two_questions()}'",
            f"limits.run_usd={bound}",
        )
        record = run(tmp_path, asked).record
    assert record.run.status == status
    assert len(record.answers) == (1 if status == "canceled" else 2)
    # 100 x 2 + 10 x 10 = 300 millionths of a dollar an answer
    assert record.costs["candidate"].usd == pytest.approx(len(record.answers) * 300e-6)
