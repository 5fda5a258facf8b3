"""Decode Zstandard, frame after frame.

Dumps are packed with windows of up to 2 GiB. The decoder must look back that far, so it needs as much memory.
"""

import sys

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAX_WINDOW: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 31}
NO_MEMORY, WINDOW_TOO_LARGE = "not enough memory", "too much memory"  # the library's own words
HUGE_WINDOW = "it needs a window of more than 2 GiB"
PIECE = 8 << 10  # decoded at once, so that the position of damage is known to within this many bytes


class CorruptFrame(Exception):
    """The bytes are not a valid frame."""


class ZstDecoder:
    """Decodes a piece at a time. What does not fit is returned by the next calls."""

    def __init__(self) -> None:
        self._frame = zstd.ZstdDecompressor(options=MAX_WINDOW)
        self._given = 0  # bytes of a piece that the frame has not used up
        self.is_inside = False

    def decode(self, packed: memoryview, into: memoryview) -> tuple[int, int]:
        """Return how many bytes were read and written."""
        if not self.is_inside:
            self._frame = zstd.ZstdDecompressor(options=MAX_WINDOW)
        piece = b"" if self._given else packed[:PIECE]
        self._given = self._given or len(piece)
        try:
            unpacked = self._frame.decompress(piece, len(into))
        except zstd.ZstdError as error:
            raise CorruptFrame(_reason(error)) from error
        into[: len(unpacked)] = unpacked
        self.is_inside = not self._frame.eof
        if self.is_inside and not self._frame.needs_input:
            return 0, len(unpacked)
        taken, self._given = self._given - len(self._frame.unused_data), 0
        return taken, len(unpacked)


def _reason(error: zstd.ZstdError) -> str:
    """The library's own words, without its prefix."""
    reason = str(error).rpartition(": ")[2].lower()
    if NO_MEMORY in reason:  # not the archive's fault
        raise MemoryError(reason) from error
    return HUGE_WINDOW if WINDOW_TOO_LARGE in reason else reason
