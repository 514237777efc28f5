"""Price snapshots, long context and the tier served (R39). An unknown price is unknown, never zero.

The only user of litellm's price map, which is read as a file: importing litellm takes seconds.
"""

import importlib.util
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from gnollbench.llm.messages import Usage
from gnollbench.records.launch import LongContext, ModelConfig, Price, PricesConfig, Protocol, Rates

_MAP_FILE = "model_prices_and_context_window_backup.json"
_MILLION = 1_000_000
_NOTHING = Rates(input_per_million=0.0, output_per_million=0.0)
_LONG_INPUT = re.compile(r"^input_cost_per_token_above_(\d+)k_tokens$")
_TIERS = ("flex", "priority")  # the tiers that the map prices apart


def snapshot(models: Iterable[ModelConfig], own: PricesConfig) -> dict[str, Price | None]:
    """Take the price of every model, keyed ``provider/model``; None where nobody states one.

    Precedence: the model's own ``prices``, the administrator's list, litellm's map by exact key. A model
    that runs in this process costs nothing.
    """
    return {
        name_of(model): model.prices or own.models.get(name_of(model)) or _from_map(model) for model in models
    }


def name_of(model: ModelConfig) -> str:
    """Return the name under which a model's price is kept."""
    return f"{model.provider}/{model.model}"


def cost_usd(price: Price | None, usage: Usage, served_tier: str | None) -> float | None:
    """Return what one request cost, or None where price or usage is unknown or makes no sense (R39).

    Long-context rates hold for the whole request once its prompt exceeds the threshold; the multiplier of
    the tier that was actually served comes last.
    """
    if price is None or not _sensible(usage):
        return None
    prompt, output = usage.input_tokens or 0, usage.output_tokens or 0
    rates = price.rates
    if price.long_context is not None and prompt > price.long_context.threshold_input_tokens:
        rates = price.long_context.rates
    cached, written = usage.cached_tokens or 0, usage.cache_write_tokens or 0
    cached_rate = _or(rates.cached_input_per_million, rates.input_per_million)
    write_rate = _or(rates.cache_write_per_million, rates.input_per_million)
    total = (
        (prompt - cached - written) * rates.input_per_million
        + cached * cached_rate
        + written * write_rate
        + output * rates.output_per_million
    )
    return total / _MILLION * price.service_tiers.get(served_tier or "", 1.0)


def _sensible(usage: Usage) -> bool:
    prompt, output = usage.input_tokens, usage.output_tokens
    if prompt is None or output is None or prompt < 0 or output < 0 or prompt + output == 0:
        return False
    cached, written = usage.cached_tokens or 0, usage.cache_write_tokens or 0
    return cached >= 0 and written >= 0 and cached + written <= prompt


def _or(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else value


def _from_map(model: ModelConfig) -> Price | None:
    if model.embedded:
        return Price(rates=_NOTHING, source="embedded: runs in this process")
    if model.endpoint is not None:
        return None  # somebody else's server: the provider's list price is not its price
    key = (
        f"gemini/{model.model}"
        if model.protocol == Protocol.GOOGLE or model.provider == "google"
        else model.model
    )
    entry = _price_map().get(key)
    if entry is None or "input_cost_per_token" not in entry or "output_cost_per_token" not in entry:
        return None
    return _price_of(entry, key)


def _price_of(entry: Mapping[str, Any], key: str) -> Price:
    thresholds = [int(match[1]) for name in entry if (match := _LONG_INPUT.match(name))]
    long_context = None
    if thresholds:
        threshold = min(thresholds)
        long_context = LongContext(
            threshold_input_tokens=threshold * 1000, rates=_rates(entry, f"_above_{threshold}k_tokens")
        )
    base = float(entry["input_cost_per_token"])
    tiers = {
        tier: float(entry[f"input_cost_per_token_{tier}"]) / base
        for tier in _TIERS
        if base > 0 and entry.get(f"input_cost_per_token_{tier}") is not None
    }
    return Price(
        rates=_rates(entry, ""),
        long_context=long_context,
        service_tiers=tiers,
        source=f"litellm price map: {key}",
    )


def _rates(entry: Mapping[str, Any], suffix: str) -> Rates:
    def per_million(name: str) -> float | None:
        value = entry.get(f"{name}{suffix}", entry.get(name))
        return None if value is None else float(value) * _MILLION

    return Rates(
        input_per_million=per_million("input_cost_per_token") or 0.0,
        output_per_million=per_million("output_cost_per_token") or 0.0,
        cached_input_per_million=per_million("cache_read_input_token_cost"),
        cache_write_per_million=per_million("cache_creation_input_token_cost"),
    )


@cache
def _price_map() -> dict[str, dict[str, Any]]:
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    path = Path(spec.origin).parent / _MAP_FILE
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}
