"""A real HTTP endpoint that says what a test wants it to, and keeps what it received. Standard library only, an ephemeral port."""

import json
import socket
import struct
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread


@dataclass(frozen=True, kw_only=True)
class Says:
    """One reply."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    reset: bool = False
    """Close the connection with a reset instead of a reply."""
    drip: float = 0
    """Seconds between two bytes of the body; the server stops when it is closed."""
    silent: bool = False
    """Say nothing until the server is closed."""
    short: bool = False
    """Promise more bytes than are sent."""


def completion(content, *, finish="stop", usage=(11, 7), model="stub-1-actual", **message):
    """A chat completion with that text."""
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
    }
    if usage is not None:
        asked, answered = usage
        body["usage"] = {"prompt_tokens": asked, "completion_tokens": answered, "total_tokens": asked + answered}
    return Says(body=json.dumps(body).encode(), headers={"Content-Type": "application/json"})


def fault(status, message="no", *, code=None, type_="error", param=None, **headers):
    """An error as OpenAI-compatible endpoints send them."""
    error = {"error": {"message": message, "type": type_, "param": param, "code": code}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Says(status=status, body=json.dumps(error).encode(), headers={"Content-Type": "application/json", **named})


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self):
        return json.loads(self.raw)


class Stub:
    """The server: gives `replies` in turn, the last one over and over."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.requests = []
        self.closing = Event()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                stub.requests.append(
                    Request(
                        path=self.path, headers={name.lower(): value for name, value in self.headers.items()}, raw=raw
                    )
                )
                self.close_connection = True
                stub.say(self, stub.replies[min(len(stub.requests), len(stub.replies)) - 1])

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):  # a client that went away is part of the tests
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def say(self, handler, says):
        if says.reset:
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.close()
            return
        if says.silent:
            self.closing.wait(30)
            return
        handler.send_response(says.status)
        for name, value in says.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(says.body) + 100 * says.short))
        handler.send_header("Connection", "close")
        handler.end_headers()
        if not says.drip:
            handler.wfile.write(says.body)
            return
        for byte in says.body:
            if self.closing.is_set():
                return
            handler.wfile.write(bytes([byte]))
            handler.wfile.flush()
            time.sleep(says.drip)

    def close(self):
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def serving(*replies):
    """A stub that is closed at the end of the block."""
    stub = Stub(*replies)
    try:
        yield stub
    finally:
        stub.close()
