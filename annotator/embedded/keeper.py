"""The process that keeps the embedded servers alive for as long as somebody uses them.

Users hold a shared lock on `users.lock`. When the keeper gets that lock for itself, nobody is left, and it
stops the servers. A user that is killed lets go of its lock by dying; a keeper that is killed takes the
servers with it (they ask the kernel for a signal at its death). So nothing is left behind by any kill.
"""

import signal
import subprocess
import sys
import time
from pathlib import Path

from annotator.embedded.home import Home
from annotator.embedded.locks import take, take_soon
from annotator.embedded.postgres import ensure_database, postgres_is_ready, start_postgres
from annotator.embedded.process import stop
from annotator.embedded.valkey import start_valkey

LOOK_EVERY = 0.25
START_WITHIN = 60.0


def keep(home: Home, *, throwaway: bool) -> int:
    """Run until unused or until a server dies. Returns the exit code.

    Its lock is never let go: it ends with the process, so that a free lock means that nothing is left.
    """
    if take_soon(home.lock("keeper")) is None:
        return 0
    broker = start_valkey(home, throwaway=throwaway)
    database = start_postgres(home, throwaway=throwaway)
    try:
        _make_database(home, database)
        return _watch(home, {"Postgres": database, "Valkey": broker})
    finally:
        stop(broker)
        stop(database, signal.SIGINT, seconds=30)


def _make_database(home: Home, database: subprocess.Popen[bytes]) -> None:
    give_up_at = time.monotonic() + START_WITHIN
    while database.poll() is None and time.monotonic() < give_up_at:
        if postgres_is_ready(home):
            ensure_database(home)
            return
        time.sleep(0.05)


def _watch(home: Home, servers: dict[str, subprocess.Popen[bytes]]) -> int:
    while True:
        for name, process in servers.items():
            if process.poll() is not None:
                print(f"{name} ended by itself (exit code {process.returncode}).", flush=True)
                return 1
        nobody_left = take(home.lock("users"))
        if nobody_left is not None:  # held until we are gone: newcomers wait, then start their own keeper
            return 0
        time.sleep(LOOK_EVERY)


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    home = Home(Path(sys.argv[1]))
    sys.exit(keep(home, throwaway="--throwaway" in sys.argv))


if __name__ == "__main__":
    main()
