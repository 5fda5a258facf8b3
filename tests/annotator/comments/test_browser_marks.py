"""Marks in a browser: visible and announced, but not part of the text."""

import pytest

from annotator.models import Role
from profiles.models import Unanalysed
from tests.annotator.comments.marks import make_detection, make_run
from tests.annotator.site.test_browser_every_page import assert_accessible, assert_fits, assert_legible_in_the_dark
from tests.factories import make_annotator, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOUND = {
    "LOCATION": "Houston",
    "PERSON": "Anna",
    "NRP": "Catholic",
    "EMAIL_ADDRESS": "me@example.org",
    "PHONE_NUMBER": "713-555-0199",
    "STREET_CORNER": "Main and 4th",
}
TEXT = (
    "I moved to Houston with Anna, a Catholic.\n\nWrite to me@example.org, call 713-555-0199.\nOr meet at Main and 4th."
)


@pytest.fixture
def page(sign_in, live_server):
    profile = make_profile(TEXT, "Ich habe das gestern auch gesehen.", *["Nothing to see here, move along."] * 12)
    run = make_run(profile.corpus)
    first, second, *_ = profile.comments.order_by("pk")
    for entity_type, text in FOUND.items():
        make_detection(run, first, text, entity_type)
    Unanalysed.objects.create(run=run, comment=second, reason="language")
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.goto(f"{live_server.url}/profiles/{profile.pk}/")
    return page


def test_marks_can_be_seen_by_everybody(page):
    assert page.locator("mark").count() == len(FOUND)
    assert_accessible(page)
    assert_legible_in_the_dark(page)
    assert_fits(page)


def test_letters_are_no_part_of_the_text(page):
    assert page.locator(".written").first.evaluate("element => element.textContent") == TEXT
    signs = page.locator("mark").evaluate_all("all => all.map(one => getComputedStyle(one, '::before').content[1])")
    assert signs == ["L", "P", "N", "@", "#", "R"]


def test_the_kind_of_a_mark_is_read_out_once(page):
    tree = page.locator(".written").first.aria_snapshot()
    heard = ("Location: Houston", "Person: Anna", "Phone number: 713-555-0199", "Street corner: Main and 4th")
    assert [tree.count(words) for words in heard] == [1, 1, 1, 1]
