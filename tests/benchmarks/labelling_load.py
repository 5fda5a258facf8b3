"""Many evaluators at once, without browsers: each keeps a connection open and sends the page's requests."""

import gzip
import http.client
import json
import random
import re
import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

ANSWERS = {"sex": ("male", "female"), "age": ("27", "25-35"), "marital_status": ("married", "divorced")}
WHOLE_FORM = {"location": "Houston, Texas", "sex": "male", "age": "27"}
SEAT = re.compile(rb'id="(?:workspace|seat)"[^>]* data-assignment="(\d+)"')  # a seat in older checkouts


class Unexpected(Exception):
    """A response that the page could not have handled."""


class NothingLeft(Unexpected):
    """There is no next profile."""


@dataclass(slots=True)
class Seat:
    """One evaluator: the current assignment, what they sent, and how long each response took."""

    port: int
    cookies: dict[str, str]
    at: int
    sent: dict[int, dict[str, list[Any]]] = field(
        default_factory=dict
    )  # cards by assignment, as the server accepted them
    sealed: set[int] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    again: int = 0
    line: http.client.HTTPConnection | None = None

    def prepare(self) -> int:
        """Prefetch the next profile, as the page does."""
        body = self._ask("next", "GET", f"/assignments/{self.at}/next/")
        found = SEAT.search(body)
        if not found or b'class="comment"' not in body:
            raise Unexpected(f"next/ of {self.at}: {body[:200]!r}")
        return int(found[1])

    def page(self) -> None:
        body = self._ask("page", "GET", f"/assignments/{self.at}/")
        if b'class="comment"' not in body:
            raise Unexpected(f"page of {self.at}: {body[:200]!r}")

    def save(self, attribute: str, value: str, hardness: int, certainty: int) -> None:
        cards = self.sent.setdefault(self.at, {})
        version = cards.get(attribute, [None] * 4)[3] or 0
        said = {"value": value, "hardness": hardness, "certainty": certainty, "version": version}
        fields = {f"{attribute}-{name}": one for name, one in said.items()}
        kept = json.loads(self._ask("save", "POST", f"/assignments/{self.at}/answers/{attribute}/", fields))
        if (kept["value"], kept["hardness"], kept["certainty"]) != (value, hardness, certainty):
            raise Unexpected(f"saved {said}, kept {kept}")
        cards[attribute] = [value, hardness, certainty, kept["version"]]

    def submit(self, prepared: int) -> None:
        """Submit and go on. The next profile must be the one that was prefetched."""
        fields = {f"{attribute}-version": card[3] for attribute, card in self.sent.get(self.at, {}).items()}
        fields |= {"key": uuid.uuid4().hex, "active": 3, "cards": "{}"}
        answer = json.loads(self._ask("submit", "POST", f"/assignments/{self.at}/submit/", fields))
        self.sealed.add(self.at)
        if answer["next"] != f"/assignments/{prepared}/":
            raise Unexpected(f"prepared {prepared}, sent to {answer['next']}")
        self.at = prepared

    def _ask(self, what: str, method: str, path: str, fields: dict[str, Any] | None = None) -> bytes:
        began = time.perf_counter()
        status, body = self._send(method, path, urlencode(fields) if fields else None)
        self.seconds.setdefault(what, []).append(time.perf_counter() - began)
        if status == http.client.NO_CONTENT:
            raise NothingLeft(f"{method} {path}")
        if status != http.client.OK:
            raise Unexpected(f"{method} {path}: {status} {body[:200]!r}")
        return body

    def _send(self, method: str, path: str, body: str | None) -> tuple[int, bytes]:
        """Send the request. If the server closed the idle connection, retry on a new one, as browsers do."""
        try:
            return self._send_once(method, path, body)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            self.line, self.again = None, self.again + 1
            return self._send_once(method, path, body)

    def _send_once(self, method: str, path: str, body: str | None) -> tuple[int, bytes]:
        self.line = self.line or http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        headers |= {"Accept-Encoding": "gzip", "X-CSRFToken": self.cookies["telltale_csrf"]}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self.line.request(method, path, body, headers)
        answer = self.line.getresponse()
        said = answer.read()
        return answer.status, gzip.decompress(said) if answer.headers.get("Content-Encoding") == "gzip" else said


