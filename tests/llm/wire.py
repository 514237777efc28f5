"""A loopback HTTP server that speaks the providers' protocols from a script, and keeps what it was sent.

A reply is written once, as `Said`; the server puts it into the protocol of the address that was called,
streamed where that was asked for. `Answer` is an HTTP answer as it stands.
"""

import json
import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PROTOCOLS = ("openai", "anthropic", "google", "responses")


@dataclass
class Answer:
    """One HTTP answer: a JSON body or raw text, a status, headers, a delay in seconds."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0


@dataclass
class Said:
    """What a model says: neutral in text, calls and reason, ``prompt`` tokens with parts that were cached.

    ``usage`` replaces what the protocol would state, and None leaves it out. ``ending`` is how a stream
    ends: ``whole``, or after its first half ``reset``, ``hang`` or ``eof``; ``refuse`` resets the connection
    at once. ``pause_s`` comes before each event.
    """

    text: str | None = "Speed 12."
    calls: tuple[tuple[str, str], ...] = ()
    reason: str = "stop"
    tokens: tuple[int, int, int, int, int] = (
        100,
        50,
        10,
        20,
        5,
    )  # prompt, cached, written, output, reasoning
    usage: Any = "stated"
    model: str = "served-1"
    tier: str | None = None
    ending: str = "whole"
    pause_s: float = 0.0
    delay_s: float = 0.0


@dataclass
class Sent:
    """One request as the server got it."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def protocol(self) -> str:
        """The protocol of the address."""
        endings = {"/chat/completions": "openai", "/messages": "anthropic", "/responses": "responses"}
        return next((name for end, name in endings.items() if self.path.endswith(end)), "google")

    @property
    def streams(self) -> bool:
        """Whether a stream was asked for."""
        return bool(self.body.get("stream")) or ":streamGenerateContent" in self.path

    @property
    def said(self) -> str:
        """All that the request says, as one text."""
        return json.dumps(self.body, ensure_ascii=False)


Reply = Answer | Said
Script = Callable[[Sent], Reply]


@dataclass
class Wire:
    """The server's address, and the requests that it received."""

    url: str
    requests: list[Sent]
    script: Script

    @property
    def received(self) -> list[dict[str, Any]]:
        """The bodies of the requests."""
        return [sent.body for sent in self.requests]


def endpoint(url: str, protocol: str) -> str:
    """Return the API base of a protocol under an address."""
    return url + {"openai": "/v1", "anthropic": "", "google": "/v1beta", "responses": "/v1"}[protocol]


def whole(said: Said, protocol: str) -> dict[str, Any]:
    """Return the body of a reply that is not streamed."""
    return {"openai": _chat, "anthropic": _message, "google": _candidates, "responses": _response}[protocol](
        said
    )


