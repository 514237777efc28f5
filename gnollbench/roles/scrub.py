"""Scrubbing: graders read authored text only (R18).

What is cut: thoughts, tool-call payloads that leaked into the text, control tokens of chat formats, an
announcement of a look-up in front of the answer, and characters that nobody sees. Code blocks and inline code
are left alone, so that an answer may talk about tags, tokens and JSON.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gnollbench.roles.leaks import (
    Stretch,
    dangling_thought,
    is_call_block,
    narration,
    paired,
    payloads,
    tokens,
)
from gnollbench.roles.untrusted import visible

_CODE = re.compile(
    r"^[ \t]*```([^\n`]*)\n(.*?)(?:^[ \t]*```[ \t]*$|\Z)|```.*?(?:```|\Z)|`[^`\n]+`", re.M | re.S
)


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """The text that graders read, and what was cut from it."""

    text: str
    removed: tuple[str, ...]


def scrub(raw: str) -> Scrubbed:
    """Cut transport artifacts out of an answer; an answer without any comes back as it was."""
    text = visible(raw)
    removed = ["characters that nobody sees"] if text != raw else []
    in_code = _code_of(text)
    text = _without(text, [*_call_blocks(text), *paired(text, in_code)], removed)
    thought = dangling_thought(text, _code_of(text))
    text = _without(text, [thought] if thought else [], removed)
    for find in (payloads, tokens):
        in_code = _code_of(text)
        text = _without(text, [stretch for stretch in find(text) if not in_code(stretch[0])], removed)
    announced = narration(text)
    text = _without(text, [announced] if announced else [], removed)
    return Scrubbed(text.strip() if removed else raw, tuple(removed))


def _call_blocks(text: str) -> Iterator[Stretch]:
    for match in _CODE.finditer(text):
        if match[2] is not None and is_call_block(match[1].strip(), match[2]):
            yield match.span()


def _code_of(text: str) -> Callable[[int], bool]:
    """Return what tells whether a position of the text stands in a code block or in inline code."""
    spans = [match.span() for match in _CODE.finditer(text)]
    starts = [start for start, _ in spans]

    def in_code(position: int) -> bool:
        place = bisect_right(starts, position) - 1
        return place >= 0 and position < spans[place][1]

    return in_code


def _without(text: str, stretches: Sequence[Stretch], removed: list[str]) -> str:
    """Return the text without the stretches; of blank lines around a cut one is left."""
    kept, position = "", 0
    for start, end in sorted(stretches):
        if end <= position:
            continue
        start = max(start, position)
        kept = _joined(kept, text[position:start])
        removed.append(text[start:end])
        position = end
    return _joined(kept, text[position:])


def _joined(before: str, after: str) -> str:
    if not before.strip() or not after.strip():
        return before + after
    left, right = before.rstrip(), after.lstrip()
    between = before[len(left) :] + after[: len(after) - len(right)]
    if between.count("\n") > 2:
        return f"{left}\n\n{right}"
    return f"{left} {right}" if between.strip(" ") == "" and len(between) > 1 else before + after
