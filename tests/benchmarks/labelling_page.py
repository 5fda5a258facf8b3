"""The labelling page with a real server, Postgres and Chromium: does a giant profile cost no more than a small one?

.venv/bin/python -m annotator.embedded.throwaway .venv/bin/python -m tests.benchmarks.labelling_page --check
Parts: --only page|load|crowd, --seconds 20 for a shorter crowd. Postgres is temporary: it does not wait for the disk.
"""

import argparse
import logging
import os
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import django

from annotator.embedded.process import start, stop
from annotator.embedded.supervisor import port_is_free, web_command
from tests.benchmarks.labelling_browser import Opened, Scrolled, chromium, label_on, open_cold
from tests.benchmarks.labelling_load import Seat, crowd, lost, save_and_next
from tests.benchmarks.labelling_study import SIZES, Study, make_batch, make_evaluators, make_study
from tests.benchmarks.table import Bar, set_up

ROUNDS, SCROLLS, TIMES = 5, 2, 10
# From the race (tests/benchmarks/peers) on a quiet machine, on which this benchmark met 98.6 cycles a second.
OTHERS = """
  Others, not by this run (2 cores)  Label Studio 1.23.2   Potato 2.12.1    Gradio page
  cold until usable, 40 comments     1.58 s, 8.3 MB        0.23 s, 1.6 MB   0.49 s, 0.4 MB
  5,000 comments, 2,500 spans        5.8 s                 1.1 s            0.95 s, without spans
  submit until the next is visible   352 ms                136 ms           153 ms
  open the next over HTTP, p50       116 ms                55 ms            14 ms
  whole form and next, 8 clients     8.8/s                 12.3/s           67.3/s
"""


@dataclass(frozen=True, slots=True)
class Bench:
    study: Study
    port: int
    pid: int  # gunicorn's

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@dataclass(slots=True)
class Found:
    bars: list[Bar]
    goals: list[Bar]  # printed beside the bars; missing one is not a failure


def main() -> None:
    asked = _asked()
    set_up()
    logging.disable(logging.INFO)  # of this process; the server logs to a file as usual
    study = make_study()
    found = Found([], [])
    with server() as (port, pid):
        bench = Bench(study, port, pid)
        for name, part in {"page": measure_page, "load": measure_load, "crowd": measure_crowd}.items():
            if asked.only in (None, name):
                part(bench, found, asked.seconds)
    _conclude(found, check=asked.check)


@contextmanager
def server() -> Iterator[tuple[int, int]]:
    """gunicorn with the options of `manage.py up`, with static files collected."""
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connections

    call_command("collectstatic", verbosity=0, interactive=False)
    connections.close_all()
    port = next(port for port in range(18_100, 18_200) if port_is_free("127.0.0.1", port))
    web = start([sys.executable, "-m", *web_command("127.0.0.1", port)], log=settings.HOME.logs / "web.log")
    try:
        while port_is_free("127.0.0.1", port):
            assert web.poll() is None, Path(settings.HOME.logs / "web.log").read_text()[-2000:]
            time.sleep(0.05)
        yield port, web.pid
    finally:
        stop(web)


# ── Page ─────────────────────────────────────────────────────────────────────
def measure_page(bench: Bench, found: Found, _seconds: float) -> None:
    evaluator = make_evaluators(1, "page")[0]
    at = {n: hold(bench, f"page {n}", evaluator, [bench.study.by_size[n], *bench.study.ordinary[:30]]) for n in SIZES}
    cookies = signed_in(evaluator)
    queries = in_process(evaluator, at)
    through_server(bench, cookies, at, found)
    with chromium() as browser:
        opened, scrolled = open_all(browser, bench, cookies, at)
        saved, submitted = label_on(browser, f"{bench.url}/assignments/{at[SIZES[0]]}/", cookies, TIMES)
    print_browser(opened, scrolled)
    print(f"\n  Saving one field until it says Saved   {told(saved)}")
    print(f"  Submit until the next profile is there {told(submitted)}")
    judge_page(found, queries, opened, scrolled)
    found.goals.append(Bar("submit until the next profile, ms", median(submitted), at_most=200))


