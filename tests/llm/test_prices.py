"""Prices and costs (R39): unknown is unknown, never zero."""

from importlib.metadata import version
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from gnollbench.cli import compose_launch
from gnollbench.errors import Refusal
from gnollbench.llm.messages import Usage
from gnollbench.llm.prices import Cost, cost, name_of, snapshot
from gnollbench.records.launch import Launch, LongContext, ModelConfig, Price, PricesConfig, Rates, TierPrice

RATES = Rates(
    input_per_million=2.0, output_per_million=10.0, cached_input_per_million=0.2, cache_write_per_million=2.5
)
STATED = "{input_per_million: 7.0, output_per_million: 8.0}"
FREE = Rates(input_per_million=0, output_per_million=0)
PRICE = Price(
    rates=RATES,
    long_context=LongContext(
        threshold_input_tokens=200_000,
        rates=Rates(input_per_million=4.0, output_per_million=18.0, cached_input_per_million=0.4),
    ),
    service_tiers={"flex": 0.5, "priority": 2.0},
)


def usd(*arguments: object) -> float | None:
    return cost(*arguments).usd


def test_cached_and_written_tokens_have_their_own_rates() -> None:
    """R39: 1,000 prompt tokens, 600 read from the cache, 300 written to it, 50 out."""
    usage = Usage(input_tokens=1000, cached_tokens=600, cache_write_tokens=300, output_tokens=50)
    # 100 x 2 + 600 x 0.2 + 300 x 2.5 + 50 x 10 = 200 + 120 + 750 + 500 = 1570 millionths
    assert usd(PRICE, usage, None) == pytest.approx(0.00157, abs=1e-15)


def test_reasoning_tokens_are_output_tokens() -> None:
    """R39: they are a part of the output, and charged once."""
    usage = Usage(input_tokens=1000, output_tokens=50, reasoning_tokens=40)
    assert usd(PRICE, usage, None) == pytest.approx((1000 * 2 + 50 * 10) / 1e6)


def test_long_context_rates_hold_for_the_whole_request() -> None:
    """R39: above the threshold every token has the long rate; at it, none."""
    above = Usage(input_tokens=200_001, cached_tokens=100_000, output_tokens=1000)
    at = Usage(input_tokens=200_000, output_tokens=0)
    # 100,001 x 4 + 100,000 x 0.4 + 1,000 x 18 = 400,004 + 40,000 + 18,000 = 458,004 millionths
    assert usd(PRICE, above, None) == pytest.approx(0.458004)
    assert usd(PRICE, at, None) == pytest.approx(0.4)


def test_two_requests_are_not_one_long_one() -> None:
    """R39: the threshold is one request's; two short ones stay short."""
    usage = Usage(input_tokens=150_000, output_tokens=0)
    assert usd(PRICE, usage, None) == pytest.approx(0.3)


def test_served_tier_decides() -> None:
    """R39: the tier that was served, not the one asked for."""
    usage = Usage(input_tokens=100_000, output_tokens=0)
    assert usd(PRICE, usage, "flex", "priority") == pytest.approx(0.1)
    assert usd(PRICE, usage, "priority", "flex") == pytest.approx(0.4)
    assert usd(PRICE, usage, "standard", "priority") == pytest.approx(0.2)
    assert usd(PRICE, usage, "default") == pytest.approx(0.2)


def test_a_tier_s_factor_comes_after_the_long_context() -> None:
    """R39: 200,001 tokens at 4 and half of it."""
    assert usd(PRICE, Usage(input_tokens=200_001, output_tokens=0), "flex") == pytest.approx(0.400002)


def test_a_tier_may_have_rates_of_its_own() -> None:
    """R39: where no one factor says it: 100 x 1 + 60 x 0.2 + 10 x 5 = 162 millionths."""
    own = Rates(input_per_million=1.0, output_per_million=5.0, cached_input_per_million=0.2)
    price = PRICE.model_copy(update={"service_tiers": {"flex": TierPrice(rates=own)}})
    usage = Usage(input_tokens=160, cached_tokens=60, output_tokens=10)
    assert usd(price, usage, "flex") == pytest.approx(0.000162)
    long = Usage(input_tokens=200_001, output_tokens=0)
    assert cost(price, long, "flex") == Cost(None, "no price is known for a long context in tier flex")


def test_a_tier_is_charged_where_nothing_else_is() -> None:
    """R39: free at the standard tier is not free at every one."""
    price = Price(rates=FREE, service_tiers={"flex": TierPrice(rates=RATES)})
    usage = Usage(input_tokens=1000, output_tokens=0)
    assert (usd(price, usage, "flex"), usd(price, usage, None)) == (pytest.approx(0.002), 0.0)


