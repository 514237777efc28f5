"""A value with its 95 % t interval, as the documents print it."""

import numpy as np

from gnollbench.errors import Withheld
from gnollbench.statistics.intervals import Vector, t_interval, too_few
from gnollbench.statistics.ledger import Ledger

Estimate = dict[str, float | None]


def estimate(
    figure: str, values: Vector | Withheld, ledger: Ledger, value_from: int = 1, interval_from: int = 3
) -> Estimate:
    """Return ``{"value", "low", "high"}``: the mean, and the t interval of independent values.

    Parameters
    ----------
    figure : str
        Name under which a withheld part is entered.
    values : ndarray, shape (n,), or Withheld
        Withheld as a whole where the values are not known.
    value_from, interval_from : int
        Fewest values that give the mean, and the interval.
    """
    given = value_of(values, value_from)
    interval = values if isinstance(values, Withheld) else t_interval(values, interval_from)
    low, high = (interval, interval) if isinstance(interval, Withheld) else (interval.low, interval.high)
    return {
        "value": ledger.take(f"{figure}.value", given),
        "low": ledger.take(f"{figure}.low", low),
        "high": ledger.take(f"{figure}.high", high),
    }


def value_of(values: Vector | Withheld, at_least: int = 1) -> float | Withheld:
    """Return the mean; withheld below `at_least` values."""
    if isinstance(values, Withheld):
        return values
    if len(values) < at_least:
        return too_few("value", len(values), "value", at_least)
    return float(np.mean(values))
