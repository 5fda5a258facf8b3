"""The eight cards at a glance: all on one screen, and nothing that looks chosen, moves or cannot be read."""

import pytest
from playwright.sync_api import expect

from annotator.guidelines.services import SHIPPED
from annotator.labelling.cards import summarize
from annotator.labelling.queries import cards_on_page
from annotator.models import GuidelineVersion
from profiles.attributes import Attribute
from tests.annotator.labelling.browser import (  # noqa: F401 _served holds for every test here
    _served,
    add_comments,
    answer,
    card,
    choose,
    expect_saved,
    fill_value,
    forgive,
    make_slots,
    open_card,
    open_profile,
    press,
    rate,
    select_words,
    submit,
    take_as_evidence,
)
from tests.factories import make_corpus, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
IN_VIEW = """(selector) => [...document.querySelectorAll(selector)].every((element) => {
  const box = element.getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
})"""
CONTRAST = """(label) => {
  const parse = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const linear = (c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const light = (colour) => {
    const [r, g, b] = parse(colour).map(linear);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const style = getComputedStyle(label), pair = [light(style.color), light(style.backgroundColor)].sort();
  return (pair[1] + 0.05) / (pair[0] + 0.05);
}"""
TOPS = "(names) => names.map((name) => document.querySelector(name).getBoundingClientRect().top)"


@pytest.fixture
def slot(ada):
    profile = make_profile("I moved to Houston, so humid.", "Rain.", corpus=make_corpus())
    GuidelineVersion.objects.update_or_create(number=1, defaults={"text": SHIPPED.read_text()})
    return make_slots(ada, profile)[0]


@pytest.fixture
def page(sign_in, live_server, ada, slot):
    page = sign_in(ada)
    page.set_viewport_size({"width": 1280, "height": 800})
    return open_profile(page, live_server, slot)


def test_all_eight_fit_on_one_screen_whichever_is_open(page, slot):
    comment = slot.profile.comments.earliest("pk")
    for attribute in Attribute.values:
        select_words(page, comment, "moved to Houston")
        take_as_evidence(page, attribute)
        expect(card(page, attribute).locator(".quote")).to_have_count(1)
        rate(page, attribute, hardness=5, certainty=2)
        expect(page.locator(".card-body:visible")).to_have_count(1)
        assert page.evaluate(IN_VIEW, ".card-head"), attribute
        assert page.evaluate(IN_VIEW, f"#card-{attribute}"), attribute
        assert page.evaluate(IN_VIEW, ".card-summary"), attribute
        expect_saved(page)
    page.set_viewport_size({"width": 820, "height": 1180})
    assert page.locator(".label-bar").bounding_box()["height"] < 60  # one row
    assert page.evaluate(IN_VIEW, ".label-bar > :not(.spacer, [popover], [hidden])")


def test_long_notes_and_much_evidence_push_nothing_off_the_screen(page, slot):
    comment = add_comments(slot.profile, "zulu", [f"{'So I told them. ' * 20} One. Two. Three. Four. Five."])[0]
    page.reload()
    for attribute in ("location", "occupation", "education"):
        for words in (comment.body, "One", "Two", "Three", "Four", "Five"):
            select_words(page, comment, words)
            take_as_evidence(page, attribute)
        open_card(page, attribute)
        page.locator(f"#card-{attribute} summary").click()
        page.locator(f"#card-{attribute} textarea").fill("A long note. " * 100)
        assert page.evaluate(IN_VIEW, f"#card-{attribute} textarea"), attribute
        assert page.evaluate(IN_VIEW, ".card-head"), attribute
        assert page.evaluate(IN_VIEW, ".card-summary"), attribute
        assert page.locator(f"#card-{attribute} .quotes").evaluate("list => list.scrollWidth <= list.clientWidth")
    expect_saved(page)


def test_submit_stays_on_the_screen_while_comments_are_left_out(page):
    page.set_viewport_size({"width": 1200, "height": 800})
    page.locator("#filter [name=q]").fill("Rain")
    page.locator("#filter [name=only]").check()
    expect(page.locator(".label-bar .narrowed-note")).to_be_visible()
    assert page.evaluate(IN_VIEW, ".label-bar [data-do=submit]")


