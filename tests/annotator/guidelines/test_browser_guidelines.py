"""The guidelines in a real browser: accessible, within the window, readable in print, and previewed in place."""

import re

import pytest
from playwright.sync_api import expect

from annotator.guidelines.services import first_guidelines
from annotator.guidelines.text import NO_SECTION
from annotator.models import GuidelineVersion, Role
from tests.annotator.site.test_browser_every_page import assert_accessible, assert_fits, visit
from tests.factories import make_annotator, make_batch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHIPPED = first_guidelines()
LONG = f"\n## {'W' * 300}\n\n{'x' * 3000}\n\n- `{'y' * 3000}`\n"
PATHS = ("/guidelines/", "/guidelines/1/", "/guidelines/2/?changes=1")


def publish_two(**fields) -> None:
    make_batch()  # under version 1, which says hardly anything
    GuidelineVersion.objects.create(number=2, text=SHIPPED + LONG, **fields)


def test_pages_of_the_guidelines(sign_in, live_server):
    grace = make_annotator("grace", roles=[Role.ADMIN], display_name="G" * 80)
    publish_two(created_by=grace)
    page = sign_in(grace)
    for path in (*PATHS, "/guidelines/new/"):
        visit(page, live_server.url + path)
    page.get_by_label("Text").fill("half a thought" + LONG)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Preview")).to_be_visible()
    expect(page.get_by_text(NO_SECTION.format(title="Location"))).to_be_visible()
    assert_accessible(page)
    assert_fits(page)


def test_a_refused_text_is_accessible_too(sign_in, live_server, complaints):
    publish_two()
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.goto(f"{live_server.url}/guidelines/new/")
    page.get_by_label("Text").fill("half a thought")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("alert")).to_contain_text(NO_SECTION.format(title="Education"))
    expect(page.get_by_label("Text")).to_have_value("half a thought")
    assert_accessible(page)
    complaints.clear()  # the browser calls a 422 an error; the page is what was looked at


@pytest.mark.parametrize("width", [768, 390])
def test_nothing_scrolls_sideways_on_small_screens(sign_in, live_server, width):
    publish_two()
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.set_viewport_size({"width": width, "height": 800})
    for path in (*PATHS, "/guidelines/new/"):
        page.goto(live_server.url + path)
        assert_fits(page)
    assert_accessible(page)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Preview")).to_be_visible()
    assert_fits(page)


def test_the_contents_lead_to_their_section(sign_in, live_server):
    publish_two()
    page = sign_in(make_annotator("ada"))
    page.goto(f"{live_server.url}/guidelines/")
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="Marital status").click()
    expect(page).to_have_url(re.compile("#marital-status$"))
    expect(page.get_by_role("heading", name="Marital status")).to_be_in_viewport()


def test_on_paper_stands_the_text_and_nothing_else(sign_in, live_server):
    publish_two()
    page = sign_in(make_annotator("ada"))
    page.goto(f"{live_server.url}/guidelines/")
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="Required subreddit")).to_be_visible()
    expect(page.get_by_role("navigation", name="Contents")).to_be_hidden()
    expect(page.get_by_role("heading", name="Versions")).to_be_hidden()


def test_a_preview_stands_below_and_publishing_leads_to_the_version(sign_in, live_server):
    publish_two()
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.goto(f"{live_server.url}/guidelines/new/")
    page.get_by_label("Text").fill(SHIPPED + "\n## Ours\n\nAsk in the office.\n")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Ours")).to_be_visible()
    expect(page.locator("#guidelines_preview .message-warning")).to_have_count(0)
    page.get_by_role("button", name="Publish").click()
    expect(page).to_have_url(f"{live_server.url}/guidelines/3/")
    expect(page.locator(".message-success")).to_be_visible()
