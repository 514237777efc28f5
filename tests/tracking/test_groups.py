"""Groups in the store: what is refused, what is found again, and by how many calls (R44, R46)."""

from pathlib import Path
from typing import Any

import pytest
from mlflow import MlflowClient

from gnollbench.errors import Refusal
from gnollbench.records.launch import Tracking
from gnollbench.records.run import Key, RunRecord
from gnollbench.tracking import Store
from gnollbench.tracking.groups import create_group, find_group, group_records, list_groups, members_of
from tests.tracking.made import lay, make


def kept(store: Store, folder: Path, ident: str, **keys: Any) -> RunRecord:
    """A run that the store has."""
    record = make(head={"id": ident, "name": f"run {ident}"})
    changed = {name: Key.of(name, value) for name, value in keys.items()}
    record = record.model_copy(update={"keys": record.keys | changed})
    store.log_run(record, lay(record, folder))
    return record


def test_a_group_is_an_mlflow_run_of_its_kind(store: Store, client: MlflowClient, tmp_path: Path) -> None:
    """R46: in the suite's experiment, with its members in a tag, and found again as it was made."""
    records = [kept(store, tmp_path, f"made-{number}") for number in (1, 2)]
    made = create_group(store, "five o'clock", [*records, records[0]])
    assert find_group(store, "five o'clock") == made
    assert list(made.members) == ["made-1", "made-2"]
    assert group_records(store, "five o'clock") == records
    experiment = client.get_experiment_by_name("gnollbench/oracle-31-panel")
    assert experiment is not None
    (run,) = client.search_runs([experiment.experiment_id], "tags.`gnollbench.kind` = 'group'")
    assert run.info.run_name == "five o'clock"
    assert run.data.tags["gnollbench.members"] == '["made-1", "made-2"]'
    assert run.info.status == "FINISHED"
    assert [(head.name, head.tier, head.n_runs) for head in list_groups(store)] == [("five o'clock", "A", 2)]


def test_a_group_is_no_run(store: Store, tmp_path: Path) -> None:
    """R46, R55: no look-up of a run finds a group, and none counts towards the volume limits."""
    create_group(store, "no run", [kept(store, tmp_path, "lone")])
    with pytest.raises(Refusal, match="was not found"):
        store.find("no run")
    assert store.recent_runs(3600) == 0


@pytest.mark.parametrize(
    ("changed", "tier"),
    [({}, "A"), ({"price_snapshot": "dear"}, "B"), ({"assessor": "others", "price_snapshot": "dear"}, "C")],
)
def test_tiers_a_to_c_make_groups(store: Store, tmp_path: Path, changed: dict[str, str], tier: str) -> None:
    """R44: a group may hold what is only compared."""
    records = [kept(store, tmp_path, f"{tier}-1"), kept(store, tmp_path, f"{tier}-2", **changed)]
    group = create_group(store, f"tier {tier}", records)
    assert (group.head.tier, group.verdict["tier"]) == (tier, tier)
    assert [entry["key"] for entry in group.verdict["differences"]] == sorted(changed)


def test_what_is_not_comparable_makes_no_group(store: Store, tmp_path: Path) -> None:
    """R44: the refusal names every key, both values and the runs that carry them; nothing is stored."""
    records = [kept(store, tmp_path, "odd-1"), kept(store, tmp_path, "odd-2", model="other")]
    before = list_groups(store)
    with pytest.raises(Refusal) as caught:
        create_group(store, "odd", records)
    assert all(word in caught.value.why for word in ("model", '"m-1"', '"other"', "odd-1", "odd-2"))
    assert list_groups(store) == before
    assert find_group(store, "odd") is None


@pytest.mark.parametrize("name", ["", " x", "x ", "/x", "a\nb", "a\x00b", "x" * 201, "taken", "name-1"])
def test_names_that_are_refused(store: Store, tmp_path: Path, name: str) -> None:
    """R46: a name is one line, is free, and is no run's id."""
    record = kept(store, tmp_path, "name-1")
    if find_group(store, "taken") is None:
        create_group(store, "taken", [record])
    with pytest.raises(Refusal, match="is refused"):
        create_group(store, name, [record])


def test_a_run_that_the_store_lacks_is_refused(store: Store) -> None:
    """R46: a group's runs can be found again."""
    with pytest.raises(Refusal, match="import it first"):
        create_group(store, "ghosts", [make(head={"id": "ghost"})])


def test_listing_and_members_take_one_search_each(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R46: no fetch a run, however many there are."""
    group = create_group(store, "many", [kept(store, tmp_path, f"many-{number}") for number in range(4)])
    calls: list[str] = []
    for name in ("search_runs", "get_run", "download_artifacts", "list_artifacts"):
        original = getattr(MlflowClient, name)
        monkeypatch.setattr(
            MlflowClient, name, lambda *a, _o=original, _n=name, **k: (calls.append(_n), _o(*a, **k))[1]
        )
    assert "many" in [head.name for head in list_groups(store)]
    members = members_of(store, group)
    assert calls == ["search_runs", "search_runs"]
    assert [(member.run, member.name) for member in members] == [
        (f"many-{number}", f"run many-{number}") for number in range(4)
    ]
    assert members[0].index == pytest.approx(47.09447983, abs=1e-6)


def test_a_deleted_member_is_left_out_and_its_record_refused(
    store: Store, client: MlflowClient, tmp_path: Path
) -> None:
    """R3: nothing is made up for it."""
    group = create_group(store, "holed", [kept(store, tmp_path, f"hole-{number}") for number in (1, 2)])
    client.delete_run(group.members["hole-1"])
    assert [member.run for member in members_of(store, group)] == ["hole-2"]


def test_no_group_is_refused(store: Store) -> None:
    """What is not there."""
    assert find_group(store, "nowhere") is None
    with pytest.raises(Refusal, match="was not found"):
        group_records(store, "nowhere")


def test_postgresql_holds_groups(postgres: str, tmp_path: Path) -> None:
    """R46: a shared store too."""
    store = Store(Tracking(uri=postgres, experiment="groups"))
    records = [kept(store, tmp_path, f"shared-{number}") for number in (1, 2)]
    made = create_group(store, "shared", records)
    assert find_group(store, "shared") == made
    assert [member.run for member in members_of(store, made)] == ["shared-1", "shared-2"]
    assert "shared" in [head.name for head in list_groups(store)]
