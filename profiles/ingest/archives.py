"""Read any dump as a stream of bytes. Its first bytes tell the format, whatever its name says."""

import bz2
import lzma
import zlib
from pathlib import Path
from typing import Any, Protocol

from profiles.ingest.zst import MAX_HEADER, CorruptFrame, ZstDecoder

READ_SIZE = 1 << 20
MAX_UNPACKED = 2 << 20
XZ_MEMORY = 512 << 20
PARQUET = b"PAR1"
CUT_OFF, DAMAGED = "cut off", "damaged"
MAGIC = {
    b"\x28\xb5\x2f\xfd": "zst", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x1f\x8b": "gz", PARQUET: "parquet",
    **{bytes([0x50 + n]) + b"\x2a\x4d\x18": "zst" for n in range(16)},  # skippable frames
}  # fmt: skip


class BrokenArchive(Exception):
    """The archive cannot be read further. What was read before is good."""


class Decoder(Protocol):
    is_inside: bool

    def decode(self, packed: memoryview, into: memoryview) -> tuple[int, int]: ...


class Archive:
    """An open dump. `position` is how much of the packed file was read."""

    def __init__(self, path: Path, scratch: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self._decoder = _decoder(detect_format(path), scratch)
        self._packed = memoryview(b"")
        self.position = 0

    def readinto(self, into: memoryview) -> int:
        """Read at least one byte, or 0 at the end. Raises BrokenArchive when the rest cannot be read."""
        while True:
            if len(self._packed) < MAX_HEADER:
                self._fetch()
            if not self._packed and not self._decoder.is_inside:
                return 0
            count = self._decode(into[:MAX_UNPACKED])
            if count:
                return count

    def close(self) -> None:
        self._file.close()

    def _decode(self, into: memoryview) -> int:
        try:
            taken, count = self._decoder.decode(self._packed, into)
        except (CorruptFrame, OSError, EOFError, lzma.LZMAError, zlib.error) as error:
            if isinstance(error, OSError) and error.errno:  # not the archive: the disk is full
                raise
            raise BrokenArchive(f"{DAMAGED} at byte {self.position:,} ({error})") from error
        self._packed = self._packed[taken:]
        self.position += taken
        is_stuck = self._decoder.is_inside and not (taken or count or self._packed)
        if is_stuck and not self._fetch():
            raise BrokenArchive(f"{CUT_OFF} at byte {self.position:,}")
        return count

    def _fetch(self) -> bool:
        fresh = self._file.read(READ_SIZE)
        if fresh:
            self._packed = memoryview(bytes(self._packed) + fresh)
        return bool(fresh)


def detect_format(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(8)
    return next((kind for magic, kind in MAGIC.items() if start.startswith(magic)), "plain")


def _decoder(kind: str, scratch: Path) -> Decoder:
    if kind == "zst":
        return ZstDecoder(scratch)
    return _PlainDecoder() if kind == "plain" else _StreamDecoder(kind)


class _PlainDecoder:
    is_inside = False

    def decode(self, packed: memoryview, into: memoryview) -> tuple[int, int]:
        size = min(len(packed), len(into))
        into[:size] = packed[:size]
        return size, size


class _StreamDecoder:
    """Formats with a decompressor in Python's library. A file may hold several streams."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._stream = _stream(kind)
        self._rest = b""  # consumed, but after the end of its stream
        self.is_inside = False

    def decode(self, packed: memoryview, into: memoryview) -> tuple[int, int]:
        taken, count = self._step(packed, into)
        while self._rest and not count:  # an empty stream ended: the next one starts in the rest
            _, count = self._step(packed[taken:], into)
        return taken, count

    def _step(self, packed: memoryview, into: memoryview) -> tuple[int, int]:
        if self._stream.eof:
            self._stream = _stream(self._kind)
        wants = self._stream.needs_input
        fresh, taken = (self._rest, 0) if self._rest else (packed, len(packed) if wants else 0)
        unpacked = self._stream.decompress(fresh if wants else b"", len(into))
        into[: len(unpacked)] = unpacked
        self._rest = self._stream.unused_data
        self.is_inside = bool(self._rest) or not self._stream.eof
        return taken, len(unpacked)


class _GzipStream:
    """zlib with the interface of the other two."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(wbits=31)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, packed: memoryview | bytes, limit: int) -> bytes:
        unpacked = self._stream.decompress(self._stream.unconsumed_tail + bytes(packed), limit)
        self.needs_input = len(unpacked) < limit and not self._stream.unconsumed_tail
        return unpacked


def _stream(kind: str) -> Any:
    if kind == "xz":
        return lzma.LZMADecompressor(memlimit=XZ_MEMORY)
    return bz2.BZ2Decompressor() if kind == "bz2" else _GzipStream()
