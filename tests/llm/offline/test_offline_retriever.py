"""The embedded candidate: what it asks for, what it quotes, when it abstains."""

import json
from dataclasses import replace

import pytest

from gnollbench.llm.messages import Message
from gnollbench.llm.offline import MODELS
from gnollbench.llm.offline.retriever import NOTHING_FOUND
from gnollbench.records.launch import ParallelExecution
from tests.llm.offline.playing import answered, asked, turn

QUESTION = "How many charges does a wand of death come with in GnollHack, and what is its maximum?"
SEARCH = """--- Items/Wand of death.md ---
### Wand
- **Weight:** 7
- **Maximum charges:** 5
[1 of 2 sections left out. wiki_view with article "Items/Wand of death" shows the whole article.]

--- Items/Wand of sleep.md ---
A wand of sleep has no more than 8 charges.
[Complete article.]"""
VIEW = """--- Items/Wand of death.md ---
## Wand

- **Weight:** 7
- **Maximum charges:** 5

## Charges

A **wand of death** is made with 2 to 5 charges. The check is in src/zap.c:120 and kills.
"""
RESULTS = {"wiki_search": SEARCH, "wiki_view": VIEW}


def test_a_question_takes_a_search_a_look_and_an_answer() -> None:
    """R13, R14: an agentic task of its own: search, view, statistics, then prose quoted from the pages."""
    reply, calls = turn("retriever", asked(QUESTION), RESULTS)
    names = [name for name, _ in calls]
    assert names == ["wiki_search", "wiki_view", "wiki_view", "get_item_stats"]
    assert calls[1] == ("wiki_view", {"article": "Items/Wand of death"})
    assert calls[3] == ("get_item_stats", {"name": "death", "object_class": "WAND_CLASS"})
    assert "A wand of death is made with 2 to 5 charges." in reply.text
    assert "Wand of death: Maximum charges: 5." in reply.text
    assert reply.finish_reason == "stop"
    assert reply.served_model == "retriever-1"


def test_answers_hold_no_markdown_and_no_file_names() -> None:
    """R13: source references are disallowed by default."""
    reply, _ = turn("retriever", asked("How does the check of a wand of death kill?"), RESULTS)
    assert "kills" in reply.text
    assert "zap.c" not in reply.text
    assert "**" not in reply.text


def test_the_same_history_gives_the_same_reply() -> None:
    """R61: an embedded run can be repeated to the letter."""
    first = MODELS["retriever"](asked(QUESTION))
    assert MODELS["retriever"](asked(QUESTION)) == first
    ids = [call.id for call in first.tool_calls]
    second = MODELS["retriever"](answered(asked(QUESTION), first, RESULTS))
    assert not set(ids) & {call.id for call in second.tool_calls}


def test_monster_statistics_are_put_in_a_sentence() -> None:
    search = "--- Monsters/Lich.md ---\nA lich is an undead sorcerer that casts spells.\n[Complete article.]"
    stats = json.dumps({"stats": {"mlevel": 11, "mmove": 12, "mr": 30}})
    results = {"wiki_search": search, "wiki_view": search, "get_monster_stats": stats}
    reply, calls = turn("retriever", asked("How fast is a lich?"), results)
    assert ("get_monster_stats", {"name": "lich"}) in calls
    assert reply.text.startswith("Lich: speed 12.")
    assert "30" not in reply.text


def test_little_found_sends_it_elsewhere_and_nothing_found_is_said() -> None:
    """R23: where nothing answers, it says that it could not find an answer, and gives none."""
    results = {
        "wiki_search": 'Nothing in the GnollHack wiki matches "grue".',
        "source_code_search": "No line of the indexed source contains 'grue'.",
    }
    view = {"wiki_view": "The GnollHack wiki has no article of that name."}
    reply, calls = turn("retriever", asked("Where do grues lurk?"), results | view)
    assert reply.text == NOTHING_FOUND
    assert {name for name, _ in calls} == {"wiki_search"}
    search = "--- Monsters.md ---\nA newt is a small creature that lurks.\n[Complete article.]"
    reply, calls = turn("retriever", asked("Which adamant grues devour wizards?"), results | {
        "wiki_search": search, "wiki_view": search})  # fmt: skip
    assert reply.text == NOTHING_FOUND
    assert {"source_code_search", "nethack_wiki_search"} <= {name for name, _ in calls}


