"""The claim verifier: statements in, rulings with citations out (R33, R34)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import ValidationError

from gnollbench.corpus.tools import Toolset
from gnollbench.llm.messages import Message, Reply, Request
from gnollbench.records.canonical import as_object
from gnollbench.records.launch import Limits, ModelConfig, VerifierConfig
from gnollbench.records.run import UnscoredCode
from gnollbench.roles.agent import Agent, AgentLimits, Turn
from gnollbench.roles.calls import CallLog
from gnollbench.roles.grading import board_message, repair_request
from gnollbench.roles.reply_json import NoReplyObject, last_object, reply_schema
from gnollbench.roles.templates import render
from gnollbench.roles.untrusted import fence_mark, one_line
from gnollbench.roles.verdicts import first_problem, json_text
from gnollbench.scoring.evidence import sentences
from gnollbench.scoring.part import Part
from gnollbench.scoring.quality import normalised
from gnollbench.scoring.verdict import Basis, Citation, Claim, ClaimKind, Dimension, Member, Ruling, Verdict

ACCURACY_CHARGED = 5  # R33: charged sentences are checked at this Accuracy level or below
_STATEMENT_WORDS = 4  # a grader's sentence of fewer words states no fact that could be looked up
_NOT_FALSE = frozenset({Basis.OMISSION, Basis.FORM})  # charged, but not as false
_WEIGHT = (
    ClaimKind.CRITICAL_ERROR,
    ClaimKind.CHARGED,
    ClaimKind.SUSPECTED_FALSE,
    ClaimKind.ASSESSOR_STATEMENT,
    ClaimKind.UNVERIFIED,
)
"""What a ruling bears on, the gravest first: a budget that runs out leaves the last ones open."""

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
class Verified:
    """What checking an answer's items gave; ``problem`` says why items were left open, empty if none was."""

    claims: tuple[Claim, ...]
    problem: str


@dataclass(slots=True)
class Item:
    """A statement to check: why it is to be checked, by whom, and on what ground it was charged.

    Attributes
    ----------
    raised : dict of ClaimKind to list of Member
        The members that raised it, under each kind.
    grounds : list of str
        What the members charge in it, in their own words: a ruling is on that part (R34).
    """

    quote: str
    raised: dict[ClaimKind, list[Member]] = field(default_factory=dict[ClaimKind, list[Member]])
    grounds: list[str] = field(default_factory=list[str])

    @property
    def weight(self) -> int:
        """Place of its gravest kind; 0 is a critical error."""
        return min(map(_WEIGHT.index, self.raised))


def gather(verdicts: Mapping[Member, Verdict], contested: Iterable[Member]) -> list[Item]:
    """Collect the union of both members' charges, each statement once, the gravest first (R33).

    Parameters
    ----------
    verdicts : mapping of Member to Verdict
        With their quotes looked up in the answer: a critical error whose quote is not there is void.
    contested : iterable of Member
        Whose verdict is contested: what that member states as fact in its evidence is checked too.
    """
    items: dict[str, Item] = {}
    for member, kind, quote, ground in _charges(verdicts, frozenset(contested)):
        if not any(map(str.isalnum, quote)):
            continue
        item = items.setdefault(normalised(quote), Item(one_line(quote)))
        members = item.raised.setdefault(kind, [])
        if member not in members:
            members.append(member)
        if ground.strip() and one_line(ground) not in item.grounds:
            item.grounds.append(one_line(ground))
    return sorted(items.values(), key=lambda item: item.weight)


