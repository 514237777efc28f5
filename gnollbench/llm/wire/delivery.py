"""The delivery check: is all that a request holds in the body that an adapter made of it? (R16)

An adapter may drop a system prompt or a setting without a word; what is dropped is not sent.
"""

from typing import Any

from gnollbench.llm.messages import Request
from gnollbench.llm.wire.shape import Asked, texts
from gnollbench.records.launch import ModelConfig, ParallelExecution


def undelivered(request: Request, asked: Asked, body: Any) -> list[str]:
    """Name what a request holds and its body lacks, or holds otherwise; an empty list is a whole delivery.

    Parameters
    ----------
    asked : Asked
        The body as its provider will read it.
    body : JSON value
        The body.
    """
    missing = [] if _system(request) in asked.system else ["the system prompt"]
    said = list(texts(body))
    users = [message.content for message in request.messages if message.role == "user"]
    missing += ["a user message" for user in users if not any(user in text for text in said)]
    if not request.tools_closed:
        missing += [f"the tool {tool['name']}" for tool in request.tools if tool["name"] not in asked.tools]
    return missing + _settings(request, asked)


def _system(request: Request) -> str:
    first = request.messages[0]
    return first.content if first.role == "system" else ""


def _settings(request: Request, asked: Asked) -> list[str]:
    model = request.model
    wanted = {
        "max_output_tokens": (model.max_output_tokens, asked.output_tokens),
        "reasoning_summary": (model.reasoning_summary, asked.summary),
        "reasoning_mode": (model.reasoning_mode, asked.mode),
        "service_tier": (model.service_tier, asked.tier),
        **{
            f"sampling.{name}": (value, asked.sampling.get(name))
            for name, value in model.sampling.model_dump().items()
        },
    }
    missing = [
        _said(name, ours, theirs) for name, (ours, theirs) in wanted.items() if ours not in (None, theirs)
    ]
    if not _thinks_as_told(model, asked.thinking):
        missing.append(_said("thinking_level", model.thinking_level, asked.thinking))
    one_at_a_time = model.parallel_execution is ParallelExecution.DISABLED
    if request.tools and not request.tools_closed and one_at_a_time and not asked.sequential:
        missing.append("parallel_execution=disabled")
    return missing


def _thinks_as_told(model: ModelConfig, asked: str | bool | None) -> bool:
    """A level arrives by its name, or as a budget of tokens; ``none`` may be an absence."""
    level = model.thinking_level
    if level is None:
        return True
    return asked == level or (level != "none" and asked is True) or (level == "none" and asked is None)


def _said(name: str, ours: Any, theirs: Any) -> str:
    return f"{name}={ours}" if theirs is None else f"{name}={ours} (it says {theirs})"
