"""Five hundred slow clients against the site as `bin/up` runs it."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.annotator.config.slow_clients import KINDS, latencies, percentile, slow_clients
from tests.annotator.embedded.installation import (
    PATIENCE,
    copy_home,
    fetch,
    free_port,
    temporary_installation,
    wait_until,
)

pytestmark = [pytest.mark.processes, pytest.mark.long]
COUNT = 500
PAGE = "/account/login/"


@pytest.fixture(scope="module")
def port(migrated_home: Path) -> Iterator[int]:
    with temporary_installation() as installation:
        copy_home(migrated_home, installation.home)
        port = free_port()
        process = installation.start("up", "--no-demo", "--workers", "1", "--port", str(port))
        wait_until(lambda: fetch(port, PAGE) == 200 or process.poll() is not None)
        yield port
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


# A client that asks on without reading makes work as well as waiting: test_web_worker.py tries it with cheap pages.
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "reader"])
def test_the_site_answers_beside_500_slow_clients(port, kind):
    alone = percentile(latencies(port, PAGE, count=20), 0.5)
    with slow_clients(port, COUNT, kind):
        beside = latencies(port, PAGE, count=40)
    assert percentile(beside, 0.5) < 5 * alone + 0.1
    assert beside[-1] < 5
