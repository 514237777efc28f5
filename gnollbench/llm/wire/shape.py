"""What is read of a body, whichever protocol it is in: what was asked, what was stated (R16, R39)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from gnollbench.llm.failures import Fault
from gnollbench.llm.messages import Usage
from gnollbench.records.canonical import objects

Body = dict[str, Any]
_MOST_TOKENS = 10**9  # of one call; what is more is no count


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request body asks for, as the provider will read it; None is not asked.

    ``thinking`` is a level, or True for a budget of tokens; ``sequential`` says that tool calls are to
    come one at a time.
    """

    system: str
    tools: frozenset[str]
    output_tokens: int | None
    thinking: str | bool | None = None
    summary: str | None = None
    mode: str | None = None
    tier: str | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict[str, Any])
    sequential: bool = False


@dataclass(frozen=True, slots=True)
class Stated:
    """What a provider stated beside its reply's content; the fields are those of a `Reply`.

    ``unread`` is visible text that litellm leaves unread: a refusal, what stands before a filter's cut;
    ``carried`` what the provider wants back, in its own form and order: signed and sealed thoughts.
    """

    finish_reason: str
    native_finish_reason: str | None
    served_model: str | None
    service_tier: str | None
    usage: Usage
    problem: str | None
    unread: str = ""
    carried: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Assembly(Protocol):
    """A streamed reply as it grows into the body that an unstreamed one would have had."""

    @property
    def text(self) -> str:
        """What is visible so far."""
        ...

    @property
    def begun(self) -> bool:
        """Whether any of it is more than white space."""
        ...

    @property
    def ended(self) -> bool:
        """Whether nothing can follow what came: a server may keep the connection open."""
        ...

    def add(self, event: Body) -> None:
        """Take one event of the stream."""
        ...

    def body(self) -> Body | None:
        """Return the whole body, or None while the stream has not said how it ends."""
        ...


class Shape(Protocol):
    """One protocol's bodies."""

    blank: Mapping[str, Any]  # a reply that says nothing, for a request that is only built

    def asked(self, body: Body) -> Asked:
        """Read a request."""
        ...

    def restored(self, body: Body, turns: Sequence[Mapping[str, Any]], /) -> Body:
        """Return a request with what each of the model's turns carried, in its place.

        Raises
        ------
        ValueError
            If the body has another number of turns.
        """
        ...

    def streamed(self, url: str, body: Body) -> tuple[str, Body]:
        """Return address and body that ask for a stream, with usage at its end."""
        ...

    def assembly(self) -> Assembly:
        """Return an empty stream."""
        ...

    def fault(self, body: Body) -> Fault | None:
        """Say why a body is no reply, or None where it is one."""
        ...

    def stated(self, body: Body, headers: Mapping[str, str], /) -> Stated:
        """Read a reply."""
        ...

    def readable(self, body: Body) -> Body:
        """Return a reply as litellm reads it without a loss; its usage says nothing, for it is read here."""
        ...


def usage_of(found: Mapping[str, Any]) -> tuple[Usage, str | None]:
    """Return the usage of a reply, with what is wrong with it in words (R39).

    Parameters
    ----------
    found : mapping
        Raw values by the names of `Usage`; None where the provider gave none. A value that is no count is
        left out: it is unknown, never a guess.
    """
    garbled = [
        f"{name} is {value!r}" for name, value in found.items() if value is not None and not _count(value)
    ]
    usage = Usage(**{name: value if _count(value) else None for name, value in found.items()})
    if garbled:
        return usage, f"the stated usage makes no sense: {', '.join(garbled)}"
    if usage.input_tokens is None or usage.output_tokens is None:
        return usage, "no usage was stated"
    if usage.input_tokens == 0:
        return usage, "the stated usage makes no sense: a prompt of no tokens"
    kept = (usage.cached_tokens or 0) + (usage.cache_write_tokens or 0)
    if kept > usage.input_tokens:
        return usage, f"the stated usage makes no sense: {kept} of {usage.input_tokens} input tokens cached"
    thought = usage.reasoning_tokens or 0
    if thought > usage.output_tokens:
        return (
            usage,
            f"the stated usage makes no sense: {thought} of {usage.output_tokens} output tokens thought",
        )
    return usage, None


def restored_messages(
    messages: Any, turns: Sequence[Mapping[str, Any]], restored: Callable[[Body, Mapping[str, Any]], Body]
) -> list[Body]:
    """Return messages of which those of the assistant are restored, each from its turn.

    Raises
    ------
    ValueError
        If these are not as many as the turns.
    """
    own = [message for message in objects(messages) if message.get("role") == "assistant"]
    again = iter([restored(message, turn) for message, turn in zip(own, turns, strict=True)])
    return [next(again) if message.get("role") == "assistant" else message for message in objects(messages)]


def with_calls(own: Sequence[Body], built: Sequence[Body], kind: str, *names: str) -> list[Body]:
    """Return a turn's own parts in their order, its calls with the named fields as the adapter built them.

    The engine tells calls of one id apart, and an adapter is given names and arguments that its provider takes.

    Raises
    ------
    ValueError
        If the calls are not as many.
    """
    calls = [part for part in built if part.get("type") == kind]
    places = [place for place, part in enumerate(own) if part.get("type") == kind]
    restored = list(own)
    for place, call in zip(places, calls, strict=True):
        restored[place] = {**own[place], **present(call, *names)}
    return restored


def texts(value: Any) -> Iterator[str]:
    """Yield every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in cast("dict[str, Any]", value).values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from texts(item)


def present(body: Body, *names: str) -> dict[str, Any]:
    """Return the named fields that a body has."""
    return {name: body[name] for name in names if body.get(name) is not None}


def text_or_none(value: Any) -> str | None:
    """Return a foreign value if it is a text that says something."""
    return value if isinstance(value, str) and value else None


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS
