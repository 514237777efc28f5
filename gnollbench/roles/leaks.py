"""What leaks into an answer's text, by model family: thoughts, tool-call payloads, control tokens (R18).

Each finder yields the stretches ``(start, end)`` of its kind. Whether a stretch stands in code, where an
answer may talk about such things, is for the scrubber to see.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, cast

from gnollbench.corpus.schemas import tool_names
from gnollbench.records.canonical import as_object

Stretch = tuple[int, int]

_THOUGHT = r"think|thinking|thoughts?|reasoning|scratchpad|seed:think"
_CALL = r"tool_?calls?|tool_code|tool_(?:response|result|output)s?|function_?(?:call|result)s?|invoke"
_PAIRS = tuple(
    (re.compile(opener, re.IGNORECASE), closer)
    for opener, closer in (
        # tags: <think>, Anthropic's and others' prefixes (antml:, xai:, minimax:), DeepSeek's ｜DSML｜
        (rf"<((?:\w+:|｜DSML｜)?(?:{_THOUGHT}|{_CALL}))\b[^<>\n]*>", r"</{0}>"),
        (r"<div class=[\"']?ai-thought[\"']?>", "</div>"),  # the chat's own wrapping of thoughts
        (r"<function=[\w.-]+>", "</function>"),  # Llama, Qwen coder
        (r"\[THINK\]", "[/think]"),  # Mistral
        (r"◁think▷", "◁/think▷"),  # Kimi
        (r"<unused94>", "<unused95>"),  # Gemma
        (r"<ctrl42>", "<ctrl46>"),  # Gemini
        (r"<\|START_(THINKING|ACTION)\|>", r"<|end_{0}|>"),  # Command
        (r"<\|tool_calls_section_begin\|>", "<|tool_calls_section_end|>"),  # Kimi
        (r"<\|(tool_calls?)_begin\|>", r"<|{0}_end|>"),
        (r"<｜(tool▁calls?|tool▁outputs?)▁begin｜>", r"<｜{0}▁end｜>"),  # DeepSeek
        (r"<\|channel\|>\s*analysis\b", "<|end|>"),  # gpt-oss
        (r"<\|channel\|>\s*commentary\b", "<|call|>"),
        (r"<\|python_tag\|>", "<|eom_id|>"),  # Llama
    )
)
_DANGLING = re.compile(
    rf"</(?:{_THOUGHT})>|\[/THINK\]|◁/think▷|\Aanalysis\S.*?assistant ?final", re.IGNORECASE | re.DOTALL
)
_BEFORE_PAYLOAD = re.compile(
    r"\[TOOL_CALLS\]\s*(?:[\w.]+\s*)?(?:\[CALL_ID\]\w*)?(?:\[ARGS\])?\s*"  # Mistral
    r"|<\|/?tool_call\|>\s*"  # Granite, Phi
    r"|(?:\bassistant\s*)?(?:\bcommentary\s+)?\bto=(?:functions\.)?\w+[^{}\n]{0,60}"  # gpt-oss, its tokens gone
    r"|^[ \t]*functions\.\w+:\d+\s*(?=\{)",  # Kimi, its tokens gone
    re.MULTILINE,
)
_LINE_WITH_JSON = re.compile(r"^[ \t]*(?=[\[{])", re.MULTILINE)
_TOKEN = re.compile(
    r"<\|start_header_id\|>\w{0,20}<\|end_header_id\|>\s?"
    r"|(?:<\|im_start\|>|<\|start\|>)(?:assistant|user|system|tool)?(?:[ \t]*\n)?"
    r"|<\|channel\|>\s*final\s*(?=<\|message\|>)"
    r"|<\|[\w ./:-]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>"
    r"|<(?:start|end)_of_turn>(?:(?:user|model)\b)?|<(?:bos|eos|pad|unk|unused\d+|ctrl\d+)>"
    r"|\[/?INST\]|<</?SYS>>|</s>\s*\Z|\A\s*<s>(?!.*</s>\s*\S)|\n(?:Human|User): *\Z",
    re.DOTALL,
)
_NARRATION = re.compile(
    r"\A\s*(?:(?:Okay|OK|Alright|Sure|First|Now|Good|Great|Hmm)\b[,.!:]? +)?"
    r"(?:let me|let's|I(?:'ll|’ll| will| need to| should| am going to|'m going to))\b[^\n.:]{0,40}"
    r"\b(?:search|look|check|verify|consult|query|find|fetch|open|read|view|call)\b[^\n]{0,200}"
    r"\b(?:wiki|source|code|tools?|knowledge|statistics|stats|database|page|article|\w+_\w+)\b[^\n]{0,100}"
    r"(?:[.:…!]|\.{3})\s*\n\s*\n(?=\S)",
    re.IGNORECASE,
)
_CALL_BLOCK = re.compile(r"(?:tool|function)_?(?:code|calls?|outputs?|results?|responses?)", re.IGNORECASE)


def paired(text: str, in_code: Callable[[int], bool]) -> Iterator[Stretch]:
    """Yield what stands between an opening mark outside code and its end.

    Without an end the stretch runs to the end of the text, if its mark begins a line; a mark within a line
    that nothing closes is talked about.
    """
    lower, absent = text.lower(), set[str]()
    for opener, closer in _PAIRS:
        position = 0
        while match := opener.search(text, position):
            close = closer.format(match[1].lower()) if match.re.groups else closer
            end = -1 if close in absent else lower.find(close, match.end())
            if end < 0:
                absent.add(close)  # nor does it stand further on
            if in_code(match.start()) or (end < 0 and not _begins_line(text, match.start())):
                position = match.end()
                continue
            position = end + len(close) if end >= 0 else len(text)
            yield match.start(), position


def dangling_thought(text: str, in_code: Callable[[int], bool]) -> Stretch | None:
    """Return what stands before an end of thoughts that nothing opened: the chat's template did."""
    for match in _DANGLING.finditer(text):
        if not in_code(match.start()) and not _talked_about(text, *match.span()):
            return 0, match.end()
    return None


