"""Run the worker and the web server together: when one ends, all end, and a message says which and why."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from annotator.embedded.home import Home
from annotator.embedded.locks import is_held
from annotator.embedded.process import last_lines, start, stop

POLL_SECONDS = 0.25


class ChildEnded(Exception):
    """A process ended that should have kept running."""


class Interrupted(Exception):
    """Somebody stopped us: Ctrl-C, a closed terminal, or kill."""


@dataclass(frozen=True, slots=True)
class Child:
    name: str
    process: subprocess.Popen[bytes]
    log: Path | None


def running_url(home: Home) -> str | None:
    """The URL at which a running `bin/up` serves this home, or None."""
    lock = home.lock("up")
    if not lock.exists() or not is_held(lock):
        return None
    return lock.read_text().partition(" ")[0].rstrip("/") or None


def start_worker(log: Path | None, *, processes: int) -> Child:
    options = ["--without-mingle", "--without-gossip", "--loglevel", "INFO", "--concurrency", str(processes)]
    return Child("The worker", start([*_python("celery"), "-A", "annotator.config", "worker", *options], log=log), log)


def start_web(log: Path | None, *, host: str, port: int) -> Child:
    options = ["--config", "python:annotator.config.gunicorn", "--bind", f"{host}:{port}"]
    return Child("The web server", start([*_python("gunicorn"), *options], log=log), log)


@contextmanager
def stop_afterwards(children: list[Child]) -> Iterator[None]:
    """Stop the children afterwards, whatever happens, the last one first."""
    try:
        yield
    finally:
        for child in reversed(children):
            stop(child.process)


def watch(children: list[Child], servers_are_fine: Callable[[], bool]) -> None:
    """Wait until somebody stops us (Interrupted) or something ends by itself (ChildEnded)."""
    while True:
        check(children, servers_are_fine)
        time.sleep(POLL_SECONDS)


def check(children: list[Child], servers_are_fine: Callable[[], bool]) -> None:
    for child in children:
        if child.process.poll() is not None:
            raise ChildEnded(_exit_message(child))
    if not servers_are_fine():
        raise ChildEnded("Postgres or Valkey ended. The reason is in the logs; the data is safe: start again.")


@contextmanager
def interruptible() -> Iterator[None]:
    """Turn SIGTERM, SIGHUP and Ctrl-C into Interrupted."""

    def interrupt(*_: object) -> None:
        raise Interrupted

    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    previous = {number: signal.signal(number, interrupt) for number in signals}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def ignore_interrupts() -> None:
    """Ignore them while stopping: a second Ctrl-C must not leave anything behind."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _python(module: str) -> list[str]:
    return [sys.executable, "-m", module]


def _exit_message(child: Child) -> str:
    log_tail = last_lines(child.log) if child.log else ""
    return f"{child.name} ended by itself (exit code {child.process.returncode}).\n{log_tail}".rstrip()


def port_is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True
