"""The right values, worked out apart from the project, and how near a figure must come to them."""

import json
from pathlib import Path
from typing import Any

import pytest

ORACLES = Path(__file__).parents[1] / "oracles"


def load(name: str) -> Any:
    """An oracle file's content."""
    return json.loads((ORACLES / name).read_text("utf-8"))


def near(value: float, tolerance: float = 1e-9) -> Any:
    """Equal to 1e-9, absolute or relative."""
    return pytest.approx(value, rel=tolerance, abs=tolerance)
