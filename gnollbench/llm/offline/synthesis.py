"""The lexical graders' closing assessment, put together from the verdict list that a member is given."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from gnollbench.llm.offline.conversation import closing_mark, unfenced

_OPENING = "# Your verdicts, "
_ENTRY = re.compile(
    r"^## (?P<question>\S+) \((?P<band>\w+)\)\nscore (?P<score>\d+); levels (?P<rest>.*)$", re.M
)
_LEVEL = re.compile(r"(accuracy|completeness|conciseness|readability) (\d)")
_LOW = 50  # a score below it is named; the profile's own bound for a low quality


@dataclass(frozen=True, slots=True)
class _Graded:
    question: str
    band: str
    score: int
    levels: dict[str, int]
    critical: bool
    not_attempted: bool


def assessment(message: str) -> str | None:
    """Return a closing assessment of the verdicts in a message, or None where it holds no such list.

    What stands between fence lines, the graders' evidence with its quotes, is left out of account.
    """
    if not message.startswith(_OPENING):
        return None
    mark = closing_mark(message)
    listed = unfenced(message, mark) if mark else message
    graded = [_read(match) for match in _ENTRY.finditer(listed)]
    if not graded:
        return "No answer was graded, so there is nothing to assess."
    return "\n\n".join((_overall(graded), _weaknesses(graded), _basis()))


def _read(match: re.Match[str]) -> _Graded:
    rest = match["rest"]
    return _Graded(
        question=match["question"],
        band=match["band"],
        score=int(match["score"]),
        levels={name: int(level) for name, level in _LEVEL.findall(rest)},
        critical="; critical error" in rest,
        not_attempted="; not attempted" in rest,
    )


def _overall(graded: Sequence[_Graded]) -> str:
    bands = dict.fromkeys(item.band for item in graded)
    means = [f"{fmean(i.score for i in graded if i.band == band):.0f} on {band} questions" for band in bands]
    best = max(graded, key=lambda item: item.score)
    return (
        f"Over {len(graded)} answers the mean score is {fmean(item.score for item in graded):.0f}: "
        f"{', '.join(means)}. The best answer is {best.question} with {best.score}."
    )


def _weaknesses(graded: Sequence[_Graded]) -> str:
    means = {
        name: fmean(item.levels[name] for item in graded if name in item.levels)
        for name in dict.fromkeys(name for item in graded for name in item.levels)
    }
    said = [f"{_listed([i.question for i in graded if i.score < _LOW])} scored below {_LOW}."]
    if means:
        weakest = min(means, key=lambda name: means[name])
        said.insert(0, f"The weakest dimension is {weakest}, at level {means[weakest]:.1f} on average.")
    said.append(f"Critical errors: {_listed([i.question for i in graded if i.critical])}.")
    said.append(f"Not attempted: {_listed([i.question for i in graded if i.not_attempted])}.")
    return " ".join(said)


def _listed(questions: Sequence[str]) -> str:
    return ", ".join(questions) or "none"


def _basis() -> str:
    return (
        "These figures come from an embedded grader that compares words; it has no language model and "
        "cannot say why an answer fails."
    )
