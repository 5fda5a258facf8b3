"""When a request is complete."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.config import arrival
from annotator.config.arrival import Arrival, State

GET = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /b HTTP/1.1\r\nHost: x\r\ncontent-LENGTH:  5 \r\n\r\nhello"


@given(st.lists(st.sampled_from([GET, POST]), min_size=1, max_size=5), st.lists(st.integers(1, 40), min_size=1))
def test_finds_every_request_however_its_bytes_are_cut(requests, cuts):
    data, incoming, taken, number = b"".join(requests), Arrival(), [], 0
    while data:
        size = cuts[number % len(cuts)]
        state, number = incoming.add(data[:size]), number + 1
        data = data[size:]
        while state is State.COMPLETE:
            taken.append(incoming.take())
            state = incoming.update()
    assert taken == requests
    assert not incoming.data


@pytest.mark.parametrize(
    ("data", "state"),
    [
        (b"", State.PARTIAL),
        (GET[:-1], State.PARTIAL),
        (POST[:-1], State.PARTIAL),
        (POST + GET, State.COMPLETE),
        (b"GET / HTTP/1.1\nHost: x\n\n", State.COMPLETE),  # for gunicorn to refuse
        (b"\r\n\r\n", State.COMPLETE),
        (POST.replace(b" 5 ", b" five"), State.COMPLETE),
        (POST.replace(b" 5 ", b"5\r\nContent-Length: 9"), State.PARTIAL),
        (POST.replace(b" 5 ", b"%d" % (arrival.MAX_BUFFERED_BODY + 1)), State.LARGE),
        (POST.replace(b" 5 ", b"%d" % arrival.MAX_BUFFERED_BODY), State.PARTIAL),
        (POST.replace(b"\r\ncontent", b"\r\nTransfer-Encoding: chunked\r\ncontent"), State.REFUSED),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * arrival.MAX_HEAD, State.REFUSED),
    ],
)
def test_decides_by_the_head(data, state):
    assert Arrival().add(data) is state


def test_leaves_what_follows_a_large_body_alone():
    incoming = Arrival()
    incoming.add(POST.replace(b" 5 ", b"2000000"))
    assert incoming.take().endswith(b"hello")
    assert not incoming.data
