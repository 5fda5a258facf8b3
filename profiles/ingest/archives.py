"""Read any dump as a stream of bytes. Its first bytes determine the format, whatever its name says."""

import bz2
import lzma
import zlib
from pathlib import Path
from typing import Any, Protocol

from profiles.ingest.zst import CorruptFrame, ZstDecoder

READ_SIZE = 1 << 20
MAX_UNPACKED = 2 << 20
XZ_MEMORY = 512 << 20
PARQUET = b"PAR1"
PIECE = 8 << 10  # decompressed at once, so that the position of damage is known to within this many bytes
PADDED_KINDS = ("xz", "gz")
CUT_OFF, DAMAGED = "cut off", "damaged"
MAGIC = {
    b"\x28\xb5\x2f\xfd": "zst", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x1f\x8b": "gz", PARQUET: "parquet",
    **{bytes([0x50 + n]) + b"\x2a\x4d\x18": "zst" for n in range(16)},  # skippable frames
}  # fmt: skip


class BrokenArchive(Exception):
    """The archive cannot be read further. What was read before that is valid."""


class DamagedStream(Exception):
    """The bytes are not a valid stream. That was noticed `offset` bytes further on; the damage may lie before."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(reason)
        self.offset = offset


class Decoder(Protocol):
    @property
    def is_inside(self) -> bool: ...

    def decode(self, packed: memoryview, into: memoryview) -> tuple[int, int]: ...


class Archive:
    """An open dump. `position` is the number of bytes of the packed file that were decoded."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self._decoder = _decoder(detect_format(path))
        self._packed = memoryview(b"")
        self.position = 0

    def readinto(self, into: memoryview) -> int:
        """Read at least one byte and return how many, or 0 at the end. Raises BrokenArchive if it cannot go on."""
        while True:
            if not self._packed:
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
        except CorruptFrame as error:
            raise BrokenArchive(f"{DAMAGED} at byte {self.position:,} ({error})") from error
        except DamagedStream as error:
            place = "at or before byte" if error.offset else "at byte"
            raise BrokenArchive(f"{DAMAGED} {place} {self.position + error.offset:,} ({error})") from error
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


def _decoder(kind: str) -> Decoder:
    if kind == "zst":
        return ZstDecoder()
    return _PlainDecoder() if kind == "plain" else _StreamDecoder(kind)


class _PlainDecoder:
    is_inside = False

    def decode(self, packed: memoryview, into: memoryview) -> tuple[int, int]:
        size = min(len(packed), len(into))
        into[:size] = packed[:size]
        return size, size


class _StreamDecoder:
    """Formats that Python's standard library can decompress. A file may hold several streams."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._stream = _stream(kind)
        self._magic = next(magic for magic, other in MAGIC.items() if other == kind)
        self._given = 0  # bytes of a piece that the stream has not used up
        self.is_inside = False

    def decode(self, packed: memoryview, into: memoryview) -> tuple[int, int]:
        if not self.is_inside:
            padding = self._padding(packed)
            if padding:
                return padding, 0
            self._begin_stream(packed)
        count = self._decompress(packed, into)
        if self.is_inside and not self._stream.needs_input:
            return 0, count
        taken, self._given = self._given - len(self._stream.unused_data), 0
        return taken, count

    def _decompress(self, packed: memoryview, into: memoryview) -> int:
        piece = b"" if self._given else packed[:PIECE]
        self._given = self._given or len(piece)
        try:
            unpacked = self._stream.decompress(piece, len(into))
        except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
            raise DamagedStream(self._given, str(error)) from error
        into[: len(unpacked)] = unpacked
        self.is_inside = not self._stream.eof
        return len(unpacked)

    def _padding(self, packed: memoryview) -> int:
        """How many zeros follow a stream. They may fill up the last block of an xz or gzip file."""
        piece = bytes(packed[:PIECE]) if self._kind in PADDED_KINDS else b""
        return len(piece) - len(piece.lstrip(b"\0"))

    def _begin_stream(self, packed: memoryview) -> None:
        start = bytes(packed[: len(self._magic)])
        if not self._magic.startswith(start):
            raise DamagedStream(0, f"no {self._kind} stream begins there")
        self._stream, self.is_inside = _stream(self._kind), True


class _GzipStream:
    """zlib with the interface of the bz2 and lzma decompressors."""

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
