"""A request as it arrives, piece by piece: complete, too large to keep in memory, or refused. Bytes only, no sockets.

This decides only when a thread gets the request. gunicorn's own parser then reads it and has the last word.
"""

import re
from enum import Enum

MAX_HEAD = 64 * 1024
MAX_BUFFERED_BODY = 1024 * 1024

HEAD_END = re.compile(rb"\r?\n\r?\n")  # gunicorn refuses bare line feeds; waiting for more would not help
LENGTH = re.compile(rb"\ncontent-length[ \t]*:[ \t]*(\d{1,18})[ \t]*(?=\r?\n)", re.IGNORECASE)
ENCODING = re.compile(rb"\ntransfer-encoding[ \t]*:", re.IGNORECASE)
EXPECTATION = re.compile(rb"\nexpect[ \t]*:[ \t]*100-continue", re.IGNORECASE)

HEAD_TOO_LARGE = "431 Request Header Fields Too Large"
LENGTH_REQUIRED = "411 Length Required"  # browsers always send a length; without one, an end cannot be foreseen


class State(Enum):
    PARTIAL = "partial"
    COMPLETE = "complete"
    LARGE = "large"  # the head is here; a thread reads the body as it arrives
    REFUSED = "refused"


class Arrival:
    """The bytes of one request, and those that follow it on the same connection."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._begin()

    def _begin(self) -> None:
        self.state = State.PARTIAL
        self.refusal = ""
        self.size = 0  # of the whole request, once its head is here
        self.expects_continue = False
        self._searched = 0

    def add(self, data: bytes) -> State:
        self.data += data
        return self.update()

    def update(self) -> State:
        if not self.size:
            self._read_head()
        if self.size and self.state is State.PARTIAL and len(self.data) >= self.size:
            self.state = State.COMPLETE
        return self.state

    def take(self) -> bytes:
        """Remove the request, or what is here of a large one. What follows it becomes the next request."""
        request = bytes(self.data[: self.size])
        del self.data[: self.size]
        self._begin()
        return request

    def _read_head(self) -> None:
        end = HEAD_END.search(self.data, max(0, self._searched - 3))
        self._searched = len(self.data)
        if (end.end() if end else self._searched) > MAX_HEAD:
            self._refuse(HEAD_TOO_LARGE)
        elif end:
            self._measure(bytes(self.data[: end.end()]))

    def _measure(self, head: bytes) -> None:
        if ENCODING.search(head):
            return self._refuse(LENGTH_REQUIRED)
        length = max((int(digits) for digits in LENGTH.findall(head)), default=0)
        self.size = len(head) + length
        self.expects_continue = bool(EXPECTATION.search(head))
        if length > MAX_BUFFERED_BODY:
            self.state = State.LARGE
        return None

    def _refuse(self, reason: str) -> None:
        self.state, self.refusal = State.REFUSED, reason
