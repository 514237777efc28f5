"""A clock that jumps where somebody would wait: what takes minutes is tested in no time, on any machine."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from gnollbench.llm.wire.carrier import current_exchange
from gnollbench.llm.wire.events import Incoming


class Clock:
    """The monotonic clock with jumps; asyncio's own follows it.

    Attributes
    ----------
    pauses : list of float
        How long each wait for another attempt was, in seconds.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._true, self._ahead, self.pauses = time.monotonic, 0.0, list[float]()
        self._monkeypatch = monkeypatch
        monkeypatch.setattr(time, "monotonic", lambda: self._true() + self._ahead)

    async def sleep(self, seconds: float) -> None:
        """Wait for another attempt."""
        self.pauses.append(seconds)
        self._ahead += seconds
        await asyncio.sleep(0)

    def jump_at_text(self, seconds: float, asked: Sequence[Any] | None = None) -> None:
        """Jump once there is text in a reply, or in one to a body that was asked."""
        feed = Incoming.feed

        def feed_and_jump(incoming: Incoming, piece: bytes) -> Iterator[Any]:
            yield from feed(incoming, piece)
            exchange = current_exchange.get()
            if exchange.text and (asked is None or exchange.sent in asked):
                self._ahead += seconds

        self._monkeypatch.setattr(Incoming, "feed", feed_and_jump)
