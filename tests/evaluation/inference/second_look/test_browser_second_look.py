"""Reviewing claims by keys in a real browser, and how the pages look."""

import pytest
from playwright.sync_api import Page, expect

from annotator.models import PromptedAnswer, Role
from evaluation.models import Claim, ClaimReview
from tests.annotator.conftest import complaints, context, page, sign_in  # noqa: F401 fixtures
from tests.annotator.site.test_browser_every_page import assert_fits, assert_legible_in_the_dark, visit
from tests.evaluation.inference.second_look.looks import make_look
from tests.factories import make_annotator

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def queue(sign_in) -> Page:  # noqa: F811 fixture
    return sign_in(make_annotator("grace", roles=[Role.ADMIN]))


def claim_on(queue: Page) -> Claim:
    return Claim.objects.get(pk=int(queue.locator("#claim").get_attribute("data-claim")))


def press(queue: Page, *keys: str) -> None:
    """As soon as the page listens: its script shows this button."""
    expect(queue.locator("#turn-keys")).to_have_js_property("hidden", False)
    for key in keys:
        queue.keyboard.press(key)


def first_verdict(queue: Page, key: str) -> None:
    expect(queue.locator("#last-word")).to_have_count(0)
    press(queue, key)
    expect(queue.locator("#last-word")).to_be_visible()


def test_ten_claims_are_reviewed_by_keys_alone(queue, live_server, complaints):  # noqa: F811 fixtures
    look = make_look(5)
    assert look.size == 10
    queue.goto(f"{live_server.url}/evaluations/{look.run_id}/second-look/")
    confirmed = 0
    for number in range(1, 11):
        claim = claim_on(queue)
        assert claim.number == number
        if claim.is_control:
            first_verdict(queue, "n")
            press(queue, "o" if number % 2 else "n")
        else:
            confirmed += 1
            first_verdict(queue, "y" if confirmed > 1 else "n")
            expect(queue.locator("#last-word")).to_contain_text("Hardness")
            press(queue, "h", "3", "c", "4", "r", "y")
        if number < 10:
            expect(queue.locator("#last-word")).to_have_count(0)
    expect(queue.get_by_text("All claims are reviewed.")).to_be_visible()
    expect(queue.get_by_text("People confirmed 5 of 5 claims.")).to_be_visible()
    answers = PromptedAnswer.objects.values_list("value", "hardness", "certainty", "required_subreddit")
    assert list(answers) == [("high", 3, 4, True)] * 5
    assert ClaimReview.objects.filter(blind_verdict="reject", verdict="confirm").count() == 1
    queue.wait_for_load_state()
    queue.keyboard.press("u")
    expect(queue.locator("#last-word")).to_be_visible()
    assert ClaimReview.objects.filter(verdict="").count() == 1
    assert_fits(queue)


def test_words_of_a_comment_are_quoted_and_a_refusal_keeps_them(queue, live_server, complaints):  # noqa: F811 fixtures
    look = make_look(1)
    Claim.objects.filter(is_control=True).delete()
    queue.goto(f"{live_server.url}/evaluations/{look.run_id}/second-look/")
    first_verdict(queue, "y")
    queue.get_by_text("Night shift again").select_text()
    press(queue, "e")
    expect(queue.locator("#quotes")).to_have_value("Night shift again")
    press(queue, "y")
    expect(queue.get_by_text("Rate hardness from 1 to 5.")).to_be_visible()
    expect(queue.locator("#quotes")).to_have_value("Night shift again")
    press(queue, "h", "2", "c", "5", "y")
    expect(queue.get_by_text("All claims are reviewed.")).to_be_visible()
    assert [span["text"] for span in PromptedAnswer.objects.get().evidence] == ["Night shift again"]
    complaints.clear()  # the browser calls the 422 an error; the page is what was looked at


def test_enter_in_a_field_keeps_the_verdict(queue, live_server):
    look = make_look(1)
    Claim.objects.filter(is_control=True).delete()
    queue.goto(f"{live_server.url}/evaluations/{look.run_id}/second-look/")
    first_verdict(queue, "n")
    press(queue, "h", "3", "Enter")
    expect(queue.get_by_text("All claims are reviewed.")).to_be_visible()
    assert ClaimReview.objects.get().verdict == "reject"


@pytest.mark.parametrize("width", [1280, 820])
def test_pages_fit_and_are_legible(queue, live_server, width):
    look = make_look(6)
    address = f"/evaluations/{look.run_id}/second-look/"
    queue.set_viewport_size({"width": width, "height": 800})
    for path in ("/evaluations/second-looks/", address):
        visit(queue, f"{live_server.url}{path}")
        assert_fits(queue)
    first_verdict(queue, "n")
    assert_fits(queue)
    assert_legible_in_the_dark(queue)
