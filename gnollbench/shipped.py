"""Where the folders that ship with the program lie."""

from pathlib import Path


def shipped_folder(name: str) -> Path:
    """Return ``conf`` or ``suites``: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


def suite_folder(path: str) -> Path:
    """Return the folder of a suite: a shipped one by its bare name, else any folder as it is written."""
    shipped = shipped_folder("suites") / path
    bare = Path(path).name == path
    return shipped if bare and (shipped / "suite.yaml").is_file() else Path(path).expanduser()
