"""An import in a browser: started, watched without a reload, and refused with the input kept."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotator.models import Role
from profiles.models import Corpus, Ingest
from tests.annotator.corpora.dumps import dump_lines, files_in, make_imported_corpus, make_ingest
from tests.annotator.polling import polled_urls, renew
from tests.annotator.site.test_browser_every_page import assert_accessible
from tests.factories import make_annotator, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(sign_in):
    return sign_in(make_annotator("grace", roles=[Role.ADMIN]))


def test_progress_renews_itself_and_ends_with_the_profiles(page, live_server):
    corpus = make_imported_corpus(ready=False)
    ingest = make_ingest(corpus, done=100, total=1000, lines=5000)
    page.clock.install()
    page.goto(f"{live_server.url}/corpora/{corpus.pk}/")
    page.evaluate("document.title = 'the same page'")
    Ingest.objects.filter(pk=ingest.pk).update(done=700, lines=77_000, beat_at=timezone.now())
    renew(page)
    expect(page.get_by_text("77\u202f000")).to_be_visible()
    expect(page.locator("#progress-told")).to_have_text("Reading and filtering, 70\u202f%")
    assert page.title() == "the same page"
    profile = make_profile(corpus=corpus)
    now = timezone.now()
    Corpus.objects.filter(pk=corpus.pk).update(ready_at=now)
    Ingest.objects.filter(pk=ingest.pk).update(stage="done", finished_at=now, beat_at=now)
    renew(page)
    expect(page.get_by_role("link", name=profile.pseudonym)).to_be_visible()
    assert polled_urls(page) == []


def test_an_upload_is_started_in_the_browser(page, live_server, settings, tmp_path, complaints):
    settings.UPLOADS, settings.IMPORT_FOLDERS = tmp_path / "uploads", [tmp_path / "dumps"]
    page.goto(f"{live_server.url}/corpora/")
    page.get_by_role("link", name="Import a dump").click()
    page.get_by_label("Name of the corpus").fill("from a browser")
    page.get_by_role("radio", name="All").check()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Choose at least one file")).to_be_visible()
    assert_accessible(page)
    assert page.get_by_label("Name of the corpus").input_value() == "from a browser"
    assert page.get_by_role("radio", name="All").is_checked()
    dump = {"name": "RC.ndjson", "mimeType": "text/plain", "buffer": dump_lines("I moved to Houston").encode()}
    page.get_by_label("From your computer").set_input_files(dump)
    page.get_by_role("button", name="Import").click()
    page.wait_for_url(re.compile(r"/corpora/\d+/provenance/"))
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    assert_accessible(page)
    assert len(files_in(settings.UPLOADS)) == 1
    complaints.clear()  # the browser calls a 422 an error; the form is what was looked at


def test_a_filter_starts_at_the_first_page_again(page, live_server, monkeypatch):
    monkeypatch.setattr("annotator.corpora.queries.corpora.PAGE_SIZE", 1)
    corpus = make_imported_corpus()
    first = make_profile("a", "b", corpus=corpus, subreddit="Seattle")
    second = make_profile("a", corpus=corpus, subreddit="Seattle")
    page.goto(f"{live_server.url}/corpora/{corpus.pk}/")
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("link", name=second.pseudonym)).to_be_visible()
    page.get_by_label("Wrote in subreddit").press_sequentially("seattle")
    expect(page.get_by_role("link", name=first.pseudonym)).to_be_visible()
    assert "after=" not in page.url
