"""A MediaWiki XML dump, converted into the folder of Markdown files that the NetHack wiki is read from.

The dump is read as a stream: memory holds one revision and the list of titles, however large it is.
"""

import bz2
import gzip
import json
import re
import shutil
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import ParseError, iterparse

from gnollbench.corpus.wikitext import Told, told
from gnollbench.errors import Refusal

NAMESPACES = {0: "article", 4: "nethackwiki", 12: "help", 14: "category", 100: "source", 110: "forum"}
INDEX = "_index.json"  # file name -> title and namespace, for people and their scripts
_EXPORT = re.compile(r"\{http://www\.mediawiki\.org/xml/export-[\d.]+/\}(\w+)")
_REDIRECT = re.compile(r"\s*#\s*redirect\b", re.IGNORECASE)
_OPENERS: dict[str, Any] = {".bz2": bz2.open, ".gz": gzip.open}
_LONGEST_NAME = 200  # characters of a file name, its extension aside, and bytes at most as many as fit a disk
_MOST_NAME_BYTES = 240
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # no file names on Windows
_LEAST_SENTENCE = 20  # characters of a line that a summary may be taken from
_LONGEST_SUMMARY = 200
_SENTENCE = re.compile(r".{19,}?[.!?](?=\s|$)")


@dataclass(frozen=True, slots=True)
class DumpPage:
    """A page of a dump: its full title, its namespace's number, and its last revision's markup."""

    title: str
    namespace: int
    text: str
    redirect: bool


@dataclass(slots=True)
class Imported:
    """What an import wrote and what it left out, in pages; ``left_out`` counts unknown templates."""

    pages: int = 0
    redirects: int = 0
    other_namespaces: int = 0
    empty: int = 0
    left_out: Counter[str] = field(default_factory=Counter[str])


def import_dump(dump: Path, out: Path) -> Imported:
    """Convert a dump (plain, ``.bz2`` or ``.gz``) into a new folder.

    The folder appears when it is whole. Redirects, empty pages and other namespaces are left out.

    Raises
    ------
    Refusal
        If the dump cannot be read, is none, or ends early, or the folder is there and not empty.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Refusal(f"{out} is not written to", "it is there and not an empty folder", "name a new folder")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".draft-", dir=out.parent) as draft:
            imported = _written(dump, Path(draft, "pages"))
            if out.exists():
                out.rmdir()
            shutil.move(Path(draft, "pages"), out)
    except ParseError as error:
        raise _no_dump(dump, f"the XML breaks off or is wrong: {error}") from error
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise _no_dump(dump, str(error)) from error
    return imported


def pages(dump: IO[bytes]) -> Iterator[DumpPage]:
    """Yield the pages of a dump's stream; those of another content model than wikitext are left out.

    Raises
    ------
    ParseError
        If it is no XML.
    Refusal
        If it is another kind of XML.
    """
    found: dict[str, Any] = {}
    root: Any = None
    for event, element in iterparse(dump, events=("start", "end")):
        name = _name(element.tag)
        if root is None:
            root = element
            if name != "mediawiki":
                raise _no_dump(Path(getattr(dump, "name", "the dump")), f"its root element is {element.tag}")
        if event == "start" and name == "page":
            found = {"title": "", "ns": "0", "redirect": False, "text": "", "stamp": ""}
        elif event == "end" and name in ("title", "ns"):
            found[name] = (element.text or "").strip()
        elif event == "end" and name == "redirect":
            found["redirect"] = True
        elif event == "end" and name == "revision":
            _keep_latest(found, element)
            element.clear()
        elif event == "end" and name == "page":
            yield DumpPage(
                found["title"], int(found["ns"]), found["text"], found["redirect"] or _is_redirect(found)
            )
            root.clear()


def file_name(title: str) -> str:
    """Return the file name, without extension, that a title is given on every system."""
    name = re.sub(r"[/\\:]", "__", title)
    name = re.sub(r"[\x00-\x1f\x7f]", "", re.sub(r'[*?"<>|]', "_", name))
    name = re.sub(r"_{3,}", "__", name)[:_LONGEST_NAME]
    while len(name.encode("utf-8")) > _MOST_NAME_BYTES:
        name = name[:-1]
    name = name.strip().rstrip(". ")
    return f"{name}_" if not name or name.startswith(".") or _DEVICE.fullmatch(name) else name


def summary(text: str) -> str:
    """Return the first sentence of the first line of prose, else the text's first 200 characters."""
    lines = (line.strip() for line in text.split("\n"))
    prose = (line for line in lines if len(line) >= _LEAST_SENTENCE and _is_prose(line))
    line = next(prose, "")
    if sentence := _SENTENCE.match(line):
        return " ".join(sentence[0].split())
    return " ".join((line or text).split())[:_LONGEST_SUMMARY].rstrip()


def _written(dump: Path, folder: Path) -> Imported:
    imported, taken, index = Imported(), set[str](), dict[str, dict[str, str]]()
    folder.mkdir()
    with _OPENERS.get(dump.suffix, open)(dump, "rb") as stream:
        for page in pages(stream):
            if page.namespace not in NAMESPACES:
                imported.other_namespaces += 1
            elif page.redirect:
                imported.redirects += 1
            else:
                _take(page, folder, imported, taken, index)
    if not index:
        raise _no_dump(dump, "it holds no page of the namespaces that are kept")
    (folder / INDEX).write_text(json.dumps(index, ensure_ascii=False, indent=1), encoding="utf-8")
    return imported


def _take(
    page: DumpPage, folder: Path, imported: Imported, taken: set[str], index: dict[str, dict[str, str]]
) -> None:
    plain = told(page.title, page.text)
    imported.left_out += plain.left_out
    if not plain.text and not plain.boxes:
        imported.empty += 1
        return
    name = _free(file_name(page.title), taken)
    namespace = NAMESPACES[page.namespace]
    (folder / f"{name}.md").write_text(
        _document(page.title, namespace, plain), encoding="utf-8", newline="\n"
    )
    index[f"{name}.md"] = {"title": page.title, "namespace": namespace}
    imported.pages += 1


def _document(title: str, namespace: str, plain: Told) -> str:
    head = f"---\ntitle: {_quoted(title)}\nnamespace: {namespace}\nsummary: {_quoted(summary(plain.text))}\n---\n"
    return head + "\n\n".join([*plain.boxes, plain.text]).rstrip() + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


def _free(name: str, taken: set[str]) -> str:
    """Return the name, numbered where another differs from it in letter case alone."""
    free, number = name, 1
    while free.casefold() in taken:
        number += 1
        free = f"{name}_{number}"
    taken.add(free.casefold())
    return free


def _keep_latest(found: dict[str, Any], revision: Any) -> None:
    parts = {_name(part.tag): part.text or "" for part in revision}
    if parts.get("timestamp", "") >= found["stamp"]:
        of_wikitext = parts.get("model", "wikitext") == "wikitext"
        found["stamp"], found["text"] = (
            parts.get("timestamp", ""),
            parts.get("text", "") if of_wikitext else "",
        )


def _is_redirect(found: dict[str, Any]) -> bool:
    return _REDIRECT.match(found["text"]) is not None


def _is_prose(line: str) -> bool:
    return not line.startswith(("#", "---", "- ", "1. ", "```", "Main article:")) and " | " not in line


def _name(tag: str) -> str:
    match = _EXPORT.fullmatch(tag)
    return match[1] if match else ""


def _no_dump(dump: Path, why: str) -> Refusal:
    return Refusal(
        f"{dump} cannot be imported",
        why,
        "name a MediaWiki XML dump of current revisions (plain, .bz2 or .gz)",
    )
