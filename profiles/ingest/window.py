"""The window that a decoder looks back on, up to 2 GiB, in bounded memory.

The decoder sees one long range of memory and writes through it from start to end, again and again. Only the segments
that it is writing to are anonymous memory; the others are mapped, at the same addresses, from an unnamed file that
vanishes with the process. Memory that is freed at the back is moved to the front: the kernel never has to find and
clear a fresh page, which costs more than the decoding.

What it buys: an ingest of dumps that are packed with windows of 2 GiB stays below 1.5 GB of memory, as fast as with
the whole window in memory. For that it calls mmap and mremap by hand and reads /proc/self/status (ADR 12).
"""

import ctypes
import mmap
import os
import tempfile
import weakref
from collections import deque
from pathlib import Path

SEGMENT = 16 << 20
PIECE = 64 << 10  # per write: for larger ones the kernel looks for large pages, which are rarely available
MAX_ANONYMOUS_SEGMENTS = 16  # segments
MAX_MAPPED_BYTES = 448 << 20  # of the file, before its pages are released
AHEAD = 8 << 20  # more than one call of the decoder writes
ANONYMOUS = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
MAP_FIXED, MREMAP_TO_FIXED = 0x10, 0x3
READ_WRITE = mmap.PROT_READ | mmap.PROT_WRITE

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = _libc.mremap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
_libc.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]


class ShortWindow:
    """All anonymous memory."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.memory = mmap.mmap(-1, max(size, mmap.PAGESIZE))

    def advance(self, position: int) -> None:
        """All of it is in memory already."""


class LongWindow:
    """The first segment is always anonymous: the decoder keeps its own state there."""

    def __init__(self, size: int, scratch: Path) -> None:
        self.size = size
        self._count = -(-size // SEGMENT)
        self._file = _unnamed_file(scratch, self._count * SEGMENT)
        weakref.finalize(self, os.close, self._file)
        self.memory = mmap.mmap(self._file, self._count * SEGMENT)
        self.memory.madvise(mmap.MADV_RANDOM)  # read single pages, not their neighbours
        self._start = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self._anonymous = deque(range(1, MAX_ANONYMOUS_SEGMENTS))
        self._used = MAX_ANONYMOUS_SEGMENTS  # segments from here on have never been written
        _map(self._start, MAX_ANONYMOUS_SEGMENTS * SEGMENT, ANONYMOUS, -1, 0)
        self._before = _mapped_bytes()

    def advance(self, position: int) -> None:
        """Prepare for writes after that position. A wrong guess costs time only: the contents stay correct."""
        segment = (position + AHEAD) // SEGMENT % self._count
        if segment and segment not in self._anonymous:
            self._swap(self._anonymous.popleft(), segment)
            self._anonymous.append(segment)
        if _mapped_bytes() - self._before > MAX_MAPPED_BYTES:
            self._release_pages()

    def _swap(self, oldest: int, segment: int) -> None:
        """Move the memory of the oldest segment to the new one, and its bytes to the file."""
        file, old, new = self._file, self._address(oldest), self._address(segment)
        for at in range(0, SEGMENT, PIECE):
            os.pwrite(file, _view(old + at, PIECE), oldest * SEGMENT + at)
        if _libc.mremap(old, SEGMENT, SEGMENT, MREMAP_TO_FIXED, new) != new:
            raise OSError(ctypes.get_errno(), "the window cannot be moved")
        _map(old, SEGMENT, mmap.MAP_SHARED, file, oldest * SEGMENT)
        self.memory.madvise(mmap.MADV_RANDOM, oldest * SEGMENT, SEGMENT)
        if segment < self._used:
            os.preadv(file, [_view(new, SEGMENT)], segment * SEGMENT)
        self._used = max(self._used, segment + 1)

    def _release_pages(self) -> None:
        """Drop mapped pages; they are read from the file again when needed."""
        for segment in range(1, self._count):
            if segment not in self._anonymous:
                self.memory.madvise(mmap.MADV_DONTNEED, segment * SEGMENT, SEGMENT)

    def _address(self, segment: int) -> int:
        return self._start + segment * SEGMENT


Window = ShortWindow | LongWindow


def open_window(size: int, scratch: Path) -> Window:
    return LongWindow(size, scratch) if size > MAX_ANONYMOUS_SEGMENTS * SEGMENT else ShortWindow(size)


def _unnamed_file(folder: Path, size: int) -> int:
    """A sparse file: reserving its space would make writes ten times as slow."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.truncate(size)
        return os.dup(file.fileno())


def _map(start: int, size: int, flags: int, file: int, offset: int) -> None:
    if _libc.mmap(start, size, READ_WRITE, flags | MAP_FIXED, file, offset) != start:
        raise OSError(ctypes.get_errno(), "the window cannot be mapped")


def _view(start: int, size: int) -> memoryview:
    return memoryview((ctypes.c_char * size).from_address(start))


def _mapped_bytes() -> int:
    """Bytes of files mapped in this process. Shared buffers are not counted here."""
    with open("/proc/self/status", "rb") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith(b"RssFile"))
