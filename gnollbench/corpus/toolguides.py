"""The tools' descriptions, the tool policy and the parallel texts, as whole Markdown files (R1, R14)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gnollbench.corpus.schemas import tool_names
from gnollbench.errors import Refusal
from gnollbench.records.canonical import hash_text
from gnollbench.records.launch import ParallelExecution

_PACKAGED = Path(__file__).parent / "guides"
_IN_CHECKOUT = ("Overseer/ToolGuides", "ToolGuides")  # where a checkout of the Overseer keeps them
_POLICY = "_policy"
_PARALLEL = {
    ParallelExecution.DISABLED: "_policy_parallel_disabled",
    ParallelExecution.ON_REQUEST: "_policy_parallel_on_request",
}


@dataclass(frozen=True)
class Guides:
    """The guides of one folder.

    Attributes
    ----------
    descriptions : dict
        Tool name -> its guide, the whole text of the tool's description.
    policy : str
        The tool policy that the system prompt holds.
    folder : str
        Where the texts came from, for messages.
    """

    descriptions: dict[str, str]
    policy: str
    folder: str
    parallel: dict[ParallelExecution, str]

    @classmethod
    def load(cls, folder: str | Path | None = None) -> "Guides":
        """Read a folder of guides, a checkout that holds one, or the packaged folder.

        Raises
        ------
        Refusal
            If a guide of the sixteen tools or the policy is missing, empty or not UTF-8; no other
            text ever stands in for it.
        """
        place = _PACKAGED if folder is None else _guides_folder(Path(folder).expanduser())
        texts = {name: _text(place, name) for name in (*tool_names(), _POLICY)}
        parallel = {
            mode: _text(place, name) for mode, name in _PARALLEL.items() if (place / f"{name}.md").exists()
        }
        policy = texts.pop(_POLICY)
        return cls(texts, policy, str(folder or "the package"), parallel)

    def parallel_text(self, mode: ParallelExecution | str) -> str:
        """Return the text that limits parallel calls in a mode; empty where they are enabled.

        Raises
        ------
        Refusal
            If the folder lacks the text that the mode needs.
        """
        mode = ParallelExecution(mode)
        if mode is ParallelExecution.ENABLED:
            return ""
        if mode not in self.parallel:
            raise Refusal(
                f"the tool guides of {self.folder} cannot serve parallel execution {mode}",
                f"{_PARALLEL[mode]}.md is missing",
                "add the file, or set parallel_execution to enabled",
            )
        return self.parallel[mode]

    def fingerprint_value(self) -> dict[str, Any]:
        """Return what the ``tool_guides`` key is computed from: a hash of each text (R43).

        Equal values mean equal names and texts; a difference shows which guide was edited. Every parallel
        text is in it, whichever is in use: the choice is the candidate's key ``parallel_execution``.
        """
        return {
            "guides": {name: hash_text(text) for name, text in sorted(self.descriptions.items())},
            "policy": hash_text(self.policy),
            "parallel": {mode.value: hash_text(text) for mode, text in self.parallel.items()},
        }


def _guides_folder(folder: Path) -> Path:
    inner = (folder / part for part in _IN_CHECKOUT)
    place = next((path for path in inner if path.is_dir()), folder)
    if not place.is_dir():
        raise Refusal(
            "the tool guides cannot be read", f"there is no folder {folder}", "name a folder of tool guides"
        )
    return place


def _text(folder: Path, name: str) -> str:
    path = folder / f"{name}.md"
    try:
        text = path.read_text("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise _unusable(path, "it is missing or not UTF-8") from error
    if not text.strip():
        raise _unusable(path, "it is empty")
    return text


def _unusable(path: Path, why: str) -> Refusal:
    return Refusal(
        f"the tool guide {path.name} cannot be used",
        f"{path}: {why}",
        "restore it, or use the shipped guides",
    )
