"""Any dump as a stream of bytes: what it is packed with shows in its first bytes, whatever its name says."""

import bz2
import lzma
import zlib
from pathlib import Path
from typing import Any, Protocol

from profiles.ingest.zst import LONGEST_HEADER, Corrupt, ZstDecoder

PACKED_AT_ONCE = 1 << 20
UNPACKED_AT_ONCE = 2 << 20
XZ_MEMORY = 512 << 20
PARQUET = b"PAR1"
MAGIC = {
    b"\x28\xb5\x2f\xfd": "zst", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x1f\x8b": "gz", PARQUET: "parquet",
    **{bytes([0x50 + n]) + b"\x2a\x4d\x18": "zst" for n in range(16)},  # a frame to be skipped
}  # fmt: skip


class Broken(Exception):
    """From here on the archive cannot be read. What was given before is good."""


class Decoder(Protocol):
    is_inside: bool

    def decode(self, packed: memoryview, into: memoryview) -> tuple[int, int]: ...


class Archive:
    """An open dump. `readinto` fills what it can; `position` is how much of the file was used."""

    def __init__(self, path: Path, scratch: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self._decoder = _decoder(kind_of(path), scratch)
        self._packed = memoryview(b"")
        self.position = 0

    def readinto(self, into: memoryview) -> int:
        """At least one byte unless the end is reached. Raises Broken when the rest cannot be read."""
        while True:
            if len(self._packed) < LONGEST_HEADER:
                self._fetch()
            if not self._packed and not self._decoder.is_inside:
                return 0
            given = self._decode(into[:UNPACKED_AT_ONCE])
            if given:
                return given

    def close(self) -> None:
        self._file.close()

    def _decode(self, into: memoryview) -> int:
        try:
            taken, given = self._decoder.decode(self._packed, into)
        except (Corrupt, OSError, EOFError, lzma.LZMAError, zlib.error) as error:
            if isinstance(error, OSError) and error.errno:  # not the archive: the disk is full
                raise
            raise Broken(f"damaged at byte {self.position:,} ({error})") from error
        self._packed = self._packed[taken:]
        self.position += taken
        is_stuck = self._decoder.is_inside and not (taken or given or self._packed)
        if is_stuck and not self._fetch():
            raise Broken(f"cut off at byte {self.position:,}")
        return given

    def _fetch(self) -> bool:
        fresh = self._file.read(PACKED_AT_ONCE)
        if fresh:
            self._packed = memoryview(bytes(self._packed) + fresh)
        return bool(fresh)


def kind_of(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(8)
    return next((kind for magic, kind in MAGIC.items() if start.startswith(magic)), "plain")


def _decoder(kind: str, scratch: Path) -> Decoder:
    if kind == "zst":
        return ZstDecoder(scratch)
    return _Plain() if kind == "plain" else _Streams(kind)


class _Plain:
    is_inside = False

    def decode(self, packed: memoryview, into: memoryview) -> tuple[int, int]:
        size = min(len(packed), len(into))
        into[:size] = packed[:size]
        return size, size


class _Streams:
    """What Python's own decompressors read: streams that may follow each other."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._stream = _stream(kind)
        self._rest = b""  # taken, but behind the end of its stream
        self.is_inside = False

    def decode(self, packed: memoryview, into: memoryview) -> tuple[int, int]:
        taken, given = self._step(packed, into)
        while self._rest and not given:  # a stream of nothing ended: the next one begins in the rest
            _, given = self._step(packed[taken:], into)
        return taken, given

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


class _Gzip:
    """zlib with the manners of the other two."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(wbits=31)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, packed: memoryview | bytes, most: int) -> bytes:
        unpacked = self._stream.decompress(self._stream.unconsumed_tail + bytes(packed), most)
        self.needs_input = len(unpacked) < most and not self._stream.unconsumed_tail
        return unpacked


def _stream(kind: str) -> Any:
    if kind == "xz":
        return lzma.LZMADecompressor(memlimit=XZ_MEMORY)
    return bz2.BZ2Decompressor() if kind == "bz2" else _Gzip()
