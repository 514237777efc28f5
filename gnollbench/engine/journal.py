"""The journal of a run in flight: append-only JSON Lines, each line on disk before the next step (R42).

What a kill leaves behind is a journal without its closing line: an aborted run, never a whole one.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from gnollbench.errors import Refusal
from gnollbench.records.canonical import safe_text

FILE_NAME = "journal.jsonl"


class Journal:
    """One run's journal, open for appending.

    Parameters
    ----------
    folder : Path
        The run's folder; made if it is not there.

    Attributes
    ----------
    left : bool
        Whether a journal was there already that no record was written after: somebody who wrote it was killed.

    Raises
    ------
    Refusal
        If nothing can be written there; nothing was spent yet.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.left = self._path.exists() and not _is_newer(folder / "record.json", self._path)
            self._file = self._path.open("a", encoding="utf-8")
        except OSError as error:
            raise Refusal(
                f"the run's folder {folder} cannot be written",
                error.strerror or str(error),
                "set outputs=DIR",
            ) from error

    def append(self, event: str, content: Mapping[str, Any]) -> None:
        """Write one line and force it to the disk."""
        line = json.dumps({"event": event, **content}, ensure_ascii=False, allow_nan=False)
        self._file.write(safe_text(line) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def discard(self) -> None:
        """Remove the journal once the record that holds all of it is on the disk."""
        self._file.close()
        self._path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def _is_newer(record: Path, journal: Path) -> bool:
    return record.exists() and record.stat().st_mtime_ns >= journal.stat().st_mtime_ns
