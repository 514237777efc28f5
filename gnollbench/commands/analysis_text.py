"""What the commands over several runs print for a person: the same figures as their JSON, in tables."""

from collections.abc import Mapping
from typing import Any

from gnollbench.commands.plain import (
    NONE,
    bounds,
    dollars,
    labelled,
    number,
    percent,
    probability,
    seconds,
    signed,
    table,
    withheld_lines,
)
from gnollbench.statistics.comparability import Comparability

Document = Mapping[str, Any]

_REVISION = 8  # hex digits, enough to tell a question's revisions apart by eye
_MEANING = {
    "controlled": "one instrument key changed",
    "noise": "nothing changed",
    "models": "another candidate on the same instrument",
}


def tier_lines(verdict: Comparability, n_runs: int) -> list[str]:
    """Return the tier in words, then a line a key that differs."""
    consequence = verdict.explanation.partition(".")[0]
    lines = [consequence, *labelled("runs", str(n_runs))]
    lines += labelled("degraded", ", ".join(verdict.degraded)) if verdict.degraded else []
    for key in verdict.unknown:
        lines += labelled("unknown", f"{key} in every run")
    for difference in verdict.differences:
        lines += labelled("differs", str(difference))
    return lines if verdict.differences or verdict.unknown else [*lines, *labelled("differs", "no key")]


def replicates_lines(document: Document) -> list[str]:
    """Return index with both error sources, then items, dimensions, speed and cost (R47-R49)."""
    covers = " and ".join(source.replace("_", " ") for source in document["covers"]) or "nothing"
    lines = [
        *labelled(
            "index",
            f"{number(document['index'])}, {_interval(document['low'], document['high'])} "
            f"(± {number(document['half_width'])}, covers {covers}{_truncated(document)})",
        ),
        *labelled("errors", _errors(document)),
        *labelled("runs", f"{document['n_runs']}, tier {document['tier']}{_degraded(document)}"),
    ]
    if document["route"] == "runs":
        said = (
            f"an item lacks a score in some run; from the items it is {number(document['index_from_items'])}"
        )
        lines += labelled("route", said)
    lines += ["", *_replicated_items(document), "", *_dimensions(document), ""]
    speed = document["speed"]
    times = ", ".join(f"{name} {seconds(speed[f'{name.lower()}_ms'])}" for name in ("P50", "P90", "max"))
    lines += labelled("model time", times)
    lines += ["", *_costs(document)] if document["cost"] else []
    lines += ["", *labelled("note", "run-to-run variance mixes candidate and grader")]
    return [*lines, *withheld_lines(document["withheld"])]


def compare_lines(document: Document) -> list[str]:
    """Return the paired figures, the primary test first, then the exploratory items (R50)."""
    changed = ", ".join(document["changed"])
    kind = f"{document['kind']}: {_MEANING[document['kind']]}" + (f" ({changed})" if changed else "")
    interval = _interval(document["ci_low"], document["ci_high"])
    lines = [
        *labelled("kind", kind),
        *labelled("tier", document["tier"]),
        *labelled(
            "difference",
            f"{signed(document['mean_difference'])}, {interval} "
            f"(treatment − baseline, {document['n_pairs']} questions)",
        ),
        *labelled("detectable", _detectable(document["smallest_detectable_difference"])),
        *labelled("Wilcoxon", _wilcoxon(document["wilcoxon"])),
        *labelled("paired t", _paired_t(document["paired_t"])),
        *labelled("Cohen's dz", number(document["dz"], 2)),
    ]
    for entry in document["excluded"]:
        lines += labelled("excluded", f"{entry['question']}: {entry['reason']}")
    rows = [
        [
            item["question"],
            signed(item["difference"]),
            probability(item["p"]),
            probability(item["p_adjusted"]),
            "significant" if item["significant"] else "",
        ]
        for item in document["items"]
    ]
    lines += ["", *table(["item", "difference", "p", "adjusted", ""], rows, {"item", ""})] if rows else []
    lines += ["", *labelled("note", "the items are exploratory: Welch's t-test under Benjamini-Hochberg")]
    return [*lines, *withheld_lines(document["withheld"])]


