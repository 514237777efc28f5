"""Price snapshots, long context and the tier served (R39). An unknown price is unknown, never zero.

The only user of litellm's price map, which is read as a file: importing litellm takes seconds.
"""

import importlib.util
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gnollbench.errors import Refusal
from gnollbench.llm.arguments import protocol_of
from gnollbench.llm.messages import Usage
from gnollbench.records.launch import (
    LongContext,
    ModelConfig,
    Price,
    PricesConfig,
    Protocol,
    Rates,
    TierPrice,
)

_MAP_FILE = "model_prices_and_context_window_backup.json"
_MILLION = 1_000_000
_NOTHING = Rates(input_per_million=0.0, output_per_million=0.0)
_LONG_INPUT = re.compile(r"^input_cost_per_token_above_(\d+)k_tokens$")
_TIERS = ("flex", "priority")  # the tiers that the map prices apart and a provider may say it served
_PLACES = ("us",)  # where Anthropic's inference costs a factor more
_STANDARD = frozenset({"standard", "default", "on_demand"})  # the providers' names for no tier in particular


@dataclass(frozen=True, slots=True)
class Cost:
    """What one request cost in USD; ``reason`` says why it is unknown."""

    usd: float | None
    reason: str | None = None


def snapshot(models: Iterable[ModelConfig], own: PricesConfig) -> dict[str, Price | None]:
    """Take the price of every model, keyed ``provider/model``; None where nobody states one.

    Precedence: the model's own ``prices``, which hold for every role that calls it at the same endpoint, the
    administrator's list, litellm's map by exact key. A model that runs in this process costs nothing.

    Raises
    ------
    Refusal
        If two roles would pay different prices for one ``provider/model``.
    """
    models = list(models)
    stated = {(name_of(model), model.endpoint): model.prices for model in models if model.prices}
    taken: dict[str, Price | None] = {}
    told: dict[str, str] = {}
    for model in models:
        name = name_of(model)
        price = model.prices or stated.get((name, model.endpoint)) or own.models.get(name) or _from_map(model)
        place = model.endpoint or "the provider's own endpoint"
        found = f"{price.source if price else 'none'} at {place}"
        if taken.setdefault(name, price) != price:
            raise Refusal(
                f"the prices of {name} are refused",
                f"two roles have different ones for the same model (R39): {told[name]}, {found}",
                "state one price for it under prices.models, or give a server of your own another provider name",
            )
        told.setdefault(name, found)
    return taken


def name_of(model: ModelConfig) -> str:
    """Return the name under which a model's price is kept."""
    return f"{model.provider}/{model.model}"


def cost(price: Price | None, usage: Usage, served_tier: str | None, asked_tier: str | None = None) -> Cost:
    """Return what one request cost, or why that is unknown (R39).

    Long-context rates hold for the whole request once its prompt exceeds the threshold. The tier that was
    served decides, not the one asked for; one that was asked for and is not confirmed is unknown, and so
    is one that the price does not list.
    """
    if price is None:
        return Cost(None, "no price is known")
    problem = _senseless(usage)
    if problem:
        return Cost(None, problem)
    prompt, output = usage.input_tokens or 0, usage.output_tokens or 0
    if price.rates == _NOTHING and price.long_context is None and not price.service_tiers:
        return Cost(0.0)
    tier = served_tier or asked_tier
    special = price.service_tiers.get(tier) if tier else None
    if tier is None or (special is None and tier in _STANDARD):
        return _charged(price.rates, price.long_context, prompt, output, usage)
    if served_tier is None:
        return Cost(None, f"tier {tier} was asked for, and none was named as served")
    if special is None:
        return Cost(None, f"no price is known for the served tier {tier}")
    if isinstance(special, TierPrice):
        if price.long_context is not None and special.long_context is None and _is_long(price, prompt):
            return Cost(None, f"no price is known for a long context in tier {tier}")
        return _charged(special.rates, special.long_context, prompt, output, usage)
    plain = _charged(price.rates, price.long_context, prompt, output, usage)
    return plain if plain.usd is None else Cost(plain.usd * special)


def _is_long(price: Price, prompt: int) -> bool:
    return price.long_context is not None and prompt > price.long_context.threshold_input_tokens


