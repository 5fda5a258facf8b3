"""The daemon that runs the embedded servers for as long as somebody uses them.

Users hold a shared lock on `users.lock`. When the daemon gets that lock exclusively, nobody is left, and it stops the
servers. A user that is killed releases its lock by dying; a daemon that is killed takes the servers with it (they ask
the kernel for a signal at its death). So no kill leaves anything behind.
"""

import signal
import subprocess
import sys
import time
from pathlib import Path

from annotator.embedded.home import Home
from annotator.embedded.locks import acquire, acquire_soon
from annotator.embedded.postgres import ensure_database, postgres_is_ready, start_postgres
from annotator.embedded.process import stop
from annotator.embedded.valkey import start_valkey

POLL_SECONDS = 0.25
START_TIMEOUT = 60.0


def run_servers(home: Home, *, throwaway: bool) -> int:
    """Run until unused or until a server dies. Return the exit code.

    The lock is never released: it ends with the process, so that a free lock means that nothing is left.
    """
    if acquire_soon(home.lock("daemon")) is None:
        return 0
    broker = start_valkey(home, throwaway=throwaway)
    database = start_postgres(home, throwaway=throwaway)
    try:
        _create_database(home, database)
        return _watch(home, {"Postgres": database, "Valkey": broker})
    finally:
        stop(broker)
        stop(database, signal.SIGINT, seconds=30)


def _create_database(home: Home, database: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_TIMEOUT
    while database.poll() is None and time.monotonic() < deadline:
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
        if acquire(home.lock("users")) is not None:  # held until we are gone: newcomers wait, then start a daemon
            return 0
        time.sleep(POLL_SECONDS)


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    home = Home(Path(sys.argv[1]))
    sys.exit(run_servers(home, throwaway="--throwaway" in sys.argv))


if __name__ == "__main__":
    main()
