"""The transport under litellm: checks what is sent, times what comes, and keeps what was stated (R16, R39, R41).

litellm builds the request and reads the reply's content. What it loses or makes up (the served model and
tier, the provider's own finish reason, usage, a stream that was cut) is read here, from the bytes: a call
is streamed here and handed on as the whole body that an unstreamed one would have had.
"""

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import httpx

from gnollbench.llm.failures import NOT_DELIVERED, Fault, WireFault, error_in, from_error, malformed
from gnollbench.llm.messages import Request
from gnollbench.llm.wire.chat import Chat
from gnollbench.llm.wire.delivery import undelivered
from gnollbench.llm.wire.events import Incoming, body_of, pieces_of
from gnollbench.llm.wire.generate import Generate
from gnollbench.llm.wire.messages import Messages
from gnollbench.llm.wire.redaction import without_key
from gnollbench.llm.wire.responses import Responses
from gnollbench.llm.wire.shape import Assembly, Body, Shape, Stated
from gnollbench.records.addresses import public_uri
from gnollbench.records.canonical import as_object, safe_text

_CONNECT_S = 20.0  # a server that takes no connection for so long is not there
_USAGE_S = 5.0  # usage may come after the finish reason; a server has it at hand, or does not state it
_END_S = 0.2  # a whole reply's connection ends at once and can be used again, or is given up
_SHAPES: dict[str, Shape] = {
    "/chat/completions": Chat(),
    "/messages": Messages(),
    ":generateContent": Generate(),
    "/responses": Responses(),
}
_KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key", "api-key")


@dataclass(slots=True)
class Exchange:
    """One attempt: what is asked of the carrier, and what it saw.

    Attributes
    ----------
    send : bool
        False only builds: the body is kept in ``sent``, and nothing leaves.
    secret : str or None
        The key, cut out of all that comes back; without one no key header is sent.
    heard : bool
        Whether anything came back.
    stream : Assembly or None
        The reply as far as it was streamed.
    ttft_ms : float or None
        From sending to the first visible text; None where nothing was streamed, or nothing visible came.
    builder : asyncio.Semaphore or None
        Held while the request is built; None once it is.
    """

    request: Request
    secret: str | None = None
    send: bool = True
    sent: Body | None = None
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    error_text: str = ""
    fault: Fault | None = None
    stated: Stated | None = None
    heard: bool = False
    stream: Assembly | None = None
    ttft_ms: float | None = None
    builder: asyncio.Semaphore | None = None

    @property
    def text(self) -> str:
        """The visible text of a stream so far, without the key."""
        return without_key(self.stream.text, self.secret) if self.stream else ""

    def built(self) -> None:
        """Let the next request be built."""
        if self.builder is not None:
            self.builder.release()
            self.builder = None

    def end_with(self, fault: Fault) -> None:
        """Keep the first thing that went wrong, without the key."""
        if self.fault is None and (self.status is None or self.status < 400):
            said = without_key(fault.message, self.secret)
            self.fault = replace(fault, message=said, code=without_key(fault.code, self.secret))


current_exchange: ContextVar[Exchange] = ContextVar("current_exchange")
"""The attempt that the running task makes; set around each call to the adapter."""


class Carrier(httpx.AsyncBaseTransport):
    """Carries the adapter's requests over another transport."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request as far as its exchange allows, and return a whole reply or an error to the adapter."""
        exchange = current_exchange.get()
        try:
            return await self._exchange(exchange, request)
        except WireFault as problem:
            exchange.end_with(problem.fault)
            raise
        except RecursionError as error:
            exchange.end_with(malformed("the reply is nested too deeply"))
            raise WireFault(malformed("the reply is nested too deeply")) from error
        except httpx.RequestError as error:  # a proxy's failure too, which is no TransportError
            exchange.end_with(_transport_fault(error, streaming=exchange.heard))
            raise

    async def aclose(self) -> None:
        """Close the transport below."""
        await self._inner.aclose()

    async def _exchange(self, exchange: Exchange, request: httpx.Request) -> httpx.Response:
        shape = _shape_of(request.url.path)
        await request.aread()
        outgoing = _checked(exchange, shape, request)
        if not exchange.send:  # an exception would have the adapter import a second's worth of its own
            return httpx.Response(200, json=shape.readable(dict(shape.blank)))
        exchange.built()
        started = time.monotonic()
        answer = await self._inner.handle_async_request(outgoing)
        try:
            said = {name: without_key(value, exchange.secret) for name, value in answer.headers.items()}
            exchange.status, exchange.headers = answer.status_code, said
            return await _received(exchange, shape, answer, started)
        finally:
            await answer.aclose()


def _shape_of(path: str) -> Shape:
    for ending, shape in _SHAPES.items():
        if path.endswith(ending):
            return shape
    raise WireFault(Fault("harness", "internal", None, f"no protocol is known at {path}", retry=False))


