"""The report writer: from computed figures alone, after scoring, outside the run's costs (R56, R60)."""

import asyncio
from pathlib import Path

import pytest

from gnollbench.cli import compose_launch
from gnollbench.engine.launch import Resolved
from gnollbench.launcher import resolve_launch, suite_folder
from gnollbench.llm.messages import Reply, Request
from gnollbench.llm.offline import MODELS
from gnollbench.llm.prices import Cost
from gnollbench.records.figures import scored
from gnollbench.records.files import read_record
from gnollbench.records.launch import ModelConfig
from gnollbench.records.run import RunRecord
from gnollbench.records.suite import load_suite
from gnollbench.roles.calls import CallLog, Line
from gnollbench.roles.documents import Document, ReportWriter, document_request, figures_of, unknown_numbers
from tests.engine.scripted import PATIENCE

RECORDS = Path(__file__).parents[1] / "oracles" / "records"
MODEL = ModelConfig(provider="w", model="w-1", endpoint="embedded", max_output_tokens=100)


class Says:
    """A gateway whose model says one thing, or raises it."""

    def __init__(self, said: str | Exception, reason: str = "stop") -> None:
        self.said, self.reason = said, reason

    def body(self, request: Request) -> object:
        return request

    async def complete(self, *_: object) -> Reply:
        if isinstance(self.said, Exception):
            raise self.said
        return Reply(self.said, self.reason)


@pytest.fixture(scope="module")
def record() -> RunRecord:
    return scored(read_record(RECORDS / "record-panel.json"))


def written(record: RunRecord, said: str | Exception, reason: str = "stop") -> Document:
    log = CallLog(Line("writer", Says(said, reason), lambda *_: Cost(0.0), PATIENCE))
    return asyncio.run(ReportWriter(MODEL).write(record, log))


def test_writer_is_given_figures_and_no_text(record: RunRecord) -> None:
    """R60: no question, answer, rubric, evidence, quote or synthesis reaches the writer."""
    sent = "\n".join(message.content for message in document_request(MODEL, figures_of(record)).messages)
    texts = {question.text for question in record.exam.questions}
    for question in record.exam.questions:
        texts |= {*question.rubric.required, *question.rubric.critical}
    for answer in record.answers:
        texts |= {answer.text, answer.raw}
        for verdict in answer.verdicts.values():
            texts |= {*verdict.evidence.model_dump().values(), *(charge.quote for charge in verdict.charges)}
    assert len(texts) > 40
    assert not [text for text in texts if len(text) > 3 and text in sent]
    assert record.results is not None
    assert str(record.results.intelligence.index) in sent


def test_numbers_that_are_no_figures_are_pointed_out(record: RunRecord) -> None:
    """R60: rounded figures and percentages of rates are known; any other number is told of."""
    figures = figures_of(record)
    assert record.results is not None
    index = record.results.intelligence.index
    rate = record.results.outcomes.critical_error_rate.rate
    good = f"Index {index:.1f}, or {index:.0f}, errors {100 * rate:.1f} %, q03 scored 95 % of {len(record.answers)}."
    assert unknown_numbers(good, figures) == ()
    assert unknown_numbers(f"Index {index + 1:.1f}, better by 3.21 than 7,77.", figures) == (
        f"{index + 1:.1f}",
        "3.21",
        "7,77",
    )
    document = written(record, "It gained 3.21 points.")
    assert document == Document("w/w-1", "It gained 3.21 points.", ("3.21",))


@pytest.mark.parametrize(("said", "reason"), [("", "stop"), ("half a", "length"), ("no", "refused")])
def test_reply_without_a_document_leaves_it_missing(record: RunRecord, said: str, reason: str) -> None:
    """R60: cut, refused and empty replies are no document, with the reason."""
    document = written(record, said, reason)
    assert document.text == ""
    assert document.problem


def test_embedded_writer_uses_given_figures_only() -> None:
    """R60: every number of the embedded writer's text is a figure of the run."""
    for path in sorted(RECORDS.glob("record-*.json")):
        run = scored(read_record(path))
        figures = figures_of(run)
        text = MODELS["figures"](document_request(MODEL, figures)).text
        assert text
        assert run.results is None or unknown_numbers(text, figures) == ()


def test_hidden_characters_do_not_reach_the_document(record: RunRecord) -> None:
    """R29: what a person does not see is no part of it."""
    assert written(record, "An\u200b index.").text == "An index."


def resolved(*overrides: str) -> Resolved:
    launch = compose_launch(list(overrides))
    return resolve_launch(launch, load_suite(suite_folder(launch.suite.path)))


def test_writer_moves_no_key() -> None:
    """R45, R60: the report writer is no key, and neither is what it costs."""
    priced = "writer.llm.prices={rates: {input_per_million: 1.0, output_per_million: 2.0}}"
    hashes = [
        {name: key.hash for name, key in resolved(*words).keys.items()}
        for words in ((), ("writer=offline",), ("writer=offline", priced))
    ]
    assert hashes[0] == hashes[1] == hashes[2]
