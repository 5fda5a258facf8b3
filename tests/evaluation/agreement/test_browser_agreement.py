"""The agreement page in a real browser: a summary first, and details that open by their anchor."""

import pytest
from playwright.sync_api import expect

from annotator.models import Role
from tests.annotator.conftest import complaints, context, page, sign_in  # noqa: F401 fixtures
from tests.annotator.site.test_browser_every_page import assert_fits, assert_legible_in_the_dark, visit
from tests.evaluation.agreement.studies import make_study, report_of, said_of
from tests.factories import make_annotator

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MIXED = ["male", "female", "male", ""] * 4


def test_details_open_by_their_anchor(sign_in, live_server):  # noqa: F811 the fixture
    batch = make_study([said_of("sex", MIXED), said_of("sex", [*MIXED[1:], "male"])])
    report_of(batch)
    page = sign_in(make_annotator("rosalind", roles=[Role.RESEARCHER]))  # noqa: F811
    visit(page, f"{live_server.url}/batches/{batch.pk}/agreement/")
    expect(page.get_by_role("heading", name="Summary")).to_be_in_viewport()
    expect(page.locator("#presence")).to_be_hidden()
    page.get_by_role("link", name="Details").first.press("Enter")
    expect(page.locator("#presence")).to_be_visible()
    page.goto(f"{live_server.url}/batches/{batch.pk}/agreement/#pairs")
    page.reload()
    expect(page.locator("#pairs")).to_be_visible()
    page.locator(".folded").evaluate_all("folded => folded.forEach((details) => { details.open = true; })")
    assert_legible_in_the_dark(page)
    for width in (820, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert_fits(page)