def in_process(evaluator: Any, at: dict[int, int]) -> dict[int, int]:
    """Measure through Django's test client, with the server's settings: the time without gunicorn, and the queries."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client, queries = Client(SERVER_NAME="127.0.0.1", headers={"accept-encoding": "gzip"}), {}
    client.force_login(evaluator)
    heading("Server, in one process through Django's test client (median of 15; CPU without Postgres')")
    for size, assignment in at.items():
        path = f"/assignments/{assignment}/"
        with CaptureQueriesContext(connection) as caught:
            assert client.get(path).status_code == 200
        queries[size] = len(caught)
        wall, cpu = clocked(lambda path=path: client.get(path))
        print(f"  page of {size:>6,} comments {wall:>8.1f} ms wall {cpu:>8.1f} ms CPU {queries[size]:>4} queries")
    return queries


def through_server(bench: Bench, cookies: dict[str, str], at: dict[int, int], found: Found) -> None:
    """Measure the page and the next profile over a connection that stays open."""
    heading("Server, through gunicorn (p50 of 40)")
    for size, assignment in at.items():
        seat = Seat(bench.port, cookies, assignment)
        for _ in range(44):
            seat.page()
            seat.prepare()
        page, following = (median(seat.seconds[what][4:]) * 1000 for what in ("page", "next"))
        print(
            f"  at the profile of {size:>6,} comments: page {page:>6.1f} ms, next profile (of 40) {following:>6.1f} ms"
        )
        if size == SIZES[0]:
            found.goals.append(Bar("server time for the next profile, ms", following, at_most=15))


def open_all(
    browser: Any, bench: Bench, cookies: dict[str, str], at: dict[int, int]
) -> tuple[dict[int, list[Opened]], dict[int, list[Scrolled]]]:
    """Open all sizes in turns, so that other load on the machine affects all equally. The first round is a warm-up."""
    opened: dict[int, list[Opened]] = {size: [] for size in at}
    scrolled: dict[int, list[Scrolled]] = {size: [] for size in at}
    for number in range(ROUNDS + 1):
        for size, assignment in at.items():
            url = f"{bench.url}/assignments/{assignment}/"
            one, scroll = open_cold(browser, url, cookies, scroll=0 < number <= SCROLLS)
            opened[size] += [one] if number else []
            scrolled[size] += [scroll] if scroll else []
    return opened, scrolled


def print_browser(opened: dict[int, list[Opened]], scrolled: dict[int, list[Scrolled]]) -> None:
    heading(f"Browser, cold (median of {ROUNDS}; scrolled to the end {SCROLLS} times, the quieter one; load {load()})")
    print(f"  comments   {'usable (all)':<34} page kB  after kB  longest task, loading  scrolling  heap MB  nodes")
    for size, ones in opened.items():
        times = " ".join(f"{one.usable:.0f}" for one in ones)
        page, after = (median(getattr(one, name) for one in ones) / 1000 for name in ("page", "after"))
        loading, best = median(one.longest for one in ones), min(scrolled[size], key=lambda one: one.longest)
        usable = f"{median(one.usable for one in ones):.0f} ms ({times})"
        print(
            f"  {size:>8,}   {usable:<34} {page:>7.1f} {after:>9.1f} {loading:>16.0f} ms {best.longest:>13.0f} ms"
            f" {best.heap:>8.1f} {best.nodes:>6,}"
        )


def judge_page(
    found: Found, queries: dict[int, int], opened: dict[int, list[Opened]], scrolled: dict[int, list[Scrolled]]
) -> None:
    usable = {size: median(one.usable for one in ones) for size, ones in opened.items()}
    weight = max(one.page + one.after for ones in opened.values() for one in ones) / 1000
    loading = max(median(one.longest for one in ones) for ones in opened.values())
    scrolling = max(min(one.longest for one in ones) for ones in scrolled.values())
    found.bars += [
        Bar("queries, most of any size against 40 comments", max(queries.values()) / queries[40], at_most=1),
        Bar("usable, 5,000 comments against 40", usable[5_000] / usable[40], at_most=1.5),
        Bar("usable, 20,000 comments against 40", usable[20_000] / usable[40], at_most=2),
        Bar("cold weight with all that follows, kB", weight, at_most=110),
        Bar("longest task while loading, ms", loading, at_most=80),
        Bar("longest task while scrolling to the end, ms", scrolling, at_most=100),
    ]
    found.goals += [
        Bar("usable cold, 40 comments, ms", usable[40], at_most=600),
        Bar("usable cold, 5,000 comments, ms", usable[5_000], at_most=1000),
    ]


# ── Load ─────────────────────────────────────────────────────────────────────
def measure_load(bench: Bench, found: Found, _seconds: float) -> None:
    seats = seat_all(bench, "load", 8)
    save_and_next(seats, 2)  # warm
    before = sum(len(seat.sealed) for seat in seats)
    began, spent = time.monotonic(), server_cpu(bench)
    save_and_next(seats, 10)
    cycles, taken = sum(len(seat.sealed) for seat in seats) - before, time.monotonic() - began
    heading(f"Save-and-next, 8 clients (load {load()})")
    print(f"  {cycles / taken:,.1f} profiles a second: got ready, one card saved, submitted; every answer checked")
    print(f"  {(server_cpu(bench) - spent) / cycles * 1000:.1f} ms of gunicorn's CPU for each")
    report_seats(seats, found, "8 clients")
    found.goals.append(Bar("save-and-next a second, 8 clients", cycles / taken, at_least=100))


def measure_crowd(bench: Bench, found: Found, seconds: float) -> None:
    seats = seat_all(bench, "crowd", 50)
    heading(f"50 evaluators for {seconds:.0f} s, one or two seconds between any two actions (load {load()})")
    crowd(seats, seconds)
    report_seats(seats, found, "50 evaluators")


def report_seats(seats: Sequence[Seat], found: Found, who: str) -> None:
    for what in sorted({what for seat in seats for what in seat.seconds}):
        taken = sorted(one for seat in seats for one in seat.seconds.get(what, ()))
        p50, p95 = (taken[int(len(taken) * share)] * 1000 for share in (0.5, 0.95))
        worst = taken[-1] * 1000
        print(f"  {what:<8} {len(taken):>7,} times, p50 {p50:>7.1f} ms, p95 {p95:>7.1f} ms, worst {worst:>7.1f} ms")
    errors, missing = [error for seat in seats for error in seat.errors], lost(list(seats))
    sealed = sum(len(seat.sealed) for seat in seats)
    cards = sum(len(cards) for seat in seats for cards in seat.sent.values())
    again = sum(seat.again for seat in seats)
    print(f"  {sealed:,} submissions and {cards:,} cards compared with the database; {again} sent again")
    for error in errors[:5]:
        print(f"  {error}")
    found.bars += [Bar(f"{who}: errors", len(errors), at_most=0), Bar(f"{who}: lost saves", missing, at_most=0)]


def seat_all(bench: Bench, name: str, count: int) -> list[Seat]:
    """Evaluators who share one pool, each with a first profile claimed."""
    from annotator.batches.claims import claim_next

    batch = make_batch(bench.study, name, bench.study.ordinary, overlap=5)
    seats = []
    for person in make_evaluators(count, name):
        held = claim_next(batch=batch, annotator=person)
        assert held is not None
        seats.append(Seat(bench.port, signed_in(person), held.pk))
    return seats


# ── Shared ───────────────────────────────────────────────────────────────────
def hold(bench: Bench, name: str, evaluator: Any, profiles: Sequence[int]) -> int:
    from annotator.batches.claims import claim_next

    held = claim_next(batch=make_batch(bench.study, name, profiles), annotator=evaluator)
    assert held is not None
    return held.pk


def signed_in(person: Any) -> dict[str, str]:
    """The cookies of a signed-in person."""
    from django.conf import settings
    from django.middleware.csrf import _get_new_csrf_string
    from django.test import Client

    client = Client()
    client.force_login(person)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    return {settings.SESSION_COOKIE_NAME: session, settings.CSRF_COOKIE_NAME: _get_new_csrf_string()}


def clocked(work: Any, times: int = 15) -> tuple[float, float]:
    """Median milliseconds of wall time and of CPU time."""
    for _ in range(4):
        work()
    walls, cpus = [], []
    for _ in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        walls.append((time.perf_counter() - wall) * 1000)
        cpus.append((time.process_time() - cpu) * 1000)
    return median(walls), median(cpus)


def server_cpu(bench: Bench) -> float:
    """Seconds of CPU time that gunicorn's workers have used so far."""
    children = Path(f"/proc/{bench.pid}/task/{bench.pid}/children").read_text().split()
    ticks = [Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[11:13] for pid in children]
    return sum(int(one) for pair in ticks for one in pair) / os.sysconf("SC_CLK_TCK")


def told(taken: Sequence[float]) -> str:
    return f"median {median(taken):.0f} ms of {len(taken)} ({min(taken):.0f} to {max(taken):.0f})"


def load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


def heading(text: str) -> None:
    print(f"\n{text}", flush=True)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The labelling page")
    parser.add_argument("--check", action="store_true", help="exit 1 where a bar is missed")
    parser.add_argument("--only", choices=["page", "load", "crowd"])
    parser.add_argument("--seconds", type=float, default=60, help="how long 50 evaluators work")
    return parser.parse_args()


def _conclude(found: Found, *, check: bool) -> None:
    print(f"\nPython {platform.python_version()}, Django {django.__version__}, {os.cpu_count()} cores, load {load()}\n")
    for kind, bars in (("bar", found.bars), ("goal", found.goals)):
        for bar in bars:
            wanted = f"≥ {bar.at_least}" if bar.at_least is not None else f"≤ {bar.at_most}"
            print(f"  {bar.what:<46} {bar.ratio:>8.2f}  ({kind} {wanted})  {'met' if bar.met else 'MISSED'}")
    print(OTHERS)
    if check and not all(bar.met for bar in found.bars):
        sys.exit(1)


if __name__ == "__main__":
    main()
