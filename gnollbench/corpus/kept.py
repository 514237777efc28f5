"""What is worked out from a corpus, kept on disk between processes by its contents (R45).

A kept index is named after what it was made from and the code that made it, so it is never stale:
whatever changes, another one is made. Nothing is locked. Each index is finished beside its place and
moved there, so two processes that make one at once both end with a whole one.
"""

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from gnollbench.records.canonical import fingerprint

WORTH_KEEPING = 1_000_000  # characters; over less, an index is made in a tenth of a second


class Kept:
    """The kept indexes of one corpus.

    Parameters
    ----------
    folder : Path
        Where they lie, those of other corpora beside them.
    corpus : str
        The corpus' name, which theirs begin with.

    Attributes
    ----------
    used : dict of str to Path
        The indexes asked for so far, by name, whether or not they could be written.
    """

    def __init__(self, folder: Path, corpus: str) -> None:
        self._folder, self._corpus = folder, corpus
        self.used: dict[str, Path] = {}

    def place(self, name: str, made_of: str) -> Path:
        """Return where the index of that name over that content lies, or would lie."""
        place = self._folder / f"{self._corpus}-{name}-{fingerprint([made_of, _code()])}"
        self.used[name] = place
        return place

    def value(self, name: str, made_of: str, make: Callable[[], Any]) -> Any:
        """Return what ``make`` returns, plain JSON values, made only if it is not kept yet.

        A spoilt file is made anew; a folder that cannot be written to is passed over.
        """
        place = self.place(name, made_of)
        try:
            return json.loads(place.read_text("utf-8"))
        except (OSError, ValueError):
            made = make()
        with suppress(OSError):
            _write_whole(place, json.dumps(made, ensure_ascii=False))
        return made


def _write_whole(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".draft-", dir=place.parent) as folder:
        draft = Path(folder, place.name)
        draft.write_text(text, encoding="utf-8")
        draft.replace(place)


@cache
def _code() -> str:
    """Return a hash of this package's modules: what they make changes with them."""
    return fingerprint({path.name: path.read_text("utf-8") for path in Path(__file__).parent.glob("*.py")})