def items_lines(document: Document) -> list[str]:
    """Return a line a question at a revision (R53)."""
    headings = ["item", "revision", "runs", "models", "assessors", "methods"]
    headings += ["mean", "spread", "assessed", "empirical", "discr.", "flags"]
    rows = [
        [
            item["question"],
            item["revision"][:_REVISION],
            *(str(item[count]) for count in ("runs", "models", "assessors", "methods")),
            number(item["mean"]),
            number(item["spread"]),
            number(item["difficulty"], 0),
            number(item["empirical_difficulty"]),
            signed(item["discrimination"]),
            _item_marks(item),
        ]
        for item in document["items"]
    ]
    lines = [*labelled("runs", str(document["n_runs"])), ""]
    return [
        *lines,
        *table(headings, rows, {"item", "revision", "flags"}),
        "",
        *withheld_lines(document["withheld"]),
    ]


def gaps_lines(document: Document) -> list[str]:
    """Return each cluster of unverified claims, then what was refuted (R54)."""
    lines: list[str] = []
    for cluster in document["clusters"]:
        reading = (cluster["reading"] or NONE).replace("_", " ")
        families = ", ".join(cluster["families"]) or "family unknown"
        answers = _counted(cluster["count"], "answer")
        lines += [f"{reading}: {answers}, {families}; {', '.join(cluster['questions'])}"]
        lines += labelled("", f"“{cluster['claim']}”")
    for claim in document["refuted"]:
        citation = claim["citation"]
        where = " ".join(filter(None, [citation["where"], citation["lines"]])) if citation else NONE
        lines += [f"refuted: {claim['question']}; {where}", *labelled("", f"“{claim['claim']}”")]
    return [*(lines or ["no unverified and no refuted claim"]), *withheld_lines(document["withheld"])]


def _interval(low: float | None, high: float | None) -> str:
    return "no interval" if low is None or high is None else f"95 % {bounds(low, high)}"


def _detectable(points: float | None) -> str:
    return NONE if points is None else f"{number(points)} or more, with 80 % power at the 5 % level"


def _truncated(document: Document) -> str:
    cut = [bound for bound in ("low", "high") if document["truncated"][bound]]
    return f"; {' and '.join(cut)} bound clamped" if cut else ""


def _errors(document: Document) -> str:
    runs, items = (number(document[name], 2) for name in ("se_reproducibility", "se_item"))
    t = number(document["t_critical"], 2)
    return f"reproducibility {runs} (t {t}), item sampling {items}"


def _degraded(document: Document) -> str:
    return f", degraded: {', '.join(document['degraded'])}" if document["degraded"] else ""


def _replicated_items(document: Document) -> list[str]:
    rows = [
        [
            item["question"],
            str(item["n"]),
            *(number(item[figure]) for figure in ("mean", "median", "sd", "iqr")),
            number(item["cv"], 2),
            number(item["half_width"]),
            percent(item["critical_error_rate"]),
            _replicate_marks(item),
        ]
        for item in document["items"]
    ]
    headings = ["item", "n", "mean", "median", "sd", "iqr", "cv", "±", "critical", ""]
    return table(headings, rows, {"item", ""})


def _replicate_marks(item: Document) -> str:
    unsettled = "critical error in some runs only" if item["critical_error_unsettled"] else ""
    return ", ".join(filter(None, ["unstable" if item["unstable"] else "", unsettled]))


def _item_marks(item: Document) -> str:
    """A confounded item's flags name the confound themselves."""
    return "too few runs" if item["insufficient"] else ", ".join(item["flags"]).replace("_", " ")


def _dimensions(document: Document) -> list[str]:
    rows = [[name, number(row["mean"]), number(row["sd"])] for name, row in document["dimensions"].items()]
    return table(["dimension", "mean", "sd"], rows, {"dimension"})


def _costs(document: Document) -> list[str]:
    rows = [
        [role.replace("_", " "), dollars(row["mean"]), dollars(row["sd"]), number(row["cv"], 2)]
        for role, row in document["cost"].items()
    ]
    return table(["cost a run", "mean", "sd", "cv"], rows, {"cost a run"})


def _wilcoxon(test: Document | None) -> str:
    if test is None:
        return NONE
    ranks = f"W+ {number(test['w_plus'])}, W− {number(test['w_minus'])}"
    return f"p {probability(test['p'])} (primary; {test['method']}, {ranks}, {test['n_nonzero']} not zero)"


def _paired_t(test: Document | None) -> str:
    if test is None:
        return NONE
    return f"p {probability(test['p'])} (t {number(test['t'], 2)}, {test['df']} degrees of freedom)"


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
