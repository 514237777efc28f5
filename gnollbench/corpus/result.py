"""What a tool call comes to, and the wording helper that every tool shares."""

from dataclasses import dataclass

_ECHO = 100  # characters of the model's own words that a message repeats: enough to recognise them


@dataclass(frozen=True, slots=True)
class ToolResult:
    """One tool call's outcome as the model reads it (R14).

    Attributes
    ----------
    success : bool
        False for a failure (bad argument, unknown tool, knowledge-base miss); a search that finds
        nothing is a success.
    content : str
        The text that the model reads; never empty.
    """

    success: bool
    content: str


def echo(text: str) -> str:
    """Return the model's own words on one line, cut to a length that a message can carry."""
    line = " ".join(text.split())
    shown = "".join(sign if sign.isprintable() else "?" for sign in line[:_ECHO])
    return shown if len(line) <= _ECHO else shown + "…"


def quoted(text: str) -> str:
    """Return the same between quotation marks."""
    return f'"{echo(text)}"'
