"""The sixteen tools' parameters: what is declared to a model, and how its arguments are read (R14)."""

from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml

from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.result import echo

_FILE = Path(__file__).parent / "parameters.yaml"
_TWO_REPOSITORIES = ("source_code_search", "source_code_view")
_REPOSITORY = {
    "type": "string",
    "enum": ["gnollhack", "nethack"],
    "description": "Whose source to read. Default gnollhack.",
}
_OWN = ("required", "may_be_blank")  # keys of the file that are none of a parameter's schema
_LARGEST = 2**31 - 1  # larger numbers say no more than this one; every number is clamped by its tool
_TRUTH = {"true": True, "false": False}


@cache
def _parameters() -> dict[str, dict[str, dict[str, Any]]]:
    content = yaml.load(_FILE.read_text("utf-8"), Loader=yaml.CSafeLoader)
    return {tool: content[tool] or {} for tool in content}


def tool_names() -> tuple[str, ...]:
    """Return the sixteen names in the order in which a model sees them."""
    return tuple(_parameters())


def parameters_of(tool: str, two_repositories: bool) -> dict[str, dict[str, Any]]:
    """Return a tool's parameters; ``repository`` is one only where there is a second source to read."""
    own = _parameters()[tool]
    return own | {"repository": _REPOSITORY} if two_repositories and tool in _TWO_REPOSITORIES else own


def json_schema(parameters: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the JSON schema of a call's arguments."""
    return {
        "type": "object",
        "properties": {
            name: {key: value for key, value in parameter.items() if key not in _OWN}
            for name, parameter in parameters.items()
        },
        "required": [name for name, parameter in parameters.items() if parameter.get("required")],
        "additionalProperties": False,
    }


def read_arguments(parameters: dict[str, dict[str, Any]], arguments: Any) -> dict[str, Any]:
    """Read a call's arguments: lenient where the meaning is plain, else a failure that names the argument.

    ``"5"`` and ``5.0`` are integers, ``"true"`` is a boolean, a number is a text; null is absent.
    Arguments that the tool does not have are passed over. A call whose arguments are no object has none.

    Raises
    ------
    ToolFailure
        If a required argument is missing or blank, or one has the wrong type.
    """
    given = cast("dict[str, Any]", arguments if isinstance(arguments, dict) else {})
    read: dict[str, Any] = {}
    for name, parameter in parameters.items():
        value = given.get(name)
        if value is not None:
            read[name] = _READERS[parameter["type"]](name, value)
        must = parameter.get("required") and not parameter.get("may_be_blank")
        if must and not str(read.get(name, "")).strip():
            raise ToolFailure(f'The argument "{name}" is missing.')
    return read


def _string(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ToolFailure(f'The argument "{name}" must be a text.')
    return str(value).encode("utf-8", "replace").decode("utf-8")


def _integer(name: str, value: Any) -> int:
    try:
        number = value if isinstance(value, int) else float(value)
        if not isinstance(value, bool) and number == int(number):
            return max(min(int(number), _LARGEST), -_LARGEST)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ToolFailure(f'The argument "{name}" must be a whole number, not "{echo(str(value))}".')


def _boolean(name: str, value: Any) -> bool:
    known = value if isinstance(value, bool) else _TRUTH.get(str(value).strip().lower())
    if known is None:
        raise ToolFailure(f'The argument "{name}" must be true or false, not "{echo(str(value))}".')
    return known


_READERS = {"string": _string, "integer": _integer, "boolean": _boolean}
