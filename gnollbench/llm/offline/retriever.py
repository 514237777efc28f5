"""The embedded candidate: searches, opens pages, picks sentences. No language model.

It exercises every part of a candidate's turn; its scores say nothing about a language model. It quotes
what the tools return and adds no fact of its own.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from math import fsum
from typing import Any

from gnollbench.llm.messages import Reply, Request
from gnollbench.llm.offline.conversation import (
    Call,
    answering,
    asking,
    calls_made,
    instructions,
    json_object,
    task,
)
from gnollbench.llm.offline.passages import Passage, pages, passages
from gnollbench.llm.offline.relevance import Question, met, pick, read_question, score, weigh
from gnollbench.llm.offline.words import telling

SERVED = "retriever-1"
NOTHING_FOUND = "I could not find an answer to this in the GnollHack wiki or in the game's source."
_QUERY_WORDS = 8  # more of a long question only add noise to a search that joins words by OR
_RARE_WORDS = 3  # of the second, narrower search
_OPENED = 2  # pages viewed
_SENTENCES = 4  # of an answer; the chat asks for two to five
_ENOUGH = 0.6  # share of the question's weight that a sentence meets, so that the source need not be searched
_SOMETHING = 0.3  # share below which the answer is that nothing was found
_LABEL_WORDS = 6  # a list entry of so few words means nothing without its page's title
_SNAPSHOT, _BOARD = "## Game snapshot\n", "Board"  # the heading in the prompt, and what its lines belong to
_TOPIC = re.compile(r"^- \**`?([\w/]+)`?\**: *(.*)$", re.MULTILINE)
_FILE = re.compile(r"\(?\b[\w./]+\.[ch]\b(?:[:, ]+(?:L|lines? )?\d+(?:[-–]\d+)?)?\)?")
_DASH = re.compile(r"^[-–—]\s+")
_CLASSES = {"wand": "WAND_CLASS", "scroll": "SCROLL_CLASS", "potion": "POTION_CLASS", "ring": "RING_CLASS"}
_LABELS = {
    "mlevel": "level",
    "mmove": "speed",
    "ac": "armor class",
    "mr": "magic resistance",
    "cost": "price",
}


def retriever(request: Request) -> Reply:
    """Answer one question with the tools on offer, in three or four calls.

    Search twice; open the best pages and, for a monster or an item in figures, its statistics; where
    these say little, look into the source and the NetHack wiki; then quote the sentences that meet the
    question best, or say that nothing was found.
    """
    question = read_question(task(request))
    prompt = instructions(request)
    made = calls_made(request)
    found = [*passages(prompt.partition(_SNAPSHOT)[2], _BOARD), *_found(made)]
    weights = weigh(question, found)
    share = met(weights, found)
    wanted = _searches(question, prompt)
    if made:
        wanted += _looks(question, made)
    if share < _ENOUGH and any(call.name == "wiki_view" for call in made):
        wanted += _elsewhere(question)
    if reply := asking(request, wanted, SERVED):
        return reply
    stated = list(_stated(question, made))
    picked = pick(question, weights, found, _SENTENCES - len(stated)) if share >= _SOMETHING else []
    return answering(request, " ".join([*stated, *map(_prose, picked)]) or NOTHING_FOUND, SERVED)


def _searches(question: Question, prompt: str) -> list[Call]:
    queries = (question.words[:_QUERY_WORDS], question.words[:_RARE_WORDS])
    searches = [Call("wiki_search", {"query": " ".join(words)}) for words in queries if words]
    fitting = [
        Call("get_knowledge_article", {"topic": key})
        for key, summary in _TOPIC.findall(prompt)
        if len(telling(f"{key.replace('_', ' ')} {summary}") & question.worth.keys()) >= _RARE_WORDS
    ]
    return searches + fitting[:1]


def _looks(question: Question, made: Sequence[Call]) -> list[Call]:
    best = _best_pages(question, made)[:_OPENED]
    views = [Call("wiki_view", {"article": page}) for page in best]
    return views + [call for page in best[:1] if question.counts and (call := _statistics(page))]


def _statistics(page: str) -> Call | None:
    folder, _, title = page.rpartition("/")
    kind, _, bare = title.lower().partition(" of ")
    if folder.startswith("Monsters"):
        return Call("get_monster_stats", {"name": title.lower()})
    if folder.startswith("Artifacts"):
        return Call("get_artifact_stats", {"name": title})
    if folder.startswith("Items"):
        of_class = {"object_class": _CLASSES[kind]} if kind in _CLASSES else {}
        return Call("get_item_stats", {"name": bare or kind} | of_class)
    return None


def _elsewhere(question: Question) -> list[Call]:
    """Look where a careful player would not stop: what is NetHack's may come back as GnollHack's."""
    if not question.words:
        return []
    return [
        Call("source_code_search", {"query": question.words[0]}),
        Call("nethack_wiki_search", {"query": " ".join(question.words[:_RARE_WORDS])}),
    ]


def _best_pages(question: Question, made: Sequence[Call]) -> list[str]:
    """Return the pages that the searches found, the best first: by sentence, by title, by rank."""
    ranked: dict[str, float] = {}
    for call in made:
        if call.name != "wiki_search":
            continue
        found = passages(call.result)
        weights = weigh(question, found)
        best: dict[str, float] = {}
        for passage in found:
            best[passage.page] = max(score(question, weights, passage), best.get(passage.page, 0.0))
        for place, page in enumerate(pages(call.result), 1):
            title = telling(page.rpartition("/")[2])
            named = fsum(weights.get(word, 0.0) for word in title) / (len(title) or 1)
            ranked[page] = max(best.get(page, 0.0) + named + 1 / place, ranked.get(page, 0.0))
    return sorted(ranked, key=lambda page: -ranked[page])


def _found(made: Iterable[Call]) -> list[Passage]:
    """Return what the results hold, each sentence once; text that belongs to no page is none."""
    found: dict[str, Passage] = {}
    for call in made:
        page = str(call.arguments.get("topic", "")) if call.name == "get_knowledge_article" else ""
        for passage in passages(call.result, page):
            if passage.page:
                found.setdefault(passage.statement.plain, passage)
    return list(found.values())


def _prose(passage: Passage) -> str:
    """Return a passage as a sentence of the answer, without file names."""
    said = _DASH.sub("", _FILE.sub("", passage.statement.plain).strip(" ;,:"))
    ended = said.endswith((".", "!", "?"))
    if not ended and len(said.split()) <= _LABEL_WORDS:
        said = f"{passage.title}: {said}"
    return said[:1].upper() + said[1:] + ("" if ended else ".")


def _stated(question: Question, made: Iterable[Call]) -> Iterator[str]:
    """Put the statistics that the question asks for into sentences."""
    for call in made:
        if not call.name.endswith("_stats"):
            continue
        stats: Any = json_object(call.result).get("stats") or {}
        asked = [
            f"{label} {stats[field]}"
            for field, label in _LABELS.items()
            if telling(label) <= question.worth.keys() and isinstance(stats.get(field), int)
        ]
        if asked:
            name = str(call.arguments["name"])
            yield f"{name[:1].upper()}{name[1:]}: {', '.join(asked)}."