def payloads(text: str) -> Iterator[Stretch]:
    """Yield tool calls as JSON or as code: behind a mark of their family, or alone on their lines."""
    for match in _BEFORE_PAYLOAD.finditer(text):
        value, end = _json_at(text, match.end())
        if value is not None or (end := _argument_list_end(text, match.end())):
            yield match.start(), end
    for match in _LINE_WITH_JSON.finditer(text):
        value, end = _json_at(text, match.end())
        if is_call(value):
            yield match.start(), end
    for match in _calls_in_code().finditer(text):
        yield match.span()


def tokens(text: str) -> Iterator[Stretch]:
    """Yield control tokens; one that stands as a word among words of its line is talked about."""
    for match in _TOKEN.finditer(text):
        if not _talked_about(text, *match.span()):
            yield match.span()


def narration(text: str) -> Stretch | None:
    """Return an opening paragraph that only announces a look-up."""
    match = _NARRATION.match(text)
    return match.span() if match else None


def is_call_block(kind: str, content: str) -> bool:
    """Tell whether a fenced block is a leaked call: by its kind, or because it is nothing but one."""
    if _CALL_BLOCK.fullmatch(kind):
        return True
    stripped = content.strip()
    value, end = _json_at(stripped, 0)
    return end == len(stripped) and is_call(value)


def is_call(value: Any) -> bool:
    """Tell whether a JSON value is a call of one of the sixteen tools, or a list of such calls."""
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return bool(items) and all(map(is_call, items))
    call = as_object(value)
    if "tool_uses" in call:
        return is_call(call["tool_uses"])
    if isinstance(call.get("function"), dict):
        return is_call(call["function"])
    named = {call.get(key) for key in ("name", "tool", "tool_name", "function", "recipient_name", "action")}
    names = {str(name).removeprefix("functions.") for name in named if name}
    return not names.isdisjoint(tool_names())


@cache
def _calls_in_code() -> re.Pattern[str]:
    tool = rf"(?:{'|'.join(tool_names())})"
    return re.compile(
        rf"^[ \t]*(?:print\()?(?:functions\.|default_api\.)?{tool}\([^\n]*\)[ \t]*$"
        rf"|^(?:Thought:[^\n]*\n)?Action: *{tool}[ \t]*\nAction Input:[^\n]*$",
        re.MULTILINE,
    )


def _json_at(text: str, position: int) -> tuple[Any, int]:
    """Return the JSON object or list that stands at a position, and its end; None where none does."""
    if text[position : position + 1] not in ("{", "["):
        return None, position
    try:
        return json.JSONDecoder().raw_decode(text, position)
    except (ValueError, RecursionError):
        return None, position


def _argument_list_end(text: str, position: int) -> int:
    """Return the end of arguments that were cut before they were whole; 0 where there are none."""
    return len(text) if text[position : position + 1] == "{" and "\n" not in text[position:] else 0


def _begins_line(text: str, position: int) -> bool:
    return not text[text.rfind("\n", 0, position) + 1 : position].strip()


def _talked_about(text: str, start: int, end: int) -> bool:
    before = text[text.rfind("\n", 0, start) + 1 : start]
    after = text[end : text.find("\n", end) if "\n" in text[end:] else len(text)]
    is_word = before.endswith((" ", "(", '"', "'", "“", "‘", "„", "«")) and before.strip() != ""
    return is_word and after[:1] in (*" .,;:!?)'\"”’“»",) and after.strip() != ""
