"""What goes to a model and what comes back, in one shape for every provider."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from gnollbench.records.canonical import safe_text
from gnollbench.records.launch import ModelConfig

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to call a tool; ``arguments`` is the raw JSON text, unrepaired."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation. A ``tool`` message answers the call ``tool_call_id``.

    ``carried`` is what the provider wants back with the model's own turn, as it came: signed thinking,
    reasoning items. It is opaque here, and put back in its place as the request leaves.
    """

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    carried: Mapping[str, Any] | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the message in the shape of the chat-completions protocol."""
        shape: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.tool_calls:
            shape["content"] = self.content or None
            shape["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments},
                }
                for call in self.tool_calls
            ]
        if self.tool_call_id is not None:
            shape["tool_call_id"] = self.tool_call_id
        return shape


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider stated them; a null is a figure that it did not state (R39).

    ``input_tokens`` is the whole prompt, cached reads and writes included.
    """

    input_tokens: int | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """One call to a model.

    ``tools`` are declarations ``{"name", "description", "parameters"}``; ``schema`` is the JSON schema
    that the reply is asked to fit, where the provider takes one; ``cache_prefix`` counts the leading
    messages that stay the same from call to call; ``tools_closed`` says that tools were on offer and are
    no longer: the model must answer; ``idle_s`` is how long a streamed call may be silent; ``patience_s``
    how long it may wait, failed attempts and pauses together (None: as long as its deadline is away).
    """

    model: ModelConfig
    messages: tuple[Message, ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    schema: Mapping[str, Any] | None = None
    cache_prefix: int = 0
    tools_closed: bool = False
    idle_s: float | None = None
    patience_s: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered, and what the call took.

    ``finish_reason`` is one of ``stop``, ``tool_calls``, ``length``, ``context``, ``refused`` or, for a
    reason nobody knows, ``unknown``; ``native_finish_reason`` is the provider's own word.
    ``ttft_ms`` runs from the sending of the attempt that succeeded to its first visible text; None where
    the reply was not streamed, or holds none. ``wait_ms`` is the time in the queue (``queued_ms`` of it), of
    failed attempts and of the waits between them: neither model nor tool time. ``lost_attempts`` broke off
    within their replies: charged for, perhaps, and nobody says how much. ``problem`` is what the provider left out
    or garbled, in words; ``carried`` goes back with the conversation's next request.
    """

    text: str
    finish_reason: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    native_finish_reason: str | None = None
    served_model: str | None = None
    service_tier: str | None = None
    ttft_ms: float | None = None
    wait_ms: float = 0.0
    queued_ms: float = 0.0
    attempts: int = 1
    lost_attempts: int = 0
    problem: str | None = None
    carried: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        for name in (
            "native_finish_reason",
            "served_model",
            "service_tier",
        ):  # a provider's words, into records
            stated = getattr(self, name)
            if stated is not None:
                object.__setattr__(self, name, safe_text(str(stated)))
