"""Commands on groups, the named sets of runs: create, show, list."""

import argparse
from typing import Any

from gnollbench.commands.common import Adder, Compose, print_json
from gnollbench.commands.filing import keep_run
from gnollbench.commands.plain import labelled, number, print_lines, table
from gnollbench.commands.sources import Sources, distinct, with_places
from gnollbench.errors import Refusal


def add_commands(add: Adder) -> None:
    """Add the command ``group`` with its three actions."""
    actions = add("group", _list, "named sets of runs: create, show, list").add_subparsers(
        dest="action", required=True
    )

    def action(name: str, run: Any, text: str) -> argparse.ArgumentParser:
        entry = with_places(actions.add_parser(name, help=text, description=text))
        entry.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        entry.set_defaults(run=run)
        return entry

    create = action("create", _create, "make a group; runs that the store lacks are put into it")
    create.add_argument("name", metavar="NAME")
    create.add_argument("references", nargs="+", metavar="RUN")
    action("show", _show, "a group's runs and what they allow").add_argument("name", metavar="NAME")
    action("list", _list, "all groups, the newest first")


def _create(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.records.figures import scored
    from gnollbench.tracking.groups import checked_verdict, create_group, require_free

    places = Sources.of(asked)
    found = [places.find(reference) for reference in asked.references]
    records = distinct(each.record for each in found)
    checked_verdict(asked.name, records)
    if places.file_in_outputs(asked.name) is not None:
        raise Refusal(f"the group {asked.name!r} is refused", "it is the id of a run", "choose another name")
    require_free(places.store, asked.name)
    for each in found:
        if each.file is not None:
            own = each.file == places.file_in_outputs(each.record.run.id)
            keep_run(places, scored(each.record), each.file.parent if own else None)
    group = create_group(places.store, asked.name, records)
    if asked.json:
        print_json(_document(group))
    else:
        print_lines(
            [f"{asked.name}: {len(records)} runs", *labelled("verdict", group.verdict["explanation"])]
        )
    return 0


def _show(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.tracking.groups import members_of

    places = Sources.of(asked)
    group = places.group(asked.name)
    if group is None:
        raise Refusal(
            f"group {asked.name!r} was not found",
            "the store has no group of that name",
            "see gnollbench group list, or name another store with --store",
        )
    members = members_of(places.store, group)
    if asked.json:
        print_json({**_document(group), "members": [member.document() for member in members]})
        return 0
    rows = [[m.run, m.name, m.candidate, number(m.index), m.status.replace("_", " ")] for m in members]
    headings = ["run", "name", "candidate", "index", "status"]
    print_lines(
        [
            *labelled("group", group.head.name),
            *labelled("verdict", group.verdict["explanation"]),
            *labelled("made", f"{group.head.created_at:%Y-%m-%d %H:%M} UTC"),
            "",
            *table(headings, rows, {"run", "name", "candidate", "status"}),
        ]
    )
    return 0


def _list(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.tracking.groups import list_groups

    store = Sources.of(asked).present_store
    groups = [] if store is None else list_groups(store)
    if asked.json:
        print_json({"groups": [group.document() for group in groups]})
        return 0
    rows = [
        [group.name, group.suite, group.tier, str(group.n_runs), f"{group.created_at:%Y-%m-%d %H:%M}"]
        for group in groups
    ]
    lines = table(["group", "suite", "tier", "runs", "made (UTC)"], rows, {"group", "suite", "tier"})
    print_lines(lines if rows else ["no group"])
    return 0


def _document(group: Any) -> dict[str, Any]:
    runs = list(group.members)
    return {**group.head.document(), "runs": runs, "verdict": group.verdict}
