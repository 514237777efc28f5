"""Judge-family diagnostics: whether the order of models depends on whose judge graded (R52).

None of them changes a score. Questions, not runs, are the unit of every interval here.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from gnollbench.errors import Withheld
from gnollbench.records.run import Mode, Role, RunRecord
from gnollbench.scoring.verdict import Member
from gnollbench.statistics.audit import audit, audit_differences
from gnollbench.statistics.estimate import estimate
from gnollbench.statistics.intervals import COMPARED_DECIMALS, Vector
from gnollbench.statistics.ledger import Ledger
from gnollbench.statistics.readings import PLACE, Array, Grader, Readings, readings_of
from gnollbench.statistics.runs import distinct

QUESTIONS_FOR_GAP = 5  # R52: questions that both families answered, from which a gap is given

Sources = Mapping[str, Sequence[RunRecord]]
Pair = tuple[str, str]


def judge_families(sources: Sources, ledger: Ledger) -> dict[str, Any]:
    """Return the diagnostics over measured sources: the ``judge_families`` of ``gnollbench models``.

    Parameters
    ----------
    sources : mapping
        Source name to its runs, all with results and all on one instrument; one source or more.
    ledger : Ledger
        Takes the withheld figures.
    """
    reason = _not_applicable(sources)
    questions = [question.id for question in next(iter(sources.values()))[0].exam.questions]
    readings = {} if reason else {name: readings_of(runs, questions) for name, runs in sources.items()}
    entries = _entries(sources, readings, ledger)
    families = {} if reason else _by_family(sources, ledger)
    pairs = family_pairs(families, _member_families(sources))
    runs_of = {
        family: distinct(run for name in names for run in sources[name]) for family, names in families.items()
    }
    sides = {family: [readings[name] for name in names] for family, names in families.items()}
    return {
        "applicable": reason is None,
        "reason": reason,
        "entries": entries,
        "order_depends_on_member": [list(pair) for pair in reversed_pairs(entries)],
        "family_gaps": [_gap_row(pair, own, sides, ledger) for pair, own in pairs.items()],
        "audit": audit(runs_of, ledger),
        "audit_differences": audit_differences(runs_of, pairs, ledger),
    }


def family_pairs(families: Iterable[str], members: Pair | None) -> dict[Pair, bool]:
    """Return every pair of candidate families, first minus second, and whether it is the members' own.

    The members' own pair stands first, as (a's, b's); the others are ordered by name.
    """
    by_name = list(combinations(sorted(families), 2))
    own = {members: True} if members and tuple(sorted(members)) in by_name else {}
    return own | {pair: False for pair in by_name if pair not in own and pair[::-1] not in own}


def gaps(first: Sequence[Readings], second: Sequence[Readings]) -> Array:
    """Return first minus second family by question and grader, shape (n, 4), in points.

    A family's question is the mean over its sources; a question that any of them lacks is left out.
    """
    means = [np.mean([source.question_means() for source in side], axis=0) for side in (first, second)]
    difference = means[0] - means[1]
    return difference[~np.isnan(difference).any(axis=1)]


def interaction(gap: Array) -> Vector:
    """Return gap under A minus gap under B by question: both members' preferences together (R52)."""
    return gap[:, PLACE[Grader.A]] - gap[:, PLACE[Grader.B]]


def asymmetry(gap: Array) -> Vector:
    """Return gap under panel minus gap under reader by question (R52).

    Its mean estimates (γ_A - γ_B) / 2, the panel's error on the members' own pair, if the reader is neutral.
    """
    return gap[:, PLACE[Grader.PANEL]] - gap[:, PLACE[Grader.READER]]


def reversed_pairs(entries: Sequence[Mapping[str, Any]]) -> list[Pair]:
    """Return the pairs of sources that member a orders one way and member b the other."""
    pairs: list[Pair] = []
    for x, y in combinations(entries, 2):
        a, b = (round(x["index"][member] - y["index"][member], COMPARED_DECIMALS) for member in Member)
        if a * b < 0:
            pairs.append((x["source"], y["source"]))
    return pairs


def ranks(indices: Sequence[float | None]) -> list[int | None]:
    """Return 1 for the highest index and so on, equal ones sharing the better; None where any is None."""
    known = [round(index, COMPARED_DECIMALS) for index in indices if index is not None]
    if len(known) < len(indices):
        return [None] * len(indices)
    return [1 + sum(other > own for other in known) for own in known]


def _not_applicable(sources: Sources) -> str | None:
    for run in (run for runs in sources.values() for run in runs):
        if run.run.mode is not Mode.PANEL:
            return f"run {run.run.id} was graded by a single assessor"
        if not any(answer.reader for answer in run.answers):
            return f"run {run.run.id} has no reference reader"
    return None


def _entries(sources: Sources, readings: Mapping[str, Readings], ledger: Ledger) -> list[dict[str, Any]]:
    index = {
        name: {str(g): ledger.take(f"entries.index.{g}", source.index(g), name) for g in Grader}
        for name, source in readings.items()
    }
    rank = {str(g): dict(zip(index, ranks([row[g] for row in index.values()]), strict=True)) for g in Grader}
    return [
        {
            "source": name,
            "family": _family(Role.CANDIDATE, sources[name]),
            "index": row,
            "rank": {str(g): rank[g][name] for g in Grader},
        }
        for name, row in index.items()
    ]


def _by_family(sources: Sources, ledger: Ledger) -> dict[str, list[str]]:
    """Return the sources of each candidate family; none where a family is not known."""
    families: dict[str, list[str]] = {}
    for name, runs in sources.items():
        family = _family(Role.CANDIDATE, runs)
        if family is None:
            for figure in ("family_gaps", "audit", "audit_differences"):
                unknown = Withheld(figure, "the candidate's family is not known", "records that name it")
                ledger.take(figure, unknown, name)
            return {}
        families.setdefault(family, []).append(name)
    return families


def _member_families(sources: Sources) -> Pair | None:
    """Return the families of members a and b; None where one is not known or both are the same."""
    runs = [run for runs in sources.values() for run in runs]
    a, b = _family(Role.ASSESSOR, runs), _family(Role.CO_ASSESSOR, runs)
    return None if a is None or b is None or a == b else (a, b)


def _family(role: Role, runs: Sequence[RunRecord]) -> str | None:
    """Return the one family that every run names for a role; None where they name none or several."""
    named = {run.models[role].family if role in run.models else None for run in runs}
    return named.pop() if len(named) == 1 else None


def _gap_row(
    pair: Pair, own: bool, sides: Mapping[str, Sequence[Readings]], ledger: Ledger
) -> dict[str, Any]:
    gap = gaps(*(sides[family] for family in pair))
    within = ledger.within(f"family_gaps[{pair[0]} - {pair[1]}]")
    at_least = {"value_from": QUESTIONS_FOR_GAP, "interval_from": QUESTIONS_FOR_GAP}
    other = Withheld("contrast", "the pair is not the members' own families", "candidates of both families")
    contrasts = {
        name: estimate(name, contrast(gap) if own else other, within, **at_least)
        for name, contrast in (("interaction", interaction), ("asymmetry", asymmetry))
    }
    return {
        "families": list(pair),
        "n": len(gap),
        "gap": {str(g): estimate(f"gap.{g}", gap[:, PLACE[g]], within, **at_least) for g in Grader},
        **{name: contrast["value"] for name, contrast in contrasts.items()},
        "intervals": contrasts,
    }
