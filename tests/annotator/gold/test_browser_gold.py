"""A gold build in a browser: watched without a reload until its numbers appear."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotator.gold.consensus import RULE
from annotator.gold.stamps import current_stamp
from annotator.models import GoldBuild, Role
from tests.annotator.gold.records import make_gold
from tests.annotator.polling import renew
from tests.annotator.site.test_browser_every_page import assert_accessible, assert_fits
from tests.factories import make_annotator, make_corpus

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_build_is_watched_and_ends_with_its_numbers(sign_in, live_server):
    page, corpus, now = sign_in(make_annotator("grace", roles=[Role.ADMIN])), make_corpus(), timezone.now()
    build = GoldBuild.objects.create(corpus=corpus, rule=RULE, began_at=now, beat_at=now, done=100, total=1000)
    page.clock.install()
    page.goto(f"{live_server.url}/gold/{corpus.pk}/")
    page.evaluate("document.title = 'the same page'")
    assert_accessible(page)
    assert_fits(page)

    GoldBuild.objects.update(done=700, beat_at=timezone.now())
    renew(page)
    expect(page.locator("#gold-build")).to_contain_text("700 of 1\u202f000 profiles")
    expect(page.locator("#progress-told")).to_contain_text("70\u202f%")
    assert page.title() == "the same page"

    make_gold("age", "27", corpus=corpus)
    GoldBuild.objects.filter(pk=build.pk).update(finished_at=now, built_at=now, stamp=current_stamp(build.corpus))
    renew(page)
    expect(page.locator("tfoot td").first).to_have_text("1")
    expect(page.locator("#gold-build")).to_have_count(0)
