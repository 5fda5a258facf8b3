"""From judgements to gold, at the size of a study: how long, how cost grows, in how much memory."""

import resource
import time
from typing import Any

from tests.benchmarks.table import Bar

SECONDS, GROWTH, MEGABYTES = 120, 1.25, 400


def measure_gold_build(bench: Any) -> None:
    """`bench` has a small and a large made-up study, and a list of bars."""
    from profiles.gazetteer import warm

    warm()  # loaded once in a process, which the small study would pay for alone
    small, large = _cost(bench.small), _cost(bench.large)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    again = _seconds(bench.large, everything=True)
    print(f"\nGold build: {large:.1f} µs a judgement; all once more, with nothing to write: {again:.1f} s")
    bench.bars += [
        Bar("gold build: seconds for the large study", large * bench.large.judgements / 1e6, at_most=SECONDS),
        Bar("gold build: cost of a judgement, large against small", large / small, at_most=GROWTH),
        Bar("gold build: memory (MB)", used, at_most=MEGABYTES),
    ]


def _cost(made_up: Any) -> float:
    """Microseconds for one judgement. By the clock: most of it is Postgres."""
    return 1e6 * _seconds(made_up) / made_up.judgements


def _seconds(made_up: Any, *, everything: bool = False) -> float:
    from annotator.gold.build import build_gold

    began = time.monotonic()
    tally = build_gold(made_up.corpus, everything=everything)
    assert tally.profiles == made_up.profiles
    return time.monotonic() - began
