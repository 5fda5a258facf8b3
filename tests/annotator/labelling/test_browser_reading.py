"""Reading in a browser: search and narrow, walk, go on where one was, and select by touch."""

import pytest
from playwright.sync_api import expect

from tests.annotator.comments.marks import make_detection, make_run
from tests.annotator.labelling.browser import (  # noqa: F401 _served holds for every test here
    _served,
    card,
    draft,
    expect_saved,
    make_giant,
    make_slots,
    open_profile,
    press,
    shown_text,
)
from tests.factories import make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MARKED_UP = "&gt; R&amp;D in **Rome**\n\nI *love* it.\n* one\n* two"
SELECT_BY_TOUCH = """(id) => {
  const written = document.querySelector(`#comment-${id} .written`);
  written.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch" }));
  const texts = document.createTreeWalker(written, NodeFilter.SHOW_TEXT);
  while (texts.nextNode().data !== "Rome");
  getSelection().selectAllChildren(texts.currentNode.parentNode);
}"""
PLACE = "least => (JSON.parse(localStorage['telltale:places'] ?? '[]')[0]?.[1].position ?? 0) > least"
TOP = "id => document.getElementById(id).getBoundingClientRect().top"


@pytest.fixture
def slot(ada):
    fillers = [f"Remark {n}. " + "Rome again. " * (n % 3) for n in range(60)]
    profile = make_profile(MARKED_UP, *fillers)
    run = make_run(profile.corpus)
    for comment in profile.comments.filter(body__contains="Rome"):
        make_detection(run, comment, "Rome")
    return make_slots(ada, profile, recipe=run.recipe)[0]


@pytest.fixture
def reading(sign_in, live_server, ada, slot):
    return open_profile(sign_in(ada), live_server, slot)


def here(page):
    return page.locator("#comments .comment[aria-current]")


def test_narrowing_is_a_switch_that_shows_and_keeps_the_place(reading, slot):
    page = reading
    target = slot.profile.comments.get(body__startswith="Remark 50.")
    press(page, "/")
    page.keyboard.type("remark 5")
    expect(page.locator("#hit-at")).to_have_text("1 of 11")
    expect(page.locator("[data-narrowed-note]").first).to_be_hidden()
    press(page, "Enter", *["n"] * 4)
    expect(page.locator("#hit-at")).to_have_text("5 of 11")
    place = here(page).get_attribute("id")
    page.get_by_label("Only matches").check()
    expect(page.locator("#shown-count")).to_have_text("Showing 11 of 61 comments")
    expect(page.locator(".label-bar [data-narrowed-note]")).to_have_text("Showing 11 of 61 comments")
    expect(page.locator(f"#{place}")).to_be_in_viewport()
    page.get_by_role("link", name="Show all").click()
    expect(page.locator("#shown-count")).to_have_text("61 comments")
    expect(page.locator(".label-bar [data-narrowed-note]")).to_be_hidden()
    expect(page.locator(f"#{place}")).to_be_in_viewport()
    page.locator("#filter [name=q]").fill("remark 50")
    expect(page.locator(f"#comment-{target.pk}")).to_be_in_viewport()
    page.locator("#filter [name=q]").fill("")
    expect(page.locator("#hits")).to_be_hidden()
    expect(page.locator(".hit")).to_have_count(0)


def test_goes_on_where_one_was_and_marks_what_was_seen(reading):
    page = reading
    first = page.locator("#comments .comment").first
    expect(first).to_have_class("comment is-seen")
    expect(page.locator("#comments .comment").nth(40)).not_to_have_class("comment is-seen")
    target = page.locator("#comments .comment").nth(40).get_attribute("id")
    page.evaluate("id => document.getElementById(id).scrollIntoView({ block: 'start' })", target)
    page.wait_for_function(PLACE, arg=30)
    top = page.evaluate(TOP, target)
    expect(page.locator(f"#{target}")).to_have_class("comment is-seen")
    page.wait_for_function("() => Object.keys(localStorage).some((key) => key.startsWith('telltale:seen:'))")
    assert "Remark" not in page.evaluate("() => JSON.stringify(localStorage)")
    page.reload()
    page.wait_for_function(f"top => Math.abs(({TOP})('{target}') - top) < 40", arg=top)
    page.locator("#reading").evaluate("pane => pane.scrollTo(0, 0)")
    expect(first).to_have_class("comment is-seen")


def test_says_how_many_comments_are_new_and_goes_to_the_next(reading):
    page, new = reading, reading.locator("#new-count")
    first = page.locator("#comments .comment").first
    expect(first).to_have_class("comment is-seen")
    expect(new).to_be_hidden()  # the first visit: everything is new
    page.wait_for_function("() => Object.keys(localStorage).some((key) => key.startsWith('telltale:seen:'))")
    page.reload()
    expect(first).to_have_class("comment is-seen")
    seen = page.locator("#comments .is-seen").count()
    expect(new).to_have_text(f"{61 - seen} not seen yet")
    new.click()
    expect(here(page)).to_be_in_viewport()
    went_to = page.evaluate("() => document.querySelector('.comment[aria-current]').id")
    assert (
        page.evaluate("id => [...document.querySelectorAll('.comment')].findIndex((c) => c.id === id)", went_to) >= seen
    )
    expect(page.locator(f"#{went_to}")).to_have_class("comment is-seen")
    page.locator("#comments .comment").nth(49).evaluate("comment => comment.querySelector('time').click()")
    page.locator("#reading").focus()
    press(page, "m")
    expect(here(page)).to_contain_text("Remark 49.")


