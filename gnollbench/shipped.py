"""Where the folders that ship with the program lie."""

from pathlib import Path


def shipped_folder(name: str) -> Path:
    """Return ``conf`` or ``suites``: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name
