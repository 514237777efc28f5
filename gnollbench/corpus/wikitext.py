"""MediaWiki's markup told as plain Markdown: headings, lists, tables, links, templates."""

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_TEMPLATES = Path(__file__).parent / "wikitext.yaml"
_MARK = "\ue000"  # a private character in front of a list marker, so that a literal "*" is none
_LIST_ITEM = re.compile(rf"^((?:{_MARK}[*#:;])+)[ \t]*", re.MULTILINE)
_UNSEEN_TAGS = frozenset(("ref", "references", "gallery", "imagemap", "includeonly", "templatedata", "hr"))
_CODE_TAGS = frozenset(("pre", "syntaxhighlight", "source"))
_BLOCK_TAGS = frozenset(("p", "div", "blockquote", "center"))
_UNSEEN_LINKS = ("file:", "image:", "media:", "category:")
_SWITCH = re.compile(r"__[A-Z]+__")


@dataclass(frozen=True, slots=True)
class Told:
    """A page in plain text.

    Attributes
    ----------
    boxes : list of str
        Its boxes of figures: a heading between dashes, then one ``Key: value`` a line.
    text : str
        The rest, as Markdown.
    left_out : Counter
        Templates that are not known, by name, and how often.
    """

    boxes: list[str]
    text: str
    left_out: Counter[str]


def told(title: str, wikitext: str) -> Told:
    """Tell a page's markup in plain text; whatever it holds, a text comes back.

    Parameters
    ----------
    title : str
        The page's title.
    wikitext : str
        Its markup.
    """
    import mwparserfromhell

    parser: Any = mwparserfromhell  # it carries no types
    writer = _Writer(title)
    return Told(writer.boxes, _tidy(writer.all(parser.parse(wikitext))), writer.left_out)


@cache
def _known() -> dict[str, Any]:
    return yaml.load(_TEMPLATES.read_text("utf-8"), Loader=yaml.CSafeLoader)


@dataclass
class _Writer:
    """Writes nodes of a parsed page one by one; sets the boxes aside and counts what is left out."""

    title: str
    boxes: list[str] = field(default_factory=list[str])
    left_out: Counter[str] = field(default_factory=Counter[str])

    def all(self, code: Any) -> str:
        """Return the text of a stretch of markup."""
        return "".join(self._node(node) for node in code.nodes) if code is not None else ""

    def _node(self, node: Any) -> str:
        match type(node).__name__:
            case "Text":
                return str(node.value)
            case "Heading":
                return f"{'#' * node.level} {self._line(node.title)}"
            case "Wikilink":
                return self._link(node)
            case "ExternalLink":
                return self.all(node.title) or str(node.url)
            case "HTMLEntity":
                return str(node.normalize())
            case "Argument":
                return self.all(node.default)
            case "Template":
                return self._template(node)
            case "Tag":
                return self._tag(str(node.tag).strip().lower(), node)
            case _:  # a comment
                return ""

    def _line(self, code: Any) -> str:
        """Return the text of markup on one line."""
        return " ".join(_tidy(self.all(code)).split())

    def _link(self, node: Any) -> str:
        target = str(node.title).strip()
        if target.lower().startswith(_UNSEEN_LINKS):
            return ""
        return self.all(node.text) if node.text is not None else target.lstrip(":#").replace("_", " ")

    def _tag(self, name: str, node: Any) -> str:
        if name in _UNSEEN_TAGS:
            return ""
        if name == "br":
            return "\n"
        if node.wiki_markup in ("*", "#", ":", ";"):
            return _MARK + str(node.wiki_markup)
        if name == "table":
            return f"\n{self._table(node)}\n"
        if name in _CODE_TAGS:
            return f"\n```\n{str(node.contents).strip(chr(10))}\n```\n"
        if name == "nowiki":
            return str(node.contents)
        inner = self.all(node.contents)
        return f"\n{inner}\n" if name in _BLOCK_TAGS else inner

    def _table(self, table: Any) -> str:
        """Return one line a row, cells parted by bars; rows without a word are left out."""
        first = _cells(table)
        captions = [[cell] for cell in first if str(cell.contents).startswith("+")]  # parsed as cells
        rows = [*captions, first[len(captions) :], *(_cells(row) for row in _inside(table, "tr"))]
        lines = (" | ".join(self._line(cell.contents).lstrip("+ ") for cell in row) for row in rows)
        return "\n".join(line for line in lines if line.strip(" |"))

    def _template(self, node: Any) -> str:
        name = " ".join(str(node.name).replace("_", " ").split())
        known, key = _known(), name.lower()
        if key in known["infoboxes"]:
            self.boxes.append(self._box(known["infoboxes"][key], node))
        elif key in known["inline"]:
            return self._inline(known["inline"][key], node)
        elif key not in known["dropped"] and not re.match(r"#|[^:]+:", key):  # nor a function of the parser
            self.left_out[name] += 1
        return ""

    def _box(self, heading: str, node: Any) -> str:
        pairs = {str(entry.name).strip(): self._line(entry.value) for entry in node.params if entry.showkey}
        lines = [
            f"{key[:1].upper()}{key[1:].replace('_', ' ')}: {value}" for key, value in pairs.items() if value
        ]
        return "\n".join([f"--- {heading} ---", *lines])

    def _inline(self, forms: str | list[str], node: Any) -> str:
        given = [self.all(entry.value).strip() for entry in node.params if not entry.showkey]
        form = forms if isinstance(forms, str) else forms[min(max(len(given), 1), len(forms)) - 1]
        return re.sub(r"\{(\w+)\}", lambda at: _filling(at[1], given, self.title), form)


def _filling(name: str, given: list[str], title: str) -> str:
    if name == "title":
        return title
    return given[int(name) - 1] if int(name) <= len(given) else ""


def _is_tag(node: Any, *names: str) -> bool:
    return type(node).__name__ == "Tag" and str(node.tag).strip().lower() in names


def _inside(table: Any, name: str) -> list[Any]:
    """Return a table's rows, those inside its head or body too."""
    found: list[Any] = []
    for node in table.contents.nodes:
        if _is_tag(node, name):
            found.append(node)
        elif _is_tag(node, "tbody", "thead", "tfoot"):
            found += _inside(node, name)
    return found


def _cells(row: Any) -> list[Any]:
    return [node for node in row.contents.nodes if _is_tag(node, "td", "th")]


def _item(match: re.Match[str]) -> str:
    markers = match[1].replace(_MARK, "")
    bullet = {"*": "- ", "#": "1. "}.get(markers[-1], "")
    return "  " * (len(markers) - 1) + bullet if bullet else ""


def _tidy(text: str) -> str:
    text = _SWITCH.sub("", _LIST_ITEM.sub(_item, text)).replace(_MARK, "")
    text = re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", text).strip()
