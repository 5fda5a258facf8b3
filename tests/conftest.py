"""Shared by all tests: distribution over processes, random values, a browser, and three people."""

import gc
import os
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from playwright.sync_api import Browser, expect, sync_playwright
from pytest_django.plugin import DjangoDbBlocker
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from annotator.models import Annotator, Role
from tests.chance import load_profile, seed_random
from tests.factories import make_annotator

load_profile()

# Slow kinds of tests, slowest first. The tests that start last should be short, so that both processes end together.
LONG_KINDS = ("spark", "processes", "long", "browser")
OTHER_SESSIONS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
SERVER_FIXTURES = {"db", "transactional_db", "client", "live_server", "valkey"}

QUIET = [
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
    "--disable-gpu", "--disable-dev-shm-usage",
]  # fmt: skip


class ByFile(LoadFileScheduling):
    """Keep each file in one process, for its fixtures. Keep Presidio, which takes seconds to load, in one as well."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        loads_presidio = "/detection/" in file and not file.endswith("_recovery.py")
        return "presidio" if loads_presidio else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    """Group tests here, not with marks: pytest-xdist 3.8 does not pass on its groups with pytest 9.2."""
    return ByFile(config, log)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Start the slow kinds first, and otherwise keep the order of pytest-randomly."""
    yield
    items.sort(key=_rank)


def pytest_collection_finish() -> None:
    """Collect garbage less often, and never look through what is loaded already: a tenth of the CPU time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    seed_random(item)


def _rank(item: pytest.Item) -> int:
    return min((rank for rank, kind in enumerate(LONG_KINDS) if item.get_closest_marker(kind)), default=len(LONG_KINDS))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """End sessions that threads of a live server may have left open: Postgres drops no database in use."""
    yield
    with django_db_blocker.unblock():
        connection.close()  # the last test may have left it broken
        with connection.cursor() as cursor:
            cursor.execute(OTHER_SESSIONS)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One real Chromium in each test process."""
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    flags = [*QUIET, *(["--no-sandbox"] if os.getuid() == 0 else [])]
    # From here on, an event loop runs in this process, beside which Django would refuse to use the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        expect.set_options(timeout=20_000)  # a busy machine is not a failure
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def valkey() -> None:
    """Request this in a test that uses the cache or the broker, but neither the database nor a client."""


@pytest.fixture(autouse=True)
def _empty_cache(request: pytest.FixtureRequest) -> None:
    """Clear the cache, so that no test inherits another's lock-outs and sessions. Pure tests need no server."""
    uses_servers = request.node.get_closest_marker("django_db") or SERVER_FIXTURES & set(request.fixturenames)
    if uses_servers:
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
