"""Start and stop child processes so that none outlives us."""

import ctypes
import multiprocessing
import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from pwd import struct_passwd
from typing import Protocol

from annotator.embedded.home import PROJECT
from annotator.embedded.locks import acquire_soon

PR_SET_PDEATHSIG = 1
NAME = Path("/proc/self/comm")  # of up to 15 characters
AUTOGROUP = Path("/proc/self/autogroup")
NICENESS = 5  # about a quarter of what a process of normal priority gets
PREDECESSOR_SECONDS = 40  # for an earlier process to end


class Process(Protocol):
    """A child: a program of its own (`subprocess.Popen`), or a copy of this process (`fork.Copy`)."""

    returncode: int | None

    @property
    def pid(self) -> int: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, signum: int, /) -> None: ...
    def kill(self) -> None: ...


class ChildFailed(Exception):
    """The work of a child process was not done; it has said why."""


class StillRunning(Exception):
    """A process of an earlier run has not ended. The message says which, and what to do."""


def die_with_parent(signum: int = signal.SIGKILL) -> None:
    """Ask the kernel to send this process a signal when its parent ends, however it ends."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, int(signum))


def name_process(name: str) -> None:
    """Set what `top` and `ps -o comm` show of a copy: its command line is that of the process it was copied from."""
    with suppress(OSError):
        NAME.write_text(name)


def give_way() -> None:
    """Let other processes go first. Children that are started from now on do the same.

    Linux may share the processor between sessions first: then niceness counts only inside one, and the session has a
    niceness of its own (sched(7), autogroup). It is changed only if the session is ours.
    """
    os.nice(NICENESS)
    if os.getsid(0) == os.getpid():
        with suppress(OSError):  # no such feature, or not for us
            AUTOGROUP.write_text(str(NICENESS))


def die_with(parent: int, signum: int) -> None:
    """Like `die_with_parent`, in a process that was just started by `parent`."""
    die_with_parent(signum)
    if os.getppid() != parent:  # it ended before the request reached the kernel
        os._exit(1)


def start(
    command: Sequence[str | Path],
    *,
    log: Path | None,
    account: struct_passwd | None = None,
    env: dict[str, str] | None = None,
    cwd: Path = PROJECT,
    death_signal: int = signal.SIGTERM,
    lock: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child in its own session: Ctrl-C reaches only us, and we stop the children in order.

    The child and all that it starts hold the lock until the last of them ends, however it ends. So a successor never
    runs beside what is left of its predecessor.
    """
    held = wait_for_predecessor(lock) if lock else None
    if account is not None and account.pw_uid == os.getuid():
        account = None
    output = open(log, "ab") if log else None  # noqa: SIM115 closed below; the child has its own copy
    try:
        return subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            start_new_session=True,
            env=env,
            cwd=cwd,
            preexec_fn=partial(die_with, os.getpid(), death_signal),  # noqa: PLW1509 we have no threads
            user=account.pw_uid if account else None,
            group=account.pw_gid if account else None,
            extra_groups=[] if account else None,
            pass_fds=() if held is None else (held,),
        )
    finally:
        if output:
            output.close()
        if held is not None:
            os.close(held)  # the child has its own copy


def run_in_child(work: Callable[[], None]) -> None:
    """Do work in a forked copy of this process, so that the memory it takes is free afterwards. Needs no threads."""
    child = multiprocessing.get_context("fork").Process(target=_work_as_child, args=[os.getpid(), work])
    child.start()
    try:
        child.join()
    finally:
        child.kill()
    if child.exitcode != 0:
        raise ChildFailed(f"It stopped with {child.exitcode} and left nothing behind. The lines above say why.")


def _work_as_child(parent: int, work: Callable[[], None]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)  # Ctrl-C is the parent's
    die_with(parent, signal.SIGKILL)
    work()


def wait_for_predecessor(lock: Path) -> int:
    """Return the lock, once nobody holds it any more."""
    handle = acquire_soon(lock, seconds=PREDECESSOR_SECONDS)
    if handle is None:
        raise StillRunning(
            f"A process from an earlier run still holds {lock} and won't stop. Nothing was started. "
            f"Find it (fuser {lock}), end it, then start again."
        )
    return handle


def stop(process: Process, signum: int = signal.SIGTERM, *, seconds: float = 15) -> None:
    if process.poll() is not None:
        return
    process.send_signal(signum)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def last_lines(log: Path, count: int = 12) -> str:
    if not log.exists():
        return ""
    return "\n".join(log.read_text(errors="replace").splitlines()[-count:])
