"""The house's own rules: budgets, requirement numbers, nothing that leaks."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gnollbench
from gnollbench.records.canonical import fingerprint

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "gnollbench"
SOURCES = sorted(PACKAGE.rglob("*.py"))
FILE_LINES, FUNCTION_LINES, PARAMETERS = 400, 60, 6
LAST_REQUIREMENT = 62


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_budgets(path: Path) -> None:
    """A file has at most 400 lines, a function 60 lines and 6 parameters."""
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= FILE_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            parameters = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            own = [name for name in parameters if name not in {"self", "cls"}]
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            assert lines <= FUNCTION_LINES, node.name
            assert len(own) <= PARAMETERS, node.name


def test_requirement_numbers_exist() -> None:
    """A cited requirement is one of R1 to R62."""
    for path in (*SOURCES, *sorted((ROOT / "tests").rglob("*.py"))):
        for number in re.findall(r"\bR(\d{1,3})\b", path.read_text("utf-8")):
            assert 1 <= int(number) <= LAST_REQUIREMENT, f"R{number} in {path}"


@pytest.mark.parametrize(
    ("module", "homes"),
    [
        ("litellm", {"llm/gateway.py"}),
        ("mlflow", {"tracking"}),
        ("hydra", {"cli.py"}),
        ("omegaconf", {"cli.py"}),
        ("pingouin", {"statistics"}),
    ],
)
def test_heavy_library_has_one_home(module: str, homes: set[str]) -> None:
    """litellm, mlflow and Hydra each stand in one place."""
    for path in SOURCES:
        tree = ast.parse(path.read_text("utf-8"))
        name = path.relative_to(PACKAGE).as_posix()
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(found.split(".")[0] == module for found in names):
                assert any(name == home or name.startswith(f"{home}/") for home in homes), name


def test_start_up_pays_for_no_heavy_library() -> None:
    """``--help``, a refusal and ``score`` stay fast: what they import is light."""
    heavy = "litellm mlflow pandas scipy numpy pingouin tantivy re2 rich jinja2".split()
    code = (
        "import sys, gnollbench.cli, gnollbench.commands, gnollbench.records.figures, gnollbench.records.files;"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_switches_stand_before_any_library() -> None:
    """Nothing is sent anywhere: telemetry, price downloads and .env reading are off."""
    import os

    assert os.environ["LITELLM_MODE"] == "PRODUCTION"
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"]
    assert os.environ["MLFLOW_DISABLE_TELEMETRY"]


def test_harness_version_moves_with_the_harness() -> None:
    """R43: prompts, texts and schemas that graders and candidates meet belong to the harness version.

    When this fails: raise HARNESS_VERSION, and put the new fingerprint under it.
    """
    folders = (PACKAGE / "roles" / "prompts", PACKAGE / "corpus" / "texts")
    keyed_elsewhere = {"chat_frozen.md.j2", "chat_stable.md.j2"}
    files = [p for folder in folders for p in sorted(folder.iterdir()) if p.name not in keyed_elsewhere]
    files.append(PACKAGE / "corpus" / "parameters.yaml")
    found = fingerprint({path.name: path.read_text("utf-8") for path in files})
    known = json.loads((ROOT / "tests" / "harness_fingerprints.json").read_text("utf-8"))
    assert known.get(str(gnollbench.HARNESS_VERSION)) == found


def test_readme_maps_every_module() -> None:
    """The README's file map has a line for each module: its name and what its docstring says first."""
    text = (ROOT / "README.md").read_text("utf-8")
    for path in SOURCES:
        if path.name != "__init__.py":
            docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
            first = " ".join(docstring.split("\n\n")[0].split()).rstrip(".")
            assert first, f"{path} has no docstring"
            assert re.search(rf"^ +{re.escape(path.name)} +{re.escape(first)}$", text, re.MULTILINE), path