def test_a_stated_price_of_the_standard_tier_holds() -> None:
    """R39: what the configuration says of a tier is what it costs, whatever its name."""
    price = Price(rates=RATES, service_tiers={"standard": 2.0})
    assert usd(price, Usage(input_tokens=1000, output_tokens=0), "standard") == pytest.approx(0.004)


@pytest.mark.parametrize("rate", [-1, 1e7, 1e300, float("inf"), float("nan")])
def test_a_rate_that_is_none_is_refused(rate: float) -> None:
    """R39: no cost is negative, infinite or NaN."""
    with pytest.raises(ValidationError):
        Rates(input_per_million=rate, output_per_million=1)


@pytest.mark.parametrize(
    ("served", "asked", "reason"),
    [
        ("zorro", None, "no price is known for the served tier zorro"),
        (None, "flex", "tier flex was asked for, and none was named as served"),
    ],
)
def test_an_unknown_tier_is_unknown(served: str | None, asked: str | None, reason: str) -> None:
    """R39: never the standard price in silence."""
    usage = Usage(input_tokens=10, output_tokens=1)
    assert cost(PRICE, usage, served, asked) == Cost(None, reason)


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
    """R39: missing, negative or contradictory figures give unknown, with the reason."""
    found = cost(PRICE, usage, None)
    assert found.usd is None
    assert found.reason


def test_no_price_no_cost() -> None:
    """R39: an unknown price is unknown."""
    found = cost(None, Usage(input_tokens=1, output_tokens=1), None)
    assert found == Cost(None, "no price is known")


COUNTS = st.integers(-5, 10**7) | st.none()


@given(COUNTS, COUNTS, COUNTS, COUNTS, st.sampled_from([None, "flex", "priority", "default", "odd"]))
def test_cost_is_never_negative_and_never_nan(
    prompt: int | None, cached: int | None, written: int | None, output: int | None, tier: str | None
) -> None:
    """R39: for all usage figures a cost is unknown with a reason, or a number from zero."""
    found = cost(PRICE, Usage(prompt, cached, written, output), tier)
    assert (found.usd is None) == (found.reason is not None)
    assert found.usd is None or (found.usd >= 0 and isfinite(found.usd))


def test_shipped_models_are_priced_by_exact_key_or_not_at_all() -> None:
    """R39: an unknown name never falls back to its family's price."""
    launch = compose_launch(["candidate=claude", "candidate.model=claude-opus-999"])
    assert snapshot([launch.candidate], launch.prices)[name_of(launch.candidate)] is None


def test_own_price_comes_first() -> None:
    """R39: model's own, then the administrator's list, then the map."""
    launch = compose_launch(
        [
            "candidate=gpt",
            "candidate.model=gpt-5.4",
            "prices.models={openai/gpt-5.4: {rates: {input_per_million: 7.0, output_per_million: 8.0}}}",
        ]
    )
    price = snapshot([launch.candidate], launch.prices)["openai/gpt-5.4"]
    assert price is not None
    assert price.rates.input_per_million == 7.0


def test_a_region_costs_a_factor() -> None:
    """R39: 100,000 in at 5 and 1,000 out at 25 dollars a million are 0.525, in the US a tenth more."""
    launch = compose_launch(["candidate=claude", "candidate.model=claude-opus-5"])
    price = snapshot([launch.candidate], launch.prices)["anthropic/claude-opus-5"]
    usage = Usage(input_tokens=100_000, output_tokens=1000)
    assert usd(price, usage, "standard") == pytest.approx(0.525)
    assert usd(price, usage, "us") == pytest.approx(0.5775)
    assert usd(price, usage, "priority us") is None


def test_a_stranger_s_endpoint_has_no_list_price() -> None:
    """R39: a gateway or local server under a known name is not priced by the provider's list."""
    launch = compose_launch(["candidate=gpt", "candidate.endpoint=http://127.0.0.1:1/v1"])
    assert snapshot([launch.candidate], launch.prices)[name_of(launch.candidate)] is None


def at_two_endpoints(*overrides: str) -> Launch:
    """Candidate and reader are one name of Google's: the candidate's on a server of one's own."""
    return compose_launch(
        [
            "panel=standard",
            "candidate=gemini",
            "candidate.endpoint=http://127.0.0.1:1/v1beta",
            "reader.llm.model=${candidate.model}",
            "verifier.llm.model=${candidate.model}",
            *overrides,
        ]
    )


