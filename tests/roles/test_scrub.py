"""Scrubbing: artifacts go, authored text stays (R18)."""

import pytest

from gnollbench.roles.scrub import scrub

TEXT = "A lich has speed 12."


@pytest.mark.parametrize(
    "artifact",
    [
        "<think>hm, let me see</think>",
        "<thinking>\nstep 1\n</thinking>",
        '<div class="ai-thought">looking it up</div>',
        '<tool_call>{"name": "wiki_search", "arguments": {"query": "lich"}}</tool_call>',
        '<function_calls><invoke name="wiki_view"></invoke></function_calls>',
        "<|tool_calls_begin|>wiki_search<|tool_calls_end|>",
        '[TOOL_CALLS] [{"name": "wiki_search"}]',
        "<|im_end|>",
        "<|eot_id|>",
        "<end_of_turn>",
    ],
)
@pytest.mark.parametrize("where", ["before", "after"])
def test_artifact_is_cut_and_kept(artifact: str, where: str) -> None:
    """R18: graders see the authored text; what was cut is told."""
    raw = f"{artifact}\n{TEXT}" if where == "before" else f"{TEXT}\n{artifact}"
    scrubbed = scrub(raw)
    assert scrubbed.text == TEXT
    assert artifact in "".join(scrubbed.removed)


@pytest.mark.parametrize(
    "raw",
    [
        TEXT,
        "Tokens such as `<|im_end|>` belong to chat formats.",
        '```json\n{"tool_call": "<tool_call>"}\n```',
        "A ring of conflict is <b>not</b> made at random.",
        "Use a < b and c > d; think about <it>.",
        "I think that it is 12.",
        "  Two leading blanks and\n\n\n\nmany empty lines stay.",
        "The [TOOL_CALLS] marker alone is only a word.",
        "",
    ],
)
def test_authored_text_is_left_alone(raw: str) -> None:
    """R18: an answer may talk about tags, tokens and JSON."""
    assert scrub(raw).text == raw
    assert scrub(raw).removed == ()


def test_nothing_left_is_nothing() -> None:
    """R18: an answer that was all payload has no text."""
    assert scrub("<think>only thoughts").text == ""
