"""The claim verifier: statements in, rulings with citations out (R33, R34)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from gnollbench.corpus.tools import Toolset
from gnollbench.llm.messages import Message, Request
from gnollbench.records.canonical import safe_text
from gnollbench.records.launch import Limits, VerifierConfig
from gnollbench.roles.agent import Agent, AgentLimits, Turn
from gnollbench.roles.calls import Line
from gnollbench.roles.grading import fence_mark
from gnollbench.roles.reply_json import NoReplyObject, last_object
from gnollbench.roles.templates import render
from gnollbench.scoring.part import Part
from gnollbench.scoring.verdict import Citation, Claim, ClaimKind, Dimension, Member, Ruling, Verdict

ACCURACY_CHARGED = 5  # R33: charged sentences are checked at this Accuracy level or below

Resolve = Callable[[Citation], str | None]
"""Says what is wrong with a citation, or None where it resolves."""


class RuledItem(Part):
    """One ruling as the verifier returns it."""

    item: int
    ruling: Ruling
    citation: Citation | None = None
    reason: str = ""


class RulingForm(Part):
    """The reply that the verifier is asked for."""

    rulings: tuple[RuledItem, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A statement to check, why, and which members raised it."""

    kind: ClaimKind
    quote: str
    raised_by: tuple[Member, ...]


def gather(verdicts: Mapping[Member, Verdict], contested: bool) -> list[Item]:
    """Collect the union of both members' charges, each statement once per kind, in order of weight (R33).

    ``contested`` adds the graders' own statements of fact: their reasons for a critical error.
    """
    found: dict[tuple[ClaimKind, str], list[Member]] = {}

    def add(kind: ClaimKind, quote: str, member: Member) -> None:
        if quote.strip():
            raised_by = found.setdefault((kind, " ".join(quote.split())), [])
            if member not in raised_by:
                raised_by.append(member)

    for member, verdict in verdicts.items():
        if verdict.critical_error is not None:
            add(ClaimKind.CRITICAL_ERROR, verdict.critical_error.quote, member)
    for member, verdict in verdicts.items():
        if verdict.levels.accuracy <= ACCURACY_CHARGED:
            for charge in verdict.charges:
                if charge.dimension is Dimension.ACCURACY:
                    add(ClaimKind.CHARGED, charge.quote, member)
        for claim in verdict.unverified_claims:
            kind = ClaimKind.SUSPECTED_FALSE if claim.suspected_false else ClaimKind.UNVERIFIED
            add(kind, claim.quote, member)
        if contested and verdict.critical_error is not None:
            add(ClaimKind.ASSESSOR_STATEMENT, verdict.critical_error.reason, member)
    return [Item(kind, quote, tuple(raised_by)) for (kind, quote), raised_by in found.items()]


def budget(config: VerifierConfig, limits: Limits, items: int) -> AgentLimits:
    """Return the budget for a number of items (R33); result sizes are the candidate's."""
    calls = min(config.tool_calls_most, config.tool_calls + items)
    rounds = max(config.tool_rounds, calls // 2)
    return AgentLimits(
        tool_calls=calls,
        tool_rounds=rounds,
        model_calls=max(config.model_calls, rounds + 4),
        timeout_s=config.timeout_s,
        tool_s=limits.tool_s,
        result_cap=limits.result_cap,
        batch_cap=limits.batch_cap,
        turn_cap=limits.turn_cap,
    )


class ClaimVerifier:
    """One verifying model with its tools.

    Parameters
    ----------
    resolve : callable
        Resolves a citation in code; a ruling whose citation does not resolve is read as indeterminate (R34).
    """

    def __init__(
        self, line: Line, config: VerifierConfig, limits: Limits, toolset: Toolset, resolve: Resolve
    ) -> None:
        self._line, self._config, self._limits = line, config, limits
        self._toolset, self._resolve = toolset, resolve

    async def verify(
        self, question: str, snapshot: str | None, items: list[Item]
    ) -> tuple[list[Claim], Turn]:
        """Check the items of one answer; what goes wrong leaves its items indeterminate."""
        if self._config.llm is None:
            raise ValueError("a verifier without a model was asked")
        mark = fence_mark("".join(item.quote for item in items))
        user = render(
            "verify_user.md.j2",
            question=question,
            snapshot=snapshot,
            mark=mark,
            items=[{"kind": item.kind.value, "quote": safe_text(item.quote)} for item in items],
        )
        messages = (Message("system", render("verify_system.md.j2")), Message("user", user))
        request = Request(self._config.llm, messages, tuple(self._toolset.declarations), cache_prefix=1)
        limits = budget(self._config, self._limits, len(items))
        turn = await Agent(self._line, self._toolset, limits).turn(request)
        rulings, problem = _rulings(turn)
        return [self._claim(item, rulings.get(place), problem) for place, item in enumerate(items, 1)], turn

    def _claim(self, item: Item, ruled: RuledItem | None, problem: str) -> Claim:
        claim = Claim(
            kind=item.kind,
            quote=item.quote,
            raised_by=item.raised_by,
            ruling=Ruling.INDETERMINATE,
            reason=problem or "no ruling was returned",
        )
        if ruled is None:
            return claim
        ruling, reason = ruled.ruling, ruled.reason
        if ruling is not Ruling.INDETERMINATE:
            fault = "it has no citation" if ruled.citation is None else self._resolve(ruled.citation)
            if fault:
                ruling, reason = Ruling.INDETERMINATE, f"{reason} [read as indeterminate: {fault}]".strip()
        found = {
            "ruling": ruling,
            "original_ruling": ruled.ruling,
            "citation": ruled.citation,
            "reason": reason,
        }
        return claim.model_copy(update=found)


def _rulings(turn: Turn) -> tuple[dict[int, RuledItem], str]:
    if turn.failure is not None:
        return {}, f"the verifier failed: {turn.failure.kind}"
    try:
        form = RulingForm.model_validate_json(json.dumps(last_object(turn.text)))
    except (NoReplyObject, ValidationError) as error:
        limits = f" (limits: {', '.join(turn.limits_hit)})" if turn.limits_hit else ""
        return {}, f"the verifier's reply cannot be read: {str(error).splitlines()[0]}{limits}"
    return {ruled.item: ruled for ruled in form.rulings}, ""
