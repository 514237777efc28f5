"""What a grading request holds, read back from its text.

The headings are those of the grading form. The answer is what stands under its heading between the fence lines
whose mark the message's last line names; nothing inside it is read as anything but the answer.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gnollbench.llm.offline.conversation import closing_mark, fenced_under, json_object, unfenced
from gnollbench.llm.offline.games import NETHACK, without_nethack
from gnollbench.llm.offline.words import Statement, plain, sentences, statement

_PARTS = {
    "## Board facts": "board",
    "## Required points": "required",
    "## Critical errors": "critical",
    "## Form": "form",
}
_FINDINGS, _OWN_VERDICT, _ANSWER = "# Findings of the claim verifier", "# Your first verdict", "# Answer"
_SUPPORTED = re.compile(r"^- supported: “(.*?)”", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of the answer.

    Attributes
    ----------
    whole : Statement
        The sentence; its quote is the answer's own text.
    home : Statement
        The same without what it says of NetHack or sets aside ("rather than …").
    carried : frozenset of str
        Stems that a reader carries over to it: the question's and those of the sentence before.
    """

    whole: Statement
    home: Statement
    carried: frozenset[str]

    def beside(self, point: Statement) -> Statement:
        """Return what of the sentence is to be compared with a point of the rubric."""
        return self.whole if NETHACK in point.words else self.home


@dataclass(frozen=True, slots=True)
class Material:
    """What is graded, and against what."""

    question: Statement
    board: tuple[Statement, ...]
    required: tuple[Statement, ...]
    critical: tuple[Statement, ...]
    form: str
    lines: tuple[Line, ...]
    supported: frozenset[str]  # statements that the claim verifier found to be true
    own_verdict: Mapping[str, Any]  # what the grader returned before, at a re-grade; else empty


def read_material(message: str) -> Material | None:
    """Read a grading request's user message; None where it is none."""
    mark = closing_mark(message)
    if mark is None:
        return None
    texts = fenced_under(message, mark)
    head, found, key = unfenced(message, mark).rpartition("# Rubric\n")
    if not found or _ANSWER not in texts:
        return None
    asked = head.rpartition("# Question\n")[2].strip()
    parts = _parts(key)
    question = statement(plain(asked))
    return Material(
        question=question,
        board=_statements(parts["board"]),
        required=_statements(parts["required"]),
        critical=_statements(parts["critical"]),
        form=" ".join(parts["form"]),
        lines=_lines(texts[_ANSWER], question),
        supported=frozenset(_SUPPORTED.findall(texts.get(_FINDINGS, ""))),
        own_verdict=json_object(texts.get(_OWN_VERDICT, "")),
    )


def _parts(key: str) -> dict[str, list[str]]:
    """Return the points under each heading that is read; a line without a dash continues its point."""
    parts: dict[str, list[str]] = {name: [] for name in _PARTS.values()}
    points: list[str] = []
    for line in key.split("\n"):
        if line.startswith("#"):
            points = parts[_PARTS[line]] if line in _PARTS else []
        elif line.startswith("- "):
            points.append(line[2:].strip())
        elif line.strip() and points:
            points[-1] += f" {line.strip()}"
    return parts


def _statements(points: Iterable[str]) -> tuple[Statement, ...]:
    return tuple(statement(point) for point in points)


def _lines(answer: str, question: Statement) -> tuple[Line, ...]:
    lines: list[Line] = []
    for quote in sentences(answer):
        whole = statement(quote)
        before = lines[-1].whole.words if lines else frozenset[str]()
        lines.append(Line(whole, statement(quote, without_nethack(whole.plain)), question.words | before))
    return tuple(lines)
