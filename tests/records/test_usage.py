"""Sums of tokens and prices say what is known of them (R39)."""

import pytest

from gnollbench.records.run import Cost, Usage
from gnollbench.records.usage import cost_of, sum_of

KNOWN = Usage(input_tokens=100, cached_tokens=40, output_tokens=10, reasoning_tokens=3, usd=0.5)
CUT = Usage()
UNPRICED = Usage(input_tokens=7, cached_tokens=0, output_tokens=2, reasoning_tokens=0)


def test_an_unknown_call_takes_nothing_from_the_others() -> None:
    """R39: what is known is kept, and how many calls it is without is told."""
    used = sum_of([KNOWN, CUT, KNOWN, UNPRICED])
    assert (used.input_tokens, used.cached_tokens, used.output_tokens) == (207, 80, 22)
    assert (used.usd, used.unmetered, used.unpriced) == (1.0, 1, 2)
    cost = cost_of(used)
    assert (cost.usd, cost.unmetered, cost.unpriced) == (1.0, 1, 2)
    assert cost.reason
    assert cost.whole_usd is None


def test_sums_of_sums_count_the_same_calls() -> None:
    """R39: in whatever steps they are made."""
    calls = [CUT, KNOWN, UNPRICED, CUT, KNOWN]
    assert sum_of([sum_of(calls[:2]), sum_of(calls[2:])]) == sum_of(calls)
    assert cost_of(cost_of(*calls[:2]), cost_of(*calls[2:])) == cost_of(*calls)


@pytest.mark.parametrize(("calls", "unpriced"), [([CUT], 1), ([CUT, UNPRICED], 2)])
def test_nothing_known_is_unknown_and_never_zero(calls: list[Usage], unpriced: int) -> None:
    """R39: with its reason."""
    cost = cost_of(*calls)
    assert (cost.usd, cost.unpriced) == (None, unpriced)
    assert cost.reason


def test_what_is_known_is_exact() -> None:
    """R39: nothing is missing, so nothing says so."""
    assert cost_of(KNOWN, KNOWN) == Cost(input_tokens=200, output_tokens=20, usd=1.0)
    assert cost_of(KNOWN).whole_usd == 0.5
