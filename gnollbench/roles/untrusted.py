"""Text that a model wrote, made safe to stand in another model's prompt: what is hidden goes, fences hold (R29)."""

import re

from gnollbench.records.canonical import hash_text, safe_text

# Scripts and signs whose spelling needs a joiner: from Arabic to Tibetan, CJK, symbols, emoji.
_JOINED = "\u0600-\u1fff\u2190-\u2bff\u3040-\ud7ff\uf900-\ufdff\ufe0e\ufe0f\U0001f000-\U0001faff"
_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # control characters but tab, line feed, carriage return
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # soft hyphen, fillers, joiners
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # zero width, direction, annotation
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # shorthand, music, tags, selectors
    "]+"
    f"|(?<![{_JOINED}])[\u200c\u200d]+|[\u200c\u200d]+(?![{_JOINED}])"
)


def visible(text: str) -> str:
    """Return a text without the characters that a person does not see.

    Control characters, zero-width characters, direction marks and tag characters are cut: a model reads
    them and a person does not. Joiners stay where a script or an emoji is spelled with them. A lone
    surrogate, which no file takes, becomes U+FFFD.
    """
    return _HIDDEN.sub("", safe_text(text))


def fence_mark(*texts: str) -> str:
    """Return a fence mark that none of the texts can close: it is made from their own hash."""
    mark = f"ANSWER-{hash_text(chr(0).join(filter(None, texts)))}"
    while any(mark in text for text in texts):
        mark = f"ANSWER-{hash_text(mark)}"
    return mark


def one_line(text: str) -> str:
    """Return a text as one visible line: what stands in a list must not begin another entry."""
    return " ".join(visible(text).split())
