"""The table behind ``get_constants``, read line by line as the Overseer reads it (R14).

A value ends at the first slash, an enum whose brace stands on the next line is missed, and the
last file read wins: the candidate must meet production's table, oddities included.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.result import quoted
from gnollbench.corpus.sourcetext import SourceText

MAX_SHOWN = 100  # the Overseer's bound

_DEFINE = re.compile(r"#define\s+([A-Za-z0-9_]+)([^/]*)")
_ENUM_OPENS = re.compile(r"\benum\b.*\{")
_MEMBER = re.compile(r"([A-Za-z0-9_]+)\s*(?:=\s*([^,}]*?))?\s*[,}]")


@dataclass(frozen=True, slots=True)
class Constant:
    """A named constant with its value as written (empty where none is) and its place."""

    name: str
    value: str
    path: str
    line: int


def all_constants(text: SourceText) -> list[Constant]:
    """Return every constant of the source; of those that differ in letter case alone, the last."""
    table = {
        constant.name.lower(): constant
        for path in text.paths
        for constant in constants_of(path, text.content(path).decode("utf-8"))
    }
    return list(table.values())


def constants_of(path: str, content: str) -> Iterator[Constant]:
    """Yield the constants of one file."""
    in_enum = False
    for number, line in enumerate(content.split("\n"), 1):
        if not in_enum and "#define" not in line and "enum" not in line:
            continue
        line = line.strip()
        if match := _DEFINE.match(line):
            value = "" if match[2].startswith("(") else match[2]
            yield Constant(match[1], value.strip(), path, number)
            continue
        if opens := _ENUM_OPENS.search(line):
            in_enum, line = True, line[opens.end() :]
        if in_enum:
            for member in _MEMBER.finditer(line):
                yield Constant(member[1], (member[2] or "").strip(), path, number)
            in_enum = "}" not in line


def matching(table: dict[str, Constant], name: str | None, prefix: str | None) -> list[Constant]:
    """Return the constants that satisfy both conditions, by name.

    Raises
    ------
    ToolFailure
        If both conditions are blank.
    """
    wanted, start = (name or "").strip().lower(), (prefix or "").strip().lower()
    if not wanted and not start:
        raise ToolFailure("Give 'name' or 'prefix_filter': both are missing or blank.")
    pattern = re.compile(re.escape(wanted).replace(r"\*", ".*"))
    found = [
        constant
        for key, constant in table.items()
        if (not wanted or pattern.fullmatch(key)) and key.startswith(start)
    ]
    return sorted(found, key=lambda constant: constant.name)


def constants_text(table: dict[str, Constant], name: str | None, prefix: str | None) -> str:
    """Return the answer of ``get_constants``: a count and a block of defines."""
    found = matching(table, name, prefix)
    if not found:
        parts = [f"named {quoted(name)}"] if name else []
        parts += [f"starting with {quoted(prefix)}"] if prefix else []
        conditions = " and ".join(parts)
        return f"No constant {conditions} is defined in the indexed source."
    lines = [
        f"#define {constant.name} {constant.value} // {constant.path}:{constant.line}"
        for constant in found[:MAX_SHOWN]
    ]
    return "\n".join([f"{len(lines)} constants:", "```c", *lines, "```"])
