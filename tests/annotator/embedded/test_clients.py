"""Is a server ready? Asked of small stand-ins; the tests of commands ask real ones."""

import socket
from threading import Thread

import pytest

from annotator.embedded.clients import valkey_is_ready
from annotator.embedded.home import Home


def answer_once(server: socket.socket, answer: bytes) -> None:
    connection, _ = server.accept()
    with connection:
        assert connection.recv(64) == b"PING\r\n"
        connection.sendall(answer)


@pytest.mark.parametrize(
    ("answer", "ready"), [(b"+PONG\r\n", True), (b"-LOADING Valkey is loading the dataset in memory\r\n", False)]
)
def test_valkey_is_ready_once_it_answers_a_ping(tmp_path, answer, ready):
    home = Home(tmp_path)
    home.sockets.mkdir(exist_ok=True)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(home.valkey_socket))
        server.listen()
        thread = Thread(target=answer_once, args=(server, answer))
        thread.start()
        assert valkey_is_ready(home) is ready
        thread.join()


def test_valkey_is_not_ready_before_its_socket_is_there(tmp_path):
    assert not valkey_is_ready(Home(tmp_path))
