"""Monsters, items and artifacts as the stats tools tell them, read from the C tables (R14)."""

import json
import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from gnollbench.corpus.artifactstats import artifact_stats
from gnollbench.corpus.ctables import ARTIFACTS, MONSTERS, OBJECTS, Entry, Tables
from gnollbench.corpus.ctokens import Unresolved
from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.itemstats import item_stats
from gnollbench.corpus.monsterstats import monster_stats
from gnollbench.corpus.result import echo
from gnollbench.corpus.source import Source

MAX_CHARACTERS = 9_900  # the Overseer's bound, under which a result keeps its descriptions
MAX_RESULT_CHARACTERS = 10_000  # the Overseer's cap on a JSON result
_CLASS_VALUES = (
    "These are the values of the item's class: "
    "material, enchantment, exceptionality and erosion change them in play."
)

_CONSTANT = re.compile("[A-Z][A-Z0-9_]*")

GameTables = dict[str, list[dict[str, Any]]]


def read_tables(source: Source) -> GameTables:
    """Read the three tables into plain JSON values, which a caller may keep by the source's hash.

    Returns
    -------
    dict
        ``monsters``, ``objects`` and ``artifacts``, each a list of entries with ``name``, ``line``,
        ``raw`` and either ``stats`` or ``reason``.
    """
    tables = Tables(source.content)
    return {
        "monsters": _told(tables.monsters(), tables, monster_stats, source.content(MONSTERS.path)),
        "objects": _told(tables.objects(), tables, item_stats, source.content(OBJECTS.path)),
        "artifacts": _told(tables.artifacts(), tables, artifact_stats, source.content(ARTIFACTS.path)),
    }


def _told(
    entries: Iterable[Entry],
    tables: Tables,
    stats_of: Callable[[Entry, Tables], dict[str, Any]],
    content: str | None,
) -> list[dict[str, Any]]:
    """Tell each entry while the macros are defined as at its place."""
    lines = (content or "").split("\n")
    told: list[dict[str, Any]] = []
    for entry in entries:
        raw = "\n".join(lines[entry.line - 1 : entry.last])
        raw = raw[raw.find(entry.macro) : raw.rfind(")") + 1]
        common = {"name": entry.name, "line": entry.line, "raw": raw}
        try:
            if entry.reason:
                raise Unresolved(entry.reason)
            told.append(common | {"stats": stats_of(entry, tables)})
        except (Unresolved, KeyError) as unresolved:
            told.append(common | {"reason": str(unresolved)})
    return told


