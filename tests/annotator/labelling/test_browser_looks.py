"""The labelling page in light and dark, wide and narrow: axe-core finds nothing, and nothing scrolls sideways."""

import pytest
from playwright.sync_api import expect

from tests.annotator.comments.marks import make_detection, make_run
from tests.annotator.labelling.browser import (  # noqa: F401 _served holds for every test here
    _served,
    add_comments,
    answer,
    choose,
    expect_saved,
    forgive,
    make_slots,
    next_is_ready,
    open_card,
    open_profile,
    select_words,
    submit,
    take_as_evidence,
    value_of,
)
from tests.annotator.site.test_browser_every_page import assert_accessible, assert_fits, assert_legible_in_the_dark
from tests.factories import make_corpus, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DIALOGS = ["shortcuts", "guidelines", "nothing", "conflict", "closed", "flag", "sign-in"]
OPEN = """(name) => { for (const one of document.querySelectorAll("dialog[open]")) one.close();
  document.getElementById(name).showModal(); }"""
COVERED = """(comment) => {
  const written = document.createRange();
  written.selectNodeContents(comment.querySelector(".written"));
  const lines = [...written.getClientRects()], buttons = [...comment.querySelectorAll("button")];
  return buttons.map((button) => button.getBoundingClientRect()).some((box) => !box.width || lines.some((line) =>
    line.left < box.right && box.left < line.right && line.top < box.bottom && box.top < line.bottom));
}"""


@pytest.fixture
def slots(ada):
    corpus = make_corpus()
    first = make_profile("Anna moved to Houston.", "a" * 3000, *["Nothing here."] * 30, corpus=corpus)
    add_comments(first, "S" * 20, ["Stripes.", "More stripes."])
    run, comment = make_run(corpus), first.comments.earliest("pk")
    make_detection(run, comment, "Houston")
    make_detection(run, comment, "Anna", "PERSON")
    return make_slots(ada, first, make_profile("Another.", corpus=corpus), recipe=run.recipe)


@pytest.fixture
def page(sign_in, live_server, ada, slots):
    page = sign_in(ada)
    with next_is_ready(page):
        open_profile(page, live_server, slots[0])
    return page


def fill_in(page, slots) -> None:
    select_words(page, slots[0].profile.comments.earliest("pk"), "moved to Houston")
    take_as_evidence(page, "location")
    expect(page.locator("#comments .evidence").first).to_be_visible()
    choose(page, "sex", "Male")
    answer(page, "age", "27")
    expect_saved(page)


def test_fresh(page):
    assert_accessible(page)
    assert_fits(page)


def test_filled_in_with_an_open_list(page, slots):
    fill_in(page, slots)
    page.locator("#card-age summary").click()
    open_card(page, "location")
    value_of(page, "location").press_sequentially("houst")
    expect(page.locator("#places-location")).to_be_visible()
    assert_accessible(page)
    assert_legible_in_the_dark(page)


def test_submitted_and_read_only(page, slots, complaints):
    answer(page, "age", "27")
    submit(page)
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)
    page.locator("#previous-profile").click()
    expect(page.locator("form[action$='/reopen/'] button")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    forgive(complaints)


def test_dialogs_and_menus(page, slots):
    page.locator("#open-guidelines").click()
    expect(page.locator("#guidelines-body")).not_to_be_empty()
    for name in DIALOGS:
        page.evaluate(OPEN, name)
        expect(page.locator(f"#{name}")).to_be_visible()
        assert_accessible(page)
    page.evaluate("document.querySelector('dialog[open]').close()")
    page.locator("[popovertarget=skip]").click()
    select_words(page, slots[0].profile.comments.earliest("pk"), "Houston")
    assert_accessible(page)


def test_fits_everywhere(page, slots):
    fill_in(page, slots)
    open_card(page, "location")
    value_of(page, "location").press_sequentially("houst")
    for width in (1280, 768, 640, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert_fits(page)
        for name in DIALOGS:
            page.evaluate(OPEN, name)
            assert_fits(page)
        page.evaluate("document.querySelector('dialog[open]').close()")


def test_buttons_of_a_comment_never_cover_its_text(page, slots):
    longest = page.locator(f"#comment-{slots[0].profile.comments.get(body__startswith='aaa').pk}")
    longest.locator("time").click()
    for width in (1280, 1024, 1000, 964, 820, 768, 690, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert not longest.evaluate(COVERED), width
