"""The bytes of a file and the text in them: size, gzip, encoding, checksum."""

import hashlib
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from evaluation.spans.readers.raw import UnreadableSpans

MAX_BYTES = 1 << 30  # unpacked; a gzip file of a few kB can hold more than memory does
GZIP = b"\x1f\x8b"
ESCAPED = re.compile("[\udc80-\udcff]")
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
NOT_UTF_8 = (
    "The file is not UTF-8; perhaps it is Latin-1 or Windows-1252. "
    "Convert it (for example: iconv -f latin1 -t utf-8 OLD > NEW) and try again."
)


@dataclass(frozen=True, slots=True)
class Contents:
    data: bytes  # unpacked
    sha256: str  # of the file as it lies on the disk


def read_contents(path: Path) -> Contents:
    """Read and unpack a file. Raises UnreadableSpans."""
    try:
        packed = path.read_bytes()
    except OSError as error:
        raise UnreadableSpans(
            f"“{path.name}” can't be opened: {error.strerror}. Check its name and permissions."
        ) from None
    data = _unpacked(packed) if packed.startswith(GZIP) else packed
    if not data.strip(b"\x00\t\r\n "):
        raise UnreadableSpans("The file is empty. Export it again with at least one document.")
    return Contents(data, hashlib.sha256(packed).hexdigest())


def decode(data: bytes) -> str:
    """Decode UTF-8, or UTF-16 with its mark. Bytes that are neither stay as lone surrogates (`surrogateescape`)."""
    if data.startswith(UTF_16):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "surrogateescape")


def checked(text: str) -> str:
    """Raises UnreadableSpans if bytes of the text were not UTF-8."""
    if not text.isascii() and ESCAPED.search(text):
        raise UnreadableSpans(NOT_UTF_8)
    return text


def _unpacked(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)
    try:
        data = unpacker.decompress(packed, MAX_BYTES)
    except zlib.error:
        raise UnreadableSpans("The file looks like gzip, but can't be decompressed. Compress it again.") from None
    if unpacker.unconsumed_tail:
        raise UnreadableSpans(
            f"Decompressed, the file is larger than {MAX_BYTES >> 30} GB. Split it into smaller files."
        )
    return data
