"""The values of a chart by pointer, by keyboard and by touch, on the style guide, which has every kind of chart."""

import pytest
from playwright.sync_api import expect

from annotator.models import Role
from tests.factories import make_annotator

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_values_show_on_hover_and_by_keyboard(sign_in, live_server):
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    page.goto(f"{live_server.url}/styleguide/")
    chart = page.get_by_role("group", name="Agreement by week")
    expect(chart.locator(".tip[tabindex='0']")).to_have_count(1)
    values = chart.locator(".tip-text")
    expect(values.nth(1)).to_be_hidden()
    chart.locator(".tip").nth(1).hover()
    expect(values.nth(1)).to_be_visible()
    chart.locator(".tip").first.focus()
    expect(values.nth(1)).to_be_hidden()  # the focus wins over the pointer
    page.keyboard.press("ArrowRight")
    expect(chart.locator(".tip").nth(1)).to_be_focused()
    expect(values.nth(1)).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(chart.locator(".tip:focus .tip-text")).to_contain_text("Age, week 2")
    page.keyboard.press("End")
    expect(chart.locator(".tip:focus .tip-text")).to_contain_text("Age, week 8")
    figure = page.locator("figure.chart", has=chart)
    figure.locator("summary").click()
    expect(figure.get_by_role("table")).to_be_visible()
