"""What runs cost, in US dollars, where every price is known (R39)."""

from collections.abc import Mapping, Sequence

import numpy as np

from gnollbench.errors import Withheld
from gnollbench.records.run import Role, RunRecord
from gnollbench.scoring.indices import total_usd
from gnollbench.statistics.intervals import Vector


def roles_with_cost(runs: Sequence[RunRecord]) -> list[Role]:
    """Return the roles that any run books a cost for; the writer is costed outside the run."""
    return [role for role in Role if role is not Role.WRITER and any(role in run.costs for run in runs)]


def role_usd(role: Role, runs: Sequence[RunRecord]) -> Vector | Withheld:
    """Return one role's cost in each run, shape (runs,)."""
    return _known({run.run.id: run.costs[role].whole_usd if role in run.costs else None for run in runs})


def run_usd(runs: Sequence[RunRecord]) -> Vector | Withheld:
    """Return each run's cost over its roles, shape (runs,)."""
    booked = {run.run.id: [run.costs[role].whole_usd for role in roles_with_cost([run])] for run in runs}
    return _known({run: total_usd(prices) if prices else None for run, prices in booked.items()})


def _known(prices: Mapping[str, float | None]) -> Vector | Withheld:
    """Withhold the whole where one run's price is unknown: a mean over the others would mislead."""
    unknown = [run for run, price in prices.items() if price is None]
    if unknown:
        return Withheld("cost", f"the price is unknown in {', '.join(unknown)}", "runs with known prices")
    return np.array(list(prices.values()), dtype=np.float64)
