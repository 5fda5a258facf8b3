"""When the next request may be sent: the rate, and pauses that a server asks for. Shared by all threads of a client."""

import random
import threading
from dataclasses import dataclass, field
from time import monotonic

FIRST_WAIT = 0.5


@dataclass(slots=True)
class Pace:
    per_minute: float | None
    longest_wait: float
    first_wait: float = FIRST_WAIT
    stopped: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _next_at: float = 0.0
    _paused_until: float = 0.0

    def wait_for_turn(self) -> bool:
        """Sleep until a request may be sent. False if the client was stopped meanwhile."""
        return not self.stopped.wait(max(self._take_turn() - monotonic(), 0.0)) and self._sleep_through_pauses()

    def wait_after(self, tries: int, retry_after: float | None) -> bool:
        """Sleep before another try; when the server said how long, everybody waits. False if stopped meanwhile."""
        if retry_after is None:
            # Jitter, so that all threads don't come back at once; security has nothing to do with it.
            return not self.stopped.wait(self._backoff(tries) * random.uniform(0.75, 1.25))  # noqa: S311
        with self._lock:
            self._paused_until = max(self._paused_until, monotonic() + min(retry_after, self.longest_wait))
        return self._sleep_through_pauses()

    def _backoff(self, tries: int) -> float:
        return min(self.first_wait * 2.0 ** (tries - 1), self.longest_wait)

    def _take_turn(self) -> float:
        """Turns are evenly spaced, however many threads ask for one."""
        if self.per_minute is None:
            return 0.0
        with self._lock:
            turn = max(self._next_at, monotonic())
            self._next_at = turn + 60 / self.per_minute
        return turn

    def _sleep_through_pauses(self) -> bool:
        while (left := self._paused_until - monotonic()) > 0:
            if self.stopped.wait(left):
                return False
        return not self.stopped.is_set()
