"""Real installations in temporary homes."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from annotator.embedded.home import PROJECT

MANAGE = [sys.executable, str(PROJECT / "manage.py")]
PATIENCE = 240  # seconds; a start that takes five on a quiet machine takes a minute on a busy one
NOT_INHERITED = (
    "DATABASE_URL", "REDIS_URL", "PYTEST_XDIST_WORKER", "DJANGO_SETTINGS_MODULE", "TELLTALE_PRODUCTION",
    "DJANGO_ALLOW_ASYNC_UNSAFE",
)  # fmt: skip


@dataclass
class Installation:
    """One data folder, and the commands that run on it."""

    home: Path
    more: dict[str, str] = field(default_factory=dict)

    @property
    def env(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        return kept | {"TELLTALE_HOME": str(self.home)} | self.more

    def run(self, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*MANAGE, *arguments],
            env=self.env,
            input=typed,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*MANAGE, *arguments], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def processes(self) -> dict[int, str]:
        """Name and command line of every process that has this home in its environment or command line."""
        processes = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                name = (folder / "comm").read_text().strip()
                knows = str(self.home) in command or str(self.home).encode() in (folder / "environ").read_bytes()
            except OSError:
                continue
            if knows and command:
                processes[int(folder.name)] = f"{name}: {command}"
        return processes

    def pid_of(self, *words: str) -> int:
        """The oldest process (by lowest id) whose name and command line contain all the words."""
        return min(self.pids_of(*words))

    def pids_of(self, *words: str) -> list[int]:
        return [pid for pid, command in self.processes().items() if all(word in command for word in words)]


@contextmanager
def temporary_installation() -> Iterator[Installation]:
    """An installation at a short path of its own. Fails if any of its processes are left at the end."""
    with TemporaryDirectory(prefix="tt-") as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs as another user, who must get in
        installation = Installation(Path(folder) / "home")
        try:
            yield installation
        finally:
            left = installation.processes()
            for pid in left:
                kill(pid)
    assert not left, f"left behind: {left}"


def copy_home(home: Path, target: Path) -> None:
    subprocess.run(["cp", "--archive", str(home), str(target)], check=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def fetch(port: int, path: str) -> int:
    """The HTTP status of a page, or 0 if nothing answers."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
