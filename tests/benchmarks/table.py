"""Shared by all benchmarks: several ways in one run, a table, and bars that --check enforces."""

import argparse
import os
import platform
import resource
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import django


@dataclass(frozen=True, slots=True)
class Row:
    way: str
    seconds: float
    items: int
    cpu: float | None = None  # seconds, of all processes

    @property
    def rate(self) -> float:
        return self.items / self.seconds


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure with a lower or upper limit."""

    what: str
    ratio: float
    at_least: float | None = None
    at_most: float | None = None

    @property
    def met(self) -> bool:
        return (self.at_least is None or self.ratio >= self.at_least) and (
            self.at_most is None or self.ratio <= self.at_most
        )


def set_up() -> None:
    """Use the real settings with the temporary servers that the benchmark was started with."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.config.settings")
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def best_of(times: int, work: Callable[[], object]) -> float:
    """Seconds of the fastest run, since noise only ever adds."""
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def wall_and_cpu(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and seconds of CPU of this process and of the children that it waited for."""
    began, cpu = time.perf_counter(), _cpu_seconds()
    work()
    return time.perf_counter() - began, _cpu_seconds() - cpu


def _cpu_seconds() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def report(title: str, rows: list[Row], bars: list[Bar]) -> None:
    """Print the table. With --check, exit with 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--check", action="store_true", help="exit 1 where a ratio misses its bar")
    options = parser.parse_args()
    print(f"{title}\n{versions()}\n")
    for row in rows:
        cpu = "" if row.cpu is None else f" {row.cpu:>8,.2f} s of CPU"
        print(f"  {row.way:<44} {row.seconds * 1000:>10,.1f} ms {row.rate:>12,.0f} /s{cpu}")
    print()
    print_bars(bars)
    if options.check:
        exit_if_missed(bars)


def versions() -> str:
    return f"Python {platform.python_version()}, Django {django.__version__}, {os.cpu_count()} cores"


def print_bars(bars: Iterable[Bar], *, kind: str = "bar", width: int = 44) -> None:
    for bar in bars:
        limit = f"≥ {bar.at_least}" if bar.at_least is not None else f"≤ {bar.at_most}"
        print(f"  {bar.what:<{width}} {bar.ratio:>10.2f}  ({kind} {limit})  {'met' if bar.met else 'MISSED'}")


def exit_if_missed(bars: Iterable[Bar]) -> None:
    if not all(bar.met for bar in bars):
        sys.exit(1)
