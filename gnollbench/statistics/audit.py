"""How often the claim verifier overturns what each panel member charged, by candidate family (R52)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gnollbench.errors import Withheld
from gnollbench.records.run import RunRecord
from gnollbench.scoring.verdict import Claim, ClaimKind, Member, Ruling
from gnollbench.statistics.intervals import too_few
from gnollbench.statistics.ledger import Ledger
from gnollbench.statistics.runs import counting

# What a member holds against an answer. An unverified claim costs nothing, so it is no charge.
CHARGES = frozenset({ClaimKind.CRITICAL_ERROR, ClaimKind.CHARGED})
RULED_CHARGES = 10  # R52: ruled charges a side, from which two families' overturn rates are subtracted

Rulings = Counter[Ruling]


def audit(runs_of_family: Mapping[str, Sequence[RunRecord]], ledger: Ledger) -> list[dict[str, Any]]:
    """Return one row a member and candidate family: the verifier's rulings on that member's charges."""
    rows: list[dict[str, Any]] = []
    for member in Member:
        for family, runs in runs_of_family.items():
            rulings = rulings_on(member, runs)
            rate = ledger.take("audit.overturn_rate", overturn_rate(rulings), f"{member} on {family}")
            rows.append(
                {
                    "member": str(member),
                    "candidate_family": family,
                    "charges": rulings.total(),
                    "overturned": rulings[Ruling.SUPPORTED],
                    "upheld": rulings[Ruling.REFUTED],
                    "indeterminate": rulings[Ruling.INDETERMINATE],
                    "overturn_rate": rate,
                }
            )
    return rows


def audit_differences(
    runs_of_family: Mapping[str, Sequence[RunRecord]], pairs: Iterable[tuple[str, str]], ledger: Ledger
) -> list[dict[str, Any]]:
    """Return each member's overturn rate on the first family minus that on the second.

    Withheld below 10 ruled charges on either family.
    """
    rows: list[dict[str, Any]] = []
    for member in Member:
        for pair in pairs:
            first, second = (rulings_on(member, runs_of_family[family]) for family in pair)
            value = rate_difference(first, second)
            difference = ledger.take("audit_differences", value, f"{member} on {' and '.join(pair)}")
            rows.append({"member": str(member), "families": list(pair), "difference": difference})
    return rows


def rulings_on(member: Member, runs: Iterable[RunRecord]) -> Rulings:
    """Count the rulings on a member's charges; one without a citation counts as indeterminate (R34)."""
    return Counter(claim.effective_ruling for run in runs for claim in _charges(member, run))


def overturn_rate(rulings: Rulings) -> float | Withheld:
    """Return overturned / (overturned + upheld), 0-1: a charge is overturned where its sentence is true."""
    if not ruled(rulings):
        return too_few("overturn_rate", 0, "ruled charge", 1)
    return rulings[Ruling.SUPPORTED] / ruled(rulings)


def rate_difference(first: Rulings, second: Rulings) -> float | Withheld:
    """Return the first overturn rate minus the second; withheld below 10 ruled charges a side."""
    fewest = min(ruled(first), ruled(second))
    if fewest < RULED_CHARGES:
        return too_few("difference", fewest, "ruled charge", RULED_CHARGES)
    return first[Ruling.SUPPORTED] / ruled(first) - second[Ruling.SUPPORTED] / ruled(second)


def ruled(rulings: Rulings) -> int:
    """Return how many charges the verifier decided either way."""
    return rulings[Ruling.SUPPORTED] + rulings[Ruling.REFUTED]


def _charges(member: Member, run: RunRecord) -> Iterator[Claim]:
    for answer, _ in counting(run):
        yield from (claim for claim in answer.claims if claim.kind in CHARGES and member in claim.raised_by)
