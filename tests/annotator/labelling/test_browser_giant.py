"""A profile of five thousand comments: all of it can be reached, little of it is loaded at once."""

import re

import pytest
from playwright.sync_api import expect

from tests.annotator.comments.marks import make_detection, make_run
from tests.annotator.labelling.browser import _served, make_giant, make_slots, open_profile, press  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
COMMENTS = 5000


@pytest.fixture
def giant():
    return make_giant(COMMENTS)


@pytest.fixture
def page(sign_in, live_server, ada, giant):
    profile, zulu = giant
    run = make_run(profile.corpus)
    for n in (10, 2500, 4700):
        make_detection(run, zulu[n], f"number {n}")
    return open_profile(sign_in(ada), live_server, make_slots(ada, profile, recipe=run.recipe)[0])


def there(page) -> int:
    return page.locator("#comments .comment").count()


def here(page):
    return page.locator("#comments .comment[aria-current]")


def test_only_what_is_near_is_there_and_the_end_can_be_scrolled_to(page, giant):
    expect(page.locator("#shown-count")).to_have_text(re.compile(r"5\s000 comments"))
    assert there(page) <= 300
    last = page.locator(f"#comment-{giant[1][-1].pk}")
    page.locator("#reading").evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    expect(last).to_be_attached()
    assert there(page) <= 600


def test_scrolling_through_all_of_it_keeps_the_page_small(page):
    steps = page.locator("#reading").evaluate(
        """async (pane) => {
          const next = () => new Promise((done) => setTimeout(done, 60));
          let most = 0;
          for (let n = 1; n <= 40; n += 1) {
            pane.scrollTo(0, pane.scrollHeight * n / 40); await next();
            most = Math.max(most, document.querySelectorAll("#comments .comment").length);
          }
          return most; }"""
    )
    assert 0 < steps < 1500
    expect(page.locator("#comments .block").last.locator(".comment").last).to_be_attached()
    assert there(page) < 1500


def test_jumps_and_searches_reach_what_is_not_loaded(page, giant):
    _, zulu = giant
    page.get_by_role("link", name="r/zulu").click()
    expect(here(page)).to_have_id(f"comment-{zulu[0].pk}")
    expect(here(page)).to_be_in_viewport()
    press(page, "/")
    page.keyboard.type("number 3210 ")
    expect(page.locator("#hit-at")).to_have_text("1 of 1")
    press(page, "Enter", "n")
    expect(page.locator(".hit[aria-current]")).to_have_text("number 3210 ")
    expect(here(page)).to_have_id(f"comment-{zulu[3210].pk}")


def test_detections_are_walked_through_across_what_is_not_loaded(page, giant):
    _, zulu = giant
    for key, n in (("d", 10), ("d", 2500), ("d", 4700), ("D", 2500)):
        press(page, key)
        expect(here(page)).to_have_id(f"comment-{zulu[n].pk}")
        expect(page.locator(".mark[aria-current]")).to_be_in_viewport()
    press(page, "j")
    expect(here(page)).to_have_id(f"comment-{zulu[2501].pk}")
