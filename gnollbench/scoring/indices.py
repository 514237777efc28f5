"""The indices of one run: intelligence with its error, speed, cost (R37-R39)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum, log2, sqrt

from gnollbench.errors import Withheld
from gnollbench.scoring.profile import SpeedConstants

SE_ITEMS = 3  # two items give a spread of one difference: no error is read off that (R37)
Z_95 = 1.96  # the normal distribution's 95 % multiplier, as the specification writes it (R37, R40)
SATURATED_SHARE = 0.5  # from half the answers at 100, the Speed Index no longer tells models apart (R38)


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval of an index with its bounds clamped to 0-100, and which of them were (R37)."""

    low: float
    high: float
    low_truncated: bool
    high_truncated: bool


def weighted_index(qualities: Sequence[float], weights: Sequence[float]) -> float:
    """Return I = Σwq / Σw (R37).

    Parameters
    ----------
    qualities : sequence of float
        0-100, one an item.
    weights : sequence of float
        Assessed difficulties, 1-100, in the same order.

    Raises
    ------
    ValueError
        If there is no item, or the lengths differ.
    """
    if not qualities:
        raise ValueError("no items")
    return fsum(w * q for q, w in zip(qualities, weights, strict=True)) / fsum(weights)


def index_error(qualities: Sequence[float], weights: Sequence[float]) -> float | Withheld:
    """Return SE = √(n/(n-1) · Σw²(q - I)²) / Σw, the error of having drawn these questions (R37).

    Withheld below three items.
    """
    n = len(qualities)
    if n < SE_ITEMS:
        return Withheld("intelligence.se", f"{n} answers count", f"at least {SE_ITEMS} answers that count")
    index = weighted_index(qualities, weights)
    squares = fsum((w * (q - index)) ** 2 for q, w in zip(qualities, weights, strict=True))
    return sqrt(n / (n - 1) * squares) / fsum(weights)


def interval(index: float, half_width: float) -> Interval:
    """Return index ± half_width with bounds clamped to 0-100 and marked (R37, R48)."""
    low, high = index - half_width, index + half_width
    return Interval(max(low, 0.0), min(high, 100.0), low < 0, high > 100)


def model_time_ms(turn_ms: float, tool_ms: float) -> float:
    """Return the turn without its tool time, in milliseconds; never below 0 (R38)."""
    return max(turn_ms - tool_ms, 0.0)


def target_ms(difficulty: float, constants: SpeedConstants) -> float:
    """Return T(d) = 2000 ms · (1 + d/100) (R38)."""
    return constants.base_ms * (1 + difficulty / 100)


def speed_score(model_ms: float, difficulty: float, constants: SpeedConstants) -> float:
    """Return S = clamp(100 - 12 · log2(t/T), 1, 100) of one answer (R38).

    At difficulty 50 the target is 3 s; 12 s are two doublings of it, so 100 - 2 · 12 = 76. A time within the
    target, none at all included, is 100.
    """
    target = target_ms(difficulty, constants)
    if model_ms <= target:
        return 100.0
    return max(100 - constants.points_per_doubling * log2(model_ms / target), 1.0)


def saturated(speeds: Sequence[float]) -> bool:
    """Return whether at least half the answers score 100 on speed (R38)."""
    return sum(speed >= 100 for speed in speeds) >= SATURATED_SHARE * len(speeds)


def total_usd(parts: Iterable[float | None]) -> float | None:
    """Return the sum of prices in US dollars; None as soon as one is unknown, 0 for none at all (R39)."""
    known: list[float] = []
    for part in parts:
        if part is None:
            return None
        known.append(part)
    return fsum(known)
