"""What a decoder can look back on, up to 2 GiB, in bounded memory.

The decoder sees one long piece of memory and goes through it from start to end, again and again. Only the part that
it writes to is ordinary memory; what it has left behind lies in a file without a name, mapped in the same place, and
is gone with the process. Memory that is freed at the back is moved as it is to the front: the system never has to
find and clear a fresh page, which costs more than the decoding.
"""

import ctypes
import mmap
import os
import tempfile
import weakref
from collections import deque
from pathlib import Path

SEGMENT = 16 << 20
PIECE = 64 << 10  # written at once: for larger ones the system looks for large pages, and those are seldom at hand
MOST_ORDINARY = 16  # segments
MOST_MAPPED = 448 << 20  # of the file, before its pages are given back
AHEAD = 8 << 20  # more than is written in one go
ORDINARY = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
FIXED, MOVED = 0x10, 0x3
OPEN = mmap.PROT_READ | mmap.PROT_WRITE

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = _libc.mremap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
_libc.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]


class ShortWindow:
    """All of it is ordinary memory."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.memory = mmap.mmap(-1, max(size, mmap.PAGESIZE))

    def moved(self, position: int) -> None:
        """Nothing to do."""


class LongWindow:
    """The first segment is ordinary always: the decoder's own state lies there."""

    def __init__(self, size: int, scratch: Path) -> None:
        self.size = size
        self._count = -(-size // SEGMENT)
        self._file = _nameless_file(scratch, self._count * SEGMENT)
        weakref.finalize(self, os.close, self._file)
        self.memory = mmap.mmap(self._file, self._count * SEGMENT)
        self.memory.madvise(mmap.MADV_RANDOM)  # single pages: what is looked at and no more
        self._start = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self._ordinary = deque(range(1, MOST_ORDINARY))
        self._used = MOST_ORDINARY  # segments from here on were never written to
        _map(self._start, MOST_ORDINARY * SEGMENT, ORDINARY, -1, 0)
        self._before = _mapped_bytes()

    def moved(self, position: int) -> None:
        """The decoder will soon write behind that position. A wrong guess costs time: what lies where stays true."""
        segment = (position + AHEAD) // SEGMENT % self._count
        if segment and segment not in self._ordinary:
            self._exchange(self._ordinary.popleft(), segment)
            self._ordinary.append(segment)
        if _mapped_bytes() - self._before > MOST_MAPPED:
            self._give_back()

    def _exchange(self, oldest: int, segment: int) -> None:
        """The memory of the one goes to the other, and its bytes to the file."""
        file, old, new = self._file, self._address(oldest), self._address(segment)
        for at in range(0, SEGMENT, PIECE):
            os.pwrite(file, _view(old + at, PIECE), oldest * SEGMENT + at)
        if _libc.mremap(old, SEGMENT, SEGMENT, MOVED, new) != new:
            raise OSError(ctypes.get_errno(), "the window cannot be moved")
        _map(old, SEGMENT, mmap.MAP_SHARED, file, oldest * SEGMENT)
        self.memory.madvise(mmap.MADV_RANDOM, oldest * SEGMENT, SEGMENT)
        if segment < self._used:
            os.preadv(file, [_view(new, SEGMENT)], segment * SEGMENT)
        self._used = max(self._used, segment + 1)

    def _give_back(self) -> None:
        """Pages of the file stay in the file, and come again when they are looked at."""
        for segment in range(1, self._count):
            if segment not in self._ordinary:
                self.memory.madvise(mmap.MADV_DONTNEED, segment * SEGMENT, SEGMENT)

    def _address(self, segment: int) -> int:
        return self._start + segment * SEGMENT


Window = ShortWindow | LongWindow


def window(size: int, scratch: Path) -> Window:
    return LongWindow(size, scratch) if size > MOST_ORDINARY * SEGMENT else ShortWindow(size)


def _nameless_file(folder: Path, size: int) -> int:
    """Its room on the disk is not reserved: writing to it would take ten times as long."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.truncate(size)
        return os.dup(file.fileno())


def _map(start: int, size: int, flags: int, file: int, offset: int) -> None:
    if _libc.mmap(start, size, OPEN, flags | FIXED, file, offset) != start:
        raise OSError(ctypes.get_errno(), "the window cannot be mapped")


def _view(start: int, size: int) -> memoryview:
    return memoryview((ctypes.c_char * size).from_address(start))


def _mapped_bytes() -> int:
    """Of files, in this process. The slots are shared memory and not counted here."""
    with open("/proc/self/status", "rb") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith(b"RssFile"))
