"""A run to report on: the oracle's panel record, with all that a real run has besides."""

from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from gnollbench.records.figures import scored
from gnollbench.records.files import read_record
from gnollbench.records.run import Answer, Cost, Key, ModelIdentity, Role, RunRecord, Synthesis
from gnollbench.scoring.verdict import Member

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
RECORDS = Path(__file__).parents[1] / "oracles" / "records"
PROVIDERS = {
    Role.CANDIDATE: ("acme", "acme-large"),
    Role.ASSESSOR: ("borealis", "boreal-9"),
    Role.CO_ASSESSOR: ("cumulus", "cumulo-4"),
    Role.READER: ("dunes", "dune-2"),
    Role.VERIFIER: ("borealis", "boreal-mini"),
}
OPTIONS = {
    "mode": "gameplay_help",
    "response_style": "concise",
    "tool_use": True,
    "source_references": False,
    "web_search": False,
    "sub_agents": False,
    "spoiler_free": False,
}
COSTS = {
    Role.CANDIDATE: Cost(input_tokens=120_000, output_tokens=4_000, usd=1.5),
    Role.ASSESSOR: Cost(input_tokens=90_000, output_tokens=9_000, usd=0.75),
    Role.WRITER: Cost(input_tokens=10, output_tokens=10, usd=40.0),
}


def make(name: str = "panel", head: dict[str, Any] | None = None, **fields: Any) -> RunRecord:
    """A scored record of the oracle's, as a real run would have left it."""
    record = scored(read_record(RECORDS / f"record-{name}.json"))
    settled: dict[str, Any] = {
        "run": record.run.model_copy(update=head or {}),
        "models": {
            role: ModelIdentity(provider=provider, model=model, family=provider)
            for role, (provider, model) in PROVIDERS.items()
        },
        "keys": {**record.keys, "prompt_options": Key.of("prompt_options", OPTIONS)},
        "provenance": {"wiki": "w1k1", "source": "50urce"},
        "costs": COSTS,
        "syntheses": (Synthesis(member=Member.A, text="The weakest part is completeness."),),
        "config": {"outputs": "outputs", "candidate": {"model": "acme-large", "api_key_env": "ACME_KEY"}},
    }
    return record.model_copy(update={**settled, **fields})


def with_answer(record: RunRecord, place: int = 0, **fields: Any) -> RunRecord:
    """The record with fields of one answer replaced; nothing is scored again."""
    answers: list[Answer] = list(record.answers)
    answers[place] = answers[place].model_copy(update=fields)
    return record.model_copy(update={"answers": tuple(answers)})


def with_keys(record: RunRecord, **values: Any) -> RunRecord:
    """The record with the values of some keys replaced."""
    keys = {name: Key.of(name, value) for name, value in values.items()}
    return record.model_copy(update={"keys": {**record.keys, **keys}})


def headings(report: str, level: int) -> list[str]:
    """The texts of a report's headings of a level."""
    tokens = MARKDOWN.parse(report)
    return [
        tokens[i + 1].content
        for i, token in enumerate(tokens)
        if token.tag == f"h{level}" and token.nesting == 1
    ]


def part(report: str, number: int) -> str:
    """One of the seven parts, its heading without its number first."""
    return report.split(f"\n## {number}. ")[1].split(f"\n## {number + 1}. ")[0]
