"""How much of the tools' results the model reads, and what it is told as its budget runs out (R14, R15).

What is stored is always the full result; this module makes the text that the model is shown.
"""

import json
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from gnollbench.corpus.result import ToolResult

_TEXTS = Path(__file__).parent / "texts"
# Results that a cap would cut in the middle of what they promise; these are production's values.
_FLOORS = {
    "wiki_search": 13_000,  # five snippets of 2,500, their headings and the closing line
    "nethack_wiki_search": 16_140,  # five articles of 3,000 with a note of 128 each, and 500 for headings
}
_NOTICE_SHARE = 5  # the notice starts at a fifth of the budget
_NOTICE_LEAST = 3  # but not later than at three calls left


class _Text(StrEnum):
    """The templates under ``texts/``."""

    BUDGET_NOTICE = "budget_notice"
    BUDGET_REFUSAL = "budget_refusal"
    FORCED_FINAL = "forced_final"
    CUT = "cut"
    JSON_TOO_LONG = "json_too_long"
    BATCH_CUT = "batch_cut"
    BATCH_SKIPPED = "batch_skipped"
    TURN_CUT = "turn_cut"
    TURN_OMITTED = "turn_omitted"


class ResultBudget:
    """The characters of tool results that the model may read on one question.

    Parameters
    ----------
    result_cap : int
        Most characters of one result, unless its tool has a higher floor.
    batch_cap : int
        Most characters of one round's results together; never below ``result_cap``.
    turn_cap : int
        Most characters of all results of the question together.
    """

    def __init__(self, result_cap: int, batch_cap: int, turn_cap: int) -> None:
        self._result_cap = result_cap
        self._batch_cap = max(batch_cap, result_cap)
        self._batch_left = self._batch_cap
        self._turn_left = turn_cap

    def start_round(self) -> None:
        """Begin a round: one model response with at least one call. Its results share the batch cap."""
        self._batch_left = self._batch_cap

    def shown(self, tool_name: str, result: ToolResult) -> ToolResult:
        """Return what the model reads of a result; to be called in the order of the calls.

        Notes come on top of a cap. A result in JSON is never cut by its own cap: it becomes a
        failure that names its length.
        """
        cap, total = max(self._result_cap, _FLOORS.get(tool_name.lower(), 0)), len(result.content)
        if total > cap and _is_json(result.content):
            result = ToolResult(False, _filled(_Text.JSON_TOO_LONG, total=total))
        room, cut, left_out = min(
            (self._turn_left, _Text.TURN_CUT, _Text.TURN_OMITTED),
            (cap, _Text.CUT, _Text.CUT),
            (self._batch_left, _Text.BATCH_CUT, _Text.BATCH_SKIPPED),
            key=lambda limit: limit[0],
        )
        used = min(len(result.content), room)
        self._batch_left -= used
        self._turn_left -= used
        return ToolResult(result.success, _fitted(result.content, room, cut, left_out))


def budget_notice(remaining: int, total: int) -> str | None:
    """Return the line that warns of a low call budget, or None while the budget is ample (R15).

    It starts at ``max(3, floor(total / 5))`` calls left.
    """
    if remaining > max(_NOTICE_LEAST, total // _NOTICE_SHARE):
        return None
    return _filled(_Text.BUDGET_NOTICE, remaining=remaining, total=total)


def budget_refusal(total: int) -> ToolResult:
    """Return the result of a call that no longer runs; it is not counted as a call."""
    return ToolResult(False, _filled(_Text.BUDGET_REFUSAL, total=total))


def forced_final() -> str:
    """Return the user text that asks for the answer when rounds or model calls have run out."""
    return _filled(_Text.FORCED_FINAL)


def _fitted(content: str, room: int, cut: _Text, left_out: _Text) -> str:
    if len(content) <= room:
        return content
    if room <= 0:
        return _filled(left_out)
    return f"{content[:room]}\n{_filled(cut, shown=room, total=len(content))}"


def _is_json(text: str) -> bool:
    if not text.startswith(("{", "[")):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _filled(name: _Text, **values: Any) -> str:
    return _template(name).render(values)


@cache
def _template(name: _Text) -> Any:
    from jinja2 import Environment, StrictUndefined

    source = (_TEXTS / f"{name}.md").read_text("utf-8").strip()
    return Environment(undefined=StrictUndefined).from_string(source)
