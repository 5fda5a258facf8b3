"""Decode Zstandard with a window of up to 2 GiB in bounded memory.

Dumps are packed with long windows: the decoder must look back up to 2 GiB, and the library would keep them in memory.
It offers no way to supply that memory, so this module calls the C functions of `zstandard` itself (ADR 12) and hands
them a window that lies mostly in a file.
"""

from pathlib import Path
from typing import Any

from zstandard._cffi import ffi, lib

from profiles.ingest.window import ShortWindow, Window, open_window

MAX_WINDOW = 2**31
MAX_HEADER = 18
HUGE_WINDOW = "it asks for a window of more than 2 GiB"
STATE = lib.ZSTD_estimateDCtxSize() + (128 << 10)  # of a decoder, before its window
WINDOW_TOO_LARGE = (
    2**64 - lib.ZSTD_error_frameParameter_windowTooLarge
)  # errors are small negative numbers, read as unsigned


class CorruptFrame(Exception):
    """The bytes are not a valid frame."""


class ZstDecoder:
    """Decodes frame after frame."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._window: Window = ShortWindow(0)
        self._unpacked = 0  # bytes of this frame
        self._stream: Any = None
        self._source = ffi.new("ZSTD_inBuffer *")
        self._sink = ffi.new("ZSTD_outBuffer *")
        self.is_inside = False  # inside a frame

    def decode(self, packed: memoryview, into: memoryview) -> tuple[int, int]:
        """Return how many bytes were read and written. A frame must start with its whole header."""
        if not self.is_inside:
            self._begin(packed)
        self._source.src, self._source.size, self._source.pos = ffi.from_buffer(packed), len(packed), 0
        self._sink.dst, self._sink.size, self._sink.pos = ffi.from_buffer(into), len(into), 0
        self.is_inside = _check(lib.ZSTD_decompressStream(self._stream, self._sink, self._source)) != 0
        self._unpacked += self._sink.pos
        self._window.advance(STATE + self._unpacked % (self._window.size - STATE))
        return self._source.pos, self._sink.pos

    def _begin(self, packed: memoryview) -> None:
        """A frame's header says how far it looks back; give the decoder a window of that size."""
        size = lib.ZSTD_estimateDStreamSize_fromFrame(ffi.from_buffer(packed), len(packed))
        if size == WINDOW_TOO_LARGE:
            raise CorruptFrame(HUGE_WINDOW)
        if _check(size) > self._window.size:
            self._window = open_window(size, self._scratch)
        self._unpacked = 0
        self._stream = lib.ZSTD_initStaticDStream(ffi.from_buffer(self._window.memory), self._window.size)
        _check(lib.ZSTD_DCtx_setMaxWindowSize(self._stream, MAX_WINDOW))


def _check(answer: int) -> int:
    if lib.ZSTD_isError(answer):
        raise CorruptFrame(ffi.string(lib.ZSTD_getErrorName(answer)).decode().lower())
    return answer