def test_a_row_says_what_was_said_and_no_more(page, slot):
    expect(page.locator(".cards input:checked")).to_have_count(0)
    expect(page.locator(".no-script:visible")).to_have_count(0)
    answer(page, "age", "27", hardness=3, certainty=4)
    choose(page, "sex", "Female")
    press(page, "Escape", "5", "Escape", "x")
    expect(card(page, "age").locator("[data-marks] b")).to_have_text(["3", "4"])
    expect(card(page, "sex").locator("[data-shown]")).to_have_text("Female")
    expect(card(page, "sex")).to_have_attribute("data-state", "incomplete")
    expect(card(page, "location").locator("[data-marks]")).to_be_empty()
    expect_saved(page)
    shown = page.locator("#card-summary").text_content()
    page.reload()
    expect(page.locator("#card-summary")).to_have_text(shown)
    assert shown == summarize(cards_on_page(slot.drafts.all()))


def test_a_tablet_shows_the_whole_value_of_a_row(page, slot):
    for attribute in ("location", "place_of_birth"):
        answer(page, attribute, "norfolk / virginia / united states", hardness=5, certainty=2)
    choose(page, "marital_status", "No relation")
    press(page, "Escape", "2")
    page.set_viewport_size({"width": 820, "height": 1180})
    clipped = "cells => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)"
    assert page.locator(".card-shown").evaluate_all(clipped) == []
    assert page.evaluate(IN_VIEW, ".card-head")


def test_a_gap_is_named_when_it_is_submitted_and_gets_the_focus(page, complaints):
    fill_value(page, "age", "27")
    press(page, "Enter", "2")
    open_card(page, "location")
    submit(page)
    expect(page.locator("#messages .message-error")).to_contain_text("Age: Add certainty")
    expect(card(page, "age").locator("[data-scale=certainty] input:focus")).to_have_count(1)
    press(page, "4")
    expect(card(page, "age").locator("[data-scale=certainty] input:checked")).to_have_value("4")
    forgive(complaints)


def test_hovering_moves_nothing_and_an_explanation_goes_with_its_rating(page):
    answer(page, "age", "27", hardness=2, certainty=2)
    meaning = card(page, "age").locator("[data-scale=hardness] [data-meaning]")
    expect(meaning).not_to_be_empty()
    text, places = meaning.text_content(), [".card-summary", "#card-age .card-foot", "#card-education"]
    before = page.evaluate(TOPS, places)
    card(page, "age").locator("[data-scale=hardness] label").nth(5).hover()
    expect(meaning).not_to_have_text(text)
    assert page.evaluate(TOPS, places) == before
    page.locator("h1").hover()
    press(page, "Escape", "x")
    expect(meaning).to_be_empty()


def test_a_save_that_is_confirmed_leaves_the_explanation_under_the_pointer(page):
    page.route("**/answers/age/", lambda route: None)
    answer(page, "age", "27", hardness=2, certainty=2)
    meaning = card(page, "age").locator("[data-scale=hardness] [data-meaning]")
    expect(meaning).not_to_be_empty()
    chosen = meaning.text_content()
    card(page, "age").locator("[data-scale=hardness] label").nth(5).hover()
    expect(meaning).not_to_have_text(chosen)
    hovered = meaning.text_content()
    page.unroute("**/answers/age/")  # lets the save go on that was held up
    expect_saved(page)
    assert meaning.text_content() == hovered
    page.locator("h1").hover()
    expect(meaning).to_have_text(chosen)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_chosen_ratings_are_legible_when_read_only(page, slot, theme):
    answer(page, "age", "27", hardness=2, certainty=4)
    submit(page)
    page.wait_for_url("**/batches/*/")
    page.goto(page.url.split("/batches")[0] + f"/assignments/{slot.pk}/")
    page.emulate_media(color_scheme=theme)
    open_card(page, "age")
    for label in page.locator("#card-age .segmented label:has(:checked)").all():
        assert label.evaluate(CONTRAST) >= 4.5
    expect(page.locator("#card-age kbd:visible")).to_have_count(1)  # only the one that opens it
