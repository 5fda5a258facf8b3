"""A probe in a browser: upload, dry run, start, report, and two of them side by side."""

import pytest
from playwright.sync_api import expect

from annotator.models import Role
from evaluation.models import EvaluationRun
from evaluation.runs import job
from tests.annotator.polling import renew
from tests.annotator.site.test_browser_inference import assert_looks_right
from tests.evaluation.inference.studies import make_endpoint
from tests.evaluation.llm.server import ok, reply, serving
from tests.evaluation.probes.dreaddit.files import make_rows, write_csv
from tests.evaluation.probes.studies import baseline_plan, do_run, make_file
from tests.factories import make_annotator

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_from_an_upload_to_two_reports_side_by_side(sign_in, live_server, settings, tmp_path):
    settings.EVALUATIONS, settings.UPLOADS = tmp_path / "evaluations", tmp_path / "uploads"
    other = do_run(baseline_plan(make_file(tmp_path, 12)))
    path = write_csv(tmp_path / "dreaddit-test.csv", make_rows(9))
    with serving() as server:
        server.script = lambda text, times: ok(reply("Yes."))
        make_endpoint(server)
        page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
        page.clock.install()
        page.goto(f"{live_server.url}/evaluations/")
        page.get_by_text("New evaluation", exact=True).click()
        page.get_by_role("link", name="Probe", exact=True).click()
        expect(page.get_by_label("Your template")).to_be_hidden()
        page.get_by_label("Template", exact=True).select_option("own")
        expect(page.get_by_label("Your template")).to_be_visible()
        page.get_by_label("Template", exact=True).select_option("study")
        assert_looks_right(page)
        page.locator("input[name=texts]").set_input_files(path)
        page.locator("select[name=endpoint]").select_option(label="small (tiny)")
        page.get_by_role("button", name="Continue").click()
        expect(page.locator("#dry-run")).to_contain_text("9 texts × 3 prompts: 27 calls")
        assert_looks_right(page)
        assert not server.calls
        page.locator("#dry-run").get_by_role("button", name="Start the run").click()
        expect(page.get_by_text("Waiting for a worker")).to_be_visible()
        run = EvaluationRun.objects.latest("pk")
        job.run(run.pk)
        renew(page)
        expect(page.get_by_text("can't do the task")).to_be_visible()  # the page reloads itself
    assert_looks_right(page)
    page.goto(f"{live_server.url}/evaluations/compare/?first={other.pk}&second={run.pk}")
    assert_looks_right(page)
