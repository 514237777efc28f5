"""The entries of the game's three tables, read from C without compiling it.

The preprocessor is obeyed, but an entry's wrapper macros alone are expanded, down to the macro
whose body is the initialiser itself; its arguments keep the names of their flags.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from gnollbench.corpus.cpreprocessor import Line, Preprocessor, bind
from gnollbench.corpus.ctokens import Unresolved, arguments, called, is_name, tokens

_PLATFORM = ("TEXTCOLOR", "MAIL")  # set by every desktop platform's own header, which is not indexed
_MAX_WRAPPERS = 16  # more than the games nest; ends a macro that calls itself

Fields = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a table.

    Attributes
    ----------
    name : str or None
        The name as the game has it, None for an unnamed entry.
    macro, line : str, int
        The macro that the source calls, and where.
    last : int
        The line where the call ends.
    fields : dict of str to list of str
        Tokens by parameter name of the innermost macro; a nested group's parameters stand beside.
    reason : str
        Why the entry is not resolved; empty where it is.
    """

    name: str | None
    macro: str
    line: int
    last: int
    fields: Fields = field(default_factory=Fields)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """One of the three tables: its file, the groups nested in its entries, its name's parameter."""

    path: str
    groups: tuple[str, ...]
    name: str


MONSTERS = Table("src/monst.c", ("LVL", "SIZ", "STATS"), "nam")
OBJECTS = Table("src/objects.c", ("OBJ", "BITS"), "name")
ARTIFACTS = Table("include/artilist.h", (), "nam")


class Tables:
    """The three tables of a checkout, read in the order of their calls.

    Parameters
    ----------
    read : callable
        Gives the content of a file by its path in the repository, or None.
    """

    def __init__(self, read: Callable[[str], str | None]) -> None:
        self.source = Preprocessor(read, _PLATFORM)

    def monsters(self) -> Iterator[Entry]:
        """Yield the monsters in the order of the game."""
        yield from self._entries(MONSTERS)

    def objects(self) -> Iterator[Entry]:
        """Yield the objects, the unnamed ones too.

        The file has two passes: the first gives names, and then it includes itself for the rest.
        Of the first only the definitions in front of its table are needed here.
        """
        for line in self.source.lines(OBJECTS.path):
            if line.path == OBJECTS.path and "obj_descr" in line.text:
                break
        self.source.macros |= {"OBJECTS_PASS_2_": self.source.macros["TEXTCOLOR"]}
        yield from self._entries(OBJECTS)

    def artifacts(self) -> Iterator[Entry]:
        """Yield the artifacts without the dummy in front."""
        self.source.read("include/artifact.h")
        yield from self._entries(ARTIFACTS)

    def _entries(self, table: Table) -> Iterator[Entry]:
        """Yield the table's resolved and unresolved entries, without its dummies and terminators."""
        for call in calls(self.source.lines(table.path), table.path):
            entry = self._resolved(call, table)
            if not _is_filler(entry, table):
                yield entry

    def _resolved(self, call: "Call", table: Table) -> Entry:
        try:
            macro, given = self._base(call)
            fields = bind(macro, self.source.macros[macro], given)
            for group in [code for code in fields.values() if called(code) in table.groups]:
                nested = self.source.macros.get(group[0])
                if nested is None:
                    raise Unresolved(f"{group[0]} is not defined")
                fields |= bind(group[0], nested, arguments(group, 1)[0])
            return Entry(self.string(fields[table.name]), call.macro, call.line, call.last, fields)
        except Unresolved as unresolved:
            name = self.string(call.given[0]) if call.given else None
            return Entry(name, call.macro, call.line, call.last, reason=str(unresolved))

    def _base(self, call: "Call") -> tuple[str, list[list[str]]]:
        """Return the innermost macro that the call's wrappers come down to, and its arguments."""
        name, given = call.macro, call.given
        for _ in range(_MAX_WRAPPERS):
            macro = self.source.macros.get(name)
            if macro is None or macro.params is None:
                raise Unresolved(f"{name} is no macro that is defined there")
            if macro.body[:1] == ["{"]:
                return name, given
            body = self.source.substituted(name, given)
            inner = called(body)
            if inner is None:
                raise Unresolved(f"{name} does not come down to an initialiser")
            name, given = inner, arguments(body, 1)[0]
        raise Unresolved(f"{call.macro} nests too many macros")

    def string(self, code: list[str]) -> str | None:
        """Return a string's value, its parts joined; None for a null pointer or anything else."""
        parts = self.source.expanded(code)
        if not parts or not all(part.startswith('"') for part in parts):
            return None
        return "".join(_unescaped(part[1:-1]) for part in parts)


@dataclass(frozen=True, slots=True)
class Call:
    """A macro call that stands as an entry of a table."""

    macro: str
    line: int
    last: int
    given: list[list[str]]


def calls(lines: Iterator[Line], path: str) -> Iterator[Call]:
    """Yield the macro calls of the first initialiser in a file, each as soon as its last line is read.

    Entries that are no calls are passed over.
    """
    depth = 0
    code: list[str] = []
    begun = 0
    for line in lines:
        if line.path != path:
            continue
        found = tokens(line.text)
        if depth == 0 and not code:
            if "{" not in found or not (found[0] == "{" or "=" in found):
                continue
            depth, found = 1, found[found.index("{") + 1 :]
        for token in found:
            if depth == 1 and not code and is_name(token):
                code, begun = [token], line.number
                continue
            depth += (token in "([{") - (token in ")]}")
            if depth == 0:
                return
            if code:
                code.append(token)
                if depth == 1:
                    if token == ")":
                        yield Call(code[0], begun, line.number, arguments(code, 1)[0])
                    code = []


def _is_filler(entry: Entry, table: Table) -> bool:
    """Tell whether an entry only marks the table's end, or its unused first place.

    Unnamed objects are real ones; the one that ends their table has the unused class.
    """
    if entry.reason or entry.name:
        return False
    return table is not OBJECTS or entry.fields["sym"] == ["ILLOBJ_CLASS"]


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
