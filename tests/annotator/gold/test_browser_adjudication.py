"""Adjudicating by keyboard in a real browser, and how the pages look."""

import pytest
from playwright.sync_api import Page, expect

from annotator.comments.blocks import BLOCK_SIZE
from annotator.gold.build import build_gold
from annotator.gold.services.leases import acquire_lease
from annotator.models import GoldRecord, Role, SameMeaning
from profiles.models import Profile
from tests.annotator.comments.marks import make_detection, make_run
from tests.annotator.gold.builds import cited_profile, disputes_of, quote, say
from tests.annotator.site.test_browser_every_page import assert_fits, assert_legible_in_the_dark, visit
from tests.factories import make_annotator, make_batch, make_corpus, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def make_disputes() -> list[Profile]:
    """Two profiles: one with three disagreements, one with one."""
    corpus = make_corpus()
    batch = make_batch(corpus=corpus, overlap=2)
    first, second = make_profile("I am 27 and moved to Houston", corpus=corpus), make_profile("So old", corpus=corpus)
    assignment = say(first, batch, age="20", sex="male", location="", occupation="nurse" * 30)
    quote(assignment.judgements.get(attribute="age"), "I am 27")
    say(first, batch, age="60", sex="female", location="", occupation="carer")
    say(second, batch, age="20-40")
    say(second, batch, age="30")
    build_gold(corpus)
    return [first, second]


def current(page: Page):
    return page.locator(".case.is-current h2")


def test_a_queue_is_decided_by_keyboard_alone(sign_in, live_server, complaints):
    first, second = make_disputes()
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.goto(f"{live_server.url}/adjudication/")
    page.get_by_role("button", name="Start with the most severe").press("Enter")
    expect(current(page)).to_have_text("Sex")
    page.keyboard.press("]")
    expect(current(page)).to_have_text("Age")
    page.keyboard.press("m")
    expect(page.locator("#age-merge-value")).to_be_focused()
    expect(page.locator("#age-merge-value")).to_have_value("20-60")
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    expect(page.locator("#undo")).to_contain_text(f"age of {first.pseudonym}")
    expect(current(page)).to_have_text("Sex")
    page.keyboard.press("u")
    expect(current(page)).to_have_text("Age")
    page.keyboard.press("b")
    expect(page.locator("#undo")).to_contain_text(f"age of {first.pseudonym}")
    expect(current(page)).to_have_text("Sex")  # the keys belong to this page now
    page.keyboard.press("1")
    expect(page.locator("#undo")).to_contain_text(f"sex of {first.pseudonym}")
    expect(current(page)).to_have_text("Occupation")
    page.keyboard.press("w")
    page.keyboard.type("care worker")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Say why none of the answers is right.")).to_be_visible()
    page.locator("#occupation [data-open-with=w]").get_by_label("3").first.check()
    page.locator("#occupation [data-open-with=w]").get_by_label("4").last.check()
    page.locator("#occupation-write-reason").fill("both work in a home")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name=second.pseudonym)).to_be_visible()
    expect(current(page)).to_have_text("Age")
    page.keyboard.press("m")
    page.keyboard.press("Enter")
    expect(page.get_by_text("There are no more profiles to decide right now.")).to_be_visible()
    assert not disputes_of(first) | disputes_of(second)
    written = GoldRecord.objects.get(profile=first, attribute="occupation")
    assert (written.value, written.reason) == ("care worker", "both work in a home")
    assert GoldRecord.objects.get(profile=second).value == "30"
    complaints.clear()  # the browser calls the 422 an error; the page is what was looked at


