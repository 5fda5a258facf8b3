"""Checking a judge by keyboard, in a real browser."""

import pytest
from playwright.sync_api import expect

from annotator.models import Role
from evaluation.inference.judge.queries import sample_of
from evaluation.models import AuditedPair
from tests.annotator.site.test_browser_every_page import assert_fits, visit
from tests.evaluation.inference.judge.runs import make_judged_run
from tests.factories import make_annotator

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


# Uses the undo button in the moment in which it is there.
PRESS_AT_ONCE = """() => {
  window.isFirstPage = true;
  new MutationObserver((_, observer) => {
    const button = document.querySelector("#pair [data-key=u]");
    if (button) { observer.disconnect(); button.click(); }
  }).observe(document.body, { childList: true, subtree: true });
}"""


def test_a_key_pressed_as_soon_as_the_next_pair_is_there_does_not_load_the_page_again(sign_in, live_server):
    run = make_judged_run("match", "no-match", "less-precise")
    page = sign_in(make_annotator("grace", roles=[Role.RESEARCHER]))
    page.goto(f"{live_server.url}/evaluations/{run.pk}/judge/")
    page.evaluate(PRESS_AT_ONCE)
    with page.expect_response(lambda response: response.request.post_data_json.get("undo") == "yes"):
        page.keyboard.press("1")
    expect(page.get_by_text("0 of 3 done")).to_be_visible()
    assert page.evaluate("window.isFirstPage")


def test_a_sample_is_decided_by_keys_alone(sign_in, live_server):
    run = make_judged_run("match", "no-match", "less-precise")
    page = sign_in(make_annotator("grace", roles=[Role.RESEARCHER]))
    visit(page, f"{live_server.url}/evaluations/{run.pk}/judge/")
    page.keyboard.press("1")
    expect(page.get_by_text("1 of 3 done")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_text("0 of 3 done")).to_be_visible()
    for number, key in enumerate("32", start=1):
        page.keyboard.press(key)
        expect(page.get_by_text(f"{number} of 3 done")).to_be_visible()
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="Agreement with the judge")).to_be_visible()
    verdicts = dict(AuditedPair.objects.values_list("pair", "verdict"))
    assert [verdicts[pair] for pair in sample_of(run)] == ["no-match", "less-precise", "match"]
    visit(page, page.url)
    page.set_viewport_size({"width": 390, "height": 800})
    assert_fits(page)
