"""Reading a grader's prose: does a sentence name a defect, an omission, a fabrication, own knowledge?

The word lists are in ``evidence.yaml``. They judge by likelihood, so every use of them is advisory (R30).
Where no list fits, a sentence counts as naming a defect: a terse but sound ground ("speed 9, rubric: 6")
raises no flag.
"""

import re
from functools import cache
from pathlib import Path

import yaml

_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")


@cache
def _lists() -> dict[str, re.Pattern[str]]:
    lists: dict[str, str] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
    return {
        name: re.compile(rf"\b(?:{'|'.join(words.splitlines())})\b", re.IGNORECASE)
        for name, words in lists.items()
    }


def _says(name: str, prose: str) -> bool:
    return _lists()[name].search(prose) is not None


def sentences(prose: str) -> list[str]:
    """Return the sentences of a grader's prose; semicolons and line ends divide too."""
    return [part.strip() for part in _SENTENCE_END.split(prose) if part.strip()]


def names_defect(prose: str) -> bool:
    """Return whether any sentence names a defect, and not its absence, unverifiability or imprecision."""
    return any(_defective(sentence) for sentence in sentences(prose))


def names_only_omissions(prose: str) -> bool:
    """Return whether defects are named and each of them is something left out."""
    defects = [sentence for sentence in sentences(prose) if _defective(sentence)]
    return bool(defects) and all(_says("omission", s) and not _says("falsehood", s) for s in defects)


def describes_fabrication(prose: str) -> str | None:
    """Return the first sentence that calls a statement made up; none that denies it or calls it petty."""
    return next((sentence for sentence in sentences(prose) if _fabricated(sentence)), None)


def rests_on_own_knowledge(prose: str) -> bool:
    """Return whether the grader appeals to what it knows itself, and to rubric or board nowhere."""
    return _says("own_knowledge", prose) and not _says("rubric_based", prose)


def _defective(sentence: str) -> bool:
    rest = _lists()["excused"].sub(" ", sentence)
    if any(_says(name, rest) for name in ("falsehood", "fabrication", "omission", "contrast")):
        return True
    return rest == sentence and not _says("praise", sentence) and any(map(str.isalnum, sentence))


def _fabricated(sentence: str) -> bool:
    return _says("fabrication", sentence) and not (
        _says("petty", sentence) or _says("no_fabrication", sentence)
    )
