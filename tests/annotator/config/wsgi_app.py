"""A small application for tests of the web worker: it says what it read, and has large responses."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from annotator.config.web_worker import BufferingWorker


class ImpatientWorker(BufferingWorker):
    quiet_seconds = 1.0
    few_requests = 3


def application(environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
    path = environ["PATH_INFO"]
    if path == "/large":
        body = b"x" * 3_000_000
    elif path == "/account/login/":
        body = b"x" * 10_000
    elif path == "/unread":
        body = b"unread"
    elif path == "/pid":
        body = str(os.getpid()).encode()
    else:
        body = f"{environ['REQUEST_METHOD']} {path} {len(environ['wsgi.input'].read())}".encode()
    start_response("200 OK", [("Content-Length", str(len(body))), ("Content-Type", "text/plain")])
    return [body]
