"""Start and stop the embedded servers for whoever needs them."""

import contextlib
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from annotator.embedded.clients import postgres_is_ready, valkey_is_ready
from annotator.embedded.daemon import POLL_SECONDS, START_TIMEOUT
from annotator.embedded.home import PROJECT, Home, make_home
from annotator.embedded.locks import holding, is_held
from annotator.embedded.process import last_lines
from annotator.embedded.valkey import valkey_binary

DAEMONS: list[subprocess.Popen[bytes]] = []


def nothing() -> None:
    """What most callers do until the servers are ready."""


class ServersDidNotStart(Exception):
    """Postgres or Valkey did not start; the message says why, or where to read about it."""


class ServersInUse(Exception):
    """Somebody is using the data that was to be removed."""


@contextlib.contextmanager
def hold_servers(home: Home, *, throwaway: bool = False, meanwhile: Callable[[], None] = nothing) -> Iterator[None]:
    """Start the servers if they are not running, and do something else until they are ready.

    Stop them afterwards unless somebody else uses them.
    """
    make_home(home)
    try:
        with holding(home.lock("users"), shared=True, wait=True):
            start_servers(home, throwaway=throwaway, meanwhile=meanwhile)
            yield
    finally:
        _wait_until_stopped(home)


def servers_are_up(home: Home) -> bool:
    return home.lock("daemon").exists() and is_held(home.lock("daemon"))


def remove_data(home: Home) -> None:
    """Remove database, queue, keys, uploads, exports, evaluations and half-read dumps; keep the logs and the dumps."""
    if home.lock("users").exists() and is_held(home.lock("users")):
        raise ServersInUse("Telltale is running on this data. Stop it first (Ctrl-C in its window), then try again.")
    others = [home.root / name for name in ("keys", "uploads", "exports", "evaluations", "ingest")]
    for folder in (home.postgres, home.valkey, *others):
        shutil.rmtree(folder, ignore_errors=True)


def start_servers(home: Home, *, throwaway: bool = False, meanwhile: Callable[[], None] = nothing) -> None:
    """Start the servers unless they run already. The caller holds the users lock."""
    daemon = None if servers_are_up(home) else _spawn_daemon(home, throwaway)
    meanwhile()
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline:
        if servers_are_up(home):
            if postgres_is_ready(home) and valkey_is_ready(home):
                return
        elif daemon is None or daemon.poll() == 0:  # 0: it found another daemon, which has ended since
            daemon = _spawn_daemon(home, throwaway)
        elif daemon.poll() is not None:
            break
        time.sleep(0.05)
    raise ServersDidNotStart(_explanation(home))


def _spawn_daemon(home: Home, throwaway: bool) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "annotator.embedded.daemon", str(home.root), str(valkey_binary())]
    with open(home.logs / "daemon.log", "ab") as log:
        daemon = subprocess.Popen(
            [*command, *(["--throwaway"] if throwaway else [])],
            cwd=PROJECT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    DAEMONS.append(daemon)
    return daemon


def _explanation(home: Home) -> str:
    logs = [last_lines(home.logs / f"{name}.log", 6) for name in ("daemon", "postgres", "valkey")]
    return f"The embedded servers did not start. The end of their logs in {home.logs}:\n" + "\n".join(
        filter(None, logs)
    )


def _wait_until_stopped(home: Home) -> None:
    """Wait until the servers have stopped; return at once if somebody else still uses them."""
    users, deadline = home.lock("users"), time.monotonic() + 40
    while servers_are_up(home) and time.monotonic() < deadline:
        shared_with_others = is_held(users) and not is_held(users, against_shared=True)
        if shared_with_others:
            return
        time.sleep(POLL_SECONDS / 2)
    _reap_daemons()


def _reap_daemons() -> None:
    """Remove daemons that have ended from the process table."""
    DAEMONS[:] = [daemon for daemon in DAEMONS if daemon.poll() is None]
