"""One connection to an endpoint. The only module that knows HTTP."""

import io
import json
import select
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from functools import cache
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from evaluation.llm.endpoints import Endpoint
from evaluation.llm.replies import is_passing, read_answer, read_error
from evaluation.llm.requests import ChatAnswer, ChatRequest, Problem, failure

MOST_BYTES = 2_000_000  # an answer of thousands of tokens, with log-probabilities
CONNECT_SECONDS = 10.0
Clock = Callable[[], float]


class Trouble(StrEnum):
    """Why a request has to be sent again."""

    NONE = ""
    NOBODY = "nobody"  # listens at the address
    UNTRUSTED = "untrusted"  # no encrypted connection, often because of the certificate
    SLOW = "slow"
    BUSY = "busy"  # the server asks for fewer requests
    BROKEN = "broken"  # an error of the server, or half a response
    NOT_CHAT = "not-chat"  # a response that isn't what the protocol says


class ConnectionFailed(Exception):
    """No response came, or only a part of one."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer, and whether another try may give a better one, after so many seconds if the server said so."""

    answer: ChatAnswer
    trouble: Trouble = Trouble.NONE
    retry_after: float | None = None

    @property
    def is_passing(self) -> bool:
        return self.trouble != Trouble.NONE


@dataclass(slots=True)
class Connection:
    """Kept open between requests. Not for two threads at once.

    http.client takes no proxies from the environment, which would be sent people's texts, and follows no redirects.
    """

    endpoint: Endpoint
    _http: HTTPConnection | None = None
    _socket: "TimedSocket | None" = None
    _path: str = field(init=False)
    _headers: dict[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        key = {"Authorization": f"Bearer {self.endpoint.key}"} if self.endpoint.key else {}
        self._headers = {"Content-Type": "application/json", "User-Agent": "telltale"} | key
        self._path = f"{urlsplit(self.endpoint.base_url).path}/chat/completions"

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def ask(self, request: ChatRequest, clock: Clock = time.monotonic) -> Outcome:
        """Send the request once."""
        began = clock()
        try:
            outcome = self._send(request, until=began + self.endpoint.timeout, clock=clock)
        except ConnectionFailed as failed:
            self._close()
            return Outcome(failure(Problem.GAVE_UP), failed.trouble)
        return Outcome(outcome.answer.after(clock() - began), outcome.trouble, outcome.retry_after)

    def _send(self, request: ChatRequest, *, until: float, clock: Clock) -> Outcome:
        body = json.dumps(request.payload(self.endpoint.model)).encode()
        status, retry_after, contents = self._exchange(body, until, clock)
        if len(contents) > MOST_BYTES:
            return Outcome(failure(Problem.TOO_LARGE))
        if is_passing(status):
            trouble = Trouble.BUSY if status == HTTPStatus.TOO_MANY_REQUESTS else Trouble.BROKEN
            return Outcome(failure(Problem.GAVE_UP), trouble, _retry_after(retry_after))
        if status != HTTPStatus.OK:
            return Outcome(read_error(status, contents))
        answer = read_answer(contents)
        return Outcome(answer, Trouble.NOT_CHAT if answer.problem == Problem.BAD_ANSWER else Trouble.NONE)

    def _exchange(self, body: bytes, until: float, clock: Clock) -> tuple[int, str, bytes]:
        """Status, Retry-After and body of the response; of a body that is too large, enough to see that."""
        http = self._open(until, clock)
        try:
            http.request("POST", self._path, body, self._headers)  # it asks for no compression by itself
            with http.getresponse() as response:
                contents = _read(response)
                retry_after = response.getheader("Retry-After", "")
        except TimeoutError as error:
            raise ConnectionFailed(Trouble.SLOW) from error
        except (OSError, HTTPException) as error:
            raise ConnectionFailed(Trouble.BROKEN) from error
        if len(contents) > MOST_BYTES:
            self._close()
        return response.status, retry_after, contents

    def _open(self, until: float, clock: Clock) -> HTTPConnection:
        """The connection of the last request if it is still open, otherwise a new one."""
        if self._http is not None and self._socket is not None and self._socket.is_usable():
            self._socket.until = until
            return self._http
        self._close()
        parts, seconds = urlsplit(self.endpoint.base_url), min(CONNECT_SECONDS, self.endpoint.timeout)
        http = (
            HTTPSConnection(parts.hostname or "", parts.port, timeout=seconds, context=trusted_certificates())
            if parts.scheme == "https"
            else HTTPConnection(parts.hostname or "", parts.port, timeout=seconds)
        )
        try:
            http.connect()
        except ssl.SSLError as error:
            raise ConnectionFailed(Trouble.UNTRUSTED) from error
        except (OSError, UnicodeError) as error:  # a name that can't be looked up is either
            raise ConnectionFailed(Trouble.NOBODY) from error
        self._http, self._socket = http, TimedSocket(http.sock, until, clock)
        http.sock = self._socket
        return http

    def _close(self) -> None:
        if self._http is not None:
            self._http.close()
            self._http = self._socket = None


@cache
def trusted_certificates() -> ssl.SSLContext:
    """Read once per process, and only for encrypted connections: it takes longer than a short answer."""
    return ssl.create_default_context()


class TimedSocket:
    """As much of a socket as http.client uses, with a time at which everything must be over.

    A socket's own timeout is for each piece of a response, so that a server could go on for ever by dripping bytes.
    """

    def __init__(self, connected: socket.socket, until: float, clock: Clock) -> None:
        self.socket, self.until, self.clock, self.is_open = connected, until, clock, True

    def sendall(self, contents: bytes) -> None:
        self.limit()
        self.socket.sendall(contents)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self))

    def close(self) -> None:
        """A response that is still being read keeps its end of the socket."""
        self.is_open = False
        self.socket.close()

    def limit(self) -> None:
        """Let the next step take what time is left."""
        left = self.until - self.clock()
        if left <= 0:
            raise TimeoutError
        self.socket.settimeout(left)

    def is_usable(self) -> bool:
        """For another request. Between two of them there is nothing to read, except that the server has closed."""
        if not self.is_open:
            return False
        poll = select.poll()
        poll.register(self.socket, select.POLLIN)
        return not poll.poll(0)


class _TimedReader(io.RawIOBase):
    def __init__(self, source: TimedSocket) -> None:
        self.source, self.raw = source, source.socket.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self.source.limit()
        return self.raw.readinto(buffer)

    def close(self) -> None:
        self.raw.close()
        super().close()


def _read(response: HTTPResponse) -> bytes:
    """The body, or so much of it that it is too large. http.client itself takes half a body for a whole one."""
    contents = response.read(MOST_BYTES + 1)
    length = response.getheader("Content-Length", "")
    is_counted = length.isdecimal() and response.getheader("Transfer-Encoding") is None
    if is_counted and len(contents) < min(int(length), MOST_BYTES):
        raise HTTPException("The response was cut off.")
    return contents


def _retry_after(header: str) -> float | None:
    """Seconds, from a number or a date."""
    try:
        return max(float(header), 0.0)
    except ValueError:
        pass
    try:
        return max((parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None
