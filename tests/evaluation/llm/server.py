"""A real HTTP server that speaks the chat protocol, and fails as it is told to."""

import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Response = tuple[int, dict[str, str], bytes]


def reply(text: str = "Houston", **more: Any) -> bytes:
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"} | more
    return json.dumps({"choices": [choice], "usage": {"prompt_tokens": 10, "completion_tokens": 5}}).encode()


def ok(body: bytes | None = None) -> Response:
    return 200, {}, reply() if body is None else body


class Server:
    """`script` gets the text of the last message and how often it was asked, and answers."""

    def __init__(self) -> None:
        self.script: Callable[[str, int], Response] = lambda text, times: ok()
        self.calls: Counter[str] = Counter()
        self.headers: list[dict[str, str]] = []
        self.bodies: list[dict[str, Any]] = []
        self.at: list[float] = []
        self.busy = self.most_busy = 0
        self.lock = threading.Lock()
        self.url = ""

    def answer(self, headers: dict[str, str], body: dict[str, Any]) -> Response:
        text = body["messages"][-1]["content"]
        with self.lock:
            self.calls[text] += 1
            self.headers.append(headers)
            self.bodies.append(body)
            self.at.append(time.monotonic())
            self.busy += 1
            self.most_busy = max(self.most_busy, self.busy)
            times = self.calls[text]
        try:
            return self.script(text, times)
        finally:
            with self.lock:
                self.busy -= 1


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, headers, contents = server.answer(dict(self.headers), body)
            try:
                self.send_response(status)
                for name, value in ({"Content-Length": str(len(contents))} | headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(contents)
            except OSError:
                self.close_connection = True  # the client has gone

        def log_message(self, *_: object) -> None: ...

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


@contextmanager
def serving_raw(script: Callable[[socket.socket, int], None]) -> Iterator[str]:
    """The address of a server that reads one request after another, and lets `script` write what it likes.

    `script` gets the connection and how many requests came before, over all connections.
    """
    listener, count, threads = socket.create_server(("127.0.0.1", 0)), iter(range(1_000)), list[threading.Thread]()

    def answer(connection: socket.socket) -> None:
        with connection:
            while _read_request(connection):
                try:
                    script(connection, next(count))
                except OSError:
                    return  # the client has gone

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threads.append(threading.Thread(target=answer, args=(connection,), daemon=True))
            threads[-1].start()

    threading.Thread(target=accept, daemon=True).start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


def _read_request(connection: socket.socket) -> bool:
    received = b""
    while True:
        head, separator, body = received.partition(b"\r\n\r\n")
        if separator and len(body) >= int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]):
            return True
        try:
            part = connection.recv(65536)
        except OSError:
            return False
        if not part:
            return False
        received += part
