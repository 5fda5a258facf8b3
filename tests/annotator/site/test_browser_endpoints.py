"""Endpoints in a browser: add one, try it, and confirm a host."""

import pytest
from playwright.sync_api import expect

from annotator.models import Role
from evaluation.models import ModelEndpoint
from tests.annotator.site.test_browser_every_page import assert_accessible, assert_fits, assert_legible_in_the_dark
from tests.evaluation.llm.server import serving
from tests.factories import make_annotator

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_add_an_endpoint_and_try_it(sign_in, live_server, settings):
    settings.MODEL_HOSTS = ["api.example.org"]
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.goto(f"{live_server.url}/evaluations/endpoints/new/")
    with serving() as server:
        page.get_by_label("Name").fill("Small")
        page.get_by_label("Address").fill(server.url)
        page.get_by_label("Model").fill("smollm2")
        page.get_by_label("Key").fill("sk-secret")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("button", name="Try it").click()
        expect(page.get_by_text("The model answers")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    assert_legible_in_the_dark(page)
    assert "sk-secret" not in page.content()
    page.get_by_label("Address").fill("https://api.example.org/v1")
    page.get_by_role("button", name="Save").click()
    page.get_by_label("may be sent to api.example.org").check()
    assert_accessible(page)
    page.get_by_role("button", name="Allow it").click()
    expect(page.get_by_text("can be used now")).to_be_visible()
    row = ModelEndpoint.objects.get()
    assert (row.confirmed_host, row.sealed_key) == ("api.example.org", None)
    page.goto(f"{live_server.url}/evaluations/endpoints/")
    assert_accessible(page)
    assert_fits(page)