def _charged(rates: Rates, long_context: LongContext | None, prompt: int, output: int, usage: Usage) -> Cost:
    if long_context is not None and prompt > long_context.threshold_input_tokens:
        rates = long_context.rates
    cached, written = usage.cached_tokens or 0, usage.cache_write_tokens or 0
    read, write = rates.cached_input_per_million, rates.cache_write_per_million
    total = (
        (prompt - cached - written) * rates.input_per_million
        + cached * (rates.input_per_million if read is None else read)
        + written * (rates.input_per_million if write is None else write)
        + output * rates.output_per_million
    )
    return Cost(total / _MILLION)


def _senseless(usage: Usage) -> str | None:
    prompt, output = usage.input_tokens, usage.output_tokens
    if prompt is None or output is None:
        return "no usage is known"
    cached, written = usage.cached_tokens or 0, usage.cache_write_tokens or 0
    thought = usage.reasoning_tokens or 0
    sensible = (
        min(output, cached, written, thought) >= 0
        and cached + written <= prompt
        and thought <= output
        and prompt > 0
    )
    return None if sensible else "the stated usage makes no sense"


def _from_map(model: ModelConfig) -> Price | None:
    if model.embedded:
        return Price(rates=_NOTHING, source="embedded: runs in this process")
    if model.endpoint is not None:
        return None  # somebody else's server: the provider's list price is not its price
    key = f"gemini/{model.model}" if protocol_of(model) is Protocol.GOOGLE else model.model
    entry = _price_map().get(key)
    if entry is None or entry.get("litellm_provider") != _map_provider(model):
        return None
    return _price_of(entry, key)


def _map_provider(model: ModelConfig) -> str:
    return "gemini" if model.provider == "google" else model.provider


def _price_of(entry: Mapping[str, Any], key: str) -> Price | None:
    rates = _rates(entry, "")
    if rates is None:
        return None
    threshold = min((int(match[1]) for name in entry if (match := _LONG_INPUT.match(name))), default=None)
    tiers: dict[str, TierPrice | float] = {
        tier: found for tier in _TIERS if (found := _tier(entry, tier, threshold))
    }
    tiers |= {
        place: factor
        for place, factor in entry.get("provider_specific_entry", {}).items()
        if place in _PLACES
    }
    return Price(
        rates=rates,
        long_context=_long_context(entry, threshold, ""),
        service_tiers=tiers,
        source=f"litellm {version('litellm')} price map: {key}",
    )


def _tier(entry: Mapping[str, Any], tier: str, threshold: int | None) -> TierPrice | None:
    rates = _rates(entry, f"_{tier}")
    if rates is None:
        return None
    return TierPrice(rates=rates, long_context=_long_context(entry, threshold, f"_{tier}"))


def _long_context(entry: Mapping[str, Any], threshold: int | None, tier: str) -> LongContext | None:
    rates = None if threshold is None else _rates(entry, f"_above_{threshold}k_tokens{tier}")
    if rates is None or threshold is None:
        return None
    return LongContext(threshold_input_tokens=threshold * 1000, rates=rates)


def _rates(entry: Mapping[str, Any], suffix: str) -> Rates | None:
    """Read the rates of one column of the map; None where it does not price input and output itself.

    A cache rate that the column lacks is the standard one, never below what was charged.
    """
    base, output = _rate(entry, "input_cost_per_token", suffix), _rate(entry, "output_cost_per_token", suffix)
    if base is None or output is None:
        return None
    read, written = "cache_read_input_token_cost", "cache_creation_input_token_cost"
    return Rates(
        input_per_million=base,
        output_per_million=output,
        cached_input_per_million=_or_none(_rate(entry, read, suffix), _rate(entry, read, "")),
        cache_write_per_million=_or_none(_rate(entry, written, suffix), _rate(entry, written, "")),
    )


def _rate(entry: Mapping[str, Any], field: str, suffix: str) -> float | None:
    value = entry.get(f"{field}{suffix}")
    return None if value is None else float(value) * _MILLION


def _or_none(value: float | None, otherwise: float | None) -> float | None:
    return otherwise if value is None else value


@cache
def _price_map() -> dict[str, dict[str, Any]]:
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    path = Path(spec.origin).parent / _MAP_FILE
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}
