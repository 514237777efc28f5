"""The one-line notes under a source tool's result: definitions, dead code, uncalled functions (R14)."""

from gnollbench.corpus.definitions import Definition, Definitions
from gnollbench.corpus.liveness import Liveness

MAX_NOTE_CHARACTERS = 300  # the Overseer's bound
_MAX_NAMED = 2  # functions or places that one note names


def notes_on(
    shown: list[tuple[str, int]],
    definitions: Definitions,
    liveness: Liveness,
    pointed: bool = True,
) -> str:
    """Return the notes on lines that a result shows, each on its own line behind a blank one.

    Parameters
    ----------
    shown : list of (str, int)
        Path and line of each match, or of each line of a view.
    definitions : Definitions
        Where functions stand.
    liveness : Liveness
        What is compiled and called.
    pointed : bool
        Whether ``get_function_definition`` is pointed to.
    """
    defined = _first([definitions.function_at(path, line) for path, line in shown])
    dead = _stretches([(path, line) for path, line in shown if liveness.is_dead(path, line)])[:_MAX_NAMED]
    uncalled = [found.name for found in defined if not liveness.has_call_site(found.name)]
    said: list[str] = []
    if defined and pointed:
        said.append(f"get_function_definition prints the whole body of {_listed(defined)}")
    if dead:
        said.append(f"inside '#if 0', so not compiled: {', '.join(dead)}")
    if uncalled:
        said.append(f"no live call site in the indexed source: {', '.join(uncalled)}")
    return "".join(f"\n[{note}]"[: MAX_NOTE_CHARACTERS + 1] for note in said)


def _first(found: list[Definition | None]) -> list[Definition]:
    return [definition for definition in found if definition][:_MAX_NAMED]


def _stretches(lines: list[tuple[str, int]]) -> list[str]:
    """Return the places of lines, neighbours joined."""
    joined: list[tuple[str, int, int]] = []
    for path, line in lines:
        if joined and joined[-1][0] == path and joined[-1][2] + 1 == line:
            joined[-1] = (path, joined[-1][1], line)
        else:
            joined.append((path, line, line))
    return [f"{path}:L{first}" + (f"-L{last}" if last > first else "") for path, first, last in joined]


def _listed(found: list[Definition]) -> str:
    return ", ".join(definition.name for definition in found)
