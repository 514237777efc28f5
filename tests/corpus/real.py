"""The real games, where this machine has them."""

import os
import subprocess
from pathlib import Path

import pytest
from filelock import FileLock

from gnollbench.corpus.places import default_cache

ROOT = Path(__file__).parents[2]
STARTER = ROOT / "gnollbench" / "corpus" / "starter" / "source"
WIKI = ROOT.parent / "shared" / "corpus" / "gnollhack-wiki"


def gnollhack() -> Path:
    """The checkout that ``GNOLLHACK_SOURCE`` names; skips without one."""
    return _named("GNOLLHACK_SOURCE") or pytest.skip("GNOLLHACK_SOURCE names no checkout of the game")


def nethack() -> Path:
    """The source that ``NETHACK_SOURCE`` names, else the cached one, downloaded at the first use.

    Skips where the package index cannot be reached.
    """
    if named := _named("NETHACK_SOURCE"):
        return named
    target = default_cache() / "nethack-3.6.7"
    target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{target}.lock"):
        done = subprocess.run(
            [ROOT / "scripts" / "nethack-source", target], capture_output=True, text=True, check=False
        )
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"])[-1]
        pytest.skip(f"NETHACK_SOURCE names no source, and scripts/nethack-source could not fetch one: {said}")
    return target


def _named(variable: str) -> Path | None:
    root = Path(os.environ.get(variable, ""))
    return root if os.environ.get(variable) and (root / "src" / "monst.c").is_file() else None
