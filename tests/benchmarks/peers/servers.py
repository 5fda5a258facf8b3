"""A tool's server with all its processes: start it, weigh it, stop it. Everything listens on 127.0.0.1."""

import contextlib
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.benchmarks.labelling_compare import cpu_of_tree
from tests.benchmarks.memory import family, megabytes
from tests.benchmarks.start import clean_env

QUIET_SHARE, WINDOW = 0.05, 3.0  # of one core; seconds
STOPS_WITHIN = 40.0
ANSWERS_WITHIN = 300.0


class ServerEnded(Exception):
    """The server stopped by itself. Its log says why."""


class Server:
    """A server in a process group of its own, measured with all its descendants."""

    def __init__(self, command: Sequence[str | Path], *, home: Path, log: Path, env: dict[str, str]) -> None:
        self.home, self.log, self.began = home, log, time.monotonic()
        with log.open("ab") as out:
            self.process = subprocess.Popen(
                list(map(str, command)), stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=home,
                env=tool_env(home) | env, start_new_session=True,
            )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()

    def wait_for(self, url: str) -> float:
        """Seconds from the start until the page answers."""
        while time.monotonic() < self.began + ANSWERS_WITHIN:
            if self.process.poll() is not None:
                raise ServerEnded(f"{self.process.args!r} ended with {self.process.returncode}: see {self.log}")
            if _answers(url):
                return time.monotonic() - self.began
            time.sleep(0.05)
        raise TimeoutError(url)

    def cpu(self) -> float:
        return cpu_of_tree(self.process.pid)

    def share(self, seconds: float) -> float:
        """How much of a core it uses."""
        before = self.cpu()
        time.sleep(seconds)
        return (self.cpu() - before) / seconds

    def settle(self, limit: float) -> float:
        """Wait until it does nothing by itself any more, and return the seconds that took."""
        began = time.monotonic()
        while time.monotonic() < began + limit and self.share(WINDOW) > QUIET_SHARE:
            pass
        return time.monotonic() - began

    def memory(self) -> tuple[float, int]:
        """Megabytes, with shared pages counted once, and processes."""
        pids = family(self.process.pid)
        return sum(map(megabytes, pids)), len(pids)

    def stop(self) -> None:
        """Ask it to stop, then end whatever of its process group is left."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(STOPS_WITHIN)
            except subprocess.TimeoutExpired:
                self.process.kill()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def tool_env(home: Path) -> dict[str, str]:
    """Our environment without Telltale's own settings, and with a home folder of the tool's own."""
    return clean_env(home) | {"HOME": str(home)}


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:  # noqa: S310 always our own address
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
