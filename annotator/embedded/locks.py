"""Kernel file locks: they end with their holder, however it ends."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path


def take(path: Path, *, shared: bool = False, wait: bool = False) -> int | None:
    """The open lock, or None when somebody else holds it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(handle, kind if wait else kind | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def is_held(path: Path, *, against_shared: bool = False) -> bool:
    handle = take(path, shared=against_shared)
    if handle is None:
        return True
    os.close(handle)
    return False


@contextlib.contextmanager
def held(path: Path, *, shared: bool = False, wait: bool = False) -> Iterator[int | None]:
    handle = take(path, shared=shared, wait=wait)
    try:
        yield handle
    finally:
        if handle is not None:
            os.close(handle)


def take_soon(path: Path, *, seconds: float = 1.0) -> int | None:
    """Like `take`, but does not mistake somebody's quick look (`is_held`) for a holder."""
    give_up_at = time.monotonic() + seconds
    handle = take(path)
    while handle is None and time.monotonic() < give_up_at:
        time.sleep(0.03)
        handle = take(path)
    return handle