def _arguments(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _chat(said: Said) -> dict[str, Any]:
    reasons = {"refused": "content_filter"}
    message: dict[str, Any] = {"role": "assistant", "content": said.text}
    if said.calls:
        message["tool_calls"] = [
            {"id": f"call_{place}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for place, (name, arguments) in enumerate(said.calls)
        ]
    prompt, cached, written, output, reasoning = said.tokens
    usage = {
        "prompt_tokens": prompt,
        "completion_tokens": output,
        "total_tokens": prompt + output,
        "prompt_tokens_details": {"cached_tokens": cached, "cache_write_tokens": written},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }
    reason = "tool_calls" if said.calls and said.reason == "stop" else reasons.get(said.reason, said.reason)
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": said.model,
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        **_stated("usage", said, usage),
        **({"service_tier": said.tier} if said.tier else {}),
    }


def _message(said: Said) -> dict[str, Any]:
    reasons = {"stop": "end_turn", "length": "max_tokens", "refused": "refusal"}
    content: list[dict[str, Any]] = [{"type": "text", "text": said.text}] if said.text else []
    content += [
        {"type": "tool_use", "id": f"toolu_{place}", "name": name, "input": _arguments(arguments)}
        for place, (name, arguments) in enumerate(said.calls)
    ]
    prompt, cached, written, output, _ = said.tokens
    usage = {
        "input_tokens": prompt - cached - written,
        "cache_read_input_tokens": cached,
        "cache_creation_input_tokens": written,
        "output_tokens": output,
        **({"service_tier": said.tier} if said.tier else {}),
    }
    return {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": said.model,
        "content": content,
        "stop_reason": "tool_use"
        if said.calls and said.reason == "stop"
        else reasons.get(said.reason, said.reason),
        "stop_sequence": None,
        **_stated("usage", said, usage),
    }


def _candidates(said: Said) -> dict[str, Any]:
    reasons = {"stop": "STOP", "length": "MAX_TOKENS", "refused": "SAFETY"}
    parts: list[dict[str, Any]] = [{"text": said.text}] if said.text else []
    parts += [
        {"functionCall": {"name": name, "args": _arguments(arguments)}} for name, arguments in said.calls
    ]
    prompt, cached, _, output, reasoning = said.tokens
    usage = {
        "promptTokenCount": prompt,
        "cachedContentTokenCount": cached,
        "candidatesTokenCount": output - reasoning,
        "thoughtsTokenCount": reasoning,
        "totalTokenCount": prompt + output,
    }
    content = {"role": "model", "parts": parts} if parts else {"role": "model"}
    return {
        "candidates": [
            {"content": content, "finishReason": reasons.get(said.reason, said.reason), "index": 0}
        ],
        "modelVersion": said.model,
        "responseId": "r1",
        **_stated("usageMetadata", said, usage),
    }


def _response(said: Said) -> dict[str, Any]:
    output: list[dict[str, Any]] = [
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "SEALED"}
    ]
    if said.text:
        part = {"type": "output_text", "text": said.text, "annotations": []}
        output.append(
            {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [part]}
        )
    output += [
        {
            "type": "function_call",
            "id": f"fc_{n}",
            "call_id": f"call_{n}",
            "name": name,
            "arguments": arguments,
        }
        for n, (name, arguments) in enumerate(said.calls)
    ]
    prompt, cached, written, visible, reasoning = said.tokens
    usage = {
        "input_tokens": prompt,
        "input_tokens_details": {"cached_tokens": cached, "cache_write_tokens": written},
        "output_tokens": visible,
        "output_tokens_details": {"reasoning_tokens": reasoning},
        "total_tokens": prompt + visible,
    }
    reasons = {"length": "max_output_tokens", "refused": "content_filter"}
    complete = said.reason == "stop"
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed" if complete else "incomplete",
        "incomplete_details": None if complete else {"reason": reasons.get(said.reason, said.reason)},
        "error": None,
        "model": said.model,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        **_stated("usage", said, usage),
        **({"service_tier": said.tier} if said.tier else {}),
    }


def _stated(name: str, said: Said, usage: Any) -> dict[str, Any]:
    if said.usage is None:
        return {}
    return {name: usage if said.usage == "stated" else said.usage}


def events(said: Said, protocol: str) -> list[dict[str, Any]]:
    """Return the events of a streamed reply."""
    body = whole(said, protocol)
    streams = {"openai": _chunks, "anthropic": _blocks, "google": _parts, "responses": _outputs}
    return streams[protocol](body)


def _halves(text: str) -> tuple[str, str]:
    middle = (len(text) + 1) // 2
    return text[:middle], text[middle:]


def _chunks(body: dict[str, Any]) -> list[dict[str, Any]]:
    head = {name: body[name] for name in ("id", "created", "model", "service_tier") if name in body}
    choice = body["choices"][0]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": half} for half in _halves(choice["message"]["content"] or "") if half]
    for index, call in enumerate(choice["message"].get("tool_calls", ())):
        first, last = _halves(call["function"]["arguments"])
        function = {"name": call["function"]["name"], "arguments": first}
        deltas.append(
            {"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": function}]}
        )
        deltas.append({"tool_calls": [{"index": index, "function": {"arguments": last}}]})
    found = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    found.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    return [*found, *([{**head, "choices": [], "usage": body["usage"]}] if "usage" in body else [])]


