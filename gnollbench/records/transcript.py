"""What happened on one question, event by event, as one JSON Lines file.

A message stands once: a model call lists only the messages that it added to its conversation. Tool
results are stored whole, whatever the model was shown of them.
"""

import json
import pickle
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gnollbench.records.canonical import safe_text


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call to a model. Times are seconds since the epoch.

    ``reply`` is the gateway's `Reply`, a dataclass that is written out field by field and read back as a mapping;
    None where the call failed.
    """

    role: str
    provider: str
    model: str
    started_s: float
    ended_s: float
    messages: tuple[dict[str, Any], ...]
    reply: Any
    failure: dict[str, Any] | None = None
    usd: float | None = None
    type: str = "model_call"


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One tool call with its full result; ``shown`` is what the model read where that was less."""

    role: str
    name: str
    arguments: str
    started_s: float
    ended_s: float
    success: bool
    content: str
    shown: str | None = None
    type: str = "tool_call"


Event = ModelCall | ToolUse


class Transcript:
    """A question's events in the order of their adding, kept compressed: a run holds every word until its end."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def add(self, events: list[Event]) -> None:
        """Add what happened next."""
        if events:
            self._parts.append(zlib.compress(pickle.dumps(events), level=1))

    def __bool__(self) -> bool:
        return bool(self._parts)

    def __iter__(self) -> Iterator[Event]:
        for part in self._parts:
            yield from pickle.loads(zlib.decompress(part))


def read_transcript(path: Path) -> Iterator[Event]:
    """Yield the events of a file; a reply is the mapping that stands there."""
    with path.open(encoding="utf-8") as lines:
        for event in map(json.loads, lines):
            yield ModelCall(**event) if event["type"] == "model_call" else ToolUse(**event)


def write_transcript(events: Iterable[Event], path: Path) -> None:
    """Write one event a line, UTF-8; lone surrogates are replaced."""
    lines = [safe_text(json.dumps(asdict(event), ensure_ascii=False)) + "\n" for event in events]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")
