"""How a model is called: embedded ones in process, all others through litellm.

The only user of litellm. One retry layer (litellm's own is off), one deadline, one shape of reply. Litellm
is imported at the first model that needs it: it takes seconds.
"""

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Protocol

import httpx

from gnollbench.errors import HarnessFailure, ProviderFailure, Refusal
from gnollbench.llm.arguments import arguments, endpoint_of, is_openais_own, litellm_name, protocol_of
from gnollbench.llm.failures import NOT_DELIVERED, ContextFull, DeadlineReached, Fault
from gnollbench.llm.messages import Message, Reply, Request
from gnollbench.llm.replies import fault_of, in_short, reply_of
from gnollbench.llm.wire.carrier import Carrier, Exchange, current_exchange
from gnollbench.records.launch import ModelConfig, Retries
from gnollbench.records.launch import Protocol as Wire

EmbeddedModel = Callable[[Request], Reply]
Sleep = Callable[[float], Awaitable[None]]
# how a reply ends that came as an error; a call that is none is the model's own silence
_NO_FAILURES = {"filtered": "refused", "broken_call": "stop"}
# requests built side by side: with more, those that begin together all wait until the last of them is built
_BUILT_AT_ONCE = 2
_LONG_S = 10.0  # a person who waits so long wants to know why
SAMPLE_TOOL: Mapping[str, Any] = {
    "name": "sample",
    "description": "A sample.",
    "parameters": {"type": "object"},
}


class Gateway(Protocol):
    """What roles and engine know of model calls."""

    def body(self, request: Request) -> Any:
        """Return the request body as the provider's adapter would send it; nothing is sent (R16).

        Raises
        ------
        Refusal
            If the adapter refuses the request, or leaves out something that it holds.
        """
        ...

    async def complete(self, request: Request, deadline: float) -> Reply:
        """Call the model.

        Parameters
        ----------
        deadline : float
            ``time.monotonic()`` at which the call is cut where it waits for nothing; it moves on by what is
            waited, in the queue and for another attempt.

        Raises
        ------
        ProviderFailure
            When retries are used up, or the request's patience; also when the deadline cuts an attempt that
            was silent after a failed one, for then the model was not at work.
        DeadlineReached
            When the clock ran out while the model worked.
        ContextFull
            When the request does not fit the model's context window.
        HarnessFailure
            For a fault of ours, and for a request that the adapter did not build whole.
        """
        ...