def _blocks(body: dict[str, Any]) -> list[dict[str, Any]]:
    usage = body.get("usage")
    start = {**body, "content": [], "stop_reason": None}
    found: list[dict[str, Any]] = [{"type": "message_start", "message": start}, {"type": "ping"}]
    for index, block in enumerate(body["content"]):
        if block["type"] == "text":
            empty, deltas = (
                {"type": "text", "text": ""},
                [{"type": "text_delta", "text": half} for half in _halves(block["text"])],
            )
        else:
            raw = block["input"] if isinstance(block["input"], str) else json.dumps(block["input"])
            empty = {**block, "input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": half} for half in _halves(raw)]
        found.append({"type": "content_block_start", "index": index, "content_block": empty})
        found += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        found.append({"type": "content_block_stop", "index": index})
    end = {"type": "message_delta", "delta": {"stop_reason": body["stop_reason"], "stop_sequence": None}}
    return [*found, end | ({"usage": usage} if usage is not None else {}), {"type": "message_stop"}]


def _parts(body: dict[str, Any]) -> list[dict[str, Any]]:
    candidate = body["candidates"][0]
    head = {name: value for name, value in body.items() if name != "candidates"}
    parts: list[dict[str, Any]] = []
    for part in candidate["content"].get("parts", ()):
        parts += [{"text": half} for half in _halves(part["text"]) if half] if "text" in part else [part]
    found = [
        {**head, "candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}]}
        for part in parts
    ]
    return [*found, {**head, "candidates": [{"finishReason": candidate["finishReason"], "index": 0}]}]


def _outputs(body: dict[str, Any]) -> list[dict[str, Any]]:
    texts = [part["text"] for item in body["output"] for part in item.get("content", ())]
    found: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**body, "status": "in_progress", "output": []}}
    ]
    found += [
        {"type": "response.output_text.delta", "delta": half} for text in texts for half in _halves(text)
    ]
    return [*found, {"type": f"response.{body['status']}", "response": body}]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each answer waits 40 ms for an acknowledgement
    wire: Wire

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(length))
        sent = Sent(self.path.partition("?")[0], {k.lower(): v for k, v in self.headers.items()}, body)
        self.wire.requests.append(sent)
        reply = self.wire.script(sent)
        time.sleep(reply.delay_s)
        with suppress(BrokenPipeError, ConnectionResetError):  # the client had no more patience
            if isinstance(reply, Said) and reply.ending == "refuse":
                self._reset()
            elif isinstance(reply, Said) and sent.streams:
                self._stream(reply, sent.protocol)
            elif isinstance(reply, Said):
                tier = (
                    {"x-gemini-service-tier": reply.tier} if reply.tier and sent.protocol == "google" else {}
                )
                self._send(Answer(whole(reply, sent.protocol), headers=tier))
            else:
                self._send(reply)

    def _send(self, answer: Answer) -> None:
        body = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
        self.send_response(answer.status)
        for name, value in {"content-type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def _stream(self, said: Said, protocol: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        if said.tier and protocol == "google":
            self.send_header("x-gemini-service-tier", said.tier)
        self.send_header("connection", "close")
        self.end_headers()
        script = events(said, protocol)
        for event in script if said.ending == "whole" else script[: len(script) // 2]:
            time.sleep(said.pause_s)
            named = f"event: {event['type']}\n" if "type" in event else ""
            self.wfile.write(f"{named}data: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()
        if said.ending == "whole" and protocol == "openai":
            self.wfile.write(b"data: [DONE]\n\n")
        if said.ending == "hang":
            time.sleep(HANG_S)
        if said.ending == "reset":
            self._reset()
        self.close_connection = True

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())
        self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


HANG_S = 5.0  # longer than any test's patience


@contextmanager
def serving(*replies: Reply | Script) -> Iterator[Wire]:
    """Serve replies in order, the last one again and again; or what a function says to each request."""
    script = list(replies)
    lock = threading.Lock()

    def next_reply(sent: Sent) -> Reply:
        with lock:
            reply = script.pop(0) if len(script) > 1 else script[0]
        return reply(sent) if callable(reply) else reply

    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    handler.wire = wire = Wire(f"http://127.0.0.1:{server.server_address[1]}", [], next_reply)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield wire
    finally:
        server.shutdown()
        server.server_close()
