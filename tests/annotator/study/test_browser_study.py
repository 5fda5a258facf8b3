"""Admins change the subreddit list and remove an account, step by step in a browser, light and dark."""

import pytest
from playwright.sync_api import expect

from annotator.models import Role
from profiles.bulk_load import CommentRecord, ProfileRecord, load_profiles
from profiles.models import AttributeHint, Profile
from tests.annotator.site.test_browser_every_page import assert_accessible, assert_fits, visit
from tests.factories import make_annotator, make_corpus, make_profile, make_subreddit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HEAD = "subreddit,attribute,value,reason\n"


@pytest.fixture
def page(sign_in):
    return sign_in(make_annotator("grace", roles=[Role.ADMIN]))


def upload(page, text: str, *, replace: bool = False) -> None:
    page.locator("input[name=file]").set_input_files({"name": "h.csv", "mimeType": "text/csv", "buffer": text.encode()})
    if replace:
        page.locator("input[name=replace]").check()
    page.get_by_role("button", name="Import").click()
    page.wait_for_load_state()
    assert_accessible(page)
    assert_fits(page)


def test_a_hint_is_changed_and_removed(page, live_server):
    hint = AttributeHint.objects.create(subreddit=make_subreddit("Seattle"), attribute="location", value="seattle")
    visit(page, f"{live_server.url}/subreddits/hints/{hint.pk}/")
    page.locator("input[name=value]").fill("tacoma")
    page.locator("main button[type=submit]").first.click()
    page.wait_for_url("**/subreddits/**")
    hint.refresh_from_db()
    assert hint.value == "tacoma"
    visit(page, f"{live_server.url}/subreddits/hints/{hint.pk}/remove/")
    page.locator("main button[type=submit]").first.click()
    page.wait_for_load_state()
    assert not AttributeHint.objects.exists()


def test_a_file_with_a_bad_row_brings_its_good_rows(page, live_server):
    visit(page, f"{live_server.url}/subreddits/import/")
    upload(page, f"{HEAD}Seattle,location,seattle,the city\nteenagers,age,young,<b>bad</b>\n")
    expect(page.get_by_text("age", exact=False).first).to_be_visible()
    assert [hint.value for hint in AttributeHint.objects.all()] == ["seattle"]


def test_replacing_the_list_asks_first(page, live_server):
    AttributeHint.objects.create(subreddit=make_subreddit("Boston"), attribute="location", value="boston")
    visit(page, f"{live_server.url}/subreddits/import/")
    upload(page, f"{HEAD}Seattle,location,seattle,the city\n", replace=True)
    assert AttributeHint.objects.get().value == "boston"
    page.get_by_role("button", name="Replace the list").click()
    page.wait_for_load_state()
    assert AttributeHint.objects.get().value == "seattle"


def test_an_account_is_removed_after_a_look_at_what_goes(page, live_server):
    written_at = make_profile().first_written_at
    record = ProfileRecord("tinroof_rusty", [CommentRecord("c3xk9qa", "houston", written_at, "I moved to Houston")])
    load_profiles(make_corpus(), [record])
    visit(page, f"{live_server.url}/privacy/")
    page.locator("input[name=account]").fill("u/TinRoof_Rusty")
    page.get_by_label("The person asked").check()
    page.get_by_role("button", name="See what would be removed").click()
    page.wait_for_load_state()
    assert_accessible(page)
    assert Profile.objects.count() == 2
    page.get_by_role("button", name="Remove permanently").click()
    page.wait_for_load_state()
    assert_accessible(page)
    assert Profile.objects.count() == 1


def test_an_account_name_is_shown_for_a_reason(page, live_server):
    written_at = make_profile().first_written_at
    record = ProfileRecord("tinroof_rusty", [CommentRecord("c3xk9qa", "houston", written_at, "I moved to Houston")])
    load_profiles(make_corpus(), [record])
    page.goto(f"{live_server.url}/profiles/{Profile.objects.latest('pk').pk}/")
    page.locator("input[name=reason]").fill("the person asked for their data")
    page.get_by_role("button", name="Show account name").click()
    expect(page.get_by_text("tinroof_rusty")).to_be_visible()
    assert_accessible(page)
