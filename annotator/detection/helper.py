"""A copy of a worker process that loads Presidio, and ends when there is nothing to detect.

Presidio, spaCy and a model take over a hundred megabytes, which Python gives back only when the process ends that
loaded them. So worker processes don't load them. A helper stays between calls, because loading takes longer than a
second. Forked by hand: Celery's processes are daemons, and `multiprocessing` gives those no children.
"""

import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection, Pipe
from typing import NoReturn

from django.db import connections

from annotator.embedded.process import die_with, name_process

IDLE_SECONDS = 20.0  # longer than a call waits in the queue while a run is under way
NAME = "telltale-detect"
LOWEST_PRIORITY = 19
Work = Callable[[], bool]


class HelperEnded(Exception):
    """The helper was killed, or a model ended it. Its chunk is free once its lease has expired."""


class Helper:
    def __init__(self, work: Work, idle_seconds: float = IDLE_SECONDS) -> None:
        connections.close_all()  # the helper must not use ours
        self.calls, theirs = Pipe()
        parent, self.pid = os.getpid(), os.fork()
        if self.pid == 0:
            self.calls.close()
            _serve(work, parent, theirs, idle_seconds)
        theirs.close()
        self.exit_status: int | None = None

    def call(self) -> bool:
        """Return or raise what the work returns or raises there. Raises HelperEnded if it cannot tell."""
        try:
            self.calls.send(None)
            result: bool | Exception = self.calls.recv()
        except (EOFError, OSError) as error:
            self.end()
            raise HelperEnded(f"The helper ended with {self.exit_status}.") from error
        if isinstance(result, Exception):
            raise result
        return result

    @property
    def has_ended(self) -> bool:
        if self.exit_status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.exit_status = os.waitstatus_to_exitcode(status)
                self.calls.close()
        return self.exit_status is not None

    def end(self) -> None:
        if not self.has_ended:
            os.kill(self.pid, signal.SIGKILL)
            _, status = os.waitpid(self.pid, 0)
            self.exit_status = os.waitstatus_to_exitcode(status)
            self.calls.close()


def _serve(work: Work, parent: int, calls: Connection, idle_seconds: float) -> NoReturn:
    """Work when called. Leave without what the copied process would do at its end."""
    status = 1
    try:
        die_with(parent, signal.SIGKILL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        name_process(NAME)
        os.nice(LOWEST_PRIORITY)  # nobody waits for it on a page
        while calls.poll(idle_seconds):
            calls.recv()
            calls.send(_outcome(work))
        status = 0
    finally:
        os._exit(status)


def _outcome(work: Work) -> bool | Exception:
    try:
        return work()
    except Exception as error:  # the caller's to handle, as if it had done the work itself
        return error
    finally:
        connections.close_all()  # an idle helper needs none
