"""From judgements to gold, at the size of a study: time, how the cost grows, and memory.

How the cost grows is measured in CPU time of this process and of its Postgres backend: other work on the machine
makes a build slower by the clock, and the longer one more often.
"""

import os
import resource
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.table import Bar

SECONDS, GROWTH, MEGABYTES, INCREMENTAL = 120, 1.25, 400, 0.1


@dataclass(frozen=True, slots=True)
class Cost:
    wall: float  # seconds
    cpu: float
    judgements: int

    @property
    def each(self) -> float:
        """Microseconds of CPU for a judgement."""
        return 1e6 * self.cpu / self.judgements

    def __str__(self) -> str:
        return f"{self.wall:.1f} s, of CPU {self.cpu:.1f} s and {self.each:.1f} µs a judgement"


def measure_gold_build(bench: Any) -> None:
    """`bench` has a small and a large made-up study, and a list of bars."""
    from profiles.gazetteer import warm

    warm()  # otherwise the time to load it would count for the small study only
    small, large = _cost(bench.small), _cost(bench.large)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    again = _cost(bench.large, everything=True)
    unchanged = _cost(bench.large, built=0)
    print(f"\nGold build, small study: {small}\nGold build, large study: {large}")
    print(f"All once more, with nothing to write: {again}")
    print(f"Comparing all fingerprints, with nothing to build: {unchanged}")
    bench.bars += [
        Bar("gold build: seconds for the large study", large.wall, at_most=SECONDS),
        Bar("gold build: CPU for a judgement, large against small", large.each / small.each, at_most=GROWTH),
        Bar("gold build: memory (MB)", used, at_most=MEGABYTES),
        Bar("gold build: nothing changed, against all once more", unchanged.cpu / again.cpu, at_most=INCREMENTAL),
    ]


def _cost(made_up: Any, *, everything: bool = False, built: int | None = None) -> Cost:
    from annotator.gold.build import build_gold

    began, cpu = time.monotonic(), cpu_seconds()
    tally = build_gold(made_up.corpus, everything=everything)
    assert tally.profiles == (made_up.profiles if built is None else built)
    return Cost(time.monotonic() - began, cpu_seconds() - cpu, made_up.judgements)


def cpu_seconds() -> float:
    """CPU time of this process and of the backend that serves it, on the same machine."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[11:13]
    return time.process_time() + sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