def _checked(exchange: Exchange, shape: Shape, request: httpx.Request) -> httpx.Request:
    """Return the request to send; one that lacks something, or a second one, is not sent."""
    if exchange.sent is not None:
        problem = "the adapter tried to send a second request"
        raise WireFault(Fault("harness", "internal", None, problem, retry=False))
    built = as_object(json.loads(request.content))
    missing = undelivered(exchange.request, shape.asked(built), built)
    url, streaming = str(request.url), exchange.request.model.streaming
    turns = [message.carried or {} for message in exchange.request.messages if message.role == "assistant"]
    try:
        body = shape.restored(built, turns) if any(turns) else built
    except ValueError as error:
        problem = f"the request body has not the conversation's turns: {error}"
        raise WireFault(Fault("harness", "internal", None, problem, retry=False)) from error
    url, body = shape.streamed(url, body) if streaming else (url, body)
    exchange.sent = body
    if missing:
        problem = f"the request body lacks {', '.join(missing)}"
        raise WireFault(Fault("harness", "bad_request", NOT_DELIVERED, problem, retry=False))
    gone = {"content-length", *(() if exchange.secret else _KEY_HEADERS)}
    idle_s = exchange.request.idle_s if streaming else None
    return httpx.Request(
        request.method,
        url,
        headers={name: value for name, value in request.headers.items() if name not in gone},
        content=request.content if body is built else json.dumps(body).encode(),
        extensions={"timeout": {"connect": _CONNECT_S, "read": idle_s, "write": None, "pool": None}},
    )


async def _received(
    exchange: Exchange, shape: Shape, answer: httpx.Response, started: float
) -> httpx.Response:
    if answer.status_code >= 300:
        said = b"".join([piece async for piece in pieces_of(answer)]).decode("utf-8", "replace")
        exchange.error_text = without_key(said, exchange.secret)
        if answer.status_code < 400:
            where = urlsplit(exchange.headers.get("location", "")).hostname  # the rest may hold a key
            message = f"HTTP {answer.status_code}: the endpoint redirects to {where or 'another path'}"
            raise WireFault(Fault("provider", "configuration", str(answer.status_code), message, retry=False))
        return httpx.Response(answer.status_code, headers=_plain(exchange.headers), text=exchange.error_text)
    body = await _body(exchange, shape, answer, started)
    if error := error_in(body):
        raise WireFault(from_error(error))
    if fault := shape.fault(body):
        raise WireFault(fault)
    stated = shape.stated(body, exchange.headers)
    exchange.stated = replace(
        stated,
        native_finish_reason=without_key(stated.native_finish_reason, exchange.secret),
        served_model=without_key(stated.served_model, exchange.secret),
        service_tier=without_key(stated.service_tier, exchange.secret),
        problem=without_key(stated.problem, exchange.secret),
        unread=without_key(stated.unread, exchange.secret),
        carried=without_key(_sendable(stated.carried), exchange.secret),
    )
    return httpx.Response(200, headers=_plain(exchange.headers), text=json.dumps(shape.readable(body)))


def _sendable(carried: Mapping[str, Any]) -> Any:
    """Return what is to be sent back as every server reads it: without a lone surrogate."""
    return json.loads(safe_text(json.dumps(carried, ensure_ascii=False)))


async def _body(exchange: Exchange, shape: Shape, answer: httpx.Response, started: float) -> Body:
    """Read a reply; a stream that breaks or falls silent once it has said how it ends is whole."""
    incoming, stream = Incoming(), shape.assembly()
    exchange.stream = stream
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(None) as patience:
            async for piece in pieces_of(answer):
                exchange.heard = True
                came = _add(exchange, stream, incoming.feed(piece), started)
                if stream.body() is None:
                    patience.reschedule(None)
                else:
                    most = loop.time() + (_END_S if stream.ended or incoming.done else _USAGE_S)
                    patience.reschedule(most if came else min(patience.when() or most, most))
            _add(exchange, stream, incoming.end(), started)
    except (httpx.RequestError, TimeoutError):
        if stream.body() is None:
            raise
    labelled = "event-stream" in exchange.headers.get("content-type", "").lower()
    if not incoming.streams and (incoming.whole or not labelled):
        return body_of(incoming.whole)
    body = stream.body()
    if body is None:
        why = "the stream ended without a finish reason"
        raise WireFault(Fault("provider", "stream_cut", None, why, retry=True))
    return body


def _add(exchange: Exchange, stream: Assembly, events: Iterator[Body], started: float) -> bool:
    """Add events to a stream, and return whether any came; what looks like text may turn out to be thought."""
    came = False
    for event in events:
        came = True
        if (error := error_in(event)) and not stream.ended:
            raise WireFault(from_error(error))
        stream.add(event)
        if not stream.begun:
            exchange.ttft_ms = None
        elif exchange.ttft_ms is None:
            exchange.ttft_ms = (time.monotonic() - started) * 1000
    return came


def _plain(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers that still hold for a body that was decoded and rewritten."""
    gone = {"content-length", "content-encoding", "transfer-encoding", "content-type"}
    return {
        **{name: value for name, value in headers.items() if name not in gone},
        "content-type": "application/json",
    }


def _transport_fault(error: httpx.RequestError, *, streaming: bool) -> Fault:
    """Say what went wrong below HTTP; a break within a reply that had begun is a cut one."""
    message = public_uri(f"{type(error).__name__}: {error}")[:300]  # a proxy's address may hold a password
    if isinstance(error, httpx.TimeoutException):
        return Fault("provider", "timeout", None, message, retry=True)
    return Fault("provider", "stream_cut" if streaming else "connection", None, message, retry=True)