def test_one_role_s_endpoint_does_not_price_another_s() -> None:
    """R39: a server of one's own under a name that another role calls at its provider is told apart, or refused."""
    for launch in (at_two_endpoints(), at_two_endpoints("candidate.prices={rates: " + STATED + "}")):
        models = list(launch.models.values())
        for order in (models, models[::-1]):
            with pytest.raises(Refusal) as refused:
                snapshot(order, launch.prices)
            assert refused.value.what == f"the prices of {name_of(launch.candidate)} are refused"
            assert "http://127.0.0.1:1/v1beta" in refused.value.why
            assert "the provider's own endpoint" in refused.value.why
    apart = at_two_endpoints("candidate.provider=my-server", "candidate.protocol=google")
    prices = snapshot(apart.models.values(), apart.prices)
    assert apart.reader.llm is not None
    assert prices[name_of(apart.candidate)] is None
    assert prices[name_of(apart.reader.llm)] is not None
    name = f"google/{apart.candidate.model}"
    one = at_two_endpoints(f"prices.models={{{name}: {{rates: {STATED}}}}}")
    price = snapshot(one.models.values(), one.prices)[name]
    assert price is not None
    assert price.rates.input_per_million == 7.0


def test_a_stated_price_holds_at_its_endpoint() -> None:
    """R39: one role states it, another that calls the same model at the same endpoint pays it."""
    priced = ModelConfig(provider="p", model="m", endpoint="http://h/v1", max_output_tokens=1, prices=PRICE)
    other = priced.model_copy(update={"prices": None})
    assert snapshot([other, priced], PricesConfig()) == {"p/m": PRICE}
    elsewhere = other.model_copy(update={"endpoint": "http://i/v1"})
    with pytest.raises(Refusal, match="different ones for the same model"):
        snapshot([priced, elsewhere], PricesConfig())


def test_only_what_runs_in_this_process_is_free() -> None:
    """R39: an embedded model costs nothing; the same option turned to an endpoint has no price."""
    embedded = compose_launch([])
    assert snapshot([embedded.candidate], embedded.prices)["embedded-retriever/retriever"].rates == Rates(
        input_per_million=0.0, output_per_million=0.0
    )
    elsewhere = compose_launch(["candidate.endpoint=http://127.0.0.1:1/v1"])
    assert snapshot([elsewhere.candidate], elsewhere.prices)["embedded-retriever/retriever"] is None


def priced(provider: str, name: str) -> Price | None:
    model = ModelConfig(provider=provider, model=name, max_output_tokens=1)
    return snapshot([model], PricesConfig())[name_of(model)]


def test_the_map_s_columns_are_read_whole() -> None:
    """R39: of litellm's map as pinned: rates, long context, and tiers whose cached rate has another factor."""
    price = priced("google", "gemini-2.5-pro")
    assert price is not None
    assert price.source == f"litellm {version('litellm')} price map: gemini/gemini-2.5-pro"
    flex = price.service_tiers["flex"]
    assert isinstance(flex, TierPrice)
    assert price.rates.cached_input_per_million == pytest.approx(0.125)
    assert (flex.rates.input_per_million, flex.rates.output_per_million) == pytest.approx((0.625, 5.0))
    assert flex.rates.cached_input_per_million == pytest.approx(0.125)  # half of the rest, and not of this
    assert flex.long_context is not None
    # 250,000 prompt tokens, 50,000 of them cached, 1,000 out, at 2.5, 0.25 and 15; as flex at 1.25, 0.25, 7.5
    usage = Usage(input_tokens=250_000, cached_tokens=50_000, output_tokens=1000)
    assert usd(price, usage, None) == pytest.approx(0.5 + 0.0125 + 0.015)
    assert usd(price, usage, "flex") == pytest.approx(0.25 + 0.0125 + 0.0075)


@pytest.mark.parametrize(
    ("provider", "name"),
    [
        ("anthropic", "claude-sonnet-9"),
        ("anthropic", "claude-opus-5-20990101"),
        ("openai", "gpt-4o-2099-01-01"),
        ("openai", "claude-opus-5"),
        ("google", "gemini-2.5-pro~ok"),
        ("local", "gpt-4o"),
    ],
)
def test_the_map_is_read_by_exact_key_and_provider(provider: str, name: str) -> None:
    """R39: no family, no near name, no other provider's price."""
    assert priced(provider, name) is None


@pytest.mark.parametrize("option", ["claude", "gpt", "gemini"])
def test_shipped_candidates_are_priced(option: str) -> None:
    """R39: a shipped option whose model the map does not know would give runs without a cost."""
    launch = compose_launch([f"candidate={option}", "panel=standard"])
    prices = snapshot(launch.models.values(), launch.prices)
    assert all(prices.values())
