"""The audit pages and the read-only admin in a real browser: nothing inline, nothing blocked."""

import pytest
from playwright.sync_api import expect

from annotator.models import Role
from tests.annotator.site.test_browser_every_page import visit
from tests.factories import make_annotator, make_assignment, make_judgement

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_pages_about_what_happened(sign_in, live_server):
    judgement = make_judgement(make_assignment(annotator=make_annotator("ada")))
    judgement.value = "dallas / texas / united states"
    judgement.save(update_fields=["value"])
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    for path in ("", "changes/", "changes/?table=batch", "changes/?profile=nobody&since=2026-13-01"):
        visit(page, f"{live_server.url}/audit/{path}")


@pytest.mark.ignore_template_errors
def test_the_back_room_under_the_policy_of_every_page(sign_in, live_server, complaints):
    judgement = make_judgement(make_assignment(annotator=make_annotator("ada")))
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.goto(f"{live_server.url}/audit/")
    page.get_by_role("link", name="Browse all database tables").click()
    page.get_by_role("link", name="Judgements", exact=True).click()
    page.get_by_role("link", name=str(judgement.pk), exact=True).click()
    expect(page.get_by_text("houston")).to_be_visible()
    page.get_by_role("link", name="Back to the audit log").click()
    expect(page.get_by_role("cell", name="read a profile")).to_be_visible()
    assert not complaints
