"""One connection to an endpoint. The only module that knows HTTP."""

import json
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from types import TracebackType

import httpx

from evaluation.llm.endpoints import Endpoint
from evaluation.llm.replies import is_passing, read_answer, read_error
from evaluation.llm.requests import ChatAnswer, ChatRequest, Problem, failure

MOST_BYTES = 2_000_000  # an answer of thousands of tokens, with log-probabilities
CONNECT_SECONDS = 10.0


class Trouble(StrEnum):
    """Why a request has to be sent again."""

    NONE = ""
    NOBODY = "nobody"  # listens at the address
    SLOW = "slow"
    BUSY = "busy"  # the server asks for fewer requests
    BROKEN = "broken"  # an error of the server, or half a response
    NOT_CHAT = "not-chat"  # a response that isn't what the protocol says


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
    """Kept open between requests. Not for two threads at once."""

    endpoint: Endpoint
    context: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    _http: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        # trust_env: a proxy of the environment would be sent people's texts.
        self._http = httpx.Client(
            verify=self.context, trust_env=False, follow_redirects=False, headers=self._headers(),
            timeout=httpx.Timeout(self.endpoint.timeout, connect=min(CONNECT_SECONDS, self.endpoint.timeout)),
        )  # fmt: skip

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._http.close()

    def ask(self, request: ChatRequest, clock: Callable[[], float] = time.monotonic) -> Outcome:
        """Send the request once."""
        began = clock()
        try:
            outcome = self._send(request, until=began + self.endpoint.timeout, clock=clock)
        except (httpx.TransportError, httpx.DecodingError) as error:
            return Outcome(failure(Problem.GAVE_UP), _trouble(error))
        return Outcome(outcome.answer.after(clock() - began), outcome.trouble, outcome.retry_after)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity", "User-Agent": "telltale"}
        return headers | ({"Authorization": f"Bearer {self.endpoint.key}"} if self.endpoint.key else {})

    def _send(self, request: ChatRequest, *, until: float, clock: Callable[[], float]) -> Outcome:
        body = json.dumps(request.payload(self.endpoint.model))
        with self._http.stream("POST", f"{self.endpoint.base_url}/chat/completions", content=body) as response:
            contents = _read(response, until, clock)
        if contents is None:
            return Outcome(failure(Problem.TOO_LARGE))
        if is_passing(response.status_code):
            trouble = Trouble.BUSY if response.status_code == httpx.codes.TOO_MANY_REQUESTS else Trouble.BROKEN
            return Outcome(failure(Problem.GAVE_UP), trouble, _retry_after(response.headers.get("Retry-After", "")))
        if response.status_code != httpx.codes.OK:
            return Outcome(read_error(response.status_code, contents))
        answer = read_answer(contents)
        return Outcome(answer, Trouble.NOT_CHAT if answer.problem == Problem.BAD_ANSWER else Trouble.NONE)


def _trouble(error: httpx.TransportError | httpx.DecodingError) -> Trouble:
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return Trouble.NOBODY
    return Trouble.SLOW if isinstance(error, httpx.TimeoutException) else Trouble.BROKEN


def _read(response: httpx.Response, until: float, clock: Callable[[], float]) -> bytes | None:
    """The body, or None if it is too large. A server that drips bytes runs into the timeout, too."""
    contents = bytearray()
    for part in response.iter_raw():
        contents += part
        if len(contents) > MOST_BYTES:
            return None
        if clock() > until:
            raise httpx.ReadTimeout("the whole response took too long")
    return bytes(contents)


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
