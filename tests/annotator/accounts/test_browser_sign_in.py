"""Signing in and moving around the site, in a browser."""

import pytest
from playwright.sync_api import expect

from annotator.models import Role
from tests.factories import PASSWORD, make_annotator, make_assignment, make_corpus, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_signs_in_and_out(page, live_server):
    make_annotator("ada", display_name="Ada <b>L.</b>")
    page.goto(f"{live_server.url}/account/login/")
    page.locator("input[name=login]").fill("ada")
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{live_server.url}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Good to see you, Ada <b>L.</b>")
    page.locator(".user-toggle").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/account/login/")


def test_a_theme_survives_the_next_page(sign_in, live_server):
    page = sign_in(make_annotator("ada"))
    page.goto(live_server.url)
    page.locator(".user-toggle").click()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto(f"{live_server.url}/account/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_giant_profile_comes_as_it_is_scrolled_to(sign_in, live_server, monkeypatch):
    monkeypatch.setattr("annotator.corpora.views.corpora.COMMENTS_PER_PAGE", 20)
    ada = make_annotator("ada")
    held = make_assignment(annotator=ada, profile=make_profile(*[f"comment number {n}" for n in range(60)]))
    page = sign_in(ada)
    page.goto(f"{live_server.url}/profiles/{held.profile_id}/")
    assert page.locator(".comment").count() < 60
    for _ in range(6):
        page.locator(".comment").last.scroll_into_view_if_needed()
        page.wait_for_timeout(300)
    expect(page.locator(".comment")).to_have_count(60)


def test_a_session_that_ended_leads_to_signing_in_and_back(sign_in, live_server):
    corpus = make_corpus()
    make_profile(corpus=corpus)
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.goto(f"{live_server.url}/corpora/{corpus.pk}/")
    page.context.clear_cookies(name="telltale_session")
    page.get_by_label("Wrote in subreddit").press_sequentially("x")
    page.wait_for_url("**/account/login/**")
    page.locator("input[name=login]").fill("grace")
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**/corpora/{corpus.pk}/")


def test_the_profile_browser_filters_while_one_types(sign_in, live_server):
    corpus = make_corpus()
    rainy, dry = make_profile(corpus=corpus, subreddit="Seattle"), make_profile(corpus=corpus, subreddit="phoenix")
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.goto(f"{live_server.url}/corpora/{corpus.pk}/")
    page.get_by_label("Wrote in subreddit").press_sequentially("seattle")
    expect(page.get_by_role("link", name=dry.pseudonym)).to_have_count(0)
    expect(page.get_by_role("link", name=rainy.pseudonym)).to_be_visible()