def save_and_next(seats: list[Seat], seconds: float) -> float:
    """Profiles per second of all evaluators together: prefetch the next one, save one card, submit."""

    def work(seat: Seat, until: float) -> None:
        while time.monotonic() < until:
            prepared = seat.prepare()
            seat.save("sex", "male", 2, 4)
            seat.submit(prepared)

    began = time.monotonic()
    _together(seats, work, began + seconds)
    return sum(len(seat.sealed) for seat in seats) / (time.monotonic() - began)


def whole_forms(seats: list[Seat], seconds: float) -> None:
    """Each evaluator repeats a cycle of five requests: prefetch the next profile, save three cards, submit."""

    def work(seat: Seat, until: float) -> None:
        while time.monotonic() < until:
            prepared = seat.prepare()
            for attribute, value in WHOLE_FORM.items():
                seat.save(attribute, value, 2, 4)
            seat.submit(prepared)

    _together(seats, work, time.monotonic() + seconds)


def crowd(seats: list[Seat], seconds: float) -> None:
    """Simulate people who answer a few cards and submit, with a second or two between any two actions."""

    def work(seat: Seat, until: float) -> None:
        chance = random.Random(seat.at)  # noqa: S311 repeatable on purpose
        time.sleep(chance.uniform(0, 2))
        seat.page()
        while time.monotonic() < until:
            prepared = seat.prepare()
            for attribute in chance.sample(sorted(ANSWERS), chance.randint(1, 3)):
                time.sleep(chance.uniform(1, 2))
                seat.save(attribute, chance.choice(ANSWERS[attribute]), chance.randint(1, 5), chance.randint(1, 5))
            time.sleep(chance.uniform(1, 2))
            seat.submit(prepared)

    _together(seats, work, time.monotonic() + seconds)


def lost(seats: list[Seat]) -> int:
    """Count accepted cards and submissions that the database lacks or has differently, and extra submissions."""
    from annotator.models import Draft, Submission

    drafts = {(d.assignment_id, d.attribute): d for d in Draft.objects.filter(assignment__in=_all(seats))}
    missing = 0
    for seat in seats:
        for assignment, cards in seat.sent.items():
            for attribute, card in cards.items():
                kept = drafts.get((assignment, attribute))
                missing += kept is None or [kept.value, kept.hardness, kept.certainty, kept.version] != card
    sealed = Submission.objects.filter(assignment__in=_all(seats))
    missing += abs(sealed.count() - sum(len(seat.sealed) for seat in seats))
    cards_of = {assignment: cards for seat in seats for assignment, cards in seat.sent.items()}
    return missing + sum(_differs(one.answers, cards_of[one.assignment_id]) for one in sealed)


def _differs(answers: list[dict[str, Any]], cards: dict[str, list[Any]]) -> int:
    """How many of the eight submitted answers differ from what was sent. Those that were not sent must be empty."""
    sent = {attribute: (card[0], card[1], card[2]) for attribute, card in cards.items()}
    sealed = {one["attribute"]: (one["value"], one["hardness"], one["certainty"]) for one in answers}
    return sum(said != sent.get(attribute, ("", 0, 0)) for attribute, said in sealed.items()) + 8 - len(sealed)


def _all(seats: list[Seat]) -> list[int]:
    return [assignment for seat in seats for assignment in seat.sent]


def _together(seats: list[Seat], work: Any, until: float) -> None:
    def guarded(seat: Seat) -> None:
        try:
            work(seat, until)
        except (Unexpected, OSError, http.client.HTTPException, ValueError) as error:
            seat.errors.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=guarded, args=(seat,)) for seat in seats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
