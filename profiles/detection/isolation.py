"""Do work in a forked copy of this process, which the kernel ends when its time is over.

Nothing else can stop a model: most of its work is compiled code that neither looks at signals nor lets another thread
run. The copy has the loaded model for free, and whatever happens to it leaves this process as it was.
"""

import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection, Pipe
from typing import NoReturn, TypeVar

T = TypeVar("T")
CPU_SECONDS = 10.0  # of the processor, so that a busy machine decides as an idle one
WALL_SECONDS = 60.0  # for a copy that waits for ever


class OutOfTime(Exception):
    """The work was not done within its time."""


class Died(Exception):
    """The work ended its process."""


def run_isolated(work: Callable[[], T]) -> T:
    """Return the result of the work. Raises OutOfTime or Died; the work itself must not raise.

    Forks by itself: Celery's pool processes are daemons, and `multiprocessing` gives those no children.
    """
    receiver, sender = Pipe(duplex=False)
    copy = os.fork()
    if copy == 0:
        _send_result(work, sender, CPU_SECONDS)
    sender.close()
    try:
        if not receiver.poll(WALL_SECONDS):
            raise OutOfTime
        result: T = receiver.recv()
    except (EOFError, OSError):  # it ended before it had sent all
        ended_by = _end(copy)
        raise (OutOfTime if ended_by == signal.SIGPROF else Died) from None
    except OutOfTime:
        _end(copy)
        raise
    finally:
        receiver.close()
    _end(copy)
    return result


def _end(copy: int) -> int:
    """Kill the process, unless it has ended, and return the number of the signal that ended it."""
    os.kill(copy, signal.SIGKILL)
    _, status = os.waitpid(copy, 0)
    return os.WTERMSIG(status)


def _send_result(work: Callable[[], object], sender: Connection, seconds: float) -> NoReturn:
    """Leave without what the copied process would do at its end, such as running its tests or tasks further."""
    try:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        sender.send(work())
    finally:
        os._exit(0)
