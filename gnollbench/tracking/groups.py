"""Groups: named sets of runs, each an MLflow run of its own kind (R44, R46).

A group's tags say what a list of groups shows, so that listing is one search; its artifact ``group.json``
holds the members and the comparability verdict over them.
"""

import json
import re
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gnollbench.errors import Refusal
from gnollbench.records.run import RunRecord
from gnollbench.statistics.comparability import Comparability, Tier, comparability
from gnollbench.statistics.runs import keys_of
from gnollbench.tracking import entries
from gnollbench.tracking.store import Store, quoted

KIND = "group"
ARTIFACT = "group.json"
MEMBERS, SIZE, TIER, SUITE = (f"gnollbench.{name}" for name in ("members", "n_runs", "tier", "suite"))
_NAME = re.compile(r"[^\s/\\](.{0,198}[^\s/\\])?")  # MLflow takes 250 characters of a run's name


@dataclass(frozen=True, slots=True)
class GroupHead:
    """What a list of groups shows of one."""

    name: str
    suite: str
    tier: str
    n_runs: int
    created_at: datetime

    def document(self) -> dict[str, Any]:
        """Return the JSON of one group in a list."""
        return {
            "name": self.name,
            "suite": self.suite,
            "tier": self.tier,
            "n_runs": self.n_runs,
            "created_at": self.created_at.isoformat(),
        }


@dataclass(frozen=True, slots=True)
class Group:
    """A named set of runs.

    Attributes
    ----------
    members : dict of str to str
        Run id to the MLflow run id under which the store has it.
    verdict : dict
        The comparability verdict over the members when the group was made, as ``gnollbench tier`` prints it.
    """

    head: GroupHead
    members: dict[str, str]
    verdict: dict[str, Any]


@dataclass(frozen=True, slots=True)
class MemberHead:
    """What the store's tags and metrics say of a member; ``index`` None is withheld."""

    run: str
    name: str
    status: str
    candidate: str
    index: float | None

    def document(self) -> dict[str, Any]:
        """Return the JSON of one member."""
        return asdict(self)


def checked_verdict(name: str, records: Sequence[RunRecord]) -> Comparability:
    """Return the verdict over what is to become a group (R44).

    Raises
    ------
    Refusal
        If the runs are not comparable; it names the keys, their values and the runs that carry them.
    """
    verdict = comparability(keys_of(records))
    if verdict.tier is Tier.NONE:
        raise Refusal(
            f"the group {name!r} is refused",
            verdict.explanation,
            "name runs that differ in one thing at most",
        )
    return verdict


def create_group(store: Store, name: str, records: Sequence[RunRecord]) -> Group:
    """Make a group of runs that the store has (R46).

    Parameters
    ----------
    store : Store
        Has every one of the runs.
    name : str
        Up to 200 characters.
    records : sequence of RunRecord
        One or more; a run that is named twice is in it once.

    Raises
    ------
    Refusal
        If the runs are not comparable, a run is not in the store, or the name is taken or no name.
    """
    verdict = checked_verdict(name, records)
    require_free(store, name)
    members = {record.run.id: _stored(store, record.run.id, name) for record in records}
    created_ms = int(time.time() * 1000)
    suite = records[0].exam.suite
    head = GroupHead(name, suite, str(verdict.tier), len(members), _time(created_ms))
    group = Group(head, members, verdict.document())
    with store.failing("did not take the group"), tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / ARTIFACT
        file.write_text(_written(group), encoding="utf-8")
        run = store.client.create_run(store.experiment(suite), created_ms, _tags(group), name)
        store.client.log_artifact(run.info.run_id, str(file))
        store.client.set_terminated(run.info.run_id, "FINISHED", created_ms)
    return group


def require_free(store: Store, name: str) -> None:
    """Refuse a name that a group cannot have.

    Raises
    ------
    Refusal
        If it is no name, a group has it, or it is a run's id.
    """
    if not _NAME.fullmatch(name) or not name.isprintable():
        raise Refusal(
            f"the group {name!r} is refused",
            "a name is one line of 1 to 200 characters, without a blank or a slash at its ends",
            "choose another name",
        )
    if _runs_named(store, name):
        raise Refusal(f"the group {name!r} is refused", "a group has this name", "choose another name")
    if store.run_of(name) is not None:
        raise Refusal(f"the group {name!r} is refused", "it is the id of a run", "choose another name")


def find_group(store: Store, name: str) -> Group | None:
    """Return the group of exactly that name; None where the store has none."""
    runs = _runs_named(store, name)
    if not runs:
        return None
    document = json.loads(store.text_of(runs[0].info.run_id, ARTIFACT))
    return Group(_head(runs[0]), document["members"], document["verdict"])


def list_groups(store: Store) -> list[GroupHead]:
    """Return every group, the newest first, by one search."""
    with store.refusing("was not searched"):
        return [_head(run) for run in store.search(kind=KIND)]


def members_of(store: Store, group: Group) -> list[MemberHead]:
    """Return what the store says of a group's members, in the group's order, by one search.

    A member that was deleted from the store is left out.
    """
    listed = ", ".join(f"'{run_id}'" for run_id in group.members.values())
    with store.refusing("was not searched"):
        found = {run.info.run_id: run for run in store.search(f"attributes.run_id IN ({listed})")}
    return [_member(run, found[run_id]) for run, run_id in group.members.items() if run_id in found]


def group_records(store: Store, name: str) -> list[RunRecord]:
    """Return the records of a group's runs, in the group's order.

    Raises
    ------
    Refusal
        If there is no group of that name, or a run's record is gone.
    """
    group = find_group(store, name)
    if group is None:
        raise Refusal(
            f"group {name!r} was not found", "the store has no group of that name", "see group list"
        )
    return [store.record_of(run_id) for run_id in group.members.values()]


def _runs_named(store: Store, name: str) -> list[Any]:
    with store.refusing("was not searched"):
        runs = store.search(f"attributes.run_name = {quoted(name)}", kind=KIND)
    return [run for run in runs if run.info.run_name == name]  # some databases overlook case


def _stored(store: Store, run: str, name: str) -> str:
    run_id = store.run_of(run)
    if run_id is None:
        raise Refusal(f"the group {name!r} is refused", f"the store has no run {run}", "import it first")
    return run_id


def _written(group: Group) -> str:
    document = {**group.head.document(), "members": group.members, "verdict": group.verdict}
    return json.dumps(document, ensure_ascii=False, indent=1)


def _tags(group: Group) -> dict[str, str]:
    tags = {
        entries.KIND: KIND,
        MEMBERS: json.dumps(list(group.members), ensure_ascii=False),
        SIZE: str(group.head.n_runs),
        TIER: group.head.tier,
        SUITE: group.head.suite,
        "mlflow.note.content": group.verdict["explanation"],  # what the UI shows beside the name
    }
    return {name: entries.plain(value) for name, value in tags.items()}


def _head(run: Any) -> GroupHead:
    tags: Mapping[str, str] = run.data.tags
    created_at = _time(run.info.start_time)
    return GroupHead(run.info.run_name, tags[SUITE], tags[TIER], int(tags[SIZE]), created_at)


def _member(run: str, stored: Any) -> MemberHead:
    tags: Mapping[str, str] = stored.data.tags
    return MemberHead(
        run=run,
        name=stored.info.run_name,
        status=tags["gnollbench.status"],
        candidate=tags["gnollbench.candidate"],
        index=stored.data.metrics.get("intelligence_index"),
    )


def _time(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