class ModelGateway:
    """The gateway of a run.

    Parameters
    ----------
    embedded : mapping
        Embedded models by name.
    retries : Retries
        Waits and attempts of the one retry layer.
    calls_per_provider : int
        How many calls to one provider may be in flight.
    environ : mapping
        Where API keys are read, by the name that a configuration gives.
    inner : transport or None
        What HTTP goes over; None is litellm's own pooled one.
    sleep : callable
        How the pause before another attempt is spent.

    Attributes
    ----------
    notice : callable
        Is told of every long pause, in a line; nobody is at first.
    """

    def __init__(
        self,
        embedded: Mapping[str, EmbeddedModel],
        retries: Retries,
        calls_per_provider: int,
        environ: Mapping[str, str] = os.environ,
        inner: httpx.AsyncBaseTransport | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._embedded, self._retries, self._environ = embedded, retries, environ
        self._calls_per_provider, self._inner, self._sleep = calls_per_provider, inner, sleep
        self.notice: Callable[[str], object] = lambda _: None
        self._permits: dict[str, asyncio.Semaphore] = {}
        self._adapter: _Adapter | None = None
        self._opening = asyncio.Lock()
        self._ends_with_loop: AsyncIterator[None] | None = None

    def check(self, models: Iterable[ModelConfig]) -> None:
        """Refuse what cannot be called as configured, before anything runs; nothing is sent (R16)."""
        for model in models:
            if not model.embedded:
                words = (Message("system", "A sample."), Message("user", "Nothing is sent."))
                self.body(Request(model, words, (SAMPLE_TOOL,)))
            elif model.model not in self._embedded:
                raise Refusal(
                    f"embedded model {model.model!r} is not known",
                    f"known are {', '.join(sorted(self._embedded))}",
                    "name one of these, or an endpoint",
                )

    def body(self, request: Request) -> Any:
        """Return the body that would be sent; see `Gateway.body`."""
        if request.model.embedded:
            return {
                "messages": [message.as_dict() for message in request.messages],
                "tools": [dict(tool) for tool in request.tools],
            }
        endpoint_of(request.model)
        exchange = Exchange(request, send=False)
        error = _aside(self._opened().complete(exchange))
        fault = exchange.fault
        missing = fault.message if fault is not None and fault.code == NOT_DELIVERED else None
        if exchange.sent is None or missing:
            said = in_short(error, exchange.secret) if error else "the adapter sent nothing"
            why = f"the delivery probe failed: {missing}" if missing else said
            raise Refusal(
                f"{request.model.provider}/{request.model.model} cannot be called as configured",
                f"{why} (R16)",
                "change that setting, or the model",
            )
        return exchange.sent

    async def complete(self, request: Request, deadline: float) -> Reply:
        """Call the model; see `Gateway.complete`."""
        await self._open(request)
        permit = self._permits.setdefault(request.model.provider, asyncio.Semaphore(self._calls_per_provider))
        asked = time.monotonic()
        async with permit:
            queued_s = time.monotonic() - asked
            if request.model.embedded:
                return await asyncio.to_thread(self._embedded[request.model.model], request)
            if request.patience_s is None:
                request = replace(request, patience_s=deadline - asked)
            return await self._attempts(request, deadline + queued_s, queued_s * 1000)

    async def _attempts(self, request: Request, deadline: float, queued_ms: float) -> Reply:
        """Make attempts until one succeeds; the clock of the deadline stands while they fail."""
        secret = self._key(request.model)
        attempt, lost, fault, wait_ms = 1, 0, None, queued_ms
        while True:
            started = time.monotonic()
            exchange = Exchange(request, secret)
            try:
                answer = await _within(
                    deadline + (wait_ms - queued_ms) / 1000, self._opened().complete(exchange)
                )
                reply = reply_of(answer, exchange)
                break
            except DeadlineReached as cut:
                failed = exchange.status is not None and exchange.status >= 400
                if failed:  # and the error's body did not end
                    fault = fault_of(cut, exchange)
                if fault is not None and (failed or not exchange.heard):
                    _require_providers(fault)
                    raise ProviderFailure(
                        fault.kind, fault.code, fault.message, wait_ms, heard=lost > 0
                    ) from cut
                raise DeadlineReached(str(cut), exchange.text, wait_ms) from cut
            except Exception as error:
                fault = fault_of(error, exchange)
            if fault.kind in _NO_FAILURES:
                reply = Reply(
                    text=exchange.text,
                    finish_reason=_NO_FAILURES[fault.kind],
                    native_finish_reason=fault.code,
                    problem="no usage was stated",
                )
                break
            lost += exchange.heard
            failed_ms = wait_ms + (time.monotonic() - started) * 1000
            patience_s = (request.patience_s or 0.0) - (failed_ms - queued_ms) / 1000
            pause_s = self._pause_s(fault, attempt, patience_s)
            if pause_s is None:
                raise ProviderFailure(fault.kind, fault.code, fault.message, failed_ms, heard=lost > 0)
            if pause_s >= _LONG_S:
                said = f"{request.model.provider}/{request.model.model}: {fault.kind}"
                self.notice(f"{said}; attempt {attempt + 1} of {self._retries.attempts} in {pause_s:.0f} s")
            await self._sleep(pause_s)
            wait_ms += (time.monotonic() - started) * 1000
            attempt += 1
        return replace(reply, wait_ms=wait_ms, queued_ms=queued_ms, attempts=attempt, lost_attempts=lost)

    def _pause_s(self, fault: Fault, attempt: int, patience_s: float) -> float | None:
        """Return how long to wait before the next attempt, None for no other one."""
        _require_providers(fault)
        waits = self._retries.waits_s
        pause_s = waits[min(attempt, len(waits)) - 1]
        if fault.retry_after_s is not None:
            pause_s = min(fault.retry_after_s, self._retries.retry_after_most_s)
        again = fault.retry and attempt < self._retries.attempts and pause_s < patience_s
        return pause_s if again else None

    async def _open(self, request: Request) -> None:
        """Have the adapter at hand, and its connections closed as the running event loop ends."""
        if request.model.embedded or self._ends_with_loop is not None:
            return
        async with self._opening:
            if self._ends_with_loop is None:
                adapter = _closing(await asyncio.to_thread(self._opened))
                await anext(adapter)
                self._ends_with_loop = adapter

    def _opened(self) -> "_Adapter":
        if self._adapter is None:
            self._adapter = _Adapter(self._inner)
        return self._adapter

    def _key(self, model: ModelConfig) -> str | None:
        return (self._environ.get(model.api_key_env, "").strip() or None) if model.api_key_env else None


class _Adapter:
    """litellm, with its HTTP over our carrier."""

    def __init__(self, inner: httpx.AsyncBaseTransport | None) -> None:
        import litellm  # takes seconds: only a run that reaches a provider pays it
        from litellm.llms.custom_httpx import http_handler

        logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # all that it says is in its exceptions
        litellm.suppress_debug_info = True
        litellm.drop_params = False  # a setting that would be dropped silently is an error
        self._litellm: Any = litellm
        # no log and no bill of litellm's own: a fifth of a call's time, and a queue that keeps its prompts
        self._unlogged: Any = self._litellm._internal_context.internal_sub_call
        self._handlers: Any = http_handler
        pooled: Any = http_handler.AsyncHTTPHandler.create_async_transport()
        self._carrier = Carrier(inner or pooled)
        self._handler = http_handler.AsyncHTTPHandler(transport=self._carrier)
        self._client = httpx.AsyncClient(transport=self._carrier)
        self._builder = asyncio.Semaphore(_BUILT_AT_ONCE)

    async def complete(self, exchange: Exchange) -> Any:
        """Make one attempt."""
        mark = current_exchange.set(exchange)
        try:
            if exchange.send:
                await self._builder.acquire()
                exchange.builder = self._builder
            return await self._called(exchange)
        finally:
            exchange.built()
            current_exchange.reset(mark)  # or an ended task would keep it, and with it a whole conversation

    async def _called(self, exchange: Exchange) -> Any:
        model = exchange.request.model
        told = arguments(exchange.request, exchange.secret)
        if is_openais_own(model):  # litellm's responses take no client: the one that it keeps is given ours
            openai = self._litellm.LlmProviders.OPENAI
            self._handlers.get_async_httpx_client(openai, params={"ssl_verify": None}).client = self._client
        else:
            told["client"] = self._handler
        if protocol_of(model) is Wire.GOOGLE:
            self._make_known(litellm_name(model))
        with self._unlogged():
            return await self._litellm.acompletion(**told)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._carrier.aclose()

    def _make_known(self, name: str) -> None:
        """Tell litellm what every model of this protocol takes; one that it does not know it denies it."""
        if name not in self._litellm.model_cost:
            entry = {
                "litellm_provider": "gemini",
                "mode": "chat",
                "supports_system_messages": True,
                "supports_reasoning": True,
                "supports_function_calling": True,
                "supports_response_schema": True,
            }
            self._litellm.register_model({name: entry})


def _require_providers(fault: Fault) -> None:
    """Raise a fault that is not the provider's as what it is."""
    if fault.kind == "context":
        raise ContextFull(fault.message)
    if fault.source == "harness":
        raise HarnessFailure(fault.kind, fault.message, fault.code)


async def _closing(adapter: _Adapter) -> AsyncIterator[None]:
    """An event loop finishes its open generators when it ends, and this one closes the connections."""
    try:
        yield
    finally:
        await adapter.aclose()


async def _within(deadline: float, call: Awaitable[Any]) -> Any:
    scope = asyncio.timeout(max(0.0, deadline - time.monotonic()))
    try:
        async with scope:
            return await call
    except TimeoutError as error:
        if scope.expired():
            raise DeadlineReached("the question's time ran out while the model worked") from error
        raise


def _aside(call: Awaitable[Any]) -> Exception | None:
    """Await a call in an event loop of its own, and return how it broke, if it did."""

    async def ended() -> Exception | None:
        try:
            await call
        except Exception as error:
            return error
        return None

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, ended()).result()
