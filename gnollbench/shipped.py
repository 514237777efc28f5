"""Where the folders that ship with the program lie."""

import os
from pathlib import Path


def shipped_folder(name: str) -> Path:
    """Return ``conf`` or ``suites``: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


def suite_folder(path: str) -> Path:
    """Return the folder of a suite: a shipped one by its name, else a path."""
    shipped = shipped_folder("suites") / path
    return shipped if "/" not in path and os.sep not in path and shipped.is_dir() else Path(path).expanduser()
