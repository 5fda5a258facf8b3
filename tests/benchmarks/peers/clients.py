"""Eight people at once, without browsers: each keeps a connection open and sends what the tool's page would send."""

import gzip
import http.client
import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from statistics import median
from typing import Any, Protocol
from urllib.parse import urlencode, urlsplit

from tests.benchmarks.labelling_load import NothingLeft

ATTRIBUTES = ("location", "sex", "age")
ANSWERS = {"location": "Houston, Texas", "sex": "male", "age": "27"}
HARDNESS, CERTAINTY = 2, 4
MOST_ERRORS = 20


class Refused(Exception):
    """A response that the page could not have handled."""


class Client(Protocol):
    """One person. `acknowledged` holds keys of the submissions that the server confirmed, as in the export."""

    acknowledged: set[str]

    def open_next(self) -> None: ...

    def cycle(self) -> None:
        """Save the whole form, submit, and open the next profile."""

    def submit_only(self) -> None:
        """Submit without opening anything, where the tool allows it: to have enough to export."""


@dataclass(slots=True)
class Connection:
    """A kept-alive connection with cookies. It follows redirects, as browsers do."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    line: http.client.HTTPConnection | None = None

    def get(self, path: str) -> bytes:
        return self.send("GET", path)

    def post_form(self, path: str, fields: dict[str, Any]) -> bytes:
        return self.send("POST", path, urlencode(fields), "application/x-www-form-urlencoded")

    def post_json(self, path: str, value: Any) -> bytes:
        return self.send("POST", path, json.dumps(value), "application/json")

    def send(self, method: str, path: str, body: str | None = None, kind: str = "") -> bytes:
        try:
            answer, content = self._send_once(method, path, body, kind)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            self.line = None  # the server closed the idle connection
            answer, content = self._send_once(method, path, body, kind)
        if answer.status in (301, 302, 303):
            return self.send("GET", _path_of(answer.headers["Location"]))
        if answer.status >= 300:
            raise Refused(f"{method} {path}: {answer.status} {content[:200]!r}")
        return content

    def _send_once(self, method: str, path: str, body: str | None, kind: str) -> tuple[http.client.HTTPResponse, bytes]:
        self.line = self.line or http.client.HTTPConnection("127.0.0.1", self.port, timeout=180)
        headers = self.headers | {"Accept-Encoding": "gzip", **({"Content-Type": kind} if kind else {})}
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        self.line.request(method, path, body, headers)
        answer = self.line.getresponse()
        content = answer.read()
        for cookie in SimpleCookie("\n".join(answer.headers.get_all("Set-Cookie") or [])).values():
            self.cookies[cookie.key] = cookie.value
        return answer, gzip.decompress(content) if answer.headers.get("Content-Encoding") == "gzip" else content


def _path_of(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


# ── Together ─────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Phase:
    """What all clients did in some seconds."""

    seconds: float
    cycles: list[float]  # seconds of each
    errors: list[str]

    @property
    def rate(self) -> float:
        return len(self.cycles) / self.seconds

    @property
    def middle(self) -> float:
        return median(self.cycles) if self.cycles else 0.0


def work_together(clients: Sequence[Client], seconds: float) -> Phase:
    """All clients repeat their cycle, each in a thread of its own, for so long or until no profile is left."""
    began = time.monotonic()
    cycles, errors = _in_threads(clients, lambda client: client.cycle(), lambda: time.monotonic() < began + seconds)
    return Phase(time.monotonic() - began, cycles, errors)


def submit_until(clients: Sequence[Client], wanted: int) -> list[str]:
    """Go on submitting until there are enough submissions to export. Nothing is timed."""
    _, errors = _in_threads(clients, lambda client: client.submit_only(), lambda: _count(clients) < wanted)
    return errors


def _count(clients: Sequence[Client]) -> int:
    return sum(len(client.acknowledged) for client in clients)


def _in_threads(
    clients: Sequence[Client], action: Callable[[Client], None], goes_on: Callable[[], bool]
) -> tuple[list[float], list[str]]:
    taken: list[float] = []
    errors: list[str] = []
    is_over = threading.Event()

    def work(client: Client) -> None:
        while goes_on() and len(errors) < MOST_ERRORS and not is_over.is_set():
            began = time.perf_counter()
            try:
                action(client)
            except NothingLeft:
                is_over.set()
            except Exception as error:  # whatever it is, it's a result
                errors.append(f"{type(error).__name__}: {error}"[:300])
            else:
                taken.append(time.perf_counter() - began)

    threads = [threading.Thread(target=work, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return taken, errors


def open_repeatedly(client: Client, times: int) -> list[float]:
    """Seconds for opening the next profile, after two to warm up."""
    seconds = []
    for _ in range(times + 2):
        began = time.perf_counter()
        client.open_next()
        seconds.append(time.perf_counter() - began)
    return seconds[2:]


def lost(acknowledged: set[str], exported: set[str]) -> int:
    """Submissions that the server confirmed, but that the export lacks or has without all answers."""
    return len(acknowledged - exported)
