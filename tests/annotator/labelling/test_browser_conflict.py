"""The same profile in two tabs."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotator.labelling.services import CHANGED_ELSEWHERE, NOT_WRITABLE
from annotator.models import Batch, Submission
from tests.annotator.labelling.browser import (  # noqa: F401 _served holds for every test here
    _served,
    answer,
    card,
    draft,
    expect_saved,
    fill_value,
    forgive,
    make_slots,
    open_profile,
    press,
    rate,
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
    fill_value(second, "age", "31")
    expect_saved(second)
    fill_value(first, "age", "27")
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
    fill_value(quarrel, "age", "32")
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
    fill_value(second, "age", "31")
    expect_saved(second)
    fill_value(first, "occupation", "nurse")
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


@pytest.fixture
def stale(tabs, slot):
    """A tab with an unsaved change: the other tab submitted the profile first."""
    first, second = tabs
    answer(first, "age", "27")
    submit(first)
    first.wait_for_url(f"**/batches/{slot.batch_id}/")
    fill_value(second, "occupation", "nurse")
    expect(second.locator("#closed")).to_contain_text("nurse")
    return second


def expect_unsaved(page, slot) -> None:
    """The change is in view, the address names the profile, and nothing says that it was saved."""
    expect(state(page)).to_have_attribute("data-save", "closed")
    expect(value_of(page, "occupation")).to_have_value("nurse")
    assert page.url.endswith(f"/assignments/{slot.pk}/")
    assert page.locator("#workspace").get_attribute("data-assignment") == str(slot.pk)


def test_an_edit_of_a_profile_submitted_elsewhere_waits_for_a_decision(stale, slot, complaints):
    expect(stale.locator("#messages")).to_contain_text(NOT_WRITABLE)
    stale.get_by_role("button", name="Decide later").click()
    expect_unsaved(stale, slot)
    press(stale, "Control+Enter")
    expect(stale.locator("#closed")).to_be_visible()
    expect_unsaved(stale, slot)
    assert not slot.drafts.filter(attribute="occupation").exists()
    with stale.expect_response("**/answers/occupation/"):
        stale.locator("#closed [value=reopen]").click()
    expect(card(stale, "age").locator("[data-shown]")).to_have_text("27")
    expect(value_of(stale, "occupation")).to_have_value("nurse")
    expect_saved(stale)
    assert draft(slot, "occupation").value == "nurse"
    rate(stale, "occupation", hardness=1, certainty=5)
    submit(stale)
    stale.wait_for_url(f"**/batches/{slot.batch_id}/")
    assert Submission.objects.filter(assignment=slot).count() == 2
    forgive(complaints)


def test_an_unsaved_edit_survives_a_reload_and_can_be_discarded(stale, slot, complaints):
    stale.get_by_role("button", name="Decide later").click()
    stale.on("dialog", lambda dialog: dialog.accept())  # the browser asks, too
    stale.reload()
    expect(stale.locator("#closed")).to_contain_text("nurse")
    with stale.expect_navigation():  # it opens the profile anew
        stale.locator("#closed [value=discard]").click()
    expect(stale.locator("#workspace")).to_have_attribute("data-writable", "no")
    expect(stale.locator("#closed")).to_be_hidden()
    stale.reload()
    expect(stale.locator("html.scripted")).to_be_attached()
    expect(stale.locator("#closed")).to_be_hidden()
    assert Submission.objects.filter(assignment=slot).count() == 1
    forgive(complaints)


def test_nothing_can_be_reopened_in_a_closed_batch(tabs, slot, complaints):
    _, second = tabs
    Batch.objects.update(closed_at=timezone.now())
    fill_value(second, "occupation", "nurse")
    expect(second.locator("#closed")).to_contain_text("nurse")
    expect(second.locator("#closed [value=reopen]")).to_be_hidden()
    second.get_by_role("button", name="Decide later").click()
    expect_unsaved(second, slot)
    forgive(complaints)
