"""The panel's ICC(A,1) with its interval, for the reports' table (R27).

The value alone comes from the closed form in ``scoring.panel``; importing pingouin costs seconds.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from gnollbench.errors import Withheld
from gnollbench.scoring.panel import icc_a1

NO_WIDTH = 1e-9  # an interval narrower than this comes of rounding
LABEL = "ICC(A,1)"  # two-way random effects, absolute agreement, single rater


@dataclass(frozen=True, slots=True)
class IccRow:
    """ICC(A,1) of two members over ``n`` answers, with its 95 % interval; all at most 1."""

    icc: float
    low: float
    high: float
    n: int


def icc_table(a: Sequence[float], b: Sequence[float]) -> IccRow | Withheld:
    """Return ICC(A,1) of both members' scores as graded, with its 95 % interval.

    Parameters
    ----------
    a, b : sequence of float, length n
        Scores of the answers that both members graded, in the same order, 0-100.

    Returns
    -------
    IccRow or Withheld
        Withheld below 5 pairs, where every score is the same, and where the scores leave no spread to make an
        interval of (the members agree but for a constant, or disagree alike).
    """
    value = icc_a1(a, b)
    if isinstance(value, Withheld):
        return value
    row = _row(a, b)
    low, high = (float(bound) for bound in row["CI95"])
    if not low + NO_WIDTH < high:
        reason = "the scores leave no spread to make an interval of"
        return Withheld("panel.icc_a1", reason, "answers on which the members differ")
    return IccRow(float(row["ICC"]), low, high, len(a))


def _row(a: Sequence[float], b: Sequence[float]) -> Any:
    """Return pingouin's row of that label, unrounded: places of rows and rounding have changed before."""
    import numpy as np
    import pandas as pd

    pingouin: Any = import_module("pingouin")
    answers = list(range(len(a)))
    long = pd.DataFrame({"answer": answers * 2, "member": ["a"] * len(a) + ["b"] * len(b), "score": [*a, *b]})
    rounding = pingouin.options.get("round.column.CI95")
    pingouin.options["round.column.CI95"] = None
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            table = pingouin.intraclass_corr(data=long, targets="answer", raters="member", ratings="score")
    finally:
        pingouin.options["round.column.CI95"] = rounding
    return table[table["Type"] == LABEL].iloc[0]
