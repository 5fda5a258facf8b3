"""Decoding Zstandard with a window of up to 2 GiB in bounded memory.

Dumps are packed with long windows: the decoder must be able to look back 2 GiB, and a library keeps those in memory.
Here they lie in a file without a name: the system takes back what is not looked at, and the file is gone with us.
"""

import ctypes
import mmap
import os
import tempfile
from pathlib import Path
from typing import Any

from zstandard._cffi import ffi, lib

LONGEST_WINDOW = 2**31
ORDINARY = 512 << 20  # of memory that stays
MOST_MAPPED = 224 << 20  # of the file, before its pages are given back
LONGEST_HEADER = 18
SLACK = 1 << 20  # what a decoder needs beside its window
MAP_FIXED = 0x10
PAGE = os.sysconf("SC_PAGE_SIZE")
TOO_FAR = 2**64 - lib.ZSTD_error_frameParameter_windowTooLarge  # errors are small numbers below 0, read as unsigned

_mmap = ctypes.CDLL(None, use_errno=True).mmap
_mmap.restype = ctypes.c_void_p
_mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]


class Corrupt(Exception):
    """The bytes are not what a compressor wrote."""


class ZstDecoder:
    """Bytes in, bytes out, frame after frame."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._place = _Place(0, scratch)
        self._stream: Any = None
        self._source = ffi.new("ZSTD_inBuffer *")
        self._sink = ffi.new("ZSTD_outBuffer *")
        self.is_inside = False  # a frame has begun and not ended

    def decode(self, packed: memoryview, into: memoryview) -> tuple[int, int]:
        """How many bytes were taken and how many were given. A frame must begin with its whole header."""
        if not self.is_inside:
            self._begin(packed)
        self._source.src, self._source.size, self._source.pos = ffi.from_buffer(packed), len(packed), 0
        self._sink.dst, self._sink.size, self._sink.pos = ffi.from_buffer(into), len(into), 0
        self.is_inside = _checked(lib.ZSTD_decompressStream(self._stream, self._sink, self._source)) != 0
        self._place.stay_small()
        return self._source.pos, self._sink.pos

    def _begin(self, packed: memoryview) -> None:
        """A frame says at its start how far it looks back; the decoder gets a place of that size to work in."""
        size = lib.ZSTD_estimateDStreamSize_fromFrame(ffi.from_buffer(packed), len(packed))
        if size == TOO_FAR:
            raise Corrupt("it asks for a window of more than 2 GiB")
        if _checked(size) > self._place.size:
            self._place = _Place(size, self._scratch)
        self._stream = lib.ZSTD_initStaticDStream(self._place.start, self._place.size)
        _checked(lib.ZSTD_DCtx_setMaxWindowSize(self._stream, LONGEST_WINDOW))


class _Place:
    """Memory for one decoder: ordinary at its start, and from there on mapped from a nameless file."""

    def __init__(self, size: int, scratch: Path) -> None:
        self.size = size
        self._is_file = size > ORDINARY
        self._memory = _mapped_file(size, scratch) if self._is_file else mmap.mmap(-1, max(size, PAGE))
        self.start = ffi.from_buffer(self._memory)
        self._before = _mapped_bytes()

    def stay_small(self) -> None:
        """Give pages back when too many are held. They stay in the file, and come again when they are looked at."""
        if self._is_file and _mapped_bytes() - self._before > MOST_MAPPED:
            self._memory.madvise(mmap.MADV_DONTNEED, ORDINARY, self.size - ORDINARY)


def _mapped_file(size: int, scratch: Path) -> mmap.mmap:
    """Its first part is replaced by ordinary memory, which costs less; most dumps and most of each fit in there."""
    with tempfile.TemporaryFile(dir=scratch) as file:
        os.posix_fallocate(file.fileno(), 0, size)  # a full disk is told now, not by a signal later
        memory = mmap.mmap(file.fileno(), size)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_FIXED
    if _mmap(start, ORDINARY, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0) != start:
        raise OSError(ctypes.get_errno(), "the window cannot be mapped")
    memory.madvise(mmap.MADV_RANDOM, ORDINARY, size - ORDINARY)  # single pages: what is looked at and no more
    return memory


def _mapped_bytes() -> int:
    """Of files, in this process. The slots are shared memory and not counted here."""
    with open("/proc/self/status", "rb") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith(b"RssFile"))


def _checked(answer: int) -> int:
    if lib.ZSTD_isError(answer):
        raise Corrupt(ffi.string(lib.ZSTD_getErrorName(answer)).decode().lower())
    return answer
