"""Commands that change what is kept of a run: import, rescore. Neither touches an answer."""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from gnollbench.commands.common import Adder, Compose, print_json, with_config_dir
from gnollbench.commands.plain import labelled, number, print_lines, withheld_lines
from gnollbench.commands.sources import Found, Sources, with_places, with_run
from gnollbench.errors import Refusal
from gnollbench.records.run import RunRecord, Scoring

_SHOWN = 60  # characters of a stated or computed value in a line of text


@dataclass(frozen=True, slots=True)
class _Arrival:
    """A file that is to be imported: its record as scored here, and what it states otherwise."""

    file: Path
    record: RunRecord
    differences: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class _Place:
    """A place that keeps a run's record, and how another state of it is put there."""

    name: str
    record: RunRecord
    put: Callable[[RunRecord], None]


def add_commands(add: Adder) -> None:
    """Add the commands that change what is kept of a run."""
    entry = with_places(add("import", _import, "records into the store, scored again"))
    entry.add_argument("files", nargs="+", metavar="FILE")
    rescore = with_run(add("rescore", _rescore, "a new scoring of stored answers, beside the old one"))
    with_config_dir(rescore)
    rescore.add_argument("--method", type=int, help="scoring method, 12 or 13 (default: the record's)")
    rescore.add_argument("--profile", help="a profile of conf/profile (default: the record's)")


def keep_run(places: Sources, record: RunRecord, folder: Path | None) -> bool:
    """Put a run into the store, where it is not there yet; return whether it was put there.

    Parameters
    ----------
    places : Sources
        Where the store is.
    record : RunRecord
        Scored.
    folder : Path or None
        The run's folder, which is stored whole; None stores the record and its report.

    Raises
    ------
    Refusal
        If the store has a run of that id and other content.
    """
    stored_as = places.store.run_of(record.run.id)
    if stored_as is not None:
        _require_same(record, places.store.record_of(stored_as))
    elif folder is not None:
        places.store.log_run(record, folder)
    else:
        from gnollbench.reports import report_markdown

        places.store.log_imported(record, report_markdown(record, icc_interval=False))
    return stored_as is None


def _import(asked: argparse.Namespace, _: Compose) -> int:
    """Read, score and check every file before the first is stored."""
    places = Sources.of(asked)
    arrivals = [_arrival(Path(file)) for file in asked.files]
    arriving: dict[str, RunRecord] = {}
    for arrival in arrivals:
        run = arrival.record.run.id
        for known in (arriving.setdefault(run, arrival.record), *(p.record for p in _places(places, run))):
            _require_same(arrival.record, known)
    rows = [
        {
            "run": arrival.record.run.id,
            "file": str(arrival.file),
            "differences": arrival.differences,
            "already_there": not keep_run(places, arrival.record, None),
        }
        for arrival in arrivals
    ]
    if asked.json:
        print_json({"imported": rows})
    else:
        print_lines(line for row in rows for line in _imported_lines(row))
    return 0


def _arrival(file: Path) -> _Arrival:
    from gnollbench.records.figures import scored
    from gnollbench.records.files import read_record
    from gnollbench.records.stated import differences

    stated = read_record(file.expanduser())
    found = [difference.document() for difference in differences(stated)]
    return _Arrival(file, scored(stated), found)


def _imported_lines(row: dict[str, Any]) -> Iterator[str]:
    yield f"{row['run']} {'is there already' if row['already_there'] else 'imported'}, from {row['file']}"
    for entry in row["differences"]:
        values = f"{_short(entry['stated'])} stated, {_short(entry['computed'])} computed"
        yield from labelled("differs", f"{entry['figure']}: {values}")


def _short(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _rescore(asked: argparse.Namespace, compose: Compose) -> int:
    """Every place that keeps the run gets the new scoring, and those that another place has."""
    from gnollbench.engine.again import rescored
    from gnollbench.records.figures import scored

    profile = compose([f"profile={asked.profile}"], asked.config_dir).profile if asked.profile else None
    sources = Sources.of(asked)
    found = sources.find(asked.reference)
    first = scored(found.record).results
    *_, scoring = rescored(found.record, datetime.now(UTC), asked.method, profile).scorings
    places = _places(sources, found.record.run.id, found)
    for place in places:
        _require_same(found.record, place.record, but_for_scorings=True)
    kept = [earlier for place in places for earlier in place.record.scorings]
    scorings = _in_time([*kept, scoring])
    for place in places:
        place.put(place.record.model_copy(update={"scorings": scorings}))
    document = _rescored_document(found.record.run.id, scoring, [place.name for place in places])
    if asked.json:
        print_json(document)
    else:
        print_lines(_rescored_lines(document, first.intelligence.index if first else None))
    return 0


def _in_time(scorings: list[Scoring]) -> tuple[Scoring, ...]:
    distinct = [scoring for place, scoring in enumerate(scorings) if scoring not in scorings[:place]]
    return tuple(sorted(distinct, key=lambda scoring: scoring.time))


def _rescored_document(run: str, scoring: Scoring, written: list[str]) -> dict[str, Any]:
    made = scoring.model_dump(mode="json")
    return {
        "run": run,
        "method": made["method"],
        "profile": made["profile"]["name"],
        "time": made["time"],
        "answers": made["scores"],
        "results": made["results"],
        "withheld": made["withheld"],
        "keys": {
            name: made["keys"][name] for name in ("scoring_method", "scoring_profile", "speed_calibration")
        },
        "written": written,
    }


def _rescored_lines(document: dict[str, Any], first: float | None) -> list[str]:
    results = document["results"]
    index = results["intelligence"]["index"] if results else None
    rules = f"method {document['method']}, profile {document['profile']}"
    return [
        f"{document['run']} scored again: {rules}",
        *labelled("index", f"{number(index)}, beside {number(first)} at first"),
        *labelled("written", ", ".join(document["written"])),
        *withheld_lines(document["withheld"]),
    ]


def _places(sources: Sources, run: str, found: Found | None = None) -> list[_Place]:
    """Return every place that keeps the run: the file that was named, the folder of records, the store."""
    from gnollbench.records.files import read_record, write_record

    named = [found.file if found else None, sources.file_in_outputs(run)]
    files = {file.resolve(): file for file in named if file is not None}
    places = [
        _Place(str(file), read_record(file), partial(write_record, path=file)) for file in files.values()
    ]
    store = sources.present_store
    stored_as = None if store is None else store.run_of(run)
    if store is not None and stored_as is not None:
        put = partial(store.replace_record, stored_as)
        places.append(_Place("the store", store.record_of(stored_as), put))
    return places


def _require_same(record: RunRecord, kept: RunRecord, but_for_scorings: bool = False) -> None:
    """Refuse a run whose id is kept with other content; what scoring derives is none.

    Later scorings may be missing in ``record``, and with ``but_for_scorings`` in either.
    """
    from gnollbench.records.figures import scored

    bare, kept_bare = (scored(each).model_copy(update={"scorings": ()}) for each in (record, kept))
    lost = [] if but_for_scorings else [s for s in record.scorings if s not in kept.scorings]
    if bare != kept_bare or lost:
        raise Refusal(
            f"run {record.run.id} is refused",
            "a run of this id is kept already, with other content",
            "give this one its own run.id, or name another place with --outputs or --store",
        )
