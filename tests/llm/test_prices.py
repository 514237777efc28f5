"""Prices and costs (R39): unknown is unknown, never zero."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnollbench.cli import compose_launch
from gnollbench.llm.messages import Usage
from gnollbench.llm.prices import cost_usd, name_of, snapshot
from gnollbench.records.launch import LongContext, Price, Rates

RATES = Rates(
    input_per_million=2.0, output_per_million=10.0, cached_input_per_million=0.2, cache_write_per_million=2.5
)
PRICE = Price(
    rates=RATES,
    long_context=LongContext(
        threshold_input_tokens=200_000,
        rates=Rates(input_per_million=4.0, output_per_million=18.0, cached_input_per_million=0.4),
    ),
    service_tiers={"flex": 0.5, "priority": 2.0},
)


def test_cached_and_written_tokens_have_their_own_rates() -> None:
    """R39: 1,000 prompt tokens, 600 read from the cache, 300 written to it, 50 out."""
    usage = Usage(input_tokens=1000, cached_tokens=600, cache_write_tokens=300, output_tokens=50)
    # 100 x 2 + 600 x 0.2 + 300 x 2.5 + 50 x 10 = 200 + 120 + 750 + 500 = 1570 millionths
    assert cost_usd(PRICE, usage, None) == pytest.approx(0.00157, abs=1e-15)


def test_long_context_rates_hold_for_the_whole_request() -> None:
    """R39: above the threshold every token has the long rate; at it, none."""
    above = Usage(input_tokens=200_001, output_tokens=0)
    at = Usage(input_tokens=200_000, output_tokens=0)
    assert cost_usd(PRICE, above, None) == pytest.approx(200_001 * 4 / 1e6)
    assert cost_usd(PRICE, at, None) == pytest.approx(0.4)


def test_served_tier_decides() -> None:
    """R39: the tier that was served, not the one asked for; an unlisted one is 1."""
    usage = Usage(input_tokens=1_000_00, output_tokens=0)
    assert cost_usd(PRICE, usage, "flex") == pytest.approx(0.1)
    assert cost_usd(PRICE, usage, "priority") == pytest.approx(0.4)
    assert cost_usd(PRICE, usage, "standard") == pytest.approx(0.2)


@pytest.mark.parametrize(
    "usage",
    [
        Usage(),
        Usage(input_tokens=5),
        Usage(input_tokens=0, output_tokens=0),
        Usage(input_tokens=-1, output_tokens=3),
        Usage(input_tokens=10, cached_tokens=11, output_tokens=1),
        Usage(input_tokens=10, cached_tokens=6, cache_write_tokens=6, output_tokens=1),
    ],
)
def test_senseless_usage_has_no_cost(usage: Usage) -> None:
    """R39: missing, negative or contradictory figures give unknown."""
    assert cost_usd(PRICE, usage, None) is None


def test_no_price_no_cost() -> None:
    """R39: an unknown price is unknown."""
    assert cost_usd(None, Usage(input_tokens=1, output_tokens=1), None) is None


@given(st.integers(0, 10**7), st.integers(0, 10**7), st.integers(0, 10**7), st.integers(0, 10**6))
def test_cost_is_never_negative(prompt: int, cached: int, written: int, output: int) -> None:
    """R39: for all usage figures a cost is unknown, or zero and above."""
    cost = cost_usd(PRICE, Usage(prompt, cached, written, output), None)
    assert cost is None or cost >= 0


def test_shipped_models_are_priced_by_exact_key_or_not_at_all() -> None:
    """R39: an unknown name never falls back to its family's price."""
    launch = compose_launch(["candidate=claude", "candidate.model=claude-opus-999"])
    assert snapshot([launch.candidate], launch.prices)[name_of(launch.candidate)] is None


def test_own_price_comes_first() -> None:
    """R39: model's own, then the administrator's list, then the map."""
    launch = compose_launch(
        [
            "candidate=gpt",
            "prices.models={openai/gpt-5.4: {rates: {input_per_million: 7.0, output_per_million: 8.0}}}",
        ]
    )
    price = snapshot([launch.candidate], launch.prices)["openai/gpt-5.4"]
    assert price is not None
    assert price.rates.input_per_million == 7.0


def test_a_stranger_s_endpoint_has_no_list_price() -> None:
    """R39: a gateway or local server under a known name is not priced by the provider's list."""
    launch = compose_launch(["candidate=gpt", "candidate.endpoint=http://127.0.0.1:1/v1"])
    assert snapshot([launch.candidate], launch.prices)["openai/gpt-5.4"] is None


def test_only_what_runs_in_this_process_is_free() -> None:
    """R39: an embedded model costs nothing; the same option turned to an endpoint has no price."""
    embedded = compose_launch([])
    assert snapshot([embedded.candidate], embedded.prices)["embedded-retriever/retriever"].rates == Rates(
        input_per_million=0.0, output_per_million=0.0
    )
    elsewhere = compose_launch(["candidate.endpoint=http://127.0.0.1:1/v1"])
    assert snapshot([elsewhere.candidate], elsewhere.prices)["embedded-retriever/retriever"] is None
