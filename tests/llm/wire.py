"""A loopback HTTP server that speaks the providers' protocols from a script, and keeps what it was sent."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """One HTTP answer: a JSON body or raw text, a status, headers, a delay in seconds."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0


@dataclass
class Wire:
    """The server's address, and the bodies that it received."""

    url: str
    received: list[dict[str, Any]]


def openai(text: str | None, calls: list[tuple[str, str]] = (), reason: str = "stop", **more: Any) -> Answer:
    """A chat completion."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {"id": f"call_{place}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for place, (name, arguments) in enumerate(calls)
        ]
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_tokens": 120,
        "prompt_tokens_details": {"cached_tokens": 60},
        "completion_tokens_details": {"reasoning_tokens": 5},
    }
    body = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "served-2026-11-30",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if calls else reason}],
        "usage": usage,
    }
    return Answer(body | more)


def anthropic(text: str, calls: list[tuple[str, dict[str, Any]]] = (), reason: str = "end_turn") -> Answer:
    """An Anthropic message."""
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    content += [
        {"type": "tool_use", "id": f"toolu_{place}", "name": name, "input": arguments}
        for place, (name, arguments) in enumerate(calls)
    ]
    usage = {
        "input_tokens": 40,
        "cache_read_input_tokens": 50,
        "cache_creation_input_tokens": 10,
        "output_tokens": 20,
    }
    return Answer(
        {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": "served-claude",
            "content": content,
            "stop_reason": "tool_use" if calls else reason,
            "stop_sequence": None,
            "usage": usage,
        }
    )


@contextmanager
def serving(*answers: Answer) -> Iterator[Wire]:
    """Serve the answers in order, the last one again and again."""
    received: list[dict[str, Any]] = []
    script = list(answers)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            received.append(json.loads(self.rfile.read(length)))
            answer = script.pop(0) if len(script) > 1 else script[0]
            time.sleep(answer.delay_s)
            body = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
            self.send_response(answer.status)
            for name, value in {"content-type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body.encode())))
            self.end_headers()
            with suppress(BrokenPipeError):  # the client had no more patience
                self.wfile.write(body.encode())

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Wire(f"http://127.0.0.1:{server.server_address[1]}", received)
    finally:
        server.shutdown()
        server.server_close()