class GameData:
    """The three tables, looked up by name, letter case aside; the first of a name wins.

    Every answer is a JSON text of two-space indent whose keys stand in one order: ``stats``,
    ``raw_definition``, ``flag_descriptions``, ``macro_definitions``, ``struct_definitions``,
    ``error``, ``message``. A name that is not found is an answer with ``error``.
    """

    def __init__(self, tables: Callable[[], GameTables], flags: dict[str, str] | None = None) -> None:
        self._read = tables
        self._flags = {constant.lower(): text for constant, text in (flags or {}).items()}

    @classmethod
    def open(cls, source: Source, flags: dict[str, str] | None = None) -> "GameData":
        """Take a source and the descriptions of its constants; the tables are read at first use."""
        return cls(lambda: source.worked_out("tables", lambda: read_tables(source)), flags)

    @classmethod
    def of(cls, tables: GameTables, flags: dict[str, str] | None = None) -> "GameData":
        """Take tables that ``read_tables`` returned before."""
        return cls(lambda: tables, flags)

    @cached_property
    def tables(self) -> GameTables:
        """The tables as plain JSON values."""
        return self._read()

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of monsters, objects (the unnamed and the first, unused one included) and artifacts."""
        return {table: len(entries) for table, entries in self.tables.items()}

    @property
    def unresolved(self) -> list[tuple[str, str]]:
        """Name and reason of every entry whose fields could not be told."""
        return [
            (f"{table}: {entry['name']} (line {entry['line']})", entry["reason"])
            for table, entries in self.tables.items()
            for entry in entries
            if "reason" in entry
        ]

    def monster(self, name: str) -> str:
        """Answer ``get_monster_stats``.

        Raises
        ------
        ToolFailure
            If the name is blank, or the answer is too long for any result.
        """
        found = self._named("monsters", name)
        if not found:
            return _missed(
                f"No monster '{echo(name)}' in {MONSTERS.path}. Check its spelling, or try monster_lookup."
            )
        return self._answer(MONSTERS.path, found, with_raw=False)

    def artifact(self, name: str) -> str:
        """Answer ``get_artifact_stats``; fails as ``monster`` does."""
        found = self._named("artifacts", name)
        if not found:
            return _missed(
                f"No artifact '{echo(name)}' in {ARTIFACTS.path}. Check its spelling, or try wiki_search."
            )
        return self._answer(ARTIFACTS.path, found, with_raw=False)

    def item(self, name: str, object_class: str | None = None) -> str:
        """Answer ``get_item_stats``; fails as ``monster`` does.

        The name is the bare one of the table: ``healing``, not ``potion of healing``.
        """
        found = self._named("objects", name)
        classes = [_class(entry) for entry in found]
        if not found:
            bare = name.rpartition(" of ")[2]
            hint = (
                f"Names are bare ones: try '{echo(bare)}'"
                if self._named("objects", bare)
                else "Check the spelling"
            )
            return _missed(
                f"No item '{echo(name)}' in {OBJECTS.path}. {hint}, or try item_lookup or wiki_search."
            )
        wanted = (object_class or "").strip().upper()
        if wanted:
            found = [entry for entry, kind in zip(found, classes, strict=True) if kind == wanted]
            if not found:
                return _missed(
                    f"No item '{echo(name)}' of class {echo(wanted)}; these classes have it: {_list(classes)}."
                )
        several = sorted(set(classes)) if len(set(classes)) > 1 else []
        return self._answer(OBJECTS.path, found, with_raw=True, classes=several)

    def _named(self, table: str, name: str) -> list[dict[str, Any]]:
        if not name.strip():
            raise ToolFailure("The parameter 'name' is missing or blank.")
        return self._by_name[table].get(name.strip().lower(), [])

    @cached_property
    def _by_name(self) -> dict[str, dict[str, list[dict[str, Any]]]]:
        by_name: dict[str, dict[str, list[dict[str, Any]]]] = {}
        for table, entries in self.tables.items():
            names = by_name.setdefault(table, {})
            for entry in entries:
                if entry["name"]:
                    names.setdefault(entry["name"].lower(), []).append(entry)
        return by_name

    def _answer(
        self, path: str, found: list[dict[str, Any]], with_raw: bool, classes: list[str] | None = None
    ) -> str:
        entry = found[0]
        stats, messages = entry.get("stats"), list[str]()
        if stats is None:
            messages.append(f"The fields could not be told apart: {entry['reason']}.")
        elif with_raw:
            messages.append(_CLASS_VALUES)
        if stats is not None and classes:
            note = f"Several classes have this name: {_list(classes)}. Choose one with object_class."
            stats = stats | {"ambiguous_object_classes": classes, "notes": [*stats.get("notes", []), note]}
        elif len(found) > 1:
            others = ", ".join(f"line {other['line']}" for other in found[1:])
            messages.append(f"The first of {len(found)} entries of this name in {path}; others: {others}.")
        answer = {
            "stats": stats,
            "raw_definition": entry["raw"] if with_raw or stats is None else None,
            "flag_descriptions": self._described(entry),
            "macro_definitions": {},
            "struct_definitions": {},
            "message": " ".join(messages) or None,
        }
        return _bounded(answer, path)

    def _described(self, entry: dict[str, Any]) -> dict[str, str]:
        """Return every constant of an entry with its description, its own name where none is known."""
        told = json.dumps(entry.get("stats", ""))
        found = dict.fromkeys(re.split(r'[|(), \t\n"]+', f"{entry['raw']} {told}"))
        return {
            constant: self._flags.get(constant.lower(), constant)
            for constant in found
            if "_" in constant and (constant.lower() in self._flags or _CONSTANT.fullmatch(constant))
        }


def _class(entry: dict[str, Any]) -> str:
    return str(entry.get("stats", {}).get("object_class", "unknown"))


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(set(names)))


def _missed(error: str) -> str:
    return _json({"flag_descriptions": {}, "macro_definitions": {}, "struct_definitions": {}, "error": error})


def _bounded(answer: dict[str, Any], path: str) -> str:
    text = _json(answer)
    if len(text) > MAX_CHARACTERS:
        shortened = "Descriptions of flags are left out: the answer was too long with them."
        message = " ".join(part for part in (answer["message"], shortened) if part)
        text = _json(answer | {"flag_descriptions": {}, "message": message})
    if len(text) > MAX_RESULT_CHARACTERS:
        raise ToolFailure(
            f"The entry takes {len(text)} characters, too many for a result. View {path} instead."
        )
    return text


def _json(answer: dict[str, Any]) -> str:
    return json.dumps(
        {key: value for key, value in answer.items() if value is not None}, indent=2, ensure_ascii=False
    )
