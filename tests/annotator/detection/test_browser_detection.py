"""Detection in a browser: started, watched without a reload, paused, resumed; and a recipe tried on the page."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotator.core.heartbeat import beat
from annotator.models import Role
from profiles.models import Comment, DetectionChunk, DetectionRun
from tests.annotator.detection.runs import detect, make_chunk, make_run
from tests.annotator.polling import polled_urls, renew
from tests.annotator.site.test_browser_every_page import assert_accessible
from tests.factories import make_annotator, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(sign_in):
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.clock.install()
    return page


def test_a_run_is_started_watched_paused_resumed_and_ends(page, live_server):
    profile = make_profile(*(f"Houston {n}" for n in range(100)))
    first = profile.comments.earliest("pk").pk
    page.goto(f"{live_server.url}/corpora/{profile.corpus_id}/")
    page.get_by_role("link", name="Detection", exact=True).click()
    page.get_by_role("button", name="Start detection").click()
    page.wait_for_url(re.compile(r"/detection/\d+/$"))
    expect(page.get_by_text("No workers are running")).to_be_visible()
    assert_accessible(page)
    run = DetectionRun.objects.get()

    page.evaluate("document.title = 'the same page'")
    DetectionRun.objects.update(planned_at=timezone.now(), planned_to=first + 99)
    make_chunk(run, first, first + 29, found=1)
    rest = make_chunk(run, first + 30, first + 99, ago=None)
    beat("worker")
    renew(page)
    expect(page.get_by_text("30 of 100 comments").first).to_be_visible()
    expect(page.locator("#progress-told")).to_have_text("Running, 30\u202f%")
    expect(page.get_by_text("No workers are running")).to_have_count(0)
    assert page.title() == "the same page"

    page.get_by_role("button", name="Pause").dblclick()
    expect(page.get_by_text("The run is paused")).to_be_visible()
    assert DetectionRun.objects.get().paused_at
    page.get_by_role("button", name="Resume").dblclick()
    expect(page.get_by_text("The run continues")).to_be_visible()
    assert DetectionRun.objects.get().paused_at is None

    detect(run, Comment.objects.earliest("pk"), "Houston")
    DetectionChunk.objects.filter(pk=rest.pk).update(done_at=timezone.now(), seconds=2)
    DetectionRun.objects.update(finished_at=timezone.now())
    renew(page)
    expect(page.locator("mark", has_text="Houston")).to_be_visible()
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    assert polled_urls(page) == []
    assert_accessible(page)


def test_the_list_of_runs_renews_itself(page, live_server):
    run = _running_run()
    page.goto(f"{live_server.url}/corpora/{run.corpus_id}/detection/")
    page.evaluate("document.title = 'the same page'")
    DetectionChunk.objects.filter(run=run).update(done_at=timezone.now())
    DetectionRun.objects.update(finished_at=timezone.now())
    renew(page)
    expect(page.locator(".badge", has_text="done")).to_be_visible()
    assert page.title() == "the same page"


def test_cancelling_asks_first(page, live_server):
    run = _running_run()
    page.goto(f"{live_server.url}/corpora/{run.corpus_id}/detection/{run.pk}/")
    page.get_by_role("button", name="Cancel…").click()
    with page.expect_response("**/progress/**"):
        renew(page)
    page.wait_for_timeout(200)  # the panel has renewed itself, and left the question alone
    assert_accessible(page)
    page.get_by_role("button", name="Keep running").click()
    assert DetectionRun.objects.get().cancelled_at is None
    page.get_by_role("button", name="Cancel…").click()
    page.get_by_role("button", name="Cancel run").click()
    expect(page.get_by_text("The results so far are kept.")).to_be_visible()
    expect(page.get_by_role("button", name="Continue")).to_be_visible()


def test_a_recipe_is_tried_mended_and_started(page, live_server, complaints):
    corpus = make_profile("I live near 5th and 12th", "nothing here").corpus
    page.goto(f"{live_server.url}/corpora/{corpus.pk}/detection/recipe/")
    assert_accessible(page)
    page.evaluate("document.title = 'the same page'")
    page.locator("#id_pattern-0-name").fill("corner")
    page.locator("#id_pattern-0-entity_type").fill("STREET_CORNER")
    page.locator("#id_pattern-0-regex").fill(r"(\d+th and")
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_text("The expression is not valid")).to_be_visible()
    assert_accessible(page)
    assert page.locator("#id_pattern-0-name").input_value() == "corner"
    page.locator("#id_pattern-0-regex").fill(r"\d+th and \d+th")
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("mark", has_text="5th and 12th")).to_be_visible()
    assert page.title() == "the same page"
    assert_accessible(page)
    page.get_by_label("Name of the recipe").fill("corners")
    page.get_by_role("button", name="Start run").click()
    page.wait_for_url(re.compile(r"/detection/\d+/$"))
    assert DetectionRun.objects.get().recipe.contents["patterns"][0]["regex"] == r"\d+th and \d+th"
    complaints.clear()  # the browser calls a 422 an error; the form is what was looked at


def _running_run() -> DetectionRun:
    run = make_run(make_profile().corpus)
    make_chunk(run, ago=None)
    return run
