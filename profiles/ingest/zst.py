"""Decode Zstandard, frame after frame.

Dumps are packed with windows of up to 2 GiB. The decoder must look back that far, so it needs as much memory.
"""

import zstandard

MAX_WINDOW = 2**31
NO_MEMORY, WINDOW_TOO_LARGE = "not enough memory", "too much memory"  # the library's own words
HUGE_WINDOW = "it needs a window of more than 2 GiB"
PIECE = 8 << 10  # a byte unpacks to at most 32 kB, so this bounds what one call returns to 256 MB


class CorruptFrame(Exception):
    """The bytes are not a valid frame."""


class ZstDecoder:
    """Decodes a piece at a time. What does not fit is returned by the next calls."""

    def __init__(self) -> None:
        self._decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW)
        self._frame = self._decompressor.decompressobj()
        self._is_inside_frame = False
        self._rest = memoryview(b"")  # unpacked, not yet returned

    @property
    def is_inside(self) -> bool:
        return self._is_inside_frame or bool(self._rest)

    def decode(self, packed: memoryview, into: memoryview) -> tuple[int, int]:
        """Return how many bytes were read and written."""
        taken = 0 if self._rest else self._unpack(packed)
        count = min(len(self._rest), len(into))
        into[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return taken, count

    def _unpack(self, packed: memoryview) -> int:
        piece = packed[:PIECE]
        if not self._is_inside_frame:
            self._frame = self._decompressor.decompressobj()
        try:
            self._rest = memoryview(self._frame.decompress(piece))
        except zstandard.ZstdError as error:
            raise CorruptFrame(_reason(error)) from error
        self._is_inside_frame = not self._frame.eof
        return len(piece) - len(self._frame.unused_data)


def _reason(error: zstandard.ZstdError) -> str:
    """The library's own words, without its prefix."""
    reason = str(error).rpartition(": ")[2].lower()
    if NO_MEMORY in reason:  # not the archive's fault
        raise MemoryError(reason) from error
    return HUGE_WINDOW if WINDOW_TOO_LARGE in reason else reason
