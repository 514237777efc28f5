"""What the model reads of results, and what it is told about its budget."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.corpus.caps import ResultBudget, budget_notice, budget_refusal, forced_final
from gnollbench.corpus.result import ToolResult


def text(length: int) -> ToolResult:
    return ToolResult(True, "x" * length)


def test_a_short_result_is_shown_as_it_is() -> None:
    """R14: nothing is added below the cap."""
    assert ResultBudget(1000, 4000, 9000).shown("wiki_view", text(1000)) == text(1000)


def test_a_long_result_is_cut_with_a_note_on_top() -> None:
    """R14: the cap counts the result alone; the note names both numbers."""
    shown = ResultBudget(1000, 4000, 9000).shown("wiki_view", text(1001))
    kept, note = shown.content.split("\n")
    assert shown.success
    assert kept == "x" * 1000
    assert "1000 of 1001" in note


@pytest.mark.parametrize("name", ["wiki_search", "WIKI_SEARCH"])
def test_floors_raise_the_cap(name: str) -> None:
    """R14: searches that return several articles keep room for all of them."""
    assert ResultBudget(1000, 40_000, 90_000).shown(name, text(13_000)) == text(13_000)
    assert "13000 of 13001" in ResultBudget(1000, 40_000, 90_000).shown(name, text(13_001)).content
    nethack = ResultBudget(1000, 40_000, 90_000).shown("nethack_wiki_search", text(16_140))
    assert nethack == text(16_140)


def test_long_json_is_a_failure_that_names_its_length() -> None:
    """R14: JSON is not cut in the middle; text that only looks like it is."""
    long = json.dumps({"key": "v" * 2000})
    refused = ResultBudget(1000, 4000, 9000).shown("get_item_stats", ToolResult(True, long))
    assert not refused.success
    assert str(len(long)) in refused.content
    assert len(refused.content) < 300
    cut = ResultBudget(1000, 4000, 9000).shown("get_item_stats", ToolResult(True, "[" + "x" * 2000))
    assert cut.success
    assert cut.content.startswith("[xxx")
    deep = ResultBudget(1000, 4000, 9000).shown("get_item_stats", ToolResult(True, "[" * 100_000))
    assert deep.content.startswith("[[[")


def test_one_round_shares_the_batch_cap() -> None:
    """R14: the result that overflows is cut, later ones are skipped, the next round starts afresh."""
    budget = ResultBudget(1000, 2500, 90_000)
    budget.start_round()
    shown = [budget.shown("wiki_view", text(1000)).content for _ in range(5)]
    assert shown[:2] == ["x" * 1000] * 2
    assert shown[2].startswith("x" * 500 + "\n[Cut: 500 of 1000")
    assert shown[3].startswith("[Skipped")
    assert shown[4].startswith("[Skipped")
    budget.start_round()
    assert budget.shown("wiki_view", text(1000)) == text(1000)


def test_the_batch_cap_is_never_below_the_result_cap() -> None:
    """R14: one result always fits its round."""
    assert ResultBudget(1000, 10, 90_000).shown("wiki_view", text(1000)) == text(1000)


def test_the_question_shares_the_turn_cap() -> None:
    """R14: over all rounds; cut, then omitted."""
    budget = ResultBudget(1000, 4000, 1500)
    shown: list[str] = []
    for _ in range(3):
        budget.start_round()
        shown.append(budget.shown("wiki_view", text(1000)).content)
    assert shown[0] == "x" * 1000
    assert shown[1].startswith("x" * 500 + "\n[Cut: 500 of 1000")
    assert shown[2].startswith("[Omitted")


@given(st.lists(st.lists(st.integers(0, 3000), max_size=6), max_size=8))
def test_the_caps_hold_for_any_results(rounds: list[list[int]]) -> None:
    """R14: no more than the caps of results is ever shown, notes aside, and no result is empty."""
    budget, turn = ResultBudget(1000, 2500, 6000), 0
    for lengths in rounds:
        budget.start_round()
        batch = 0
        for length in lengths:
            content = budget.shown("wiki_view", ToolResult(True, "ß" * length)).content
            assert content or length == 0
            batch += content.count("ß")
        assert batch <= 2500
        turn += batch
    assert turn <= 6000


@pytest.mark.parametrize(
    ("total", "first"),
    [(45, 9), (20, 4), (15, 3), (10, 3), (4, 3), (3, 3)],
)
def test_the_notice_starts_at_a_fifth_or_at_three(total: int, first: int) -> None:
    """R15: the candidate is warned at max(3, floor(20 %)) calls left, and not before."""
    assert budget_notice(first + 1, total) is None
    assert budget_notice(0, total) is not None
    notice = budget_notice(first, total) or ""
    assert notice.startswith("[")
    assert notice.endswith("]")
    assert str(first) in notice
    assert str(total) in notice
    assert "\n" not in notice


def test_refusal_and_forced_final_say_to_answer() -> None:
    """R15: a call over the budget is refused with its size; the last request asks for the answer."""
    refusal = budget_refusal(45)
    assert not refusal.success
    assert "45" in refusal.content
    assert "nswer" in refusal.content
    assert "nswer" in forced_final()
