"""The embedded servers as their users see them: hold them, and they run."""

import contextlib
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator

import psycopg

from annotator.embedded.home import PROJECT, Home, make_home
from annotator.embedded.keeper import LOOK_EVERY, START_WITHIN
from annotator.embedded.locks import held, is_held
from annotator.embedded.postgres import connect
from annotator.embedded.process import last_lines
from annotator.embedded.valkey import valkey_is_ready

SPAWNED: list[subprocess.Popen[bytes]] = []


class ServersDidNotStart(Exception):
    """Postgres or Valkey did not come up; the message says why, or where to read it."""


class ServersInUse(Exception):
    """Somebody works with the data that was to be removed."""


@contextlib.contextmanager
def hold_servers(home: Home, *, throwaway: bool = False) -> Iterator[None]:
    """Start the servers if they are not running, and stop them afterwards if nobody else uses them."""
    make_home(home)
    try:
        with held(home.lock("users"), shared=True, wait=True):
            _start(home, throwaway)
            yield
    finally:
        _wait_for_the_end(home)


def servers_are_up(home: Home) -> bool:
    return home.lock("keeper").exists() and is_held(home.lock("keeper"))


def remove_data(home: Home) -> None:
    """Start over: database, queue, keys, uploads, exports and half-read dumps go; the logs and the dumps stay."""
    if home.lock("users").exists() and is_held(home.lock("users")):
        raise ServersInUse("Telltale is running on this data. Stop it first (Ctrl-C in its window), then try again.")
    besides = [home.root / name for name in ("keys", "uploads", "exports", "ingest")]
    for folder in (home.postgres, home.valkey, *besides):
        shutil.rmtree(folder, ignore_errors=True)


def _start(home: Home, throwaway: bool) -> None:
    keeper: subprocess.Popen[bytes] | None = None
    give_up_at = time.monotonic() + START_WITHIN
    while time.monotonic() < give_up_at:
        if servers_are_up(home):
            if _ready(home):
                return
        elif keeper is None or keeper.poll() == 0:  # 0: it saw another keeper, and that one has ended since
            keeper = _spawn_keeper(home, throwaway)
        elif keeper.poll() is not None:
            break
        time.sleep(0.05)
    raise ServersDidNotStart(_explanation(home))


def _spawn_keeper(home: Home, throwaway: bool) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "annotator.embedded.keeper", str(home.root)]
    with open(home.logs / "keeper.log", "ab") as log:
        keeper = subprocess.Popen(
            [*command, *(["--throwaway"] if throwaway else [])],
            cwd=PROJECT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    SPAWNED.append(keeper)
    return keeper


def _ready(home: Home) -> bool:
    try:
        connect(home).close()
    except psycopg.OperationalError:  # still starting, or its database is being made
        return False
    return valkey_is_ready(home)


def _explanation(home: Home) -> str:
    logs = [last_lines(home.logs / f"{name}.log", 6) for name in ("keeper", "postgres", "valkey")]
    return f"The embedded servers did not start. Their last words, from {home.logs}:\n" + "\n".join(filter(None, logs))


def _wait_for_the_end(home: Home) -> None:
    """Return when the servers have stopped, or at once when somebody else still uses them."""
    users, give_up_at = home.lock("users"), time.monotonic() + 40
    while servers_are_up(home) and time.monotonic() < give_up_at:
        shared_with_others = is_held(users) and not is_held(users, against_shared=True)
        if shared_with_others:
            return
        time.sleep(LOOK_EVERY / 2)
    _bury_keepers()


def _bury_keepers() -> None:
    """Keepers that have ended leave the process table; one that others still use goes on without us."""
    SPAWNED[:] = [keeper for keeper in SPAWNED if keeper.poll() is None]
