"""Text size and density, and the reminder of breaks: both stay, and neither gets in the way."""

import pytest
from playwright.sync_api import expect

from annotator.models import Annotator
from tests.annotator.labelling.browser import (  # noqa: F401 _served holds for every test here
    _served,
    answer,
    expect_saved,
    make_slots,
    next_is_ready,
    open_profile,
    submit,
    value_of,
)
from tests.annotator.site.test_browser_every_page import assert_accessible, assert_fits
from tests.factories import make_corpus, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FONT = "(selector) => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize)"
COVERED = """() => [...document.querySelectorAll(".label-bar .button, .card-head")].filter((control) => {
  const box = control.getBoundingClientRect(), at = [box.x + box.width / 2, box.y + box.height / 2];
  return box.width && !control.contains(document.elementFromPoint(...at));
}).length"""

WORK = """async ([seconds, minutesAgo]) => {
  const key = "telltale:activity", entry = JSON.stringify({ seconds, at: Date.now() - minutesAgo * 60_000 });
  localStorage.setItem(key, entry);
  while (localStorage.getItem(key) === entry) await new Promise(requestAnimationFrame);
}"""


@pytest.fixture
def slots(ada):
    corpus = make_corpus()
    comments = ["A comment with some words in it."] * 30
    return make_slots(ada, *(make_profile(*comments, corpus=corpus) for _ in range(2)))


@pytest.fixture
def page(sign_in, live_server, ada, slots, settings):
    settings.BREAK_SECONDS = 60
    page = sign_in(ada)
    page.set_viewport_size({"width": 1280, "height": 800})
    return page


def sizes(page) -> tuple[float, float, float]:
    return tuple(page.evaluate(FONT, selector) for selector in (".written", ".card-name", ".label-bar .button"))


def choose(page, label: str) -> None:
    with page.expect_response("**/account/preferences/") as response:
        page.locator("#preferences").get_by_label(label, exact=True).check()
    assert response.value.status == 204


def test_text_size_and_density_take_effect_at_once_and_stay(page, live_server, ada, slots):
    with next_is_ready(page):
        open_profile(page, live_server, slots[0])
    written, name, bar = sizes(page)
    height = page.locator(".card-head").last.bounding_box()["height"]
    page.locator("[popovertarget=preferences]").click()
    assert_accessible(page)
    choose(page, "Very large")
    page.locator("#preferences").get_by_label("Roomy").check()
    assert sizes(page) == (pytest.approx(written * 1.35), pytest.approx(name * 1.35), bar)
    assert page.locator(".card-head").last.bounding_box()["height"] > height
    assert_fits(page)
    page.keyboard.press("Escape")
    expect(page.locator("#preferences")).to_be_hidden()
    answer(page, "age", "27")
    expect_saved(page)
    submit(page)
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)  # prefetched before the choice
    assert sizes(page)[0] > written
    page.reload()
    expect(page.locator("body.text-size-very-large.density-roomy")).to_be_attached()
    for width in (820, 390):
        page.set_viewport_size({"width": width, "height": 1180})
        assert_fits(page)
    assert Annotator.objects.filter(pk=ada.pk, text_size="very-large", density="roomy").exists()


def work(page, *, seconds: int, minutes_ago: int = 0) -> None:
    """As if the person had been active for so long. Returns after the next second that counts."""
    page.evaluate(WORK, [seconds, minutes_ago])


def test_a_reminder_of_breaks_stays_out_of_the_way_until_dismissed(page, live_server, slots, ada):
    with next_is_ready(page):
        open_profile(page, live_server, slots[0])
    reminder, dismiss = page.locator("#break-reminder [role=status]"), page.get_by_role("button", name="Dismiss")
    answer(page, "age", "27")
    value_of(page, "age").focus()
    work(page, seconds=9999, minutes_ago=11)
    expect(reminder).to_be_empty()  # that was a break
    work(page, seconds=59)
    expect(reminder).not_to_be_empty()
    expect(value_of(page, "age")).to_be_focused()
    assert page.evaluate(COVERED) == 0
    assert_accessible(page)
    assert_fits(page)
    submit(page)
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)
    expect(dismiss).to_be_visible()
    page.reload()
    dismiss.click()
    expect(dismiss).to_be_hidden()
    page.reload()
    expect(page.locator("html.scripted")).to_be_attached()
    expect(reminder).to_be_empty()
    work(page, seconds=59)
    expect(dismiss).to_be_visible()
    page.locator("[popovertarget=preferences]").click()
    with page.expect_response("**/account/preferences/"):
        page.get_by_label("Remind me to take a break").uncheck()
    expect(reminder).to_be_empty()
    assert not Annotator.objects.get(pk=ada.pk).break_reminders
