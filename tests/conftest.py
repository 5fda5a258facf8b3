import os
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from playwright.sync_api import Browser, sync_playwright

from annotator.models import Annotator, Role
from tests.factories import make_annotator

QUIET = [
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
    "--disable-gpu", "--disable-dev-shm-usage",
]  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One real Chromium in each test process."""
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    flags = [*QUIET, *(["--no-sandbox"] if os.getuid() == 0 else [])]
    # From here on an event loop runs in this process, and Django would refuse to touch the database beside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Lock-outs and sessions live in the cache: no test may inherit another's."""
    cache.clear()


@pytest.fixture
def ada(db: None) -> Annotator:
    """An evaluator."""
    return make_annotator("ada", roles=[Role.EVALUATOR])


@pytest.fixture
def grace(db: None) -> Annotator:
    """An admin."""
    return make_annotator("grace", roles=[Role.ADMIN])


@pytest.fixture
def rosalind(db: None) -> Annotator:
    """A researcher."""
    return make_annotator("rosalind", roles=[Role.RESEARCHER])


@pytest.fixture
def as_ada(client: Client, ada: Annotator) -> Client:
    client.force_login(ada)
    return client


@pytest.fixture
def as_grace(client: Client, grace: Annotator) -> Client:
    client.force_login(grace)
    return client
