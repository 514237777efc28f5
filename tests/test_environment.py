"""``scripts/environment``: which interpreter it takes, and that it says so (R62)."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
VENV_MADE = 7  # how the interpreter in these tests ends where it would make an environment
TAKEN = f'#!/bin/sh\n[ "$1" = -m ] && exit {VENV_MADE}\nexit 0\n'
DEAD = "#!/bin/sh\nexit 127\n"


def program(file: Path, text: str) -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")
    file.chmod(0o755)
    return file


@pytest.mark.skipif(shutil.which("bash") is None, reason="the scripts are bash")
@pytest.mark.parametrize(("named", "passed_over"), [(DEAD, True), (TAKEN, False)])
def test_an_interpreter_that_does_not_start_is_named(tmp_path: Path, named: str, passed_over: bool) -> None:
    """R62: a PYTHON that is not used is not passed over in silence; its path may hold a blank."""
    for name in ("requirements.lock", "pyproject.toml", "scripts/environment"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    program(tmp_path / "bin" / "python3.11", TAKEN if passed_over else DEAD)
    python = program(tmp_path / "a shim" / "python", named)
    environ = {**os.environ, "PYTHON": str(python), "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "scripts/environment"],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == VENV_MADE, done.stderr
    assert (f"PYTHON={python} is passed over" in done.stderr) is passed_over
