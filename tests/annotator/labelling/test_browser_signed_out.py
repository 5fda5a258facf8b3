"""The session ends while somebody labels: they sign in again in place, and go on."""

import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from annotator.models import Draft, Session, Submission
from tests.annotator.accounts.test_two_factor import recovery_codes, set_up
from tests.annotator.labelling.browser import (  # noqa: F401 _served holds for every test here
    _served,
    answer,
    draft,
    expect_saved,
    fill_value,
    forgive,
    make_slots,
    open_profile,
    press,
    state,
    submit,
    value_of,
)
from tests.factories import PASSWORD, make_annotator, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def slot(ada):
    return make_slots(ada, make_profile())[0]


@pytest.fixture
def page(sign_in, live_server, ada, slot):
    return open_profile(sign_in(ada), live_server, slot)


def end_session(page) -> None:
    page.context.clear_cookies(name="telltale_session")


def type_signed_out(page) -> None:
    end_session(page)
    fill_value(page, "age", "27")
    expect(page.locator("#sign-in")).to_be_visible()
    expect(state(page)).to_have_attribute("data-save", "out")


def sign_in_again(page, login: str = "ada", password: str = PASSWORD) -> None:
    page.locator("#again-login").fill(login)
    page.locator("#again-password").fill(password)
    page.locator("#sign-in-form button[type=submit]").click()


def test_signs_in_again_in_place_and_nothing_is_lost(page, slot, complaints):
    page.evaluate("window.survives = true")
    type_signed_out(page)
    expect(page.locator("#again-login")).to_have_value("ada")
    expect(page.locator("#again-password")).to_be_focused()
    sign_in_again(page)
    expect(page.locator("#sign-in")).to_be_hidden()
    expect_saved(page)
    assert page.evaluate("window.survives")
    assert draft(slot, "age").value == "27"
    forgive(complaints)


def test_a_session_ended_on_the_server_is_noticed_too(page, slot, complaints):
    Session.objects.all().delete()
    cache.clear()
    fill_value(page, "age", "27")
    expect(page.locator("#sign-in")).to_be_visible()
    sign_in_again(page)
    expect_saved(page)
    assert draft(slot, "age").value == "27"
    forgive(complaints)


def test_a_wrong_password_is_told(page, slot, complaints):
    type_signed_out(page)
    sign_in_again(page, password="not it")
    expect(page.locator("[data-sign-in-problem]")).not_to_be_empty()
    expect(page.locator("#sign-in")).to_be_visible()
    sign_in_again(page)
    expect_saved(page)
    assert draft(slot, "age").value == "27"
    forgive(complaints)


def test_escape_does_not_close_the_question(page, slot, complaints):
    type_signed_out(page)
    press(page, "Escape", "Escape", "Escape")
    sign_in_again(page)
    expect_saved(page)
    assert draft(slot, "age").value == "27"
    forgive(complaints)


def test_submitting_signed_out_asks_and_then_submits(page, slot, complaints):
    answer(page, "age", "27")
    expect_saved(page)
    end_session(page)
    submit(page)
    expect(page.locator("#sign-in")).to_be_visible()
    sign_in_again(page)
    page.wait_for_url(f"**/batches/{slot.batch_id}/")
    assert Submission.objects.filter(assignment=slot).count() == 1
    forgive(complaints)


def test_the_second_factor_is_asked_for(page, ada, slot, complaints):
    set_up(ada)
    type_signed_out(page)
    sign_in_again(page)
    expect(page.locator("#again-code")).to_be_focused()
    page.locator("#again-code").fill("000000")
    press(page, "Enter")
    expect(page.locator("[data-sign-in-problem]")).not_to_be_empty()
    assert not Draft.objects.exists()
    page.locator("#again-code").fill(recovery_codes(ada)[0])
    press(page, "Enter")
    expect(page.locator("#sign-in")).to_be_hidden()
    expect_saved(page)
    assert draft(slot, "age").value == "27"
    forgive(complaints)


def test_somebody_else_is_refused_and_the_owner_can_still_sign_in(page, slot, complaints):
    bob = make_annotator("bob")
    type_signed_out(page)
    sign_in_again(page, "bob")
    expect(page.locator("[data-sign-in-problem]")).not_to_be_empty()
    assert not Draft.objects.exists()
    sign_in_again(page)
    expect(page.locator("#sign-in")).to_be_hidden()
    expect_saved(page)
    assert draft(slot, "age").value == "27"
    assert not Draft.objects.filter(assignment__annotator=bob).exists()
    forgive(complaints)
