"""Start Python modules in copies of this process: they share its memory, and need not import again what it has.

`python -m celery …` would take seconds to load Django, and a hundred megabytes for what this process has as well.
docs/decisions/0022-processes-are-copies.md says what that asks of the caller.
"""

import gc
import os
import runpy
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from annotator.embedded.home import PROJECT
from annotator.embedded.process import die_with, name_process, wait_for_predecessor

POLL_SECONDS = 0.02
STANDARD_STREAMS = 3
MOST_FILES = 65_536


class Copy:
    """A copy of this process, as `subprocess.Popen` would show it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        deadline = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            time.sleep(POLL_SECONDS)
        return code

    def send_signal(self, signum: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, signum)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def start_module(command: Sequence[str], *, name: str, log: Path | None, lock: Path | None = None) -> Copy:
    """Run `python -m` with this command in a copy. It is killed with us: without us there is no database either."""
    return start_copy(lambda: _run_module(command), name=name, log=log, lock=lock)


def start_copy(work: Callable[[], object], *, name: str, log: Path | None = None, lock: Path | None = None) -> Copy:
    """Do the work in a copy of this process, which must not have other threads.

    As with `process.start`, the copy has its own session, and with all that it starts it holds the lock.
    """
    held = wait_for_predecessor(lock) if lock else None
    parent = os.getpid()
    sys.stdout.flush()
    sys.stderr.flush()
    gc.freeze()  # the collector would write to each object it looks at, and the kernel would copy its page
    pid = os.fork()
    if pid == 0:
        _be_copy(work, parent, name, log, held)
    if held is not None:
        os.close(held)  # the copy has its own
    return Copy(pid)


def _be_copy(work: Callable[[], object], parent: int, name: str, log: Path | None, held: int | None) -> NoReturn:
    code = 1
    try:
        die_with(parent, signal.SIGKILL)
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        _redirect(log)
        _close_files_except(held)
        name_process(name)
        os.chdir(PROJECT)
        work()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # nothing of the caller may run in the copy
        traceback.print_exc()
    finally:
        with suppress(OSError, ValueError):  # full, or closed
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _run_module(command: Sequence[str]) -> None:
    sys.argv = list(command)
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)


def _redirect(log: Path | None) -> None:
    """Read nothing, and write to the log if there is one."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    if log:
        output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.dup2(output, 1)
        os.dup2(output, 2)


def _close_files_except(held: int | None) -> None:
    """Close what was open before, as a new program would: above all the locks that say who uses the data."""
    last = STANDARD_STREAMS - 1 if held is None else held
    os.closerange(STANDARD_STREAMS, last)
    os.closerange(last + 1, MOST_FILES)
