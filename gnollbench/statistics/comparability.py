"""Whether runs may be pooled or compared: the tier over their 27 keys (R43-R45)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from gnollbench.errors import Refusal
from gnollbench.records.canonical import canonical_json
from gnollbench.records.run import KEY_KINDS, Key, KeyKind

Keys = Mapping[str, Key]

MAY_BE_NULL = frozenset({"snapshot"})  # a suite without a snapshot is a known exam, not an unknown one

FOLLOWS = {"system_prompt": "prompt_options"}  # the options are part of the prompt, and move it

DEGRADES: Mapping[str, tuple[str, ...]] = {
    "question_parallelism": ("speed", "cost"),
    "speed_calibration": ("speed",),
    "price_snapshot": ("cost",),
}


class Tier(StrEnum):
    """What a set of runs allows (R44): pool all, pool quality, compare two sides, nothing."""

    A = "A"
    B = "B"
    C = "C"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Variant:
    """One value of a key, as a person reads it, with the runs that carry it."""

    value: Any
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A key that takes more than one value over the runs."""

    key: str
    kind: KeyKind
    variants: tuple[Variant, ...]

    def __str__(self) -> str:
        values = _parts_that_differ([variant.value for variant in self.variants])
        carried = zip(values, self.variants, strict=True)
        shown = [f"{canonical_json(value)} in {', '.join(variant.runs)}" for value, variant in carried]
        return f"{self.key} ({self.kind}): {' · '.join(shown)}"

    def document(self) -> dict[str, Any]:
        """Return the JSON of one difference."""
        variants = [{"value": variant.value, "runs": list(variant.runs)} for variant in self.variants]
        return {"key": self.key, "kind": str(self.kind), "variants": variants}


@dataclass(frozen=True, slots=True)
class Comparability:
    """The verdict over a set of runs (R44).

    Attributes
    ----------
    tier : Tier
        What the set allows.
    differences : tuple of Difference
        Every key that differs, in the order of the 27 keys.
    unknown : tuple of str
        Fundamental keys whose value is null in every run of a set of two or more.
    """

    tier: Tier
    differences: tuple[Difference, ...]
    unknown: tuple[str, ...]

    @property
    def poolable(self) -> bool:
        """Whether the runs may be averaged: tiers A and B."""
        return self.tier in (Tier.A, Tier.B)

    @property
    def degraded(self) -> list[str]:
        """The aggregates that mix conditions, of ``speed`` and ``cost``; quality never does."""
        if self.tier is Tier.NONE:
            return []
        marked = {aggregate for key in self.changed() for aggregate in DEGRADES.get(key, ())}
        return [aggregate for aggregate in ("speed", "cost") if aggregate in marked]

    @property
    def explanation(self) -> str:
        """The verdict in words, with the keys, their values and the runs that carry them."""
        reasons = [f"{key} is unknown in every run" for key in self.unknown]
        reasons += [str(difference) for difference in self.differences]
        return f"{_CONSEQUENCE[self.tier]}. {'; '.join(reasons) or 'Every key matches'}"

    def changed(self, *kinds: KeyKind) -> list[str]:
        """Return the names of the keys that differ; of the given kinds only, where any is given."""
        return [item.key for item in self.differences if not kinds or item.kind in kinds]

    @property
    def instrument_moved(self) -> list[str]:
        """The instrument keys that differ of themselves, not in the wake of a candidate key."""
        changed = self.changed()
        return [key for key in self.changed(KeyKind.INSTRUMENT) if FOLLOWS.get(key) not in changed]

    def document(self) -> dict[str, Any]:
        """Return the JSON of ``gnollbench tier``."""
        return {
            "tier": str(self.tier),
            "poolable": self.poolable,
            "degraded": self.degraded,
            "differences": [difference.document() for difference in self.differences],
            "explanation": self.explanation,
        }


_CONSEQUENCE = {
    Tier.A: "Tier A, replicates: everything may be pooled",
    Tier.B: "Tier B, quality-comparable: quality pools, the marked speed and cost aggregates are degraded",
    Tier.C: "Tier C, cross-condition: the two sides are compared, never pooled",
    Tier.NONE: "Not comparable, neither pooled nor compared",
}


def comparability(runs: Mapping[str, Keys], leaving_out: Collection[str] = ()) -> Comparability:
    """Judge a set of runs by their keys (R44); the order of the runs does not matter.

    Parameters
    ----------
    runs : mapping
        Run name to that run's 27 keys. One run alone is tier A.
    leaving_out : collection of str
        Keys that take no part in this verdict.

    Raises
    ------
    ValueError
        If there is no run.
    """
    if not runs:
        raise ValueError("a comparability verdict needs at least one run")
    names = [name for name in KEY_KINDS if name not in leaving_out]
    differences = tuple(item for name in names if (item := _difference(name, runs)) is not None)
    unknown = tuple(name for name in names if _unknown_everywhere(name, runs))
    return Comparability(_tier(differences, unknown), differences, unknown)


def require_poolable(what: str, verdict: Comparability) -> None:
    """Refuse to average runs that may not be averaged (R3, R44).

    Raises
    ------
    Refusal
        Naming every key that differs, its kind, its values and the runs that carry them.
    """
    if not verdict.poolable:
        raise Refusal(what, verdict.explanation, "name runs whose keys match, or compare the two sides")


def _difference(name: str, runs: Mapping[str, Keys]) -> Difference | None:
    carriers: dict[str, list[str]] = {}
    for run in sorted(runs):
        carriers.setdefault(runs[run][name].hash, []).append(run)
    if len(carriers) == 1:
        return None
    variants = (Variant(runs[names[0]][name].value, tuple(names)) for names in carriers.values())
    return Difference(name, KEY_KINDS[name], tuple(variants))


def _parts_that_differ(values: list[Any]) -> list[Any]:
    """Cut composite values down to the settings in which they differ, for a message that can be read."""
    if not all(isinstance(value, dict) for value in values):
        return values
    parts: list[dict[str, Any]] = values
    settings = sorted({setting for part in parts for setting in part})
    differing = [name for name in settings if any(part.get(name) != parts[0].get(name) for part in parts)]
    return [{name: part.get(name) for name in differing} for part in parts]


def _unknown_everywhere(name: str, runs: Mapping[str, Keys]) -> bool:
    nullable = KEY_KINDS[name] is not KeyKind.FUNDAMENTAL or name in MAY_BE_NULL
    return len(runs) > 1 and not nullable and all(keys[name].value is None for keys in runs.values())


def _tier(differences: Iterable[Difference], unknown: Collection[str]) -> Tier:
    kinds = [difference.kind for difference in differences]
    if unknown or KeyKind.FUNDAMENTAL in kinds or KeyKind.CANDIDATE in kinds:
        return Tier.NONE
    if kinds.count(KeyKind.INSTRUMENT) > 1:
        return Tier.NONE
    if KeyKind.INSTRUMENT in kinds:
        return Tier.C
    return Tier.B if kinds else Tier.A
