"""An OpenAI-compatible endpoint that says what a script tells it to: a real server on an address of this machine, in a thread."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

MODEL = "scripted"
_MOST = 30.0
"""Seconds for which a silent reply lasts at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """One reply."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    silent: bool = False
    """Say nothing until the server is closed."""
    short: bool = False
    """Promise more bytes than are sent."""


def completion(content: str | None, *, finish: str = "stop", refusal: str | None = None) -> Says:
    """A chat completion with that text."""
    message = {"role": "assistant", "content": content, **({} if refusal is None else {"refusal": refusal})}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }
    return Says(body=json.dumps(body).encode())


def fault(status: int, code: str = "", **headers: str) -> Says:
    """An error as endpoints send them."""
    body = {"error": {"message": "no", "type": "error", "param": None, "code": code or None}}
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Says(status=status, body=json.dumps(body).encode(), headers=named)


@dataclass(slots=True)
class Served:
    """A server that runs: its address, and how many requests came."""

    replies: Sequence[Says]
    """In turn, the last one over and over."""
    address: str = ""
    requests: int = 0
    closing: Event = field(default_factory=Event)


@contextmanager
def serving(*replies: Says) -> Iterator[Served]:
    """A server of the replies, at least one, for the length of the block."""
    served = Served(replies)

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that goes away is part of the script."""

    server = Server(("127.0.0.1", 0), _handler(served))
    served.address = f"http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        served.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(served: Served) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            """Answer with the next reply."""
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            served.requests += 1
            self.close_connection = True
            _say(self, served.replies[min(served.requests, len(served.replies)) - 1], served.closing)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
            """Nothing: the terminal is the evals'."""

    return Handler


def _say(handler: BaseHTTPRequestHandler, says: Says, closing: Event) -> None:
    if says.silent:
        closing.wait(_MOST)
        return
    handler.send_response(says.status)
    for name, value in (("Content-Type", "application/json"), *says.headers):
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(says.body) + 100 * says.short))
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.wfile.write(says.body)