def budget(config: VerifierConfig, limits: Limits, items: int) -> AgentLimits:
    """Return the budget for a number of items (R33); result sizes are the candidate's."""
    calls = min(config.tool_calls_most, config.tool_calls + items)
    rounds = max(config.tool_rounds, -(-calls // 2))
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


def verify_request(
    model: ModelConfig,
    question: str,
    snapshot: str | None,
    items: Sequence[Item],
    tools: tuple[Mapping[str, Any], ...],
) -> Request:
    """Build a verification request: fixed prefix with the board, then the question and the fenced items (R29)."""
    shown = [
        {"kinds": ", ".join(kind.value for kind in item.raised), "quote": item.quote, "grounds": item.grounds}
        for item in items
    ]
    mark = fence_mark(*(text for item in items for text in (item.quote, *item.grounds)))
    prefix = (Message("system", render("verify_system.md.j2")), *board_message(snapshot))
    user = render("verify_user.md.j2", question=question, mark=mark, items=shown)
    return Request(model, (*prefix, Message("user", user)), tools, cache_prefix=len(prefix))


class ClaimVerifier:
    """One verifying model with its tools.

    Parameters
    ----------
    resolve : callable
        Resolves a citation in code; a ruling whose citation does not resolve is read as indeterminate (R34).
    """

    def __init__(self, config: VerifierConfig, limits: Limits, toolset: Toolset, resolve: Resolve) -> None:
        self._config, self._limits = config, limits
        self._toolset, self._resolve = toolset, resolve

    async def verify(self, question: str, snapshot: str | None, items: list[Item], log: CallLog) -> Verified:
        """Check the items of one answer; what goes wrong leaves its items indeterminate, with the reason."""
        if self._config.llm is None:
            raise ValueError("a verifier without a model was asked")
        tools = tuple(self._toolset.declarations)
        request = verify_request(self._config.llm, question, snapshot, items, tools)
        limits = budget(self._config, self._limits, len(items))
        turn = await Agent(self._toolset, limits).turn(request, log)
        untrusted = "\n".join(text for item in items for text in (item.quote, *item.grounds))
        rulings, problem = await self._rulings(turn, request, untrusted)
        places = range(1, len(items) + 1)
        if not problem and not rulings.keys() >= set(places):
            problem = "no ruling was returned"
        claims = tuple(
            self._claim(item, kind, rulings.get(place), problem)
            for place, item in zip(places, items, strict=True)
            for kind in item.raised
        )
        return Verified(claims, problem)

    async def _rulings(
        self, turn: Turn, request: Request, untrusted: str
    ) -> tuple[dict[int, RuledItem], str]:
        """Read the rulings; a reply that holds none is asked for once more, without tools."""
        if turn.failure is not None:
            return {}, f"the verifier failed: {turn.failure.kind}"
        if turn.limits_hit and not turn.text.strip():
            return {}, f"the verifier's budget was used up: {', '.join(turn.limits_hit)}"
        try:
            return read_rulings(turn.text, untrusted), ""
        except NoReplyObject as problem:
            said = Reply(turn.text, turn.finish_reason or "stop")
            again = repair_request(request, said, "verify_repair.md.j2", problem)
        bare = Request(
            again.model, again.messages, schema=reply_schema(RulingForm), cache_prefix=again.cache_prefix
        )
        try:
            reply = await turn.log.call(bare, turn.deadline(self._config.timeout_s))
            return read_rulings(reply.text, untrusted), ""
        except Exception as problem:  # whatever it is, it leaves the items open and breaks nothing
            return {}, one_line(f"the verifier's reply cannot be read: {problem}")

    def _claim(self, item: Item, kind: ClaimKind, ruled: RuledItem | None, problem: str) -> Claim:
        claim = Claim(
            kind=kind,
            quote=item.quote,
            raised_by=tuple(item.raised[kind]),
            ruling=Ruling.INDETERMINATE,
            reason=problem,
        )
        if ruled is None:
            return claim
        ruling, reason = ruled.ruling, one_line(ruled.reason)
        if ruling is not Ruling.INDETERMINATE:
            fault = "it has no citation" if ruled.citation is None else self._fault(ruled.citation)
            if fault:
                ruling, reason = Ruling.INDETERMINATE, f"{reason} [read as indeterminate: {fault}]".strip()
        found = {
            "ruling": ruling,
            "original_ruling": ruled.ruling,
            "citation": ruled.citation,
            "reason": reason,
        }
        return claim.model_copy(update=found)

    def _fault(self, citation: Citation) -> str | None:
        try:
            return self._resolve(citation)
        except Exception as fault:  # ours: one odd citation must not take the other rulings with it
            return f"it could not be looked up ({type(fault).__name__}: {fault})"


def read_rulings(text: str, untrusted: str = "") -> dict[int, RuledItem]:
    """Read a verifier's reply: its rulings by item; one that cannot be read is indeterminate.

    Rulings that stand in the untrusted text too, the items' own, are a quotation.

    Raises
    ------
    NoReplyObject
        If the reply holds no list of rulings.
    """
    entries: Any = last_object(text, "rulings", untrusted)["rulings"]
    if not isinstance(entries, list):
        raise NoReplyObject(UnscoredCode.SCHEMA, "rulings: it is no list")
    read = (_ruled(entry) for entry in cast("list[Any]", entries))
    return {ruled.item: ruled for ruled in read if ruled is not None}


def _ruled(entry: Any) -> RuledItem | None:
    try:
        return RuledItem.model_validate_json(json_text(entry))
    except ValidationError as error:
        item: Any = as_object(entry).get("item")
        if not isinstance(item, int):
            return None
        reason = f"its ruling cannot be read: {first_problem(error)}"
        return RuledItem(item=item, ruling=Ruling.INDETERMINATE, reason=reason)


def _charges(
    verdicts: Mapping[Member, Verdict], contested: frozenset[Member]
) -> Iterator[tuple[Member, ClaimKind, str, str]]:
    """Yield every charge: who raised it, as what, the sentence, the ground."""
    for member, verdict in verdicts.items():
        error, evidence = verdict.critical_error, verdict.evidence.accuracy
        if error is not None and error.found:
            yield member, ClaimKind.CRITICAL_ERROR, error.quote, error.reason
        if verdict.levels.accuracy <= ACCURACY_CHARGED:
            for charge in verdict.charges:
                if charge.dimension is Dimension.ACCURACY and charge.basis not in _NOT_FALSE:
                    yield member, ClaimKind.CHARGED, charge.quote, evidence
        for claim in verdict.unverified_claims:
            kind = ClaimKind.SUSPECTED_FALSE if claim.suspected_false else ClaimKind.UNVERIFIED
            yield member, kind, claim.quote, ""
        if member in contested:
            for sentence in sentences(evidence):
                if len(sentence.split()) >= _STATEMENT_WORDS:
                    yield member, ClaimKind.ASSESSOR_STATEMENT, sentence, ""
