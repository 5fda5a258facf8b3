"""Without scripts, a profile can be read, labelled, submitted and skipped."""

import pytest
from playwright.sync_api import Browser, expect

from annotator.labelling.cards import NO_RATING
from annotator.labelling.submission import NOTHING_INFERRED
from annotator.models import Assignment, Judgement, Submission
from tests.annotator.labelling.browser import _served, card, choose, draft, fill_value, make_slots, rate, value_of  # noqa: F401
from tests.annotator.site.test_browser_every_page import assert_fits
from tests.factories import PASSWORD, make_corpus, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def slots(ada):
    corpus = make_corpus()
    many = [f"comment {n}" for n in range(120)]
    return make_slots(ada, make_profile(*many, corpus=corpus), make_profile("Another.", corpus=corpus))


@pytest.fixture
def page(browser: Browser, live_server, slots):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(f"{live_server.url}/account/login/")
    page.locator("input[name=login]").fill("ada")
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.goto(f"{live_server.url}/")
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/assignments/*/")  # until it is loaded with its styles: what is typed before may be lost
    yield page
    context.close()


def button(page, name: str):
    return page.locator(".cards").get_by_role("button", name=name, exact=True)


def test_reads_on_through_the_comments(page):
    expect(page.locator("#comments .comment")).to_have_count(50)
    page.locator("[rel=next]").click()
    page.locator("[rel=next]").click()
    expect(page.locator("#comments .written").last).to_have_text("comment 119")
    expect(page.locator("[rel=next]")).to_have_count(0)
    page.locator("[rel=prev]").click()
    expect(page.locator("#comments .written").first).to_have_text("comment 50")


def test_searches(page):
    page.get_by_label("Search in the comments").fill("comment 77")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#comments .written")).to_have_text(["comment 77"])


def test_saves_and_submits(page, slots):
    fill_value(page, "age", "27")
    choose(page, "sex", "Female")
    button(page, "Save").click()
    expect(page.locator("#messages .message-success")).to_be_visible()
    expect(value_of(page, "age")).to_have_value("27")
    assert draft(slots[0], "age").value == "27"
    button(page, "Submit").click()
    expect(page.locator("#messages")).to_contain_text(NO_RATING.format(ratings="hardness and certainty"))
    rate(page, "age", hardness=2, certainty=3)
    rate(page, "sex", hardness=1, certainty=1)
    card(page, "age").locator("summary").click()
    card(page, "age").locator("textarea").fill("a note")
    button(page, "Submit").click()
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)
    judgement = Judgement.objects.get(assignment=slots[0], attribute="age")
    assert (judgement.value, judgement.hardness, judgement.certainty, judgement.note) == ("27", 2, 3, "a note")


def test_that_nothing_can_be_inferred_is_ticked(page, slots):
    button(page, "Submit").click()
    expect(page.locator("#messages")).to_contain_text(NOTHING_INFERRED)
    page.get_by_role("checkbox", name="Nothing can be inferred").check()
    button(page, "Submit").click()
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)
    assert Submission.objects.get(assignment=slots[0]).nothing_inferred


def test_skips(page, slots):
    page.locator("[popovertarget=skip]").click()
    page.locator("#skip input[value=bot]").check()
    page.locator("[data-do=skip]").click()
    expect(page).to_have_title("Home · Telltale")
    assert Assignment.objects.get(pk=slots[0].pk).skip_reason == "bot"


def test_shows_nothing_that_needs_scripts(page):
    assert page.locator(".scripted-only").evaluate_all("all => all.length") > 0
    assert page.locator(".scripted-only:visible, kbd:visible, [placeholder*='/ )']").count() == 0
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert_fits(page)


def test_chooses_a_text_size(page):
    page.locator("[popovertarget=preferences]").click()
    page.locator("#preferences").get_by_label("Large", exact=True).check()
    page.get_by_role("button", name="Save preferences").click()
    expect(page.locator("body.label-page.text-size-large")).to_be_attached()
    assert_fits(page)
