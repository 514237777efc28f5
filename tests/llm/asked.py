"""Requests and gateways for the tests of model calls."""

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

import httpx

from gnollbench.llm.gateway import ModelGateway
from gnollbench.llm.messages import Message, Reply, Request
from gnollbench.records.launch import ModelConfig, Retries
from tests.llm.wire import Said, Wire, endpoint

TOOL = {
    "name": "wiki_search",
    "description": "Searches the wiki.",
    "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
}
RETRIES = Retries(attempts=3, waits_s=(0.01,), retry_after_most_s=0.3)
PROMPT = "THE PROMPT"
KEY = "sk-planted-0123456789"
NOWHERE = Wire("http://127.0.0.1:9", [], lambda _: Said())


class Detour(httpx.AsyncBaseTransport):
    """Takes every request to one local address, whatever host it names: the providers' own, on loopback."""

    def __init__(self, url: str) -> None:
        self._url = httpx.URL(url)
        self._inner = httpx.AsyncHTTPTransport()
        self.hosts: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.hosts.append(request.url.host)
        request.url = request.url.copy_with(scheme=self._url.scheme, host=self._url.host, port=self._url.port)
        return await self._inner.handle_async_request(request)


def model(wire: Wire, wire_protocol: str = "openai", **fields: Any) -> ModelConfig:
    """A model at a local endpoint; for ``responses``, which only OpenAI itself gets, at OpenAI."""
    own = wire_protocol == "responses"
    here = endpoint(wire.url, wire_protocol)
    names = {"openai": "some-model", "anthropic": "claude-opus-5", "google": "gemini-3.8-flash"}
    base: dict[str, Any] = {
        "provider": "openai" if own else "local",
        "model": names.get(wire_protocol, "gpt-5.6-luna"),
        "endpoint": None if own else here,
        "protocol": None if own else wire_protocol,
        "max_output_tokens": 500,
    }
    return ModelConfig.model_validate_json(json.dumps(base | fields))


def request(
    wire: Wire, wire_protocol: str = "openai", *, tools_closed: bool = False, **fields: Any
) -> Request:
    """A question under a system prompt, with one tool on offer."""
    messages = (Message("system", PROMPT), Message("user", "How fast is a lich?"))
    return Request(model(wire, wire_protocol, **fields), messages, (TOOL,), tools_closed=tools_closed)


def gateway_to(wire: Wire, environ: Mapping[str, str] | None = None, **fields: Any) -> ModelGateway:
    """A gateway whose every call ends at the local server."""
    settings: dict[str, Any] = {"inner": Detour(wire.url), "calls_per_provider": 4, **fields}
    return ModelGateway({}, settings.pop("retries", RETRIES), environ=environ or {}, **settings)


def complete(wire: Wire, asked: Request, seconds: float = 20.0, **settings: Any) -> Reply:
    """Make one call."""
    gateway = gateway_to(wire, **settings)
    gateway.body(asked)  # imports litellm before the clock runs
    return asyncio.run(gateway.complete(asked, time.monotonic() + seconds))
