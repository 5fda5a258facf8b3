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

from annotator.embedded.fork import start_copy
from annotator.embedded.home import Home
from annotator.embedded.locks import acquire, acquire_soon
from annotator.embedded.postgres import start_postgres
from annotator.embedded.process import stop
from annotator.embedded.restarts import Service
from annotator.embedded.valkey import start_valkey

POLL_SECONDS = 0.25
START_TIMEOUT = 60.0


def run_servers(home: Home, valkey: Path, *, throwaway: bool) -> int:
    """Run until unused. Return the exit code: 1 if a server did not start. One that ends later is started again.

    The daemon lock is released only when the process ends, so a free lock means that nothing is left running.
    """
    if acquire_soon(home.lock("daemon")) is None:
        return 0
    broker = Service("Valkey", partial(start_valkey, home, valkey, throwaway=throwaway))
    database = Service("Postgres", partial(start_postgres, home, throwaway=throwaway))
    try:
        if not _become_ready(home, [broker, database]):
            return 1
        _watch(home, [broker, database])
        return 0
    finally:
        stop(broker.process)
        stop(database.process, signal.SIGINT, seconds=30)


def _become_ready(home: Home, servers: list[Service]) -> bool:
    deadline = time.monotonic() + START_TIMEOUT
    copy = start_copy(partial(_finish_start, home), name="telltale-start")
    try:
        while time.monotonic() < deadline and copy.poll() is None:
            for server in servers:
                if server.has_ended:
                    _say(server.exit_message)
                    return False
            time.sleep(0.02)
        return copy.poll() == 0
    finally:
        stop(copy, signal.SIGKILL)


def _finish_start(home: Home) -> None:
    """In a copy of this process, which then gives back what the clients take."""
    from annotator.embedded.clients import finish_start  # noqa: PLC0415 psycopg: memory only for a moment

    finish_start(home)


def _watch(home: Home, servers: list[Service]) -> None:
    while acquire(home.lock("users")) is None:  # once held, until we are gone: newcomers wait, then start a daemon
        for server in servers:
            server.tend(_say)
        time.sleep(POLL_SECONDS)


def _say(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    home, valkey = Path(sys.argv[1]), Path(sys.argv[2])
    sys.exit(run_servers(Home(home), valkey, throwaway="--throwaway" in sys.argv))


if __name__ == "__main__":
    main()
