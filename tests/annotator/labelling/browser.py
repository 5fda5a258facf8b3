"""Open a profile in a browser and label it, for tests."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from django.core.signals import request_finished, request_started
from playwright.sync_api import Locator, Page, expect

from annotator.models import Annotator, Assignment, Batch, Draft
from profiles.models import Comment, Presence, Profile
from tests.factories import make_assignment, make_batch, make_profile, make_subreddit

_reddit_ids = count(10_000_000)

SELECT = """([comment, words]) => {
  const written = document.querySelector(`#comment-${comment} .written`);
  const texts = document.createTreeWalker(written, NodeFilter.SHOW_TEXT), pieces = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) pieces.push(node);
  const at = pieces.map((node) => node.data).join("").indexOf(words);
  if (at < 0) throw new Error(`not there: ${words}`);
  const place = (offset) => {
    for (const node of pieces) { if (offset <= node.length) return [node, offset]; offset -= node.length; }
  };
  const range = document.createRange();
  range.setStart(...place(at)); range.setEnd(...place(at + words.length));
  getSelection().removeAllRanges(); getSelection().addRange(range);
  written.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
}"""
LONG_TASKS = (
    "window.longest = 0; new PerformanceObserver((list) => { for (const one of list.getEntries())"
    " window.longest = Math.max(window.longest, one.duration); }).observe({ type: 'longtask', buffered: true });"
)
DOWN = "Failed to load resource"


@pytest.fixture(autouse=True)
def _served(transactional_db: None) -> Iterator[None]:
    """Wait for all requests after the page is closed, so that none is running when the database is emptied."""
    requested: list[object] = []
    answered: list[object] = []
    ask, answer = requested.append, answered.append
    request_started.connect(lambda **_: ask(1), weak=False, dispatch_uid="requested")
    request_finished.connect(lambda **_: answer(1), weak=False, dispatch_uid="answered")
    yield
    until = time.monotonic() + 5
    time.sleep(0.05)
    while len(answered) < len(requested) and time.monotonic() < until:
        time.sleep(0.02)
    request_started.disconnect(dispatch_uid="requested")
    request_finished.disconnect(dispatch_uid="answered")


def make_slots(ada: Annotator, *profiles: Profile, batch: Batch | None = None, **fields: object) -> list[Assignment]:
    """A batch of these profiles, all assigned to ada; she has claimed the first."""
    batch = batch or make_batch(corpus=profiles[0].corpus, **fields)
    first = make_assignment(annotator=ada, profile=profiles[0], batch=batch)
    return [first, *(make_assignment(annotator=ada, profile=p, batch=batch, claimed_at=None) for p in profiles[1:])]


def add_comments(profile: Profile, subreddit: str, bodies: Sequence[str]) -> list[Comment]:
    place, first = make_subreddit(subreddit), datetime(2014, 1, 1, tzinfo=UTC)
    Presence.objects.create(profile=profile, subreddit=place, comment_count=len(bodies))
    comments = Comment.objects.bulk_create(
        Comment(
            profile=profile, subreddit=place, reddit_id=next(_reddit_ids), body=body,
            written_at=first + timedelta(hours=n),
        )
        for n, body in enumerate(bodies)
    )  # fmt: skip
    Profile.objects.filter(pk=profile.pk).update(comment_count=profile.comments.count())
    profile.refresh_from_db()
    return comments


def make_giant(count: int) -> tuple[Profile, list[Comment]]:
    """A profile of `count` comments in two subreddits: 100 in r/alpha, the others in r/zulu."""
    profile = make_profile("The first of all.", subreddit="alpha")
    Presence.objects.filter(profile=profile).update(comment_count=100)
    alpha = make_subreddit("alpha")
    Comment.objects.bulk_create(
        Comment(
            profile=profile, subreddit=alpha, reddit_id=next(_reddit_ids), body=f"Alpha {n}.",
            written_at=datetime(2014, 1, 1, tzinfo=UTC) + timedelta(hours=n),
        )
        for n in range(99)
    )  # fmt: skip
    return profile, add_comments(profile, "zulu", [f"Remark number {n} of many." for n in range(count - 100)])


def open_profile(page: Page, live_server, assignment: Assignment) -> Page:
    page.add_init_script("navigator.sendBeacon = () => true")  # otherwise the last one hits an emptied database
    page.goto(f"{live_server.url}/assignments/{assignment.pk}/")
    expect(page.locator("html.scripted")).to_be_attached()
    return page


def card(page: Page, attribute: str) -> Locator:
    return page.locator(f"#card-{attribute}")


def value_of(page: Page, attribute: str) -> Locator:
    return card(page, attribute).locator(f"input[type=text][name={attribute}-value]")


def open_card(page: Page, attribute: str) -> Locator:
    """Unfold the card. Without scripts all are open."""
    opened = card(page, attribute)
    if not opened.locator(".card-body").is_visible():
        opened.locator(".card-head").click()
    return opened


def fill_value(page: Page, attribute: str, value: str) -> None:
    open_card(page, attribute)
    value_of(page, attribute).fill(value)


def rate(page: Page, attribute: str, *, hardness: int, certainty: int) -> None:
    for scale, n in (("hardness", hardness), ("certainty", certainty)):
        open_card(page, attribute).locator(f"[data-scale={scale}] label").nth(n).click()


def choose(page: Page, attribute: str, label: str) -> None:
    open_card(page, attribute)
    card(page, attribute).locator(".choices label").filter(has_text=label).first.click()


def answer(page: Page, attribute: str = "age", value: str = "27", *, hardness: int = 1, certainty: int = 5) -> None:
    fill_value(page, attribute, value)
    rate(page, attribute, hardness=hardness, certainty=certainty)


def select_words(page: Page, comment: Comment, words: str) -> None:
    """Select the words as a mouse does, and wait for the menu."""
    page.evaluate(SELECT, [comment.pk, words])
    expect(page.locator("#selection-menu")).to_be_visible()


def take_as_evidence(page: Page, attribute: str) -> None:
    page.locator(f"#selection-menu [data-evidence={attribute}]").click()
    expect(page.locator("#selection-menu")).to_be_hidden()


def state(page: Page) -> Locator:
    return page.locator("#save-state")


def expect_saved(page: Page) -> None:
    expect(state(page)).to_have_attribute("data-save", "saved")


@contextmanager
def next_is_ready(page: Page) -> Iterator[None]:
    """Wrap an action that opens a profile. On exit, the page has prefetched the profile after it."""
    with page.expect_response(lambda response: response.url.endswith("/next/")) as response:
        yield
    response.value.finished()
    page.evaluate("() => new Promise((done) => setTimeout(done))")


def submit(page: Page) -> None:
    page.locator(".label-bar [data-do=submit]").click()


def press(page: Page, *keys: str) -> int:
    for key in keys:
        page.keyboard.press(key)
    return len(keys)


def draft(assignment: Assignment, attribute: str) -> Draft:
    return Draft.objects.get(assignment=assignment, attribute=attribute)


def shown_text(page: Page, comment: Comment) -> str:
    return str(page.locator(f"#comment-{comment.pk} .written").evaluate("element => element.textContent"))


def forgive(complaints: list[str]) -> None:
    """Drop what the browser logs for refused requests and a lost network. Keep script errors."""
    complaints[:] = [text for text in complaints if DOWN not in text and "ERR_INTERNET_DISCONNECTED" not in text]
