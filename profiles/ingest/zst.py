"""Decoding Zstandard with a window of up to 2 GiB in bounded memory.

Dumps are packed with long windows: the decoder must be able to look back 2 GiB, and a library keeps those in memory.
Here it gets a window that lies mostly in a file.
"""

from pathlib import Path
from typing import Any

from zstandard._cffi import ffi, lib

from profiles.ingest.window import ShortWindow, Window, window

LONGEST_WINDOW = 2**31
LONGEST_HEADER = 18
STATE = lib.ZSTD_estimateDCtxSize() + (128 << 10)  # what a decoder keeps before its window
TOO_FAR = 2**64 - lib.ZSTD_error_frameParameter_windowTooLarge  # errors are small numbers below 0, read as unsigned


class Corrupt(Exception):
    """The bytes are not what a compressor wrote."""


class ZstDecoder:
    """Bytes in, bytes out, frame after frame."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._window: Window = ShortWindow(0)
        self._given = 0  # of this frame
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
        self._given += self._sink.pos
        self._window.moved(STATE + self._given % (self._window.size - STATE))
        return self._source.pos, self._sink.pos

    def _begin(self, packed: memoryview) -> None:
        """A frame says at its start how far it looks back; the decoder gets a place of that size to work in."""
        size = lib.ZSTD_estimateDStreamSize_fromFrame(ffi.from_buffer(packed), len(packed))
        if size == TOO_FAR:
            raise Corrupt("it asks for a window of more than 2 GiB")
        if _checked(size) > self._window.size:
            self._window = window(size, self._scratch)
        self._given = 0
        self._stream = lib.ZSTD_initStaticDStream(ffi.from_buffer(self._window.memory), self._window.size)
        _checked(lib.ZSTD_DCtx_setMaxWindowSize(self._stream, LONGEST_WINDOW))


def _checked(answer: int) -> int:
    if lib.ZSTD_isError(answer):
        raise Corrupt(ffi.string(lib.ZSTD_getErrorName(answer)).decode().lower())
    return answer
