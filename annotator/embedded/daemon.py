"""The daemon that runs the embedded servers for as long as somebody uses them.

Users hold a shared lock on `users.lock`. When the daemon gets that lock exclusively, nobody is left, and it stops the
servers. A killed user releases its lock; a killed daemon takes the servers with it, because they ask the kernel for a
signal when it dies. So no kill leaves anything behind.
"""

import signal
import sys
import time
from functools import partial
from pathlib import Path

from annotator.embedded.home import Home
from annotator.embedded.locks import acquire, acquire_soon
from annotator.embedded.postgres import ensure_database, postgres_is_ready, start_postgres
from annotator.embedded.process import stop
from annotator.embedded.restarts import Service
from annotator.embedded.valkey import start_valkey, valkey_is_ready

POLL_SECONDS = 0.25
START_TIMEOUT = 60.0


def run_servers(home: Home, *, throwaway: bool) -> int:
    """Run until unused. Return the exit code: 1 if a server did not start. One that ends later is started again.

    The daemon lock is released only when the process ends, so a free lock means that nothing is left running.
    """
    if acquire_soon(home.lock("daemon")) is None:
        return 0
    broker = Service("Valkey", partial(start_valkey, home, throwaway=throwaway))
    database = Service("Postgres", partial(start_postgres, home, throwaway=throwaway))
    try:
        if not _become_ready(home, [broker, database]):
            return 1
        ensure_database(home)
        _watch(home, [broker, database])
        return 0
    finally:
        stop(broker.process)
        stop(database.process, signal.SIGINT, seconds=30)


def _become_ready(home: Home, servers: list[Service]) -> bool:
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline:
        for server in servers:
            if server.has_ended:
                _say(server.exit_message)
                return False
        if postgres_is_ready(home) and valkey_is_ready(home):
            return True
        time.sleep(0.05)
    return False


def _watch(home: Home, servers: list[Service]) -> None:
    while acquire(home.lock("users")) is None:  # once held, until we are gone: newcomers wait, then start a daemon
        for server in servers:
            server.tend(_say)
        time.sleep(POLL_SECONDS)


def _say(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    home = Home(Path(sys.argv[1]))
    sys.exit(run_servers(home, throwaway="--throwaway" in sys.argv))


if __name__ == "__main__":
    main()
