"""Undo: choices are taken back one by one, without moving the focus or touching typed text."""

import pytest
from playwright.sync_api import expect

from tests.annotator.labelling.browser import (  # noqa: F401 _served holds for every test here
    _served,
    card,
    choose,
    draft,
    expect_saved,
    fill_value,
    make_slots,
    open_card,
    open_profile,
    press,
    select_words,
    take_as_evidence,
    value_of,
)
from tests.factories import make_corpus, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def slot(ada):
    return make_slots(ada, make_profile("I moved to Houston,\r\nso humid.", corpus=make_corpus()))[0]


@pytest.fixture
def page(sign_in, live_server, ada, slot):
    return open_profile(sign_in(ada), live_server, slot)


def chosen(page, attribute, scale):
    return card(page, attribute).locator(f"[data-scale={scale}] input:checked")


def test_choices_are_taken_back_step_by_step(page, slot):
    choose(page, "education", "In High School")
    expect(page.locator("#last-change")).to_contain_text("In High School")
    press(page, "u", "Escape")
    press(page, "4", "Escape", "w", "2", "3", "r", "x")
    expect(value_of(page, "occupation")).to_have_value("")
    expect(page.locator("#last-change")).to_contain_text("Occupation")
    focused = page.evaluate("document.activeElement.outerHTML")
    page.locator("#last-change [data-do=undo]").click()
    expect(value_of(page, "occupation")).to_have_value("none")
    assert page.evaluate("document.activeElement.outerHTML") == focused
    press(page, "Control+z")
    expect(card(page, "occupation").locator("[name$=required_subreddit]")).not_to_be_checked()
    press(page, "Control+z")
    expect(chosen(page, "occupation", "certainty")).to_have_count(0)
    expect(chosen(page, "occupation", "hardness")).to_have_value("2")
    expect(card(page, "occupation").locator("[data-scale=certainty] [data-meaning]")).to_be_empty()
    page.locator("#undo").click()
    press(page, "u")
    expect(value_of(page, "occupation")).to_have_value("")
    expect(page.locator("#undo")).to_be_disabled()
    expect_saved(page)
    assert draft(slot, "occupation").hardness == 0


def test_a_card_whose_first_choice_is_taken_back_is_untouched_again(page, slot):
    press(page, "2")
    for key in ("x", "1"):  # nothing to infer; the first value
        press(page, key)
        expect_saved(page)
        expect(card(page, "sex")).not_to_have_attribute("data-state", "untouched")
        press(page, "Control+z")
        expect(card(page, "sex")).to_have_attribute("data-state", "untouched")
        expect_saved(page)
        expect(card(page, "sex")).to_have_attribute("data-state", "untouched")
        expect(page.locator("#undo")).to_be_disabled()
    press(page, "x")
    expect(card(page, "sex")).to_have_attribute("data-state", "nothing")


def test_evidence_comes_and_goes_again(page, slot):
    comment = slot.profile.comments.get()
    select_words(page, comment, "so humid")
    take_as_evidence(page, "location")
    expect(page.locator(".evidence-location")).to_have_count(1)
    open_card(page, "location").get_by_role("button", name="Remove this evidence").click()
    expect(page.locator(".evidence-location")).to_have_count(0)
    press(page, "Control+z")
    expect(page.locator(".evidence-location")).to_have_text("so humid")
    press(page, "Control+z")
    expect(page.locator(".evidence-location")).to_have_count(0)
    expect_saved(page)
    assert draft(slot, "location").evidence == []


def test_typed_text_is_never_touched(page, slot):
    choose(page, "sex", "Female")
    open_card(page, "sex").locator("summary").click()
    note = card(page, "sex").locator("textarea")
    note.press_sequentially("a note")
    press(page, "Control+z")  # the browser's own, in its own steps
    expect(card(page, "sex").locator("input[value=female]")).to_be_checked()
    note.fill("another note")
    fill_value(page, "occupation", "nurse")
    press(page, "Enter", "x")
    fill_value(page, "occupation", "baker")
    press(page, "Enter", "Control+z", "Control+z")
    expect(value_of(page, "occupation")).to_have_value("baker")
    expect(note).to_have_value("another note")
    expect(card(page, "sex").locator("input[value=female]")).not_to_be_checked()
    expect_saved(page)
    assert (draft(slot, "sex").value, draft(slot, "sex").note) == ("", "another note")