def test_when_everything_was_seen_it_says_so(sign_in, live_server, ada):
    profile = make_profile("The first.", "The second.")
    page = open_profile(sign_in(ada), live_server, make_slots(ada, profile)[0])
    expect(page.locator("#comments .is-seen")).to_have_count(2)
    press(page, "m")
    expect(page.locator(".notification")).to_be_visible()
    page.reload()
    expect(page.locator("#comments .is-seen")).to_have_count(2)
    expect(page.locator("#new-count")).to_be_hidden()


def test_the_picture_of_the_months_says_each_and_opens_a_table(reading):
    page = reading
    picture, tip = page.locator("#activity"), page.locator("#activity-tip")
    count = page.locator("#activity-table [data-month]").count()
    picture.focus()
    press(page, "Home")
    expect(tip).to_contain_text(": ")
    first = tip.text_content()
    press(page, *["ArrowRight"] * count)
    if count > 1:
        expect(tip).not_to_have_text(first)
    picture.hover()
    expect(tip).to_be_visible()
    page.locator("h1").hover()
    expect(tip).to_be_hidden()
    picture.click()
    expect(page.get_by_role("table", name="Comments by month")).to_be_visible()


def test_walks_through_the_occurrences_of_a_string(reading):
    page = reading
    page.get_by_role("button", name="Rome", exact=True).click()
    walker = page.locator("#walker")
    expect(walker).to_contain_text("1 of 41")
    expect(page.locator(".mark[aria-current]")).to_be_in_viewport()
    walker.get_by_role("button", name="Next one").click()
    expect(walker).to_contain_text("2 of 41")
    for _ in range(2):
        walker.get_by_role("button", name="Previous one").click()
    expect(walker).to_contain_text("41 of 41")
    expect(page.locator(".mark[aria-current]")).to_be_in_viewport()
    expect(walker).to_be_in_viewport()


def test_shows_markup_as_reddit_did_with_offsets_intact(reading, slot):
    page = reading
    comment = slot.profile.comments.earliest("pk")
    written = page.locator(f"#comment-{comment.pk} .written")
    assert shown_text(page, comment) == MARKED_UP
    assert "**" not in written.inner_text()
    expect(written.locator(".md-quote")).to_have_css("display", "block")
    expect(written.locator(".md-item")).to_have_count(2)
    page.locator("#reading").focus()
    press(page, "d", "1", "Escape", "e")
    expect(written.locator(".evidence-location")).to_have_text("Rome")
    expect_saved(page)
    (quote,) = draft(slot, "location").evidence
    assert (quote["text"], MARKED_UP[quote["start"] : quote["end"]]) == ("Rome", "Rome")
    page.get_by_role("checkbox", name="As written").check()
    assert "**Rome**" in written.inner_text()


def test_selects_by_touch_and_folds_the_overview_on_a_tablet(sign_in, live_server, ada, slot):
    page = sign_in(ada)
    page.set_viewport_size({"width": 820, "height": 1180})
    open_profile(page, live_server, slot)
    expect(page.locator("#overview")).to_be_hidden()
    page.get_by_role("button", name="Overview").click()
    expect(page.locator("#overview")).to_be_visible()
    page.evaluate(SELECT_BY_TOUCH, slot.profile.comments.earliest("pk").pk)
    expect(page.locator("#selection-menu")).to_be_visible()
    page.evaluate("() => getSelection().removeAllRanges()")  # as a tap may do before it arrives
    page.locator("#selection-menu [data-evidence=location]").click()
    expect(card(page, "location").locator(".quote-text")).to_have_text("Rome")
    expect_saved(page)
    assert draft(slot, "location").evidence[0]["text"] == "Rome"


def test_a_tap_moves_no_text(browser, live_server, ada, slot, client):
    context = browser.new_context(viewport={"width": 820, "height": 1180}, has_touch=True, is_mobile=True)
    client.force_login(ada)
    cookies = [{"name": name, "value": cookie.value, "url": live_server.url} for name, cookie in client.cookies.items()]
    context.add_cookies(cookies)
    page = open_profile(context.new_page(), live_server, slot)
    first, second = page.locator("#comments .comment").all()[:2]
    top = second.bounding_box()["y"]
    first.locator("time").tap()
    expect(first).to_have_attribute("aria-current", "true")
    assert second.bounding_box()["y"] == top
    context.close()


def test_translates_a_comment_without_recording_anything(reading, context, slot):
    page = reading
    context.route(lambda url: "127.0.0.1" not in url and "localhost" not in url, lambda route: route.abort())
    press(page, "j")
    with context.expect_page() as elsewhere:
        press(page, "T")
    elsewhere.value.close()
    assert not slot.look_ups.exists()


def test_the_place_of_a_giant_is_found_again(sign_in, live_server, ada):
    profile, zulu = make_giant(1000)
    page = open_profile(sign_in(ada), live_server, make_slots(ada, profile)[0])
    press(page, "/")
    page.keyboard.type("number 700 ")
    press(page, "Enter")
    target = page.locator(f"#comment-{zulu[700].pk}")
    expect(target).to_be_in_viewport()
    press(page, "Escape")
    page.reload()  # at once: the place is kept although scrolling hasn't rested yet
    expect(target).to_be_in_viewport()
