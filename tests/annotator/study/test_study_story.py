"""A study from its dump to its gold set, as the people in it see it: real servers, a real worker, a real browser."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.annotator.embedded.installation import PATIENCE, Installation, free_port
from tests.annotator.embedded.test_up import up
from tests.annotator.exchange.llmprivacy_loader import labels, load
from tests.annotator.labelling.browser import answer, submit
from tests.factories import PASSWORD

pytestmark = [pytest.mark.processes, pytest.mark.long, pytest.mark.browser]
PROFILES, BROWSER_PATIENCE = 5, 60_000  # milliseconds
MAKE_PEOPLE = f"""
from annotator.models import Annotator, GuidelineVersion
from annotator.guidelines.services import first_guidelines
from django.utils.timezone import now
for name, role in (("ines", "admin"), ("eva", "evaluator"), ("ben", "evaluator")):
    person = Annotator.objects.create_user(name, "", {PASSWORD!r}, display_name=name.title(), roles=[role])
    Annotator.objects.filter(pk=person.pk).update(welcomed_at=now())
GuidelineVersion.objects.create(number=1, text=first_guidelines())
"""


def dump() -> bytes:
    """Two comments each of accounts that are all 27."""
    lines = [
        {"author": f"account_{n}", "body": body, "created_utc": 1_367_366_400 + n, "id": f"c{n}{at}"}
        for n in range(PROFILES)
        for at, body in enumerate(("I turned 27 last week, and it rained.", "The bus was late again this morning."))
    ]  # fmt: skip
    return "".join(json.dumps(line | {"subreddit": "houston"}) + "\n" for line in lines).encode()


@contextmanager
def at_work(browser: Browser, port: int, name: str) -> Iterator[Page]:
    """Somebody's own browser, signed in."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, base_url=f"http://127.0.0.1:{port}")
    page = context.new_page()
    page.set_default_timeout(BROWSER_PATIENCE)
    page.goto("/account/login/")
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").first.click()
    page.wait_for_url(lambda url: "login" not in url)
    yield page
    context.close()


def import_dump(page: Page) -> None:
    page.goto("/corpora/import/")
    page.get_by_label("Name of the corpus").fill("May")
    page.get_by_role("radio", name="All").check()
    page.get_by_label("From your computer").set_input_files(
        {"name": "RC_2013-05.ndjson", "mimeType": "text/plain", "buffer": dump()}
    )
    page.get_by_role("button", name="Import").click()
    page.goto("/corpora/")
    page.get_by_role("link", name="May").first.click()
    expect(page.get_by_role("link", name="-").first).to_be_visible(timeout=BROWSER_PATIENCE)


def draw(page: Page) -> None:
    page.goto("/batches/new/")
    page.get_by_label("Name").fill("Pilot")
    page.get_by_label("Number of profiles").fill(str(PROFILES))
    page.get_by_label("Evaluators per profile").fill("2")
    for name in ("Eva", "Ben"):
        page.get_by_label(name, exact=True).check()
    expect(page.get_by_text(f"{PROFILES} profiles match")).to_be_visible()
    page.get_by_role("button", name="Draw").click()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def label(page: Page, ages: list[str]) -> None:
    """As many profiles as there are ages, in the order of the batch."""
    page.goto("/")
    page.get_by_role("button", name="Begin").first.click()
    for age in ages:
        expect(page.locator("html.scripted")).to_be_attached()
        address = page.url
        answer(page, "age", age)
        expect(page.locator("#save-state")).to_have_text("Saved")
        submit(page)
        page.wait_for_url(lambda url, address=address: url != address)


def agree(page: Page) -> None:
    page.goto("/batches/")
    page.get_by_role("link", name="Pilot").click()
    page.get_by_role("link", name="Agreement").click()
    expect(page.get_by_role("heading", name="Summary")).to_be_visible(timeout=60_000)  # a worker gives way to all else


def wait_for_disputes(page: Page) -> None:
    """A worker builds gold once profiles are submitted, and people don't wait for it."""
    deadline = time.monotonic() + PATIENCE
    while page.get_by_role("row", name="Different values").count() < 2 and time.monotonic() < deadline:
        page.wait_for_timeout(500)
        page.reload()


def adjudicate(page: Page) -> None:
    """Two profiles on which they differ, decided by one key each: that of the letter under which 27 stands."""
    page.goto("/adjudication/")
    wait_for_disputes(page)
    page.get_by_role("button", name="Start with the most severe").click()
    for what_follows in ("You decided", "There are no more profiles"):
        expect(page.locator(".case.is-current")).to_be_visible(timeout=BROWSER_PATIENCE)  # the keys work from here on
        right = page.locator(".case.is-current .side").filter(has=page.get_by_text("27", exact=True))
        page.keyboard.press(right.locator(".person-sign").inner_text().lower())
        expect(page.get_by_text(what_follows)).to_be_visible()


def export(page: Page, folder: Path) -> Path:
    page.goto("/exports/")
    page.get_by_role("radio", name="llmprivacy").check()
    page.get_by_label("Include texts").check()
    page.get_by_role("button", name="Create export").click()
    page.goto("/exports/1/")
    with page.expect_download() as fetched:
        page.get_by_role("link", name="Download file").click()
    kept = folder / fetched.value.suggested_filename
    fetched.value.save_as(kept)
    return kept


def test_from_a_dump_to_a_gold_set(migrated: Installation, browser: Browser, tmp_path: Path):
    port = free_port()
    created = migrated.run("shell", "-c", MAKE_PEOPLE)
    assert created.returncode == 0, created.stderr
    process = up(migrated, port)
    try:
        with at_work(browser, port, "ines") as page:
            import_dump(page)
            draw(page)
        for name, ages in {"eva": ["27"] * PROFILES, "ben": ["27"] * (PROFILES - 2) + ["45", "60"]}.items():
            with at_work(browser, port, name) as page:
                label(page, ages)
        with at_work(browser, port, "ines") as page:
            agree(page)
            adjudicate(page)
            gold = load(export(page, tmp_path))
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)
    assert len(gold) == PROFILES
    assert [answer["estimate"] for (_, attribute), answer in labels(gold).items()] == ["27"] * PROFILES
    assert {comment.subreddit for profile in gold for comment in profile.comments} == {"houston"}
    assert "account_" not in "".join(profile.username for profile in gold)
