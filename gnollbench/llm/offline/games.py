"""Which game a sentence speaks of: the corpora and the answers compare GnollHack with NetHack all the time."""

import re

_OPENING_WORDS = 3  # "In NetHack, …", "The NetHack wiki …"
NETHACK, _GNOLLHACK = "nethack", "gnollhack"
_DISMISSED = re.compile(
    r",? \b(?:rather than|instead of|as opposed to|unlike)\b[^,;.()]*|, not\b[^,;.()]*", re.IGNORECASE
)
_CLAUSE = re.compile(
    r"[;()]|,? \b(?:but|while|whereas|although|though|however|compared (?:with|to)|versus|vs\.?)\b",
    re.IGNORECASE,
)


def without_nethack(sentence: str) -> str:
    """Return a sentence without what it says of NetHack and without what it dismisses."""
    if NETHACK not in sentence.lower() and not _DISMISSED.search(sentence):
        return sentence
    kept = map(_own_part, _CLAUSE.split(_DISMISSED.sub("", sentence)))
    return "; ".join(part for part in kept if any(map(str.isalnum, part)))


def _own_part(clause: str) -> str:
    """Return of one clause the parts between commas that do not speak of NetHack alone.

    A clause that opens with NetHack and never turns to GnollHack speaks of NetHack as a whole.
    """
    opening = " ".join(clause.lower().split()[:_OPENING_WORDS])
    if NETHACK in opening and _GNOLLHACK not in clause.lower():
        return ""
    parts = clause.split(",")
    return ",".join(p for p in parts if NETHACK not in p.lower() or _GNOLLHACK in p.lower()).strip()
