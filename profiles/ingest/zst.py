"""Decoding Zstandard with a window of up to 2 GiB in bounded memory.

Dumps are packed with long windows: the decoder must be able to look back 2 GiB, and a library keeps those in memory.
Here they lie in a file without a name: the system takes back what is not looked at, and the file is gone with us.
"""

import mmap
import os
import tempfile
from pathlib import Path
from typing import Any

from zstandard._cffi import ffi, lib

LONGEST_WINDOW = 2**31
IN_MEMORY = 64 << 20  # a window of that size needs no file
MOST_RESIDENT = 640 << 20
LONGEST_HEADER = 18
PAGE = os.sysconf("SC_PAGE_SIZE")
TOO_FAR = 2**64 - lib.ZSTD_error_frameParameter_windowTooLarge  # errors are small numbers below 0, read as unsigned


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
    """Memory for one decoder: ordinary while small, mapped from a nameless file when large."""

    def __init__(self, size: int, scratch: Path) -> None:
        self.size = size
        self._is_file = size > IN_MEMORY
        if self._is_file:
            with tempfile.TemporaryFile(dir=scratch) as file:
                os.posix_fallocate(file.fileno(), 0, size)  # a full disk is told now, not by a signal later
                self._memory = mmap.mmap(file.fileno(), size)
        else:
            self._memory = mmap.mmap(-1, max(size, PAGE))
        self.start = ffi.from_buffer(self._memory)
        self._before = _shared_bytes()

    def stay_small(self) -> None:
        """Give pages back when too many are held. They stay in the file, and come again when they are looked at."""
        if self._is_file and _shared_bytes() - self._before > MOST_RESIDENT:
            self._memory.madvise(mmap.MADV_DONTNEED)


def _shared_bytes() -> int:
    with open("/proc/self/statm", "rb") as statm:
        return int(statm.read().split()[2]) * PAGE


def _checked(answer: int) -> int:
    if lib.ZSTD_isError(answer):
        raise Corrupt(ffi.string(lib.ZSTD_getErrorName(answer)).decode().lower())
    return answer
