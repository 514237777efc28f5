"""Suite folders: what is read, and what is refused by name (R4-R9)."""

import shutil
from pathlib import Path

import pytest

from gnollbench.cli import compose_launch
from gnollbench.errors import InvalidFile
from gnollbench.records.suite import load_suite
from gnollbench.shipped import shipped_folder, suite_folder

ROOT = Path(__file__).parents[2]
STANDARD = shipped_folder("suites") / "standard"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the standard suite."""
    shutil.copytree(STANDARD, tmp_path / "a suite")
    return tmp_path / "a suite"


def refused(folder: Path) -> InvalidFile:
    with pytest.raises(InvalidFile) as caught:
        load_suite(folder)
    assert all((caught.value.what, caught.value.why, caught.value.lifted_by))
    return caught.value


def appended(path: Path, text: str) -> None:
    path.write_text(path.read_text("utf-8") + text, "utf-8")


@pytest.mark.parametrize(
    "name", ["q07.yml", "q07.YAML", "q07", "q07.json", "notes.txt", "q07.yaml.txt", "more"]
)
def test_file_that_is_no_question_is_refused_by_name(folder: Path, name: str) -> None:
    """R4: a question that would not be asked is never passed over in silence."""
    if name == "more":
        (folder / "questions" / name).mkdir()
    else:
        shutil.copy(folder / "questions" / "q01.yaml", folder / "questions" / name)
    assert f"questions/{name} " in refused(folder).what


def test_what_editors_leave_is_no_question(folder: Path) -> None:
    """R4: hidden files and backups do not get into a suite, and do not stop it."""
    before = load_suite(folder)
    for name in (
        ".q07.yaml.swp",
        ".DS_Store",
        ".hidden.yaml",
        "q01.yaml~",
        "#q01.yaml#",
        "q01.yaml.bak",
        "q01.yaml.orig",
    ):
        (folder / "questions" / name).write_text("left", "utf-8")
    assert load_suite(folder) == before


def test_suite_without_questions_is_refused(folder: Path) -> None:
    """R4: one question at least, and a folder for it."""
    shutil.rmtree(folder / "questions")
    assert "questions cannot be read" in refused(folder).what
    (folder / "questions").mkdir()
    assert "questions" in refused(folder).why


@pytest.mark.parametrize(
    ("name", "text", "key"),
    [
        ("questions/q01.yaml", "band: advanced\n", "band"),
        ("ratings.yaml", "q05: {revision: x, difficulty: 99, rated_by: x}\n", "q05"),
        ("suite.yaml", "name: other\n", "name"),
        ("questions/q01.yaml", "extra: {required: [a], scope: x, required: [b]}\n", "required"),
    ],
)
def test_key_that_stands_twice_is_refused_with_its_line(folder: Path, name: str, text: str, key: str) -> None:
    """R6, R7: of two rubrics or ratings, neither is taken by chance."""
    line = len((folder / name).read_text("utf-8").splitlines()) + 1
    appended(folder / name, text)
    assert name in refused(folder).what
    assert refused(folder).why == f"line {line}: the key {key} stands twice"


def test_every_shipped_file_holds_each_key_once(folder: Path) -> None:
    """R61: what ships is read by whichever loader; none meets a key twice."""
    places = [*(ROOT / "gnollbench").rglob("*.yaml"), *(ROOT / "conf").rglob("*.yaml")]
    assert len(places) > 30
    for path in places:
        shutil.copy(path, folder / "ratings.yaml")
        assert "cannot be read" not in refused(folder).what, path  # read, and found to hold no ratings


def test_broken_yaml_is_refused_with_its_line(folder: Path) -> None:
    """R7: who edits a suite is told where."""
    appended(folder / "questions" / "q01.yaml", "x: [1\ny: 2\n")
    assert refused(folder).why.startswith("line ")


def test_snapshot_that_is_not_named_is_refused(folder: Path) -> None:
    """R9: a board in the folder reaches every role, or the suite is no suite."""
    (folder / "snapshot.txt").write_text("HP:14(58)  \n", "utf-8")
    assert "does not name it" in refused(folder).why
    appended(folder / "suite.yaml", "snapshot: ./snapshot.txt\n")
    suite = load_suite(folder)
    assert suite.snapshot is not None
    assert suite.snapshot.text == "HP:14(58)\n"
    (folder / "board.txt").write_text("HP:1(58)", "utf-8")
    text = (folder / "suite.yaml").read_text("utf-8").replace("./snapshot.txt", "board.txt")
    (folder / "suite.yaml").write_text(text, "utf-8")
    assert "does not name it" in refused(folder).why


def test_facts_of_a_board_that_is_not_there_are_refused(folder: Path) -> None:
    """R9: a rubric states board facts only where there is a board."""
    path = folder / "questions" / "q03.yaml"
    path.write_text(
        path.read_text("utf-8").replace("rubric:\n", "rubric:\n  board: ['HP:14(58)']\n", 1), "utf-8"
    )
    assert "q03" in refused(folder).why
    (folder / "snapshot.txt").write_text("HP:14(58)", "utf-8")
    appended(folder / "suite.yaml", "snapshot: snapshot.txt\n")
    assert load_suite(folder).snapshot is not None


@pytest.mark.parametrize("path", [".", "./", "../a suite", "../a suite/", "sub/..", "../a suite/."])
def test_suite_is_named_by_any_path_to_it(folder: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """R61: a relative folder is a folder, the working directory included."""
    (folder / "sub").mkdir()
    monkeypatch.chdir(folder)
    launch = compose_launch([f"suite.path='{path}'"])
    assert suite_folder(launch.suite.path).resolve() == folder
    assert load_suite(suite_folder(launch.suite.path)).name == "standard"


def test_shipped_suite_is_named_by_its_bare_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R61: wherever one stands; a folder of that name is meant by ``./`` before it."""
    monkeypatch.chdir(tmp_path)
    assert suite_folder("standard") == STANDARD
    assert suite_folder("./standard") == Path("standard")
    assert suite_folder("..") == Path("..")
