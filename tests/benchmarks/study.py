"""A study of 10,000 profiles, 100,000 assignments and 800,000 judgements: do its pages and files keep up?

.venv/bin/python -m annotator.embedded.throwaway .venv/bin/python -m tests.benchmarks.study --check
Parts: --only pages|gold-build|agreement|export. A second study of an eighth of the size shows how cost grows.
"""

import argparse
import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.benchmarks.study_agreement import measure
from tests.benchmarks.study_export import measure_export
from tests.benchmarks.study_gold_build import measure_gold_build
from tests.benchmarks.study_rows import MadeUp, make_rows
from tests.benchmarks.table import Bar, exit_if_missed, print_bars, set_up, versions

LARGE, SMALL, TIMES = 10_000, 1_250, 20
PAGES: dict[str, Callable[[MadeUp], str]] = {
    "overview": lambda study: "/",
    "batches": lambda study: "/batches/",
    "progress": lambda study: f"/batches/{study.batches[0].pk}/progress/",
    "setup": lambda study: f"/batches/{study.batches[0].pk}/setup/",
    "agreement": lambda study: f"/corpora/{study.corpus.pk}/agreement/",
    "adjudication": lambda study: f"/adjudication/?corpus={study.corpus.pk}",
    "gold": lambda study: f"/gold/{study.corpus.pk}/",
    "changes": lambda study: "/audit/changes/",
}


@dataclass(slots=True)
class Bench:
    small: MadeUp
    large: MadeUp
    admin: Any
    bars: list[Bar] = field(default_factory=list)


def main() -> None:
    options = _options()
    set_up()
    logging.disable(logging.INFO)
    bench = _make()
    parts: dict[str, Callable[[Bench], None]] = {
        "gold-build": measure_gold_build, "agreement": measure_agreement, "pages": measure_pages,
        "export": measure_export,
    }  # fmt: skip
    for name, part in parts.items():
        if options.only in (None, name):
            part(bench)
    _conclude(bench, check=options.check)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit 1 where a bar is missed")
    parser.add_argument("--only", choices=["pages", "gold-build", "agreement", "export"])
    return parser.parse_args()


def _make() -> Bench:
    from annotator.models import Annotator

    began = time.monotonic()
    small, large = make_rows(SMALL), make_rows(LARGE)
    admin = Annotator.objects.create_user("admin", display_name="Admin", roles=["admin"])
    print(f"  {small.judgements:,} and {large.judgements:,} judgements made in {time.monotonic() - began:.0f} s")
    return Bench(small, large, admin)


def measure_agreement(bench: Bench) -> None:
    """Make a report with all resamples, as a worker does. No bar: the page shows the newest report and never waits."""
    heading("Agreement, 1,000 resamples")
    for study in (bench.small, bench.large):
        took = measure(study.corpus.pk)
        print(f"  {took.judgements:>9,} judgements: read in {took.reading:.1f} s, whole report {took.whole:.1f} s")


def measure_pages(bench: Bench) -> None:
    """Measure through Django's test client with the server's settings. Each page's first request does not count."""
    from django.core.management import call_command
    from django.test import Client

    call_command("collectstatic", verbosity=0, interactive=False)
    client = Client(SERVER_NAME="127.0.0.1", headers={"accept-encoding": "gzip"})
    client.force_login(bench.admin)
    heading(f"Pages, p95 of {TIMES}, small and large study")
    for name, path in PAGES.items():
        small, large = (_clocked(client, path(study)) for study in (bench.small, bench.large))
        print(f"  {name:<14} {small[0]:>7.0f} ms {large[0]:>7.0f} ms {small[1]:>4} and {large[1]} queries")
        bench.bars += [
            Bar(f"{name}: p95 at the large study, ms", large[0], at_most=300),
            Bar(f"{name}: queries, large against small", large[1] / small[1], at_most=1),
        ]


def _clocked(client: Any, path: str) -> tuple[float, int]:
    """The 95th percentile of the server's time, database included, and the number of queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as caught:
        assert client.get(path).status_code == 200, path
    queries, seconds = len(caught), []
    for _ in range(TIMES):
        began = time.perf_counter()
        client.get(path)
        seconds.append(time.perf_counter() - began)
    return sorted(seconds)[int(TIMES * 0.95) - 1] * 1000, queries


def heading(text: str) -> None:
    print(f"\n{text} (load {os.getloadavg()[0]:.1f})")


def _conclude(bench: Bench, *, check: bool) -> None:
    print(f"\n{versions()}")
    print_bars(bench.bars, width=56)
    if check:
        exit_if_missed(bench.bars)


if __name__ == "__main__":
    main()
