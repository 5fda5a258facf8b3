"""Proposals in a browser: asked for, decided without a reload, and undone."""

import pytest
from playwright.sync_api import expect

from annotator.models import Role
from profiles.models import AttributeHint
from tests.annotator.conftest import complaints, context, page, sign_in  # noqa: F401 fixtures
from tests.annotator.site.test_browser_every_page import assert_accessible, assert_fits, assert_legible_in_the_dark
from tests.evaluation.proposals.searches import make_proposals
from tests.factories import make_annotator, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_proposals_are_decided_in_the_browser(sign_in, live_server):  # noqa: F811 the fixture
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))  # noqa: F811
    make_proposals("london", "europe", reason="where people of the city write")
    make_profile(subreddit="london")
    page.goto(f"{live_server.url}/subreddits/")
    page.get_by_role("link", name="Ask a model…").click()
    page.get_by_role("link", name="Location: London").click()
    assert_accessible(page)
    assert_legible_in_the_dark(page)
    page.evaluate("document.title = 'the same page'")
    page.get_by_role("button", name="Accept r/london").click()
    expect(page.get_by_text("Accepted", exact=True).nth(1)).to_be_focused()
    expect(page.locator("#search-counts dd").nth(2)).to_have_text("1")
    page.get_by_role("button", name="Reject r/europe").click()
    expect(page.locator("#search-counts dd").nth(4)).to_have_text("0")
    assert AttributeHint.objects.get().subreddit.name == "london"
    assert_accessible(page)
    page.get_by_role("button", name="Undo the decision about r/london").click()
    expect(page.get_by_role("button", name="Accept r/london")).to_be_visible()
    assert not AttributeHint.objects.exists()
    assert page.title() == "the same page"
    page.get_by_role("link", name="Accept all certain ones…").click()
    assert_accessible(page)
    page.get_by_role("button", name="Accept 1").click()
    expect(page.get_by_text("1 subreddit was accepted.")).to_be_visible()
    page.goto(f"{live_server.url}/subreddits/searches/new/")
    assert_accessible(page)
    assert_fits(page)
