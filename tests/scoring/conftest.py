"""What the tests of the formulas share: the independent values, the shipped profile, makers of verdicts."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from gnollbench.scoring.profile import Profile
from gnollbench.scoring.verdict import (
    Citation,
    CitationKind,
    Claim,
    ClaimKind,
    Levels,
    Member,
    Ruling,
    Verdict,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def statistics() -> dict[str, Any]:
    return json.loads((ROOT / "tests/oracles/statistics.json").read_text("utf-8"))


@pytest.fixture(scope="session")
def profile() -> Profile:
    content = yaml.safe_load((ROOT / "conf/profile/standard.yaml").read_text("utf-8"))
    return Profile.model_validate_json(json.dumps(content))


@pytest.fixture(scope="session")
def timeouts_ms() -> dict[str, float]:
    """The shipped wall-clock limits by band, in milliseconds."""
    limits = yaml.safe_load((ROOT / "conf/limits/standard.yaml").read_text("utf-8"))
    return {band: seconds * 1000 for band, seconds in limits["timeout_s"].items()}


@pytest.fixture(scope="session")
def make_verdict():
    def make(levels: tuple[int, int, int, int] = (6, 6, 6, 6), **fields: Any) -> Verdict:
        names = ("accuracy", "completeness", "conciseness", "readability")
        return Verdict(levels=Levels(**dict(zip(names, levels, strict=True))), **fields)

    return make


@pytest.fixture(scope="session")
def make_claim():
    def make(
        quote: str,
        ruling: Ruling,
        kind: ClaimKind = ClaimKind.CRITICAL_ERROR,
        by: tuple[Member, ...] = (Member.A,),
        cited: bool = True,
    ) -> Claim:
        citation = Citation(kind=CitationKind.WIKI, where="Potion of water") if cited else None
        return Claim(kind=kind, quote=quote, raised_by=by, ruling=ruling, citation=citation)

    return make