def test_a_nethack_value_can_win() -> None:
    """A candidate that errs is what graders and flags are tried on: it does not tell the two wikis apart."""
    search = "--- Monsters/Lich.md ---\nA lich casts spells.\n[Complete article.]"
    nethack = "--- Lich ---\n--- Monster Stats ---\nSpeed: 6\n\nWith speed 6 you can walk away from a lich."
    results = {"wiki_search": search, "wiki_view": search, "nethack_wiki_search": nethack}
    reply, _ = turn("retriever", asked("Could I walk away from a lich, and at what speed?"), results)
    assert "With speed 6 you can walk away from a lich." in reply.text


@pytest.mark.parametrize("closed", [True, False])
def test_closed_or_missing_tools_end_the_turn(closed: bool) -> None:
    """R15: the forced final call is answered from what was found."""
    first = asked(QUESTION)
    history = answered(first, MODELS["retriever"](first), RESULTS)
    final = replace(
        history,
        messages=(*history.messages, Message("user", "No more tool calls are available. Answer now.")),
        tools=history.tools if closed else (),
        tools_closed=closed,
    )
    reply = MODELS["retriever"](final)
    assert reply.tool_calls == ()
    assert "Maximum charges: 5." in reply.text
    assert MODELS["retriever"](replace(first, tools_closed=True)).text == NOTHING_FOUND


def test_one_call_at_a_time_where_parallel_calls_are_off() -> None:
    """R43: parallel execution is a candidate key, and the embedded candidate heeds it."""
    request = asked(QUESTION, parallel=ParallelExecution.DISABLED)
    for _ in range(10):
        reply = MODELS["retriever"](request)
        if not reply.tool_calls:
            break
        assert len(reply.tool_calls) == 1
        request = answered(request, reply, RESULTS)
    assert "2 to 5 charges" in reply.text


@pytest.mark.parametrize(
    "result",
    [
        "",
        "All 45 tool calls for this question have been used. No further call will run. Answer now.",
        '"Gnoll" is the title of 2 articles. Call wiki_view with one of them:\nMonsters/Gnoll.md\nRaces/Gnoll.md',
        "--- --- ---\n|||\n| --- |\n### \n- \n\u0000\ud800",
        "{" * 500,
        "wiki_view took longer than 15 s and was stopped.",
    ],
)
def test_any_result_is_survived(result: str) -> None:
    """R14: errors, refusals and odd texts are results like others."""
    names = ("wiki_search", "wiki_view", "get_item_stats", "source_code_search", "nethack_wiki_search")
    reply, _ = turn("retriever", asked(QUESTION), dict.fromkeys(names, result))
    assert reply.text
    reply, _ = turn("retriever", asked(QUESTION), dict.fromkeys(names, result) | {"wiki_search": SEARCH})
    assert "Maximum charges: 5." in reply.text


def test_a_listed_topic_is_read() -> None:
    prompt = "## Knowledge base\n- **item_identification**: scrolls of identify, price, shopkeepers\n"
    article = "A blessed scroll of identify identifies three items."
    results = {"get_knowledge_article": article, "wiki_search": "Nothing matches."}
    reply, calls = turn(
        "retriever", asked("How many items does a scroll of identify identify?", prompt), results
    )
    assert calls[-1] == ("get_knowledge_article", {"topic": "item_identification"})
    assert reply.text == article


def test_the_snapshot_is_read_as_context() -> None:
    """R9: the board is part of what the candidate may quote."""
    prompt = "You help.\n\n## Game snapshot\na - a blessed +2 long sword (weapon in hand)\nDlvl:11 HP:14(58)"
    reply, _ = turn("retriever", asked("Is my long sword blessed?", prompt), {})
    assert "blessed +2 long sword" in reply.text


def test_usage_is_counted_a_token_a_word() -> None:
    """R39: embedded usage is stated, so that costs of an embedded run are known and 0."""
    request = asked("How many charges?")
    reply = MODELS["retriever"](request)
    tools = sum(len(tool["description"].split()) for tool in request.tools)
    assert reply.usage.input_tokens == 2 + 3 + tools
    assert reply.usage.output_tokens == sum(len(call.arguments.split()) for call in reply.tool_calls)
    assert (reply.usage.cached_tokens, reply.usage.cache_write_tokens, reply.usage.reasoning_tokens) == (
        0,
        0,
        0,
    )
