"""A real Chromium against the real site."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page

from annotator.models import Annotator

SignIn = Callable[[Annotator], Page]


@pytest.fixture
def complaints() -> list[str]:
    """What the browser complained about: script errors, refused styles and scripts."""
    return []


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def context(browser: Browser, complaints: list[str], request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    theme = request.getfixturevalue("theme") if "theme" in request.fixturenames else "light"
    context = browser.new_context(color_scheme=theme, viewport={"width": 1280, "height": 800})
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    yield context
    context.close()
    assert not complaints


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture
def sign_in(page: Page, live_server) -> SignIn:
    """Somebody's page, signed in by a session of the server's own: the sign-in page has tests of its own."""

    def sign_in(person: Annotator) -> Page:
        client = Client()
        client.force_login(person)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
        page.goto(live_server.url)
        return page

    return sign_in
