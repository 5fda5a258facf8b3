"""Kernel file locks, which are released when their holder ends, however it ends."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path


def acquire(path: Path, *, shared: bool = False, wait: bool = False) -> int | None:
    """Return the file descriptor of the lock, or None if somebody else holds it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(handle, kind if wait else kind | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def is_held(path: Path, *, against_shared: bool = False) -> bool:
    handle = acquire(path, shared=against_shared)
    if handle is None:
        return True
    os.close(handle)
    return False


@contextlib.contextmanager
def holding(path: Path, *, shared: bool = False, wait: bool = False) -> Iterator[int | None]:
    handle = acquire(path, shared=shared, wait=wait)
    try:
        yield handle
    finally:
        if handle is not None:
            os.close(handle)


def acquire_soon(path: Path, *, seconds: float = 1.0) -> int | None:
    """Like `acquire`, but retry: a caller of `is_held` holds the lock for a moment, too."""
    deadline = time.monotonic() + seconds
    handle = acquire(path)
    while handle is None and time.monotonic() < deadline:
        time.sleep(0.03)
        handle = acquire(path)
    return handle
