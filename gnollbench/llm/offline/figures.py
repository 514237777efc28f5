"""The embedded report writer: a run's figures put into sentences. No language model."""

import re

from gnollbench.llm.messages import Reply, Request
from gnollbench.llm.offline.conversation import answering, json_object, task
from gnollbench.records.canonical import as_object

SERVED = "figures-1"
_FIGURES = re.compile(r"^```json\n(.*?)^```", re.MULTILINE | re.DOTALL)


def figures(request: Request) -> Reply:
    """Write the summary of a run from the figures in a request; where there are none, say so."""
    given = json_object("".join(_FIGURES.findall(task(request))))
    results = as_object(given.get("results"))
    if not results:
        return answering(request, "No results were given, so there is nothing to write of.", SERVED)
    index, outcomes = as_object(results["intelligence"]), as_object(results["outcomes"])
    paragraphs = (_critical(outcomes), _index(index), _withheld(given["withheld"]))
    return answering(request, "\n\n".join(filter(None, paragraphs)), SERVED)


def _critical(outcomes: dict[str, object]) -> str:
    errors = as_object(outcomes.get("critical_errors"))
    said = [f"{name}: {', '.join(asked)}" for name, asked in errors.items() if asked]
    return f"Critical errors {'; '.join(said)}." if said else "No critical error was found."


def _index(index: dict[str, object]) -> str:
    stands = f"over {index['n']} of {index['n_questions']} questions"
    if index["low"] is None:
        return f"The Intelligence Index is {index['index']:.1f} {stands}; it has no interval."
    bounds = f"{index['low']:.1f} to {index['high']:.1f}"
    return f"The Intelligence Index is {index['index']:.1f}, 95 % interval {bounds}, {stands}."


def _withheld(entries: list[dict[str, str]]) -> str:
    if not entries:
        return ""
    return (
        "Withheld: " + "; ".join(f"{entry['figure']}, because {entry['reason']}" for entry in entries) + "."
    )
