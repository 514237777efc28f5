"""Where the figures that a record states differ from those that scoring it gives."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isclose
from typing import Any, cast

from pydantic_core import to_jsonable_python

from gnollbench.records.figures import evaluate, scored
from gnollbench.records.run import RunRecord
from gnollbench.scoring.part import Part

# Absolute or relative: another program that sums in another order agrees to more digits than this.
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure that a record states and scoring does not confirm; None is a figure that is withheld."""

    figure: str
    stated: Any
    computed: Any

    def document(self) -> dict[str, Any]:
        """Return the JSON of one difference."""
        return {
            "figure": self.figure,
            "stated": to_jsonable_python(self.stated),
            "computed": to_jsonable_python(self.computed),
        }


def differences(record: RunRecord) -> list[Difference]:
    """Return every stated figure that differs: status, scores, results, and those of later scorings.

    A field that the record lacks states nothing; nor does a record without any score, result or withheld
    figure, which was not scored yet.

    Raises
    ------
    Refusal
        If the record names a scoring method that is unknown or not its mode's.
    """
    computed = scored(record)
    found = list(_compared("run.status", record.run.status, computed.run.status))
    if _is_scored(record):
        for stated, own in zip(record.answers, computed.answers, strict=True):
            found += _parts(f"answers.{stated.question}", stated, own, ("score", "disputed"))
        found += _parts("", record, computed, ("results",))
    for place, scoring in enumerate(record.scorings):
        again = evaluate(record, scoring.method, scoring.profile)
        found += _compared(f"scorings.{place}.scores", scoring.scores, again.answers)
        found += _compared(f"scorings.{place}.results", scoring.results, again.results)
    return found


def _is_scored(record: RunRecord) -> bool:
    scores = [answer.score for answer in record.answers]
    return record.results is not None or bool(record.withheld) or any(scores)


def _parts(figure: str, stated: Part, computed: Part, names: tuple[str, ...]) -> Iterator[Difference]:
    for name in names:
        if name in stated.model_fields_set:
            path = f"{figure}.{name}" if figure else name
            yield from _compared(path, getattr(stated, name), getattr(computed, name))


def _compared(figure: str, stated: Any, computed: Any) -> Iterator[Difference]:
    if isinstance(stated, Part) and isinstance(computed, Part):
        yield from _parts(figure, stated, computed, tuple(type(stated).model_fields))
    elif isinstance(stated, dict) and isinstance(computed, dict):
        left, right = cast("dict[str, Any]", stated), cast("dict[str, Any]", computed)
        for name in {**left, **right}:
            yield from _compared(f"{figure}.{name}", left.get(name), right.get(name))
    elif not _equal(stated, computed):
        yield Difference(figure, stated, computed)


def _equal(stated: Any, computed: Any) -> bool:
    numbers = [isinstance(value, int | float) for value in (stated, computed)]
    if all(numbers):
        return isclose(stated, computed, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return stated == computed
