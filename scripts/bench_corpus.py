"""How fast the corpora open and the tools answer, beside the goals.

    scripts/bench corpus [--source DIR] [--wiki DIR] [--nethack-source DIR] [--calls N]

Without a source, ``GNOLLHACK_SOURCE`` names it; without that, the shipped small corpora are measured,
to which the goals do not belong. Every call goes through the tools as a model's does.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from gnollbench.corpus.library import Library
from gnollbench.corpus.tools import Guides, Toolset
from gnollbench.records.launch import CorpusConfig

ROOT = Path(__file__).parents[1]
SHARED_WIKI = ROOT.parent / "shared" / "corpus" / "gnollhack-wiki"
QUESTIONS = ROOT.parent / "shared" / "reference" / "wiki-queries.json"
STARTS = 5  # warm starts, of which the median counts
GOALS_MS = {
    "first index": 15_000,
    "warm start, indexes alone": 1_000,
    "warm start, whole process": 1_000,
    "wiki search": 10,
    "literal search": 50,
    "literal search, whole word": 50,
    "literal search, missed": 50,
    "phrase search, missed": 50,
    "regex search": 250,
    "definition": 20,
    "definition, missed": 20,
    "game data": 5,
}
OPEN = """
import sys, time
began = time.perf_counter()
from gnollbench.corpus.library import Library
from gnollbench.records.launch import CorpusConfig
corpus = CorpusConfig.model_validate_json(sys.argv[1])
imported = time.perf_counter()
Library.open(corpus).warm()
print(time.perf_counter() - imported)
"""

Calls = Iterator[tuple[str, dict[str, Any]]]


def main() -> None:
    """Print one line a figure: median, 95th percentile and longest in milliseconds, and the goal."""
    asked = arguments()
    with tempfile.TemporaryDirectory() as cache:
        corpus = CorpusConfig(
            wiki=asked.wiki,
            nethack_wiki="starter",
            knowledge="starter",
            source=asked.source,
            nethack_source=asked.nethack_source,
            cache=cache,
        )
        print(
            f"source {asked.source}\nwiki   {asked.wiki}\nnethack source {asked.nethack_source or 'none'}\n"
        )
        print(f"{'figure':<30} {'median':>9} {'p95':>9} {'max':>9} {'goal':>9}  (ms)")
        inside, whole = starts(corpus)
        tell("first index", inside[:1])
        tell("warm start, indexes alone", inside[1:])
        tell("warm start, whole process", whole[1:])
        library = Library.open(corpus)
        print(f"\n{', '.join(f'{name} {count}' for name, count in library.warm().items())}\n")
        toolset = Toolset(library, Guides.load())
        for name, calls in figures(library, asked.calls).items():
            tell(name, [timed(toolset, *call) for call in calls])


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--source", default=os.environ.get("GNOLLHACK_SOURCE") or "starter")
    parser.add_argument("--wiki", default=str(SHARED_WIKI) if SHARED_WIKI.is_dir() else "starter")
    parser.add_argument("--nethack-source", default=os.environ.get("NETHACK_SOURCE"))
    parser.add_argument("--calls", type=int, default=200, help="calls a figure")
    return parser.parse_args()


def starts(corpus: CorpusConfig) -> tuple[list[float], list[float]]:
    """Return the seconds of a first start and of warm ones: opening and indexing, and whole processes."""
    inside: list[float] = []
    whole: list[float] = []
    for _ in range(1 + STARTS):
        began = perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", OPEN, corpus.model_dump_json()], capture_output=True, text=True, check=True
        )
        whole.append(perf_counter() - began)
        inside.append(float(done.stdout))
    return inside, whole


def figures(library: Library, count: int) -> dict[str, Calls]:
    """Return the calls of each figure, drawn from the corpora with a fixed seed."""
    drawn = random.Random(1)
    text = library.source.text.text.decode("utf-8")
    words = drawn.sample(sorted(set(re.findall(r"\b[A-Za-z_]\w{3,}\b", text))), count)
    phrases = [
        " ".join(line.split()[:4]) for line in drawn.sample(text.split("\n"), 3 * count) if line.split()[3:]
    ]
    patterns = [
        shape.format(re.escape(word[:4]), re.escape(word[-3:]))
        for word in words
        for shape in drawn.sample(
            [r"{0}.*{1}", r"\b{0}\w+\s*\(", r"^\s*if\s*\(.*{0}", r"({0}|{1})\w*\s*="], 1
        )
    ]
    names = drawn.sample(sorted(library.source.definitions.names()), count)
    titles = drawn.sample(
        [page.title for page in library.wiki.pages.pages], min(count, len(library.wiki.pages.pages))
    )
    return {
        "wiki search": (("wiki_search", {"query": query}) for query in [*questions(), *titles]),
        "literal search": searches(words),
        "literal search, whole word": searches(words, whole_word=True),
        "literal search, missed": searches([f"{word}_zq" for word in words]),
        "phrase search, missed": searches([f"{phrase} zq" for phrase in phrases[:count]]),
        "regex search": searches(patterns, is_regex=True),
        "definition": definitions(names),
        "definition, missed": definitions([f"{name}_zq" for name in names]),
        "game data": table_entries(library, count, drawn),
    }


def questions() -> list[str]:
    return (
        [entry["query"] for entry in json.loads(QUESTIONS.read_text("utf-8"))] if QUESTIONS.is_file() else []
    )


def searches(queries: list[str], **options: bool) -> Calls:
    return (("source_code_search", {"query": query} | options) for query in queries)


def definitions(names: list[str]) -> Calls:
    for name in names:
        yield "search_definitions", {"symbol": name}
        yield "get_function_definition", {"name": name}


def table_entries(library: Library, count: int, drawn: random.Random) -> Calls:
    tools = {"monsters": "get_monster_stats", "objects": "get_item_stats", "artifacts": "get_artifact_stats"}
    for table, tool in tools.items():
        named = [entry["name"] for entry in library.game_data.tables[table] if entry["name"]]
        for name in drawn.sample(named, min(count, len(named))):
            yield tool, {"name": name}


def timed(toolset: Toolset, name: str, asked: dict[str, Any]) -> float:
    """Carry out one call and return its seconds."""
    began = perf_counter()
    toolset.call(name, asked)
    return perf_counter() - began


def tell(name: str, seconds: list[float]) -> None:
    times = sorted(1000 * second for second in seconds)
    judged = median(times) if name.startswith("warm") else times[int(0.95 * (len(times) - 1))]
    verdict = "" if judged < GOALS_MS[name] else "  MISSED"
    p95 = times[int(0.95 * (len(times) - 1))]
    print(f"{name:<30} {median(times):>9.1f} {p95:>9.1f} {times[-1]:>9.1f} {GOALS_MS[name]:>9}{verdict}")


if __name__ == "__main__":
    main()
