"""A model run in a browser: dry run, start, report, a case, and the comments behind it."""

import pytest
from playwright.sync_api import expect

from annotator.models import Role
from evaluation.models import EvaluationRun
from evaluation.runs import job
from tests.annotator.polling import renew
from tests.annotator.site.test_browser_every_page import assert_accessible, assert_fits, assert_legible_in_the_dark
from tests.evaluation.inference.studies import ANSWER, make_endpoint, make_study
from tests.evaluation.llm.server import ok, reply, serving
from tests.factories import make_annotator

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def assert_looks_right(page) -> None:
    assert_accessible(page)
    assert_fits(page)
    assert_legible_in_the_dark(page)


def test_from_a_dry_run_to_the_comments_behind_a_case(sign_in, live_server, settings, tmp_path):
    settings.EVALUATIONS, settings.UPLOADS = tmp_path / "evaluations", tmp_path / "uploads"
    corpus = make_study(name="Study")
    with serving() as server:
        server.script = lambda text, times: ok(reply(ANSWER))
        make_endpoint(server)
        page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
        page.clock.install()
        page.goto(f"{live_server.url}/evaluations/")
        page.get_by_text("New evaluation", exact=True).click()
        page.get_by_role("link", name="Language model", exact=True).click()
        assert_looks_right(page)
        page.locator("select[name=endpoint]").select_option(label="small (tiny)")
        page.locator("select[name=corpus]").select_option(label=corpus.name)
        page.get_by_role("button", name="Continue").click()
        expect(page.locator("#dry-run")).to_contain_text("3 calls for 3 profiles")
        assert_looks_right(page)
        assert not server.calls
        page.locator("#dry-run").get_by_role("button", name="Start the run").click()
        expect(page.get_by_text("Waiting for a worker")).to_be_visible()
        job.run(EvaluationRun.objects.get().pk)
        renew(page)
        expect(page.get_by_role("heading", name="Cases")).to_be_visible()  # the page reloads itself
    assert_looks_right(page)
    page.get_by_role("link", name="Guessed where people could not tell 3").click()
    expect(page.get_by_role("link", name="Guessed where people")).to_have_attribute("aria-current", "page")
    page.get_by_text("Reasoning").first.click()
    expect(page.get_by_text("a <b>guess</b>").first).to_be_visible()
    page.locator("#cases tbody a").first.click()
    expect(page.get_by_text("I moved to Houston")).to_be_visible()


def test_prompts_and_a_stopped_run(sign_in, live_server):
    settings = {"question": {}, "budget": {"tokens": 5, "money": None}, "system": {"kind": "endpoint", "endpoint": 0}}
    run = EvaluationRun.objects.create(kind="inference", name="n" * 200, system="s", settings=settings)
    EvaluationRun.objects.filter(pk=run.pk).update(finished_at=run.requested_at, problem="The budget is used up.")
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    for path in (f"{run.pk}/", f"{run.pk}/continue/", "prompts/", "prompts/new/"):
        page.goto(f"{live_server.url}/evaluations/{path}")
        assert_looks_right(page)
