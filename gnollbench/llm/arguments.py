"""What litellm is told for a request: which adapter, which settings, in what words.

OpenAI's own endpoint is called by the responses protocol, as the chat calls it: chat completions refuse
tools to a model that thinks. Every other endpoint that speaks OpenAI's protocol gets chat completions.
"""

import json
import re
from copy import deepcopy
from typing import Any
from urllib.parse import urlsplit

from gnollbench.errors import Refusal
from gnollbench.llm.messages import Message, Request
from gnollbench.records.canonical import safe_text, strict_object
from gnollbench.records.launch import ModelConfig, ParallelExecution, Protocol

_PREFIX = {Protocol.OPENAI: "hosted_vllm/", Protocol.ANTHROPIC: "anthropic/", Protocol.GOOGLE: "gemini/"}
_OWN_PREFIX = "openai/responses/"
_OWN_BASE = {  # named, so that no variable of the environment sends a run elsewhere
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com/v1beta",
}
# Azure's models that think know the output limit by its new name alone
_AZURE = (".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com")
_KEYLESS = "unused"  # the adapters demand a key where a server takes none; it is not sent
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")  # what no provider takes in a tool's name
_NAME_CHARACTERS = 64  # and no longer one


def protocol_of(model: ModelConfig) -> Protocol:
    """Return the protocol that a model's endpoint speaks: as configured, else the provider's own."""
    own = {"anthropic": Protocol.ANTHROPIC, "google": Protocol.GOOGLE}
    return model.protocol or own.get(model.provider, Protocol.OPENAI)


def endpoint_of(model: ModelConfig) -> str:
    """Return the API base that a model is called at; Anthropic's is the host, its version is the adapter's.

    Raises
    ------
    Refusal
        If the configuration names none, and the provider has none that is known.
    """
    endpoint = model.endpoint or _OWN_BASE.get(model.provider)
    if endpoint is None:
        raise Refusal(
            f"{model.provider}/{model.model} cannot be called as configured",
            f"no endpoint is named, and {model.provider} has none that is known",
            f"name its endpoint; known are those of {', '.join(_OWN_BASE)}",
        )
    if protocol_of(model) is Protocol.ANTHROPIC:
        return endpoint.rstrip("/").removesuffix("/v1")
    return endpoint


def is_openais_own(model: ModelConfig) -> bool:
    """Whether a model is called at OpenAI itself."""
    if model.provider != "openai" or protocol_of(model) is not Protocol.OPENAI:
        return False
    host = urlsplit(endpoint_of(model)).hostname or ""
    return host == "api.openai.com" or host.endswith(".api.openai.com")


def litellm_name(model: ModelConfig) -> str:
    """Return the model's name with the adapter's prefix.

    Raises
    ------
    Refusal
        For a name that the adapter reads as an order to speak another protocol.
    """
    if model.model.startswith("responses/"):
        raise Refusal(
            f"{model.provider}/{model.model} cannot be called as configured",
            "the adapter takes responses/ for a protocol, not for a part of a name",
            "name the model as its server lists it",
        )
    return (_OWN_PREFIX if is_openais_own(model) else _PREFIX[protocol_of(model)]) + model.model


def arguments(request: Request, key: str | None) -> dict[str, Any]:
    """Return the arguments of litellm's ``acompletion`` for a request."""
    model, protocol = request.model, protocol_of(request.model)
    found: dict[str, Any] = {
        "model": litellm_name(model),
        "messages": [_message(message, place, request) for place, message in enumerate(request.messages)],
        _output_limit(model): model.max_output_tokens,
        "api_base": endpoint_of(model),
        "api_key": key or _KEYLESS,
        "num_retries": 0,
        "max_retries": 0,
    }
    settings = {
        "temperature": model.sampling.temperature,
        "top_p": model.sampling.top_p,
        "seed": model.sampling.seed,
        "service_tier": model.service_tier,
        **(_reasoning(model) if is_openais_own(model) else _thinking(model)),
    }
    found |= {name: value for name, value in settings.items() if value is not None}
    if request.tools:
        found |= _tools(request, protocol)
    if request.schema is not None:
        schema = deepcopy(dict(request.schema))  # an adapter may bend it to its provider's taste
        form = {"name": "reply", "schema": schema, "strict": True}
        found["response_format"] = {"type": "json_schema", "json_schema": form}
    return found


def _output_limit(model: ModelConfig) -> str:
    host = urlsplit(endpoint_of(model)).hostname or ""
    azure = protocol_of(model) is Protocol.OPENAI and host.endswith(_AZURE)
    return "max_completion_tokens" if azure else "max_tokens"


def _object_text(arguments: str) -> str:
    """Return arguments that are a JSON object; what a model got wrong it reads in the tool's result."""
    found = strict_object(arguments)
    return safe_text(json.dumps(found or {}, ensure_ascii=False))


def _reasoning(model: ModelConfig) -> dict[str, Any]:
    """Nothing stays with OpenAI after a call; a thinking model's reasoning goes to and fro encrypted."""
    wanted = {
        "effort": model.thinking_level,
        "summary": model.reasoning_summary,
        "mode": model.reasoning_mode,
    }
    reasoning = {name: value for name, value in wanted.items() if value is not None}
    thinks = model.thinking_level not in {None, "none"}
    return {
        "reasoning_effort": reasoning or None,
        "store": False,
        "include": ["reasoning.encrypted_content"] if thinks else None,
    }


def _thinking(model: ModelConfig) -> dict[str, Any]:
    found: dict[str, Any] = {"reasoning_effort": model.thinking_level}
    if model.reasoning_summary is not None and protocol_of(model) is Protocol.ANTHROPIC:
        found["thinking"] = {"type": "adaptive", "display": model.reasoning_summary}
    return found


def _tools(request: Request, protocol: Protocol) -> dict[str, Any]:
    if request.tools_closed and protocol is not Protocol.ANTHROPIC:
        return {}
    found: dict[str, Any] = {
        "tools": [{"type": "function", "function": dict(tool)} for tool in request.tools]
    }
    if request.tools_closed:  # Anthropic refuses tool results in the history without declared tools
        found["tool_choice"] = "none"
    elif request.model.parallel_execution is ParallelExecution.DISABLED:
        found["parallel_tool_calls"] = False
    return found


def _message(message: Message, place: int, request: Request) -> dict[str, Any]:
    """Return a message as an adapter and its provider take it, whatever a model wrote into it."""
    shape = message.as_dict()
    if shape["content"] and message.role == "assistant":
        shape["content"] = safe_text(shape["content"])
    for call in shape.get("tool_calls", ()):
        call["function"] = {
            "name": _NO_NAME.sub("_", call["function"]["name"])[:_NAME_CHARACTERS] or "unnamed",
            "arguments": _object_text(call["function"]["arguments"]),
        }
    if protocol_of(request.model) is Protocol.ANTHROPIC and place + 1 == request.cache_prefix:
        shape["cache_control"] = {"type": "ephemeral"}
    return shape
