"""The report writer: a run's summary, written after scoring from computed figures and nothing else (R56, R60)."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from gnollbench.llm.messages import Message, Request
from gnollbench.records.launch import ModelConfig
from gnollbench.records.run import RunRecord
from gnollbench.roles.calls import CallLog
from gnollbench.roles.grading import unscored_of
from gnollbench.roles.templates import render
from gnollbench.roles.writer import whole_text

_NUMBER = re.compile(r"(?<![\w.,])[-+\u2212]?\d+(?:[.,]\d+)?(?![\w]|[.,]\d)")
_SCALES = {"quality": [0, 100], "level": [0, 6], "interval_percent": 95}


@dataclass(frozen=True, slots=True)
class Document:
    """A summary as its writer said it, or why there is none.

    Attributes
    ----------
    unknown : tuple of str
        Numbers in the text that are none of the run's figures.
    """

    writer: str
    text: str
    unknown: tuple[str, ...] = ()
    problem: str = ""


class ReportWriter:
    """One model that writes a run's documents; it grades nothing and no figure depends on it."""

    def __init__(self, model: ModelConfig) -> None:
        self._model = model

    async def write(self, record: RunRecord, log: CallLog) -> Document:
        """Write the summary of a scored run; a fault leaves it missing with its reason."""
        figures = figures_of(record)
        writer = f"{self._model.provider}/{self._model.model}"
        try:
            reply = await log.call_patiently(document_request(self._model, figures))
            text = whole_text(reply)
        except Exception as fault:  # whatever it is: no figure and no status depends on a document
            return Document(writer, "", problem=unscored_of(fault).message)
        return Document(writer, text, unknown_numbers(text, figures))


def document_request(model: ModelConfig, figures: dict[str, Any]) -> Request:
    """Build the writer's request."""
    shown = json.dumps(figures, ensure_ascii=False, indent=1)
    messages = (
        Message("system", render("document_system.md.j2")),
        Message("user", render("document_user.md.j2", figures=shown)),
    )
    return Request(model, messages, cache_prefix=1)


def figures_of(record: RunRecord) -> dict[str, Any]:
    """Return what a writer is given of a run: figures, names and closed sets; no text of any model or suite."""
    questions = {question.id: question for question in record.exam.questions}
    return {
        "scales": _SCALES,
        "run": {
            "suite": record.exam.suite,
            "questions": len(questions),
            "asked": len(record.answers),
            "status": record.run.status,
            "graded_by": record.run.mode,
            "models": {role: f"{model.provider}/{model.model}" for role, model in record.models.items()},
        },
        "results": record.results and record.results.model_dump(mode="json"),
        "withheld": [entry.model_dump(mode="json") for entry in record.withheld],
        "costs_usd": {role: cost.whole_usd for role, cost in record.costs.items()},
        "answers": [
            {
                "question": answer.question,
                "band": questions[answer.question].band,
                "difficulty": questions[answer.question].difficulty,
                "integrity": answer.integrity,
                "levels": {
                    member: verdict.levels.model_dump() for member, verdict in answer.verdicts.items()
                },
                "score": answer.score and answer.score.model_dump(mode="json"),
                "flags": sorted({flag.name for flag in answer.flags}),
                "disputed": answer.disputed,
            }
            for answer in record.answers
        ],
    }


def unknown_numbers(text: str, figures: dict[str, Any]) -> tuple[str, ...]:
    """Return the numbers of a text that are none of the figures, rounded as the text rounds them.

    A rate may be written as a percentage.
    """
    for name in figures["run"]["models"].values():
        for part in (name, name.rpartition("/")[2]):
            text = text.replace(part, " ")
    values = list(_numbers(figures))
    known = [*values, *(100 * value for value in values if 0 <= value <= 1)]
    found = dict.fromkeys(match[0] for match in _NUMBER.finditer(text))
    return tuple(number for number in found if not _is_one_of(number, known))


def _is_one_of(number: str, known: list[float]) -> bool:
    plain = number.replace("\u2212", "-").replace(",", ".")
    half = 0.5 * 10.0 ** -len(plain.partition(".")[2])
    return any(abs(abs(float(plain)) - abs(value)) <= half * (1 + 1e-9) for value in known)


def _numbers(node: Any) -> Iterator[float]:
    if isinstance(node, dict):
        for value in cast("dict[Any, Any]", node).values():
            yield from _numbers(value)
    elif isinstance(node, list | tuple):
        items = cast("list[Any]", node)
        yield float(len(items))
        for item in items:
            yield from _numbers(item)
    elif isinstance(node, int | float) and not isinstance(node, bool):
        yield float(node)
