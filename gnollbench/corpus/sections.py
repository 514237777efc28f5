"""An article's sections: split at headings, found by name, chosen for a snippet (R14)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)")
_CLOSING = re.compile(r"[ \t]#+$")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_LEADING_SYMBOLS = re.compile(r"^[\W_]+")
_IN_HEADING = 10  # a query term in a heading says more than ten in the body
_NOTE_SPACE = 60  # characters of a snippet's last line beside the sentence that it is given
_LIST_LIMIT = 600  # characters of a list of headings


@dataclass(frozen=True, slots=True)
class Section:
    """One heading with the text up to the next heading of any level.

    Attributes
    ----------
    path : str
        The headings above and this one, joined by `` › ``; empty for the text before the first heading.
    level : int
        1 to 6; 0 for the text before the first heading.
    heading : str
        The heading's own text.
    body : str
        The text below the heading, stripped.
    start, end : int
        Where heading and body stand in the article, in characters.
    """

    path: str
    level: int
    heading: str
    body: str
    start: int
    end: int


def split(text: str) -> list[Section]:
    """Split an article at its headings; a heading inside a fenced code block is none.

    Returns at least one section; the text before the first heading is left out where it is blank.
    """
    marks = _headings(text)
    sections: list[Section] = []
    above: list[tuple[int, str]] = []
    first = marks[0][0] if marks else len(text)
    if text[:first].strip() or not marks:
        sections.append(Section("", 0, "", text[:first].strip(), 0, first))
    for position, (start, body_start, level, heading) in enumerate(marks):
        end = marks[position + 1][0] if position + 1 < len(marks) else len(text)
        above = [*[(depth, name) for depth, name in above if depth < level], (level, heading)]
        path = " › ".join(name for _, name in above)
        sections.append(Section(path, level, heading, text[body_start:end].strip(), start, end))
    return sections


def named(text: str, name: str) -> str | None:
    """Return a section with all that is below it, or None.

    Three passes, the first that finds: the same text but for case; the same after leading symbols
    are dropped and blanks collapsed; contained in exactly one heading.
    """
    sections = [section for section in split(text) if section.level]
    wanted, plain = name.strip().casefold(), _bare(name)
    same = [section for section in sections if section.heading.casefold() == wanted]
    alike = [section for section in sections if plain and _bare(section.heading) == plain]
    holding = [section for section in sections if plain and plain in _bare(section.heading)]
    for found in (same[:1], alike[:1], holding if len(holding) == 1 else []):
        if found:
            return text[found[0].start : _end_of(found[0], sections, len(text))].strip()
    return None


def headings(text: str) -> str:
    """List an article's headings on one line, at most 600 characters."""
    names = [section.heading for section in split(text) if section.level]
    if not names:
        return "none"
    line = "; ".join(names)
    return line if len(line) <= _LIST_LIMIT else line[: _LIST_LIMIT - 1] + "…"


def snippet(head: str, text: str, terms: Sequence[str], budget: int, more: str) -> str:
    """Give the sections of an article that answer a query best, in the article's order.

    Parameters
    ----------
    head : str
        The snippet's first line.
    text : str
        The article.
    terms : sequence of str
        The query's terms, lower-case.
    budget : int
        Most characters of the whole snippet.
    more : str
        The sentence that says how to read what was left out.
    """
    sections = split(text)
    room = budget - len(head) - len(more) - _NOTE_SPACE
    chosen = _chosen(sections, terms, room)
    body = "\n".join(_printed(sections[position]) for position in sorted(chosen))
    left_out = len(sections) - len(chosen)
    if len(body) > room:
        return f"{head}\n{body[: room - 3].rstrip()}...\n[Cut; {left_out} more sections left out. {more}]"
    if left_out:
        return f"{head}\n{body}\n[{left_out} of {len(sections)} sections left out. {more}]"
    return f"{head}\n{body}\n[Complete article.]"


def query_terms(query: str) -> list[str]:
    """Return a query's different terms for scoring sections: lower-case words of two letters or more."""
    return list(dict.fromkeys(word for word in re.findall(r"\w+", query.casefold()) if len(word) > 1))


def _chosen(sections: list[Section], terms: Sequence[str], room: int) -> list[int]:
    scores = [_score(section, terms) for section in sections]
    if not any(scores):
        return [0, 1] if sections[0].level == 0 and len(sections) > 1 else [0]
    chosen: list[int] = []
    for position in sorted(range(len(sections)), key=lambda at: (-scores[at], at)):
        size = len(_printed(sections[position])) + 1
        if chosen and size > room:
            break
        chosen.append(position)
        room -= size
    return chosen


def _score(section: Section, terms: Sequence[str]) -> int:
    path, body = section.path.casefold(), section.body.casefold()
    return sum(_IN_HEADING if term in path else int(term in body) for term in terms)


def _printed(section: Section) -> str:
    return f"### {section.path}\n{section.body}".rstrip() if section.path else section.body


def _headings(text: str) -> list[tuple[int, int, int, str]]:
    """Return start, start of the body, level and text of every heading outside fenced code."""
    found: list[tuple[int, int, int, str]] = []
    position, fenced = 0, False
    for line in text.split("\n"):
        after = min(position + len(line) + 1, len(text))
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and (match := _HEADING.fullmatch(line)):
            found.append((position, after, len(match[1]), _CLOSING.sub("", match[2].rstrip()).rstrip()))
        position = after
    return found


def _end_of(section: Section, sections: list[Section], length: int) -> int:
    later = (other for other in sections if other.start > section.start and other.level <= section.level)
    return next((other.start for other in later), length)


def _bare(heading: str) -> str:
    return " ".join(_LEADING_SYMBOLS.sub("", heading).split()).casefold()
