"""Tokens and prices added up: what is known of them, and of how many calls it is not (R39)."""

from collections.abc import Iterable
from math import fsum

from gnollbench.records.run import Cost, Usage


def sum_of(parts: Iterable[Usage]) -> Usage:
    """Add up what was used; a part that is unknown is counted, and takes nothing from the rest."""
    used = list(parts)
    stated = [part for part in used if not _unstated(part)] or used
    tiers = {part.service_tier for part in used}
    return Usage(
        input_tokens=_known(part.input_tokens for part in used),
        cached_tokens=_all(part.cached_tokens for part in stated),
        cache_write_tokens=_all(part.cache_write_tokens for part in stated),
        output_tokens=_known(part.output_tokens for part in used),
        reasoning_tokens=_all(part.reasoning_tokens for part in stated),
        service_tier=tiers.pop() if len(tiers) == 1 else None,
        usd=_usd(used),
        unmetered=_unmetered(used),
        unpriced=_unpriced(used),
    )


def cost_of(*parts: Usage | Cost) -> Cost:
    """Add up what a role used, with the reason where it is more than is known."""
    unpriced = _unpriced(parts)
    return Cost(
        input_tokens=_known(part.input_tokens for part in parts),
        output_tokens=_known(part.output_tokens for part in parts),
        usd=_usd(parts),
        reason="a price or a usage figure is not known" if unpriced else None,
        unmetered=_unmetered(parts),
        unpriced=unpriced,
    )


def _unstated(part: Usage | Cost) -> bool:
    return part.input_tokens is None and part.output_tokens is None


def _unmetered(parts: Iterable[Usage | Cost]) -> int:
    return sum(part.unmetered or int(None in (part.input_tokens, part.output_tokens)) for part in parts)


def _unpriced(parts: Iterable[Usage | Cost]) -> int:
    return sum(part.unpriced or int(part.usd is None) for part in parts)


def _usd(parts: Iterable[Usage | Cost]) -> float | None:
    known = [part.usd for part in parts if part.usd is not None]
    return fsum(known) if known else None


def _known(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _all(counts: Iterable[int | None]) -> int | None:
    listed = list(counts)
    known = [count for count in listed if count is not None]
    return sum(known) if len(known) == len(listed) else None
