"""One connection against a server that writes byte by byte what it is told to."""

import socket
import time

import pytest

from evaluation.llm.connection import Connection, Trouble
from evaluation.llm.endpoints import Endpoint
from evaluation.llm.requests import ChatRequest, Problem
from tests.evaluation.llm.server import reply, serving, serving_raw

REQUEST = ChatRequest((("user", "Where do I live?"),))
BODY = reply()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n" % len(BODY)


def ask(script, *, times=1, timeout=5.0):
    """The outcomes of so many requests over one connection."""
    with serving_raw(script) as url, Connection(Endpoint(url, "small", timeout=timeout)) as connection:
        return [connection.ask(REQUEST) for _ in range(times)]


@pytest.mark.parametrize(
    "response",
    [
        HEAD + b"\r\n" + BODY,
        HEAD + b"Connection: close\r\n\r\n" + BODY,
        b"HTTP/1.0 200 OK\r\n\r\n" + BODY,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n" + BODY[:5] + b"\r\n%x\r\n" % (len(BODY) - 5)
        + BODY[5:] + b"\r\n0\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" + HEAD + b"\r\n" + BODY,
    ],
)  # fmt: skip
def test_every_way_to_end_a_response_is_understood_twice(response):
    def script(connection, number):
        connection.sendall(response)
        if b"Connection: close" in response or b"HTTP/1.0" in response:
            connection.shutdown(socket.SHUT_RDWR)

    assert [outcome.answer.text for outcome in ask(script, times=2)] == ["Houston", "Houston"]


def test_a_connection_is_kept_and_one_that_the_server_closed_is_opened_again():
    ports = []

    def script(connection, number):
        ports.append(connection.getpeername()[1])
        connection.sendall(HEAD + b"\r\n" + BODY)
        if number == 1:
            connection.shutdown(socket.SHUT_RDWR)  # without having said so

    with serving_raw(script) as url, Connection(Endpoint(url, "small")) as connection:
        for _ in range(3):
            assert connection.ask(REQUEST).answer.text == "Houston"
            time.sleep(0.05)
    assert ports[0] == ports[1] != ports[2]


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\n", HEAD + b"\r\n"])
def test_a_server_that_drips_is_left_at_the_timeout(start):
    def script(connection, number):
        connection.sendall(start)
        for _ in range(40):
            connection.sendall(b"x")
            time.sleep(0.05)

    began = time.monotonic()
    (outcome,) = ask(script, timeout=0.3)
    assert outcome.trouble == Trouble.SLOW
    assert time.monotonic() - began < 1.5


@pytest.mark.parametrize(
    "response",
    [b"", b"HTTP/1.1 200", b"nonsense\r\n\r\n", HEAD, HEAD + b"\r\n" + BODY[:9],
     b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{" , b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200],
)  # fmt: skip
def test_half_a_response_is_asked_for_again(response):
    def script(connection, number):
        connection.sendall(response)
        connection.shutdown(socket.SHUT_RDWR)

    (outcome,) = ask(script)
    assert outcome.answer.problem in (Problem.GAVE_UP, Problem.BAD_ANSWER)
    assert outcome.is_passing


def test_a_response_that_is_shorter_than_announced_is_not_trusted():
    def script(connection, number):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (len(BODY) + 1) + BODY)
        connection.shutdown(socket.SHUT_RDWR)

    (outcome,) = ask(script)
    assert outcome.trouble == Trouble.BROKEN


def test_after_a_failure_the_connection_works_again():
    def script(connection, number):
        connection.sendall(HEAD + b"\r\n" + (BODY if number else BODY[:9]))
        if not number:
            time.sleep(0.4)

    first, second = ask(script, times=2, timeout=0.2)
    assert (first.trouble, second.answer.text) == (Trouble.SLOW, "Houston")


@pytest.mark.parametrize("head", [b"Content-Length: 3000000\r\n", b"Connection: close\r\n"])
def test_a_body_that_is_too_large_is_not_read_to_its_end(head):
    def script(connection, number):
        connection.sendall(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n" + b"x" * 3_000_000)
        connection.shutdown(socket.SHUT_RDWR)

    (outcome,) = ask(script)
    assert (outcome.answer.problem, outcome.is_passing) == (Problem.TOO_LARGE, False)


def test_a_body_without_an_end_is_left():
    sent = []

    def script(connection, number):
        connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        for _ in range(60):
            connection.sendall(b"x" * 1_000_000)
            sent.append(1)
        connection.shutdown(socket.SHUT_RDWR)

    (outcome,) = ask(script)
    assert outcome.answer.problem == Problem.TOO_LARGE
    assert len(sent) < 40  # megabytes, most of them in buffers of the system


def test_an_endpoint_that_does_not_encrypt_is_told_apart():
    with serving() as server, Connection(Endpoint(server.url.replace("http", "https"), "small", timeout=5)) as http:
        assert http.ask(REQUEST).trouble == Trouble.UNTRUSTED
