"""Evaluations in a browser: start one, watch it, read the report, look at an error."""

import pytest
from playwright.sync_api import expect

from annotator.models import Role
from evaluation.models import ErrorMark, EvaluationRun
from evaluation.runs import job
from tests.annotator.polling import renew
from tests.annotator.site.test_browser_every_page import assert_accessible, assert_fits, assert_legible_in_the_dark
from tests.evaluation.spans.measured import gold_file, prediction_file
from tests.factories import make_annotator

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_from_two_files_to_a_report(sign_in, live_server, settings, tmp_path):
    settings.EVALUATIONS, settings.UPLOADS = tmp_path / "evaluations", tmp_path / "uploads"
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.clock.install()
    page.goto(f"{live_server.url}/evaluations/new/")
    assert_accessible(page)
    assert_fits(page)
    page.locator("input[name=gold]").set_input_files(gold_file(tmp_path))
    page.get_by_label("Uploaded predictions").check()
    page.locator("input[name=predictions]").set_input_files(prediction_file(tmp_path))
    page.get_by_role("button", name="Start the evaluation").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    job.run(EvaluationRun.objects.get().pk)
    renew(page)
    expect(page.get_by_role("heading", name="By type")).to_be_visible()  # the page reloads itself
    assert_accessible(page)
    assert_fits(page)
    assert_legible_in_the_dark(page)
    page.get_by_role("link", name="False alarms").click()
    expect(page.get_by_role("link", name="False alarms")).to_have_attribute("aria-current", "page")
    page.get_by_role("button", name="Looked at").first.click()
    expect(page.get_by_role("button", name="Looked at").first).to_have_attribute("aria-pressed", "true")
    assert ErrorMark.objects.count() == 1
    page.locator("#errors tbody a").first.click()
    expect(page.locator("mark:target")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    assert_legible_in_the_dark(page)


def test_other_pages_of_evaluations(sign_in, live_server):
    run = EvaluationRun.objects.create(kind="spans", name="n" * 200, system="s" * 200, signature="x:" * 500)
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    for path in ("", "compare/", f"{run.pk}/", f"{run.pk}/delete/"):
        page.goto(f"{live_server.url}/evaluations/{path}")
        assert_accessible(page)
        assert_fits(page)
