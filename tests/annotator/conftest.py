"""Fixtures for tests of the site: a folder to import from, a browser, whole installations."""

import fcntl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page

from annotator.models import Annotator
from tests.annotator.corpora.dumps import IMPORT_FORM, dump_lines
from tests.annotator.embedded.installation import Installation, copy_home, temporary_installation

SignIn = Callable[[Annotator], Page]


@pytest.fixture
def dumps(settings, tmp_path) -> Path:
    """The only folder that dumps may be imported from, with one dump in it."""
    settings.UPLOADS = tmp_path / "uploads"
    settings.IMPORT_FOLDERS = [tmp_path / "dumps"]
    (tmp_path / "dumps").mkdir()
    (tmp_path / "dumps" / "RC_2012-11.ndjson").write_text(dump_lines("I moved to Houston last week", "so humid here"))
    return tmp_path / "dumps"


@pytest.fixture
def picked(dumps) -> dict[str, str]:
    return IMPORT_FORM | {"picked": str(dumps / "RC_2012-11.ndjson")}


@pytest.fixture
def complaints() -> list[str]:
    """What the browser complained about: script errors, refused styles and scripts."""
    return []


@pytest.fixture
def context(browser: Browser, complaints: list[str]) -> Iterator[BrowserContext]:
    context = browser.new_context(color_scheme="light", viewport={"width": 1280, "height": 800})
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield context
    context.close()
    assert not complaints


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture
def sign_in(page: Page, live_server) -> SignIn:
    """Sign a person in through a server-side session: the sign-in page has its own tests."""

    def sign_in(person: Annotator) -> Page:
        client = Client()
        client.force_login(person)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
        return page

    return sign_in


@pytest.fixture
def installation() -> Iterator[Installation]:
    with temporary_installation() as installation:
        yield installation


@pytest.fixture(scope="session")
def migrated_home() -> Path:
    """A home with a migrated database. `bin/test` brings it; otherwise it is made once for all processes."""
    home: Path = settings.HOME.root.with_name("migrated")
    home.parent.mkdir(parents=True, exist_ok=True)
    with home.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not home.exists():
            done = Installation(home).run("migrate", "--verbosity", "0")
            assert done.returncode == 0, done.stderr
    return home


@pytest.fixture
def migrated(installation: Installation, migrated_home: Path) -> Installation:
    copy_home(migrated_home, installation.home)
    return installation
