"""A reply's bytes as they come: server-sent events as servers really write them, or one body (R41)."""

import codecs
import io
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any, cast

import httpx

from gnollbench.llm.failures import WireFault, malformed
from gnollbench.llm.wire.shape import Body
from gnollbench.records.canonical import as_object, objects

MOST_BYTES = 64 * 2**20  # a hundred times the longest answer of any model; an endless one fills no memory
_ASIDE = frozenset({"", "id", "retry"})  # comments, and fields that say nothing here


async def pieces_of(answer: httpx.Response) -> AsyncIterator[bytes]:
    """Yield a reply's bytes as they come.

    Raises
    ------
    WireFault
        If there are more than `MOST_BYTES`.
    """
    size = 0
    async for piece in answer.aiter_bytes():
        size += len(piece)
        if size > MOST_BYTES:
            endless = malformed(f"the reply is longer than {MOST_BYTES} bytes")
            raise WireFault(replace(endless, retry=False))  # the next one would be too
        yield piece


class Incoming:
    """Finds the events in a reply's bytes, whatever it is labelled: an error often comes whole.

    An event ends at a blank line; but a first line of data that is JSON by itself is an event, for servers
    that leave blank lines out. Data that begins no JSON object is no event, nor what the end of the bytes cuts
    in two, nor what follows ``[DONE]``.

    Attributes
    ----------
    streams : bool
        Whether any event has come.
    done : bool
        Whether ``[DONE]`` has come.
    """

    def __init__(self) -> None:
        utf8 = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._decoder = io.IncrementalNewlineDecoder(utf8, translate=True)  # LF, CRLF and CR end a line
        self._line: list[str] = []
        self._name, self._data = "", list[str]()
        self._others: list[str] = []
        self.streams = self.done = False

    @property
    def whole(self) -> str:
        """All lines that are no event's: of a reply that is no stream, once it has ended, its body."""
        return "\n".join(self._others)

    def feed(self, piece: bytes) -> Iterator[Body]:
        """Yield the events that end in the next bytes.

        Raises
        ------
        WireFault
            If the data of one is no JSON object.
        """
        first, *more = self._decoder.decode(cast("Any", piece)).split("\n")
        self._line.append(first)
        for line in more:
            yield from self._take("".join(self._line))
            self._line = [line]

    def end(self) -> Iterator[Body]:
        """Yield the event that no line end follows."""
        self._line.append(self._decoder.decode(cast("Any", b""), final=True))
        if last := "".join(self._line).rstrip("\n"):
            yield from self._take(last)
        if (event := _whole(self._data)) is not None:
            yield self._named(event)

    def _take(self, line: str) -> Iterator[Body]:
        field, _, content = line.partition(":")
        content = content.strip()
        event = None
        if field == "event":
            self._name = content
        elif field == "data":
            self.streams = True
            self.done = self.done or content == "[DONE]"
            if (self._data or content.startswith("{")) and not self.done:
                self._data.append(content)
                event = _whole(self._data) if len(self._data) == 1 else None
        elif line and not self.streams and field not in _ASIDE:
            self._others.append(line)
        elif not line and self._data:
            event = body_of("\n".join(self._data))
        if event is not None:
            yield self._named(event)
            self._data = []
        if not line:
            self._name = ""

    def _named(self, event: Body) -> Body:
        """An event that is called an error is one, whatever it holds."""
        return {"error": event} if self._name == "error" and "error" not in event else event


def body_of(text: str) -> Body:
    """Return the JSON object that a text is; of a list, as Google's errors come, the first one.

    Raises
    ------
    WireFault
        If it is none.
    """
    try:
        body: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WireFault(malformed("the reply is no JSON")) from error
    if isinstance(body, list):
        listed = objects(cast("Any", body))
        body = listed[0] if listed and "error" in listed[0] else None
    if not isinstance(body, dict):
        raise WireFault(malformed("the reply is no JSON object"))
    return as_object(body)


def _whole(data: list[str]) -> Body | None:
    """Return an event's object, or None where its text is none, or none yet."""
    try:
        return body_of("\n".join(data))
    except WireFault:
        return None
