"""What an embedded model reads off a request, and how it replies.

Its state is the message history: the same request gives the same reply. It counts its own usage, one
token a word.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, cast

from gnollbench.llm.messages import Reply, Request, ToolCall, Usage
from gnollbench.records.launch import ParallelExecution

_CLOSING = ">>>"
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call: made, with its ``result``, or wanted."""

    name: str
    arguments: Mapping[str, Any]
    result: str = field(default="", compare=False)


def instructions(request: Request) -> str:
    """Return the system message: the chat's prompt with whatever context it holds."""
    return next((message.content for message in request.messages if message.role == "system"), "")


def task(request: Request) -> str:
    """Return what the user says before the first reply: the question, the form to fill, the items to check."""
    opening = takewhile(lambda message: message.role in ("system", "user"), request.messages)
    return "\n\n".join(message.content for message in opening if message.role == "user")


def calls_made(request: Request) -> list[Call]:
    """Return the calls of the history with their results, in order."""
    results = {
        message.tool_call_id: message.content for message in request.messages if message.role == "tool"
    }
    return [
        Call(call.name, json_object(call.arguments), results.get(call.id, ""))
        for message in request.messages
        for call in message.tool_calls
    ]


def offered(request: Request) -> frozenset[str]:
    """Return the names of the tools that may be called; none once the tools are closed."""
    return frozenset() if request.tools_closed else frozenset(str(tool["name"]) for tool in request.tools)


def asking(request: Request, wanted: Iterable[Call], served: str) -> Reply | None:
    """Return a reply that makes the wanted calls, or None where none is left to make.

    A call whose tool is not offered, or that was made before, is dropped; a model configured for one call
    at a time makes the first.
    """
    made, names = calls_made(request), offered(request)
    left: list[Call] = []
    for call in wanted:
        if call.name in names and call not in made and call not in left:
            left.append(call)
    if not left:
        return None
    if request.model.parallel_execution == ParallelExecution.DISABLED:
        left = left[:1]
    calls = tuple(
        ToolCall(f"call_{len(made) + place}", call.name, json.dumps(dict(call.arguments), ensure_ascii=False))
        for place, call in enumerate(left, 1)
    )
    return _reply(request, "", calls, served)


def answering(request: Request, text: str, served: str) -> Reply:
    """Return a reply that ends the turn."""
    return _reply(request, text, (), served)


def closing_mark(message: str) -> str | None:
    """Return the fence mark of a message that ends with a fenced block: its last line is ``MARK>>>``.

    What is fenced cannot hold the mark, so whatever it says, only the last line names it.
    """
    last = message.rstrip().rpartition("\n")[2]
    return last.removesuffix(_CLOSING) if last.endswith(_CLOSING) and last != _CLOSING else None


def fenced(message: str, mark: str) -> list[str]:
    """Return the texts between ``<<<MARK`` and ``MARK>>>``, in order."""
    return _between(mark).findall(message)


def fenced_under(message: str, mark: str) -> dict[str, str]:
    """Return the fenced texts by the heading that each stands under."""
    found: dict[str, str] = {}
    heading, end = "", 0
    for match in _between(mark).finditer(message):
        *_, heading = (heading, *_HEADING.findall(message, end, match.start()))
        found[heading] = match[1]
        end = match.end()
    return found


def unfenced(message: str, mark: str) -> str:
    """Return a message without its fenced texts."""
    return _between(mark).sub("", message)


def json_object(text: str) -> Mapping[str, Any]:
    """Return the JSON object that a text is, or an empty one."""
    try:
        value: Any = json.loads(text)
    except ValueError:
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _between(mark: str) -> re.Pattern[str]:
    name = re.escape(mark)
    return re.compile(rf"^<<<{name}\n(.*?)\n^{name}>>>", re.DOTALL | re.MULTILINE)


def _reply(request: Request, text: str, calls: tuple[ToolCall, ...], served: str) -> Reply:
    reason = "tool_calls" if calls else "stop"
    said = [text, *(call.arguments for call in calls)]
    usage = Usage(
        input_tokens=sum(map(_words, _sent(request))),
        cached_tokens=0,
        cache_write_tokens=0,
        output_tokens=sum(map(_words, said)),
        reasoning_tokens=0,
    )
    return Reply(text, reason, calls, usage, native_finish_reason=reason, served_model=served)


def _sent(request: Request) -> Iterable[str]:
    for message in request.messages:
        yield message.content
        yield from (call.arguments for call in message.tool_calls)
    for tool in request.tools:
        yield str(tool.get("description", ""))


def _words(text: str) -> int:
    return len(text.split())
