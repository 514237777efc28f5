"""The embedded claim verifier: looks each statement up in the wiki and compares words and figures.

No language model. It follows the rules of evidence as far as words go: a ruling rests on one quoted
sentence of a page or of the board, and what no sentence settles is indeterminate. It reads no source
code, so its rulings on numbers rest on the wiki alone.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gnollbench.llm.messages import Reply, Request
from gnollbench.llm.offline.conversation import (
    Call,
    answering,
    asking,
    calls_made,
    closing_mark,
    fenced,
    task,
    unfenced,
)
from gnollbench.llm.offline.games import without_nethack
from gnollbench.llm.offline.passages import Passage, passages
from gnollbench.llm.offline.relevance import read_question
from gnollbench.llm.offline.words import Statement, lexicon, notation, statement, tokens
from gnollbench.scoring.verdict import CitationKind, Ruling

SERVED = "lookup-1"
_QUERY_WORDS = 10  # of a statement, in its own order
_SUBJECT_WORDS = 2  # of the question, which names what the statement only calls "it"
_OPENED = 5  # pages viewed: with one search an item, the budget of 15 calls and one an item holds
_SUPPORTS = 0.85  # share of a statement's words that a sentence and its title have
_REFUTES = 0.75  # the same, where the figures or the denial differ
_SAID = 0.5  # share of a statement's words that the sentence itself says
_HEADING = re.compile(r"^## Item (\d+) \([\w, ]+\)$", re.MULTILINE)
_LEAD = "The rubric has: "  # how the embedded graders open the ground of a charge
_QUESTION, _ITEMS, _BOARD = "# Question that was asked\n", "# Items\n", "# Board\n"


@dataclass(frozen=True, slots=True)
class Task:
    """A verification request: the numbered statements, the words that name the subject, the board."""

    items: dict[int, Statement]
    subject: tuple[str, ...]
    board: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one passage says of a statement."""

    ruling: Ruling
    share: float
    passage: Passage
    reason: str


def lookup(request: Request) -> Reply:
    """Rule on the items of a request.

    One search an item; then the nearest pages of those still open; then the rulings.
    """
    asked = read_task(task(request))
    made = calls_made(request)
    wanted = [Call("wiki_search", {"query": _query(said, asked.subject)}) for said in asked.items.values()]
    found = [*asked.board, *_found(made)]
    if made:
        still_open = [said for said in asked.items.values() if settle(said, found) is None]
        wanted += [Call("wiki_view", {"article": page}) for page in _nearest(still_open, found)[:_OPENED]]
    return asking(request, wanted, SERVED) or answering(request, _rulings(asked, found), SERVED)


def read_task(message: str) -> Task:
    """Read a verification request; what is fenced is data and is read as statements only."""
    mark = closing_mark(message)
    if mark is None:
        return Task({}, (), ())
    head = unfenced(message, mark)
    numbers = [int(number) for number in _HEADING.findall(head)]
    texts = (text.partition("\n")[0].removeprefix(_LEAD) for text in fenced(message, mark))
    items = {number: statement(text) for number, text in zip(numbers, texts, strict=False)}
    before, _, asked = head.partition(_ITEMS)[0].rpartition(_QUESTION)
    board = before.partition(_BOARD)[2]
    return Task(items, read_question(asked).words[:_SUBJECT_WORDS], passages(board))


def settle(said: Statement, found: Iterable[Passage]) -> Finding | None:
    """Return the finding of the passage that fits a statement best; of equal ones the one that supports it."""
    home = without_nethack(said.plain)
    claim = statement(said.quote, home) if home else said
    findings = [finding for passage in found if (finding := compared(claim, passage, bool(home)))]
    return max(
        findings, key=lambda finding: (finding.share, finding.ruling is Ruling.SUPPORTED), default=None
    )


def compared(claim: Statement, passage: Passage, home: bool) -> Finding | None:
    """Compare a statement with one passage.

    Supported where sentence and title have its words, all its figures and the same denial; refuted where
    they have its words but other figures or the opposite denial; else None. A statement about GnollHack
    (``home``) is compared with what the sentence does not say of NetHack.
    """
    needed = _SAID * len(claim.words)
    sentence = passage.statement
    if not claim.words or len(claim.words & sentence.words) < needed:
        return None
    if home:
        sentence = statement(sentence.quote, without_nethack(sentence.plain))
        if len(claim.words & sentence.words) < needed:
            return None
    share = len(claim.words & (sentence.words | passage.context)) / len(claim.words)
    same = claim.figures <= sentence.counted
    if share >= _SUPPORTS and same and claim.denied == sentence.denied:
        return Finding(Ruling.SUPPORTED, share, passage, "The sentence says the same.")
    if share < _REFUTES:
        return None
    if same and claim.denied != sentence.denied:
        return Finding(Ruling.REFUTED, share, passage, "The sentence says the opposite.")
    other = _alike(sentence.figures, claim.figures)
    if other and not claim.figures & sentence.counted:
        return Finding(Ruling.REFUTED, share, passage, f"The sentence has {', '.join(sorted(other))}.")
    return None


def _alike(figures: frozenset[str], model: frozenset[str]) -> frozenset[str]:
    kinds = {notation(figure) for figure in model}
    return frozenset(figure for figure in figures if notation(figure) in kinds)


def _query(said: Statement, subject: Sequence[str]) -> str:
    function = lexicon().function
    words = [word for word in tokens(said.plain) if word not in function][:_QUERY_WORDS]
    return " ".join(dict.fromkeys([*words, *subject]))


def _found(made: Iterable[Call]) -> list[Passage]:
    return [passage for call in made for passage in passages(call.result) if passage.page]


def _nearest(said: Iterable[Statement], found: Iterable[Passage]) -> list[str]:
    """Return for each statement the page whose best sentence and title share most words with it."""
    on_pages = [passage for passage in found if passage.page]
    nearest = (
        max(
            on_pages,
            key=lambda passage: len(item.words & passage.known),
            default=None,
        )
        for item in said
    )
    return list(dict.fromkeys(passage.page for passage in nearest if passage))


def _rulings(asked: Task, found: Sequence[Passage]) -> str:
    rulings = [_ruled(number, settle(said, found)) for number, said in asked.items.items()]
    return json.dumps({"rulings": rulings}, ensure_ascii=False)


def _ruled(number: int, finding: Finding | None) -> dict[str, object]:
    if finding is None:
        reason = "No sentence that was found settles it."
        return {"item": number, "ruling": Ruling.INDETERMINATE, "citation": None, "reason": reason}
    page = finding.passage.page
    citation = {
        "kind": CitationKind.WIKI if page else CitationKind.SNAPSHOT,
        "where": page or "the board",
        "lines": "",
        "quote": finding.passage.statement.quote,
    }
    return {"item": number, "ruling": finding.ruling, "citation": citation, "reason": finding.reason}
