"""Clients that take their time, all on loopback, and a client that measures how the site does meanwhile."""

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain, repeat

HEAD = b"POST /account/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
LARGE = 5_000_000

# What each kind sends at once, and then byte by byte without end.
KINDS: dict[str, tuple[bytes, bytes]] = {
    "silent": (b"", b""),
    "head": (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"X-Slow: yes\r\n"),
    "body": (HEAD + b"Content-Length: 900000\r\n\r\n", b"a"),
    "chunks": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
    "upload": (HEAD + b"Content-Length: %d\r\n\r\n" % LARGE, b"a"),
    "no goodbye": (b"GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n", b""),
    "reader": (b"GET /account/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 400, b""),
}


@contextmanager
def slow_clients(port: int, count: int, kind: str, *, every: float = 2.0) -> Iterator[None]:
    """So many connections, each of which sends one more byte every few seconds and reads nothing."""
    first, rest = KINDS[kind]
    sockets: list[socket.socket] = []
    ended = threading.Event()
    trickle = threading.Thread(target=_trickle, args=(sockets, rest, every, ended))
    try:
        for _ in range(count):
            sockets.append(_connect(port, first))
        if sockets and rest:
            trickle.start()
        yield
    finally:
        ended.set()
        if trickle.ident:
            trickle.join()
        for client in sockets:
            client.close()


def latencies(port: int, path: str, *, count: int, pause: float = 0.02) -> list[float]:
    """Seconds that each of some normal requests took, each on a connection of its own. Sorted."""
    return sorted(_timed(port, path, pause) for _ in range(count))


def percentile(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, int(len(values) * share))]


def _timed(port: int, path: str, pause: float) -> float:
    time.sleep(pause)
    started = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    assert response.status == 200, response.status
    connection.close()
    return time.monotonic() - started


def _connect(port: int, first: bytes) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    client.settimeout(5)
    with suppress(OSError):
        client.connect(("127.0.0.1", port))
        client.setblocking(False)
        client.send(first)
    return client


def _trickle(sockets: list[socket.socket], rest: bytes, every: float, ended: threading.Event) -> None:
    """Spread the bytes of all clients over the interval."""
    for byte in chain.from_iterable(repeat([rest[n : n + 1] for n in range(len(rest))])):
        for number, client in enumerate(sockets):
            if number % 25 == 0 and ended.wait(every * 25 / len(sockets)):
                return
            with suppress(OSError):
                client.send(byte)
