"""Groups as a user makes them on a real SQLite store (R44, R46)."""

from functools import partial
from pathlib import Path

import pytest

from gnollbench.records.files import write_record
from tests.commands import made
from tests.commands.made import inside, lay, run

document = partial(made.document, by=inside)
refusal = partial(made.refusal, by=inside)
text = partial(made.text, by=inside)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three replicates in outputs, a run of other judges as a file, and groups ``base`` and ``both``."""
    folder = tmp_path_factory.mktemp("a place")
    for number, lowered in enumerate(((), ("q01",), ("q06",)), start=1):
        lay(run(f"a-{number}", name="base", lowered=lowered), folder)
    write_record(run("b-1", keys={"assessor": "other judges"}), folder / "other judges.json")
    made = document(folder, "group", "create", "base", "a-1", "a-2", "a-3", "a-1")
    assert (made["name"], made["tier"], made["runs"]) == ("base", "A", ["a-1", "a-2", "a-3"])
    both = document(folder, "group", "create", "both", "a-1", "other judges.json")
    assert both["tier"] == "C"
    return folder


def test_a_list_of_groups(folder: Path) -> None:
    """R46: the newest first, with the tier and the number of runs."""
    found = document(folder, "group", "list")["groups"]
    assert [(group["name"], group["tier"], group["n_runs"]) for group in found] == [
        ("both", "C", 2),
        ("base", "A", 3),
    ]
    assert "oracle-31-panel" in text(folder, "group", "list")


def test_a_group_shows_its_runs_and_what_differs(folder: Path) -> None:
    """R44: a C group can be made, and says which key differs with both values."""
    found = document(folder, "group", "show", "both")
    assert found["runs"] == [member["run"] for member in found["members"]] == ["a-1", "b-1"]
    assert found["members"][0]["index"] == pytest.approx(47.0944798, abs=1e-6)
    assert [difference["key"] for difference in found["verdict"]["differences"]] == ["assessor"]
    said = text(folder, "group", "show", "both")
    assert all(word in said for word in ("other judges", "acme/m-1", "47.1", "completed with limits"))


def test_a_group_is_a_source(folder: Path) -> None:
    """R46: its name stands for its runs, also where runs have that name; R44: a C group is not pooled."""
    assert document(folder, "replicates", "base")["n_runs"] == 3
    assert "assessor" in refusal(folder, "replicates", "both")
    found = document(folder, "compare", "--baseline", "base", "--treatment", "b-1")
    assert (found["kind"], found["changed"]) == ("controlled", ["assessor"])
    sources = document(folder, "models", "base", "a-2")["sources"]
    assert [(source["name"], source["n_runs"]) for source in sources] == [("base", 3), ("a-2", 1)]


def test_a_group_comes_before_the_beginning_of_an_id(tmp_path: Path) -> None:
    """R46: a name that begins a run's id is a name all the same."""
    lay(run("x-1"), tmp_path)
    lay(run("x-2", lowered=("q01",)), tmp_path)
    document(tmp_path, "group", "create", "x", "x-1", "x-2")
    assert document(tmp_path, "items", "x")["n_runs"] == 2
    assert "not unique" in refusal(tmp_path, "items", "x-")


def test_a_group_outlives_the_folder_of_records(folder: Path) -> None:
    """R46: its runs are in the store, those too that were given as files."""
    found = document(folder, "items", "base", "both", "--outputs", "nowhere")
    assert found["n_runs"] == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["create", "third", "a-1", "none.json"], ["reader", "verifier", "none of it", "a-1", "n-1"]),
        (["create", "base", "a-1"], ["a group has this name"]),
        (["create", "a-1", "a-2"], ["the id of a run"]),
        (["create", "b-1", "a-2"], ["the id of a run"]),
        (["create", " ", "a-1"], ["1 to 200 characters"]),
        (["create", "third", "nowhere"], ["was not found"]),
        (["show", "third"], ["was not found"]),
    ],
)
def test_what_is_no_group_is_refused(folder: Path, words: list[str], said: list[str]) -> None:
    """R44: a set of tier none names the keys and values; names are told apart; nothing is stored."""
    write_record(run("n-1", keys={"reader": "none of it", "verifier": "none of it"}), folder / "none.json")
    found = refusal(folder, "group", *words)
    assert all(word in found for word in said)
    assert len(document(folder, "group", "list")["groups"]) == 2


def test_a_file_that_contradicts_the_store_makes_no_group(folder: Path, tmp_path: Path) -> None:
    """R3: one id is one run."""
    file = tmp_path / "other.json"
    write_record(run("b-1", keys={"assessor": "third judges"}), file)
    assert "other content" in refusal(folder, "group", "create", "third", str(file))


def test_no_store_has_no_group(tmp_path: Path) -> None:
    """Looking makes no store."""
    assert document(tmp_path, "group", "list") == {"groups": []}
    assert text(tmp_path, "group", "list") == "no group\n"
    refusal(tmp_path, "group", "show", "base")
    assert list(tmp_path.iterdir()) == []
