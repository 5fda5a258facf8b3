"""Run the worker and the web server together: one that ends is started again, and a message says so."""

import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NoReturn

from annotator.embedded.fork import start_copy, start_module
from annotator.embedded.home import Home
from annotator.embedded.locks import is_held
from annotator.embedded.process import stop, wait_for_predecessor
from annotator.embedded.restarts import Service

POLL_SECONDS = 0.25


class ChildEnded(Exception):
    """A process ended that should have kept running."""


class Interrupted(Exception):
    """Somebody stopped us: Ctrl-C, a closed terminal, or kill."""


def running_url(home: Home) -> str | None:
    """The URL at which a running `bin/up` serves this home, or None."""
    lock = home.lock("up")
    if not lock.exists() or not is_held(lock):
        return None
    return lock.read_text().partition(" ")[0].rstrip("/") or None


def start_worker(log: Path | None, *, processes: int, lock: Path | None = None) -> Service:
    work = partial(run_worker, processes)
    return Service("The worker", partial(start_copy, work, name="telltale-worker", log=log, lock=lock), log)


def run_worker(processes: int) -> NoReturn:
    """Run a worker as `celery worker` does, without Celery's command line, which would take 8 MB more."""
    from celery import current_app  # noqa: PLC0415 only bin/up runs a worker, and has loaded our application

    os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # bin/up has run them: they read each model and page
    worker = current_app.Worker(concurrency=processes, loglevel="INFO", without_mingle=True, without_gossip=True)
    worker.start()
    sys.exit(worker.exitcode)


def start_web(log: Path | None, *, host: str, port: int, lock: Path | None = None) -> Service:
    launch = partial(start_module, web_command(host, port), name="telltale-web", log=log, lock=lock)
    return Service("The web server", launch, log)


def web_command(host: str, port: int) -> list[str]:
    return ["gunicorn", "--config", "python:annotator.config.gunicorn", "--bind", f"{host}:{port}"]


def wait_for_earlier_run(home: Home, say: Callable[[str], object]) -> None:
    """Wait until the processes of an earlier, killed run have stopped. Raise StillRunning if they don't."""
    for lock in (home.lock("worker"), home.lock("web")):
        if is_held(lock):
            say("  waiting for processes of an earlier run to stop …")
        os.close(wait_for_predecessor(lock))


@contextmanager
def stop_afterwards(services: list[Service]) -> Iterator[None]:
    """Stop the services afterwards, whatever happens, in reverse order."""
    try:
        yield
    finally:
        for service in reversed(services):
            stop(service.process)


def watch(services: list[Service], tend_servers: Callable[[], None], say: Callable[[str], object]) -> None:
    """Keep everything running until somebody stops us (Interrupted)."""
    while True:
        tend_servers()
        for service in services:
            service.tend(say)
        time.sleep(POLL_SECONDS)


def check_start(services: list[Service]) -> None:
    """Raise ChildEnded if a process ends before the site is up: it would end again."""
    for service in services:
        if service.has_ended:
            raise ChildEnded(f"{service.exit_message}\n{service.last_words}".rstrip())


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
    """Ignore interrupts while stopping, so that a second Ctrl-C leaves nothing behind."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def port_is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True
