"""The web worker with a small application: slow clients of every kind, and everything that HTTP clients may do."""

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from annotator.embedded.home import PROJECT
from tests.annotator.config.slow_clients import KINDS, latencies, slow_clients
from tests.annotator.embedded.installation import free_port, wait_until

pytestmark = [pytest.mark.processes]
WORKER = "annotator.config.web_worker.BufferingWorker"
OPTIONS = ["--workers", "1", "--threads", "4", "--no-control-socket", "--graceful-timeout", "5", "--no-sendfile"]
APPLICATION = "tests.annotator.config.wsgi_app:application"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(WORKER) as port:
        yield port


@contextmanager
def served(worker: str, *options: str) -> Iterator[int]:
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "--worker-class", worker, "--bind", f"127.0.0.1:{port}", *OPTIONS]
    server = subprocess.Popen([*command, *options, APPLICATION], cwd=PROJECT, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: _answers(port))
        yield port
    finally:
        server.terminate()
        assert server.wait(20) == 0


def _answers(port: int) -> bool:
    try:
        return latencies(port, "/", count=1) != []
    except OSError:
        return False


def talk(port: int, data: bytes, *, until: bytes = b"", seconds: float = 10) -> bytes:
    """Send some bytes; return what comes back until the server closes or says something."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as client:
        client.sendall(data)
        received = b""
        while not (until and until in received) and (piece := client.recv(65536)):
            received += piece
    return received


@pytest.mark.parametrize("kind", KINDS)
def test_slow_clients_hold_no_thread(port, kind):
    """Twelve of them, for four threads. Large uploads get half of the threads."""
    with slow_clients(port, 12, kind, every=0.3):
        time.sleep(1 if kind == "reader" else 0)  # until the kernel's buffers are full
        assert latencies(port, "/", count=10)[-1] < 1


def test_reads_a_request_that_arrives_byte_by_byte(port):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        for byte in b"POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc":
            client.sendall(bytes([byte]))
            time.sleep(0.002)
        answer = b""
        while not answer.endswith(b"POST /slow 3"):
            part = client.recv(1000)
            assert part, answer
            answer += part


def test_answers_requests_in_a_row_on_one_connection(port):
    post = b"POST /%d HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nabcd"
    received = talk(port, b"".join(post % number for number in range(20)), until=b"POST /19 4")
    assert [f"POST /{number} 4".encode() in received for number in range(20)] == [True] * 20


def test_keeps_a_connection_for_the_next_request(port):
    connection, own_ports = http.client.HTTPConnection("127.0.0.1", port, timeout=10), set()
    for number in range(3):
        connection.request("POST", f"/{number}", body=b"x" * 500_000)
        assert connection.getresponse().read() == f"POST /{number} 500000".encode()
        own_ports.add(connection.sock.getsockname())
    connection.close()
    assert len(own_ports) == 1


def test_a_body_that_nobody_reads_does_not_become_the_next_request(port):
    post = b"POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 30\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n    "
    received = talk(port, post + b"GET /next HTTP/1.1\r\nHost: x\r\n\r\n", until=b"GET /next 0")
    assert b"smuggled" not in received


@pytest.mark.parametrize("size", [1_500_000, 20_000_000])
def test_takes_large_bodies_as_they_arrive(port, size):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", "/upload", body=b"x" * size)
    response = connection.getresponse()
    assert response.read() == f"POST /upload {size}".encode()
    assert response.headers["Connection"] == "close"


def test_sends_large_responses_whole(port):
    received = talk(port, b"GET /large HTTP/1.0\r\nHost: x\r\n\r\n")
    assert len(received.partition(b"\r\n\r\n")[2]) == 3_000_000


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"411"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 70_000, b"431"),
        (b"GET / HTTP/1.1\nHost: x\n\n", b"400"),
        (b"nonsense\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: five\r\n\r\nhello", b"400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", b"400"),
    ],
)
def test_refuses_what_it_cannot_read_and_closes(port, request_bytes, status):
    assert talk(port, request_bytes).split()[1] == status


def test_tells_a_client_that_asks_first_to_go_on(port):
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        client.sendall(head)
        assert client.recv(100).startswith(b"HTTP/1.1 100")
        client.sendall(b"abc")
        received = b""
        while b"POST / 3" not in received:
            received += client.recv(1000)


def test_a_client_that_leaves_in_the_middle_does_no_harm(port):
    for data in (b"", b"GET", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\na", KINDS["upload"][0] + b"abc"):
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(data)
    assert latencies(port, "/", count=3)[-1] < 1


@pytest.mark.long
def test_old_slow_clients_make_room_for_new_connections():
    """More slow connections than the worker may have."""
    with served(WORKER, "--worker-connections", "20") as port, slow_clients(port, 60, "head", every=0.3):
        assert latencies(port, "/", count=10)[-1] < 1


def test_a_process_that_has_served_pages_is_replaced_when_nobody_uses_it():
    with served("tests.annotator.config.wsgi_app.ImpatientWorker") as port:
        first = _pid(port)
        assert _pid(port) == first
        assert _pid(port) == first
        time.sleep(4)
        second = _pid(port)
        assert second != first
        time.sleep(4)
        assert _pid(port) == second, "it had served too little to end"


def test_a_process_in_use_is_not_replaced():
    """The last look at each connection comes when it has just ended."""
    with served("tests.annotator.config.wsgi_app.ImpatientWorker") as port:
        first = _pid(port)
        for _ in range(6):
            with socket.create_connection(("127.0.0.1", port), timeout=10):
                time.sleep(0.7)
            assert _pid(port) == first


def _pid(port: int) -> bytes:
    return talk(port, b"GET /pid HTTP/1.0\r\nHost: x\r\n\r\n").rpartition(b"\r\n")[2]