def test_skipping_and_meaning(sign_in, live_server):
    first, second = make_disputes()
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.goto(f"{live_server.url}/adjudication/{first.pk}/#occupation")
    expect(current(page)).to_have_text("Occupation")
    page.locator("#occupation").get_by_text("Do these answers mean the same?").click()
    page.get_by_role("button", name="The same", exact=True).click()
    expect(page.get_by_text("From now on")).to_be_visible()
    assert SameMeaning.objects.get().is_same
    expect(current(page)).to_have_text("Sex")
    page.keyboard.press("?")
    page.get_by_role("button", name="Turn shortcuts off").click()
    page.keyboard.press("n")
    page.get_by_role("button", name="Turn shortcuts on").click()
    expect(page.get_by_role("heading", name=first.pseudonym)).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_role("heading", name=second.pseudonym)).to_be_visible()


def test_the_comments_beside_the_decision(sign_in, live_server):
    """Evidence by person, jumps, walking, scrolling on, detections, and undo step by step."""
    profile, first, last = cited_profile(comments=BLOCK_SIZE * 2 + 5)
    make_detection(make_run(profile.corpus), first, "0")
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.set_viewport_size({"width": 1280, "height": 800})
    visit(page, f"{live_server.url}/adjudication/{profile.pk}/")
    comment, state = page.locator(f"#comment-{last.pk}"), page.locator("#walk-state")
    expect(comment).to_be_in_viewport()
    expect(page.get_by_role("button", name="Accept").first).to_be_in_viewport()
    expect(comment.locator(".starts-age[data-by]")).to_have_count(2)
    expect(state).to_contain_text("1 of 2")
    page.keyboard.press(".")
    expect(state).to_contain_text("2 of 2")
    expect(comment.locator(".cited[aria-current]")).to_have_count(1)
    page.get_by_role("link", name="Earlier comments").click()
    expect(page.locator(".comment")).to_have_count(BLOCK_SIZE + 5)
    expect(comment).to_be_in_viewport()
    page.locator("#sex summary").first.click()
    page.locator("#sex .jump").click()
    expect(page.locator(f"#comment-{first.pk} .cited-sex[aria-current]")).to_be_in_viewport()
    expect(page.locator(".comment")).to_have_count(BLOCK_SIZE)
    page.locator("#reading").evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    expect(page.locator(".comment")).to_have_count(BLOCK_SIZE * 2)
    mark = page.locator(f"#comment-{first.pk} .mark")
    expect(mark).to_have_css("border-bottom-width", "0px")
    page.get_by_label("Detections").check()
    expect(mark).to_have_css("border-bottom-width", "2px")
    page.locator("#age").focus()
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name="Adjudication")).to_be_visible()  # nothing else is left
    page.wait_for_load_state("load")  # from here on, the keys work
    page.keyboard.press("Control+z")
    expect(current(page)).to_have_text("Age")
    assert disputes_of(profile) == {"age": "value"}
    assert_legible_in_the_dark(page)


def test_how_the_pages_look(sign_in, live_server):
    first, second = make_disputes()
    grace = make_annotator("grace", roles=[Role.ADMIN])
    acquire_lease(second, make_annotator("ben", roles=[Role.ADMIN]))
    SameMeaning.objects.create(attribute="occupation", one="a" * 200, other="b" * 200, is_same=True, decided_by=grace)
    decided = make_profile(corpus=first.corpus)
    GoldRecord.objects.create(
        profile=decided, attribute="occupation", value="c" * 200, hardness=1, certainty=1, reached="adjudicated",
        decided_by=grace,
    )  # fmt: skip
    page = sign_in(grace)
    paths = (
        "",
        "?kind=precision&attribute=sex",
        f"{first.pk}/",
        f"{first.pk}/?names=shown",
        f"{second.pk}/",
        "meanings/",
        "decisions/",
    )
    for path in paths:
        visit(page, f"{live_server.url}/adjudication/{path}")
    page.goto(f"{live_server.url}/adjudication/{first.pk}/")
    for summary in page.locator("summary").all():
        summary.click()
    assert_fits(page)
    page.set_viewport_size({"width": 390, "height": 800})
    for path in paths:
        page.goto(f"{live_server.url}/adjudication/{path}")
        assert_fits(page)
