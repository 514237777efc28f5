"""How the program ends when it is told to: SIGTERM and a closed terminal are taken as Ctrl-C is."""

import os
import signal
import threading
from collections.abc import Callable, Coroutine
from types import FrameType, TracebackType
from typing import Any, Self, TypeVar

T = TypeVar("T")

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
_SAID = b"canceling: what there is gets written first; once more ends at once\n"


def take_signals() -> None:
    """Let each of these signals raise KeyboardInterrupt, but for one that is ignored, as ``nohup`` does."""
    for number in _handled(signal.SIG_DFL):
        signal.signal(number, signal.default_int_handler)


def leave_signals() -> None:
    """Let each of them end the process without a word, where nothing is left to be written."""
    for number in _handled(signal.default_int_handler):
        signal.signal(number, signal.SIG_DFL)


class Interruption:
    """Holds these signals while what was begun is brought to its end.

    The first is noted, cancels the coroutine that runs under it, and raises KeyboardInterrupt when all is
    done; the second raises at once, and the third, should the interpreter lose that one, ends the process.

    Attributes
    ----------
    told : bool
        Whether one came.
    """

    def __init__(self) -> None:
        self.told = False
        self._break_off: Callable[[], object] | None = None
        self._held: list[signal.Signals] = []

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end as ``asyncio.run`` does."""
        import asyncio

        return asyncio.run(self._watched(work))

    async def _watched(self, work: Coroutine[Any, Any, T]) -> T:
        import asyncio

        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        self._break_off = lambda: loop.call_soon_threadsafe(task.cancel)
        if self.told:  # before the loop ran
            task.cancel()
        try:
            return await work
        finally:
            self._break_off = None

    def _note(self, _: int, __: FrameType | None) -> None:
        if self.told:
            for number in self._held:
                signal.signal(number, signal.SIG_DFL)
            raise KeyboardInterrupt
        self.told = True
        os.write(2, _SAID)  # a handler must not print: it may have come in the middle of another print
        if self._break_off is not None:
            self._break_off()

    def __enter__(self) -> Self:
        self._held = _handled(signal.default_int_handler)
        for number in self._held:
            signal.signal(number, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number in self._held:
            signal.signal(number, signal.default_int_handler)
        if self.told and kind is None:
            raise KeyboardInterrupt


def _handled(handler: Any) -> list[signal.Signals]:
    """Return which of the signals have that handler; none outside the main thread, where none can be set."""
    if threading.current_thread() is not threading.main_thread():
        return []
    numbers = [signal.Signals[name] for name in _NAMES if name in signal.Signals.__members__]
    return [number for number in numbers if signal.getsignal(number) is handler]
