"""Commands over several runs: tier, replicates, compare, models, items, gaps."""

import argparse
from collections.abc import Callable
from typing import Any

from gnollbench.commands.common import Adder, Compose, print_json
from gnollbench.commands.plain import print_lines
from gnollbench.commands.sources import Source, Sources, pooled, with_places

Lines = Callable[[dict[str, Any]], list[str]]


def add_commands(add: Adder) -> None:
    """Add the commands over several runs."""
    tier = with_places(add("tier", _tier, "whether runs may be pooled or compared"))
    tier.add_argument("references", nargs="+", metavar="RUN")
    compare = with_places(add("compare", _compare, "two groups of runs, paired by question"))
    for side in ("baseline", "treatment"):
        compare.add_argument(f"--{side}", nargs="+", required=True, metavar="SOURCE")
    for name, command, text in (
        ("replicates", _replicates, "statistics of repeated runs of one configuration"),
        ("models", _models, "several models side by side, the first the reference"),
        ("items", _items, "how each question behaves over the runs"),
        ("gaps", _gaps, "claims that the rubrics do not settle, claims that are refuted"),
    ):
        entry = with_places(add(name, command, text))
        entry.add_argument("references", nargs="+", metavar="SOURCE", help="a RUN, or a group's name")


def _tier(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.commands.analysis_text import tier_lines
    from gnollbench.statistics.comparability import comparability

    runs = Sources.of(asked).runs(asked.references)
    verdict = comparability({run.run.id: run.keys for run in runs})
    return _print(asked, verdict.document(), lambda _: tier_lines(verdict, len(runs)))


def _replicates(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.commands.analysis_text import replicates_lines
    from gnollbench.statistics.replicates import replicates

    return _print(asked, replicates(pooled(_sources(asked))), replicates_lines)


def _compare(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.commands.analysis_text import compare_lines
    from gnollbench.statistics.compare import compare

    places = Sources.of(asked)
    baseline, treatment = places.sources(asked.baseline), places.sources(asked.treatment)
    pooled([*baseline, *treatment])
    return _print(asked, compare(pooled(baseline), pooled(treatment)), compare_lines)


def _models(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.commands.models_text import models_lines
    from gnollbench.statistics.models import models

    sources = {source.name: source.records for source in _sources(asked)}
    return _print(asked, models(sources), lambda document: models_lines(document, sources))


def _items(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.commands.analysis_text import items_lines
    from gnollbench.statistics.items import items

    return _print(asked, items(pooled(_sources(asked))), items_lines)


def _gaps(asked: argparse.Namespace, _: Compose) -> int:
    from gnollbench.commands.analysis_text import gaps_lines
    from gnollbench.statistics.gaps import gaps

    return _print(asked, gaps(pooled(_sources(asked))), gaps_lines)


def _sources(asked: argparse.Namespace) -> list[Source]:
    return Sources.of(asked).sources(asked.references)


def _print(asked: argparse.Namespace, document: dict[str, Any], lines: Lines) -> int:
    if asked.json:
        print_json(document)
    else:
        print_lines(lines(document))
    return 0
