"""Scrubbing: graders read authored text only (R18).

What is cut: thoughts that were wrapped as such, tool-call payloads that leaked into the text, control
tokens of chat formats. Code blocks and inline code are left alone, so that an answer may talk about tags.
"""

import re
from dataclasses import dataclass

_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]*`)", re.DOTALL)
_CUTS = tuple(
    re.compile(pattern, re.DOTALL | re.IGNORECASE)
    for pattern in (
        r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)",
        r"<div class=[\"']?ai-thought[\"']?>.*?(?:</div>|\Z)",
        r"<(tool_call|tool_calls|function_calls|function_call|invoke)\b[^>]*>.*?(?:</\1>|\Z)",
        r"<\|tool_calls?_begin\|>.*?(?:<\|tool_calls?_end\|>|\Z)",
        r"\[TOOL_CALLS\]\s*\[.*?\](?=\s|\Z)",
        r"<\|[a-z0-9_ /-]{1,40}\|>",
        r"</?s>(?=\s|\Z)|<(?:start|end)_of_turn>",
    )
)


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """The text that graders read, and what was cut from it, in order."""

    text: str
    removed: tuple[str, ...]


def scrub(raw: str) -> Scrubbed:
    """Cut transport artifacts out of an answer; an answer without any comes back as it was."""
    removed: list[str] = []

    def cut(match: re.Match[str]) -> str:
        removed.append(match.group(0))
        return ""

    parts = _CODE.split(raw)
    for index in range(0, len(parts), 2):
        for pattern in _CUTS:
            parts[index] = pattern.sub(cut, parts[index])
    if not removed:
        return Scrubbed(raw, ())
    return Scrubbed(re.sub(r"\n{3,}", "\n\n", "".join(parts)).strip(), tuple(removed))
