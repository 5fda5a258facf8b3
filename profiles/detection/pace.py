"""Rest between two batches while others wait for the processor, so that people get it and its caches.

A low priority alone is not enough: in the gaps between two requests, the model would still replace what the caches
hold. Only processes of low priority rest, such as workers.
"""

import os
import time
from contextlib import suppress
from pathlib import Path

WAITED = Path("/proc/self/schedstat")  # nanoseconds: on the processor, waiting for it
FAIR_WAIT = 1.5  # for each second on the processor: two equal processes on one core wait one second for each
RESTS_PER_WAIT = 5
LONGEST_REST = 1.0  # seconds: so long after the last request, detection has its full speed again


class Pacer:
    """Measures how long this process waited for the processor during the last batch."""

    def __init__(self) -> None:
        self.ran, self.waited = _processor_seconds()

    def rest_if_others_wait(self) -> None:
        if os.getpriority(os.PRIO_PROCESS, 0) <= 0:
            return
        ran, waited = _processor_seconds()
        time.sleep(rest_after(ran - self.ran, waited - self.waited))
        self.ran, self.waited = _processor_seconds()


def rest_after(ran: float, waited: float) -> float:
    """How long to rest, in seconds, after a batch that ran and waited for this many seconds."""
    return min(waited * RESTS_PER_WAIT, LONGEST_REST) if waited > ran * FAIR_WAIT else 0.0


def _processor_seconds() -> tuple[float, float]:
    """Seconds of running and waiting so far. Zeros, so no rests, if the kernel doesn't count them, as on macOS."""
    with suppress(OSError, ValueError):
        ran, waited, _ = WAITED.read_text().split()
        return int(ran) / 1e9, int(waited) / 1e9
    return 0.0, 0.0
