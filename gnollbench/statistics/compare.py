"""Two groups of runs, paired by question (R50)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from gnollbench.errors import Refusal, Withheld
from gnollbench.records.run import KeyKind, RunRecord
from gnollbench.statistics.comparability import Comparability, comparability, require_poolable
from gnollbench.statistics.intervals import Vector, t_interval, too_few
from gnollbench.statistics.ledger import Ledger
from gnollbench.statistics.paired import cohens_dz, paired_t, smallest_detectable_difference, wilcoxon
from gnollbench.statistics.runs import keys_of, qualities, with_results
from gnollbench.statistics.welch import FALSE_DISCOVERY_RATE, benjamini_hochberg, welch_p

# Pairs are made question by question at one revision, so these two never decide a comparison.
PAIRED_BY_QUESTION = frozenset({"question_revisions", "difficulties"})


class Kind(StrEnum):
    """What is compared: one instrument key changed on purpose, nothing changed, another candidate."""

    CONTROLLED = "controlled"
    NOISE = "noise"
    MODELS = "models"


@dataclass(frozen=True, slots=True)
class Side:
    """One side: the revision of each question in its exam, and each question's quality in its runs."""

    revisions: Mapping[str, str]
    quality: Mapping[str, Vector]


def compare(baseline: Sequence[RunRecord], treatment: Sequence[RunRecord]) -> dict[str, Any]:
    """Return the paired comparison, treatment minus baseline: the JSON of ``gnollbench compare``.

    Raises
    ------
    Refusal
        If a side has no run with results, is not of tier A or B by itself, or the two differ in more than
        one thing. It names the keys, their values and the runs that carry them.
    """
    ledger = Ledger()
    base = with_results("comparing with this baseline", baseline, ledger)
    treat = with_results("comparing this treatment", treatment, ledger)
    require_poolable("this baseline is refused", comparability(keys_of(base)))
    require_poolable("this treatment is refused", comparability(keys_of(treat)))
    verdict = comparability(keys_of(base) | keys_of(treat), leaving_out=PAIRED_BY_QUESTION)
    kind = kind_of(verdict)
    if kind is None:
        raise Refusal(
            "the comparison is refused",
            verdict.explanation,
            "change one instrument key, or the candidate alone, between the two sides",
        )
    sides = (_side(base), _side(treat))
    excluded = {question: reason for question in _questions(sides) if (reason := _excluded(question, sides))}
    paired = [question for question in _questions(sides) if question not in excluded]
    return {
        "kind": str(kind),
        "tier": str(verdict.tier),
        "changed": verdict.changed(),
        "n_pairs": len(paired),
        "excluded": [{"question": question, "reason": reason} for question, reason in excluded.items()],
        **paired_figures(_differences(paired, sides), ledger),
        "items": _items(paired, sides, ledger),
        "exploratory": ["items"],
        "withheld": ledger.document(),
    }


def kind_of(verdict: Comparability) -> Kind | None:
    """Return what the differing keys make of a comparison; None is refused (R50).

    Speed-and-cost keys never decide.
    """
    if verdict.unknown or verdict.changed(KeyKind.FUNDAMENTAL):
        return None
    moved = verdict.instrument_moved
    if verdict.changed(KeyKind.CANDIDATE):
        return None if moved else Kind.MODELS
    return {0: Kind.NOISE, 1: Kind.CONTROLLED}.get(len(moved))


def paired_figures(differences: Vector, ledger: Ledger) -> dict[str, Any]:
    """Return the figures over all pairs.

    Parameters
    ----------
    differences : ndarray, shape (n_pairs,)
        Treatment minus baseline of each question's cross-run mean quality, in points.
    """
    mean = float(differences.mean()) if len(differences) else too_few("mean_difference", 0, "pair", 1)
    interval = t_interval(differences)
    detectable = smallest_detectable_difference(differences)
    return {
        "mean_difference": ledger.take("mean_difference", mean),
        "ci_low": ledger.take("ci_low", interval if isinstance(interval, Withheld) else interval.low),
        "ci_high": ledger.take("ci_high", interval if isinstance(interval, Withheld) else interval.high),
        "wilcoxon": ledger.section("wilcoxon", wilcoxon(differences)),
        "paired_t": ledger.section("paired_t", paired_t(differences)),
        "dz": ledger.take("dz", cohens_dz(differences)),
        "smallest_detectable_difference": ledger.take("smallest_detectable_difference", detectable),
    }


def _side(runs: Sequence[RunRecord]) -> Side:
    quality: dict[str, list[float]] = {}
    for record in runs:
        for question, value in qualities(record).items():
            quality.setdefault(question, []).append(value)
    return Side(
        revisions={question.id: question.revision for question in runs[0].exam.questions},
        quality={question: np.array(values) for question, values in quality.items()},
    )


def _questions(sides: tuple[Side, Side]) -> list[str]:
    """Return every question that either side asked, the baseline's order first."""
    return list(dict.fromkeys([*sides[0].revisions, *sides[1].revisions]))


def _excluded(question: str, sides: tuple[Side, Side]) -> str | None:
    """Return why a question makes no pair; None where it makes one."""
    for name, side in zip(("baseline", "treatment"), sides, strict=True):
        if question not in side.revisions:
            return f"no score: the {name} did not ask it"
    if sides[0].revisions[question] != sides[1].revisions[question]:
        return "another revision"
    for name, side in zip(("baseline", "treatment"), sides, strict=True):
        if question not in side.quality:
            return f"no score in the {name}"
    return None


def _differences(paired: Sequence[str], sides: tuple[Side, Side]) -> Vector:
    base, treat = sides
    return np.array([treat.quality[q].mean() - base.quality[q].mean() for q in paired], dtype=np.float64)


def _items(paired: Sequence[str], sides: tuple[Side, Side], ledger: Ledger) -> list[dict[str, Any]]:
    """Return each question's difference with Welch's p, adjusted over those that could be tested."""
    base, treat = sides
    p = {question: welch_p(base.quality[question], treat.quality[question]) for question in paired}
    tested = {question: value for question, value in p.items() if not isinstance(value, Withheld)}
    adjusted = dict(zip(tested, benjamini_hochberg(np.array(list(tested.values()))).tolist(), strict=True))
    rows: list[dict[str, Any]] = []
    for question, difference in zip(paired, _differences(paired, sides).tolist(), strict=True):
        p_adjusted = adjusted.get(question, p[question])
        below = p_adjusted if isinstance(p_adjusted, Withheld) else p_adjusted <= FALSE_DISCOVERY_RATE
        found = {"p": p[question], "p_adjusted": p_adjusted, "significant": below}
        taken = {name: ledger.take(f"items.{name}", value, question) for name, value in found.items()}
        rows.append({"question": question, "difference": difference, **taken})
    return rows
