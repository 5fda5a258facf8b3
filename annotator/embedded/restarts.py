"""A process that should always run: if it ends, it is started again, after pauses that double."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from annotator.embedded.process import Process, StillRunning, last_lines

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds
CALM = 60.0  # after so many seconds without a failure, pauses are short again
Launch = Callable[[], Process]
Say = Callable[[str], object]


@dataclass(slots=True)
class Service:
    name: str
    launch: Launch
    log: Path | None = None
    process: Process = field(init=False)
    started_at: float = field(init=False, default=0.0)
    failures: int = field(init=False, default=0)
    restart_at: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._start()

    def tend(self, say: Say) -> None:
        """Start the process again if it has ended and its pause is over. Call this often."""
        now = time.monotonic()
        if self.restart_at is not None:
            if now >= self.restart_at:
                self._restart(say)
        elif self.has_ended:
            self._schedule(say, self.exit_message)
        elif self.failures and now - self.started_at > CALM:
            self.failures = 0

    @property
    def has_ended(self) -> bool:
        return self.process.poll() is not None

    @property
    def exit_message(self) -> str:
        return f"{self.name} ended by itself (exit code {self.process.returncode})."

    @property
    def last_words(self) -> str:
        return last_lines(self.log) if self.log else ""

    def _start(self) -> None:
        self.process, self.started_at, self.restart_at = self.launch(), time.monotonic(), None

    def _schedule(self, say: Say, reason: str) -> None:
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2**self.failures)
        self.failures, self.restart_at = self.failures + 1, time.monotonic() + pause
        note = f" See the end of {self.log}." if self.log else ""
        say(f"{reason} Restarting in {pause:.0f} s.{note}")

    def _restart(self, say: Say) -> None:
        try:
            self._start()
        except StillRunning as reason:
            self._schedule(say, str(reason))
        else:
            say(f"{self.name} has restarted.")
