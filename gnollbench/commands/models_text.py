"""What ``models`` prints for a person: the sources side by side, then the judge-family diagnostics."""

from collections.abc import Mapping, Sequence
from typing import Any

from gnollbench.commands.plain import (
    bounds,
    dollars,
    labelled,
    number,
    percent,
    seconds,
    signed,
    table,
    withheld_lines,
)
from gnollbench.records.run import Role, RunRecord

Document = Mapping[str, Any]

_GRADERS = ("a", "b", "panel", "reader")


def models_lines(document: Document, sources: Mapping[str, Sequence[RunRecord]]) -> list[str]:
    """Return a line a source, why others are not measured, and the diagnostics (R51, R52)."""
    rows = [_measures(row, sources[row["name"]]) for row in document["sources"] if row["measured"]]
    headings = ["source", "candidate", "runs", "index", "95 %", "model time", "speed", "cost a run", ""]
    lines = [*labelled("reference", document["reference"]), ""]
    lines += table(headings, rows, {"source", "candidate", ""})
    unmeasured = {row["name"]: row["reason"] for row in document["sources"] if not row["measured"]}
    for name, reason in unmeasured.items():
        lines += ["", *labelled("not measured", f"{name}: {reason}")]
    said = {f"sources.{name}" for name in unmeasured}
    rest = [entry for entry in document["withheld"] if entry["figure"] not in said]
    return [*lines, "", *_judge_families(document["judge_families"]), "", *withheld_lines(rest)]


def _measures(row: Document, runs: Sequence[RunRecord]) -> list[str]:
    intelligence, speed = row["intelligence"], row["speed"]
    marks = [f"{aggregate} degraded" for aggregate in row["degraded"]]
    marks += [] if speed["comparable"] else ["speed not comparable"]
    return [
        row["name"],
        ", ".join(dict.fromkeys(_candidate(run) for run in runs)),
        str(row["n_runs"]),
        number(intelligence["index"]),
        bounds(intelligence["low"], intelligence["high"]),
        seconds(speed["mean_model_ms"]["value"]),
        number(speed["index"]["value"]),
        dollars(row["cost"]["total_usd"]["value"]),
        ", ".join(marks),
    ]


def _candidate(run: RunRecord) -> str:
    identity = run.models.get(Role.CANDIDATE)
    return f"{identity.provider}/{identity.model}" if identity else "unknown"


def _judge_families(found: Document) -> list[str]:
    if not found["applicable"]:
        return labelled("judges", f"diagnostics do not apply: {found['reason']}")
    lines = _entries(found)
    for pair in found["order_depends_on_member"]:
        lines += labelled("order", f"the members order {pair[0]} and {pair[1]} differently")
    return [*lines, *_gaps(found), *_audit(found)]


def _entries(found: Document) -> list[str]:
    rows = [
        [
            entry["source"],
            entry["family"] or "unknown",
            *(f"{number(entry['index'][g])} ({_rank(entry['rank'][g])})" for g in _GRADERS),
        ]
        for entry in found["entries"]
    ]
    return table(["index (rank) under", "family", *_GRADERS], rows, {"index (rank) under", "family"})


def _rank(rank: int | None) -> str:
    return "–" if rank is None else str(rank)


def _gaps(found: Document) -> list[str]:
    rows = [
        [
            " − ".join(gap["families"]),
            str(gap["n"]),
            *(signed(gap["gap"][g]["value"]) for g in _GRADERS),
            signed(gap["interaction"]),
            signed(gap["asymmetry"]),
        ]
        for gap in found["family_gaps"]
    ]
    if not rows:
        return []
    headings = ["gap between families", "n", *_GRADERS, "interaction", "asymmetry"]
    return ["", *table(headings, rows, {"gap between families"})]


def _audit(found: Document) -> list[str]:
    rows = [
        [
            f"{row['member']} on {row['candidate_family']}",
            *(str(row[count]) for count in ("charges", "overturned", "upheld", "indeterminate")),
            percent(row["overturn_rate"]),
        ]
        for row in found["audit"]
    ]
    if not rows:
        return []
    headings = ["member's charges", "charges", "overturned", "upheld", "open", "overturn rate"]
    return ["", *table(headings, rows, {"member's charges"})]
