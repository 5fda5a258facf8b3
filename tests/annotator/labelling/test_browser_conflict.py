"""The same profile in two tabs."""

import pytest
from playwright.sync_api import expect

from annotator.labelling.services import CHANGED_ELSEWHERE, NOT_WRITABLE
from annotator.models import Submission
from tests.annotator.labelling.browser import (  # noqa: F401 _served holds for every test here
    _served,
    answer,
    draft,
    expect_saved,
    forgive,
    make_slots,
    open_profile,
    press,
    select_words,
    state,
    submit,
    take_as_evidence,
    value_of,
)
from tests.factories import make_corpus, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def slot(ada):
    return make_slots(ada, make_profile("I moved to Houston", corpus=make_corpus()))[0]


@pytest.fixture
def tabs(sign_in, context, live_server, ada, slot):
    first = open_profile(sign_in(ada), live_server, slot)
    return first, open_profile(context.new_page(), live_server, slot)


@pytest.fixture
def quarrel(tabs, slot):
    """The second tab was first to answer, with evidence; the first tab then said something else."""
    first, second = tabs
    select_words(second, slot.profile.comments.get(), "Houston")
    take_as_evidence(second, "age")
    value_of(second, "age").fill("31")
    expect_saved(second)
    value_of(first, "age").fill("27")
    expect(first.locator("#conflict")).to_be_visible()
    return first


def test_shows_both_answers(quarrel, slot, complaints):
    expect(quarrel.locator("#conflict")).to_contain_text("Age")
    rows = quarrel.locator("#conflict tbody tr.differs")
    expect(rows).to_have_text(["Value2731", "Evidence–Houston"])
    assert draft(slot, "age").value == "31"
    forgive(complaints)


def test_keeps_mine(quarrel, slot, complaints):
    quarrel.locator("[data-keep=mine]").click()
    expect_saved(quarrel)
    assert (draft(slot, "age").value, draft(slot, "age").evidence) == ("27", [])
    forgive(complaints)


def test_takes_theirs(quarrel, slot, complaints):
    quarrel.locator("[data-keep=theirs]").click()
    expect(value_of(quarrel, "age")).to_have_value("31")
    expect_saved(quarrel)
    expect(quarrel.locator("#comments .evidence-age")).to_have_text("Houston")
    value_of(quarrel, "age").fill("32")
    expect_saved(quarrel)
    assert draft(slot, "age").value == "32"
    forgive(complaints)


def test_escape_does_not_leave_the_question_open(quarrel, slot, complaints):
    press(quarrel, "Escape", "Escape", "Escape")
    quarrel.locator("[data-keep=mine]").click()
    expect_saved(quarrel)
    assert draft(slot, "age").value == "27"
    forgive(complaints)


def test_different_cards_do_not_meet(tabs, slot):
    first, second = tabs
    value_of(second, "age").fill("31")
    expect_saved(second)
    value_of(first, "occupation").fill("nurse")
    expect_saved(first)
    expect(first.locator("#conflict")).to_be_hidden()
    assert (draft(slot, "age").value, draft(slot, "occupation").value) == ("31", "nurse")


def test_nobody_submits_what_another_tab_wrote_unseen(tabs, slot, complaints):
    first, second = tabs
    answer(first, "age", "27")
    expect_saved(first)
    answer(second, "occupation", "nurse")
    expect_saved(second)
    submit(first)
    expect(first.locator("#messages")).to_contain_text(CHANGED_ELSEWHERE)
    assert not Submission.objects.exists()
    forgive(complaints)


def test_typing_after_the_other_tab_submitted_is_told_and_stays_in_view(tabs, slot, complaints):
    first, second = tabs
    answer(first, "age", "27")
    submit(first)
    first.wait_for_url(f"**/batches/{slot.batch_id}/")
    value_of(second, "occupation").fill("nurse")
    expect(state(second)).to_have_attribute("data-save", "closed")
    expect(second.locator("#messages")).to_have_text(NOT_WRITABLE)
    expect(value_of(second, "occupation")).to_have_value("nurse")
    assert not slot.drafts.filter(attribute="occupation").exists()
    forgive(complaints)
