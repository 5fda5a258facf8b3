"""The practice and quality pages in a real browser: light and dark, wide and narrow."""

import pytest
from playwright.sync_api import expect

from annotator.models import Flag, Role
from annotator.quality.services.practice import start_practice
from tests.annotator.quality.practice_batches import make_known, make_practice_of, submitted
from tests.annotator.site.test_browser_every_page import assert_fits, visit
from tests.factories import make_annotator, make_assignment, make_batch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
KNOWN = {"location": "houston / texas / united states", "age": "27", "sex": "male", "occupation": "nurse" * 20}
SAID = {"location": "texas / united states", "sex": "female", "income": "high"}


def narrow(page, *urls: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    for url in urls:
        page.goto(url)
        assert_fits(page)


def test_what_an_evaluator_learns(sign_in, live_server):
    ada, profile = make_annotator("ada"), make_known("I moved to Houston " + "x" * 500, **KNOWN)
    done = submitted(ada, profile, make_practice_of(profile), **SAID)
    page, url = sign_in(ada), f"{live_server.url}/assignments/{done.pk}/practice/"
    visit(page, url)
    narrow(page, url)


def test_from_one_practice_profile_to_the_next(sign_in, live_server):
    ada, profile = make_annotator("ada"), make_known()
    batch = make_practice_of(profile, make_known(corpus=profile.corpus))
    start_practice(batch, ada)
    first, second = batch.assignments.in_order()
    type(first).objects.filter(pk=first.pk).update(claimed_at="2024-01-01T00:00Z", submitted_at="2024-01-01T00:00Z")
    page = sign_in(ada)
    page.goto(f"{live_server.url}/assignments/{first.pk}/practice/")
    page.locator("form[action$='/continue/'] button").click()
    expect(page).to_have_url(f"{live_server.url}/assignments/{second.pk}/")


def test_what_an_admin_sees(sign_in, live_server):
    ada, batch = make_annotator("ada", display_name="A" * 80), make_batch()
    profile = make_known("I moved to Houston", corpus=batch.corpus, **KNOWN)
    done = submitted(ada, profile, batch, planted=True, **SAID)
    Flag.objects.create(assignment=done, comment=profile.comments.get(), remark="long " * 60)
    make_assignment(
        batch=batch, annotator=ada, skipped_at="2024-01-01T00:00Z", skip_reason="other", skip_remark="x" * 300
    )
    practice = make_practice_of(profile)
    page, at = sign_in(make_annotator("grace", roles=[Role.ADMIN])), f"{live_server.url}/batches"
    urls = [f"{at}/{batch.pk}/quality/", f"{at}/{batch.pk}/quality/{done.pk}/", f"{at}/{practice.pk}/quality/"]
    urls += [f"{at}/practice/new/", live_server.url]
    for url in urls:
        visit(page, url)
    narrow(page, *urls)
