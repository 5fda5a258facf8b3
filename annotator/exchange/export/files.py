"""Files that are whole or not there: written under another name, and renamed when the last byte is on the disk."""

import errno
import hashlib
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

PART = ".part-"
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip knows; a real one would change the bytes
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
AT_ONCE = 1 << 20


class NotWritten(Exception):
    """The file could not be written. What lay there before lies there still. Says why, to a person."""


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """For our own account only. Raises NotWritten, and leaves nothing behind then."""
    part = path.with_name(f"{PART}{secrets.token_hex(6)}-{path.name}"[:200])
    try:
        with open(part, "wb", opener=_private) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise NotWritten(_why(error)) from error
    finally:
        part.unlink(missing_ok=True)


def write_lines(file: IO[bytes], lines: Iterable[str]) -> None:
    for line in lines:
        file.write(line.encode())


@contextmanager
def packed(file: IO[bytes]) -> Iterator[ZipFile]:
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        yield archive


def pack_lines(archive: ZipFile, name: str, lines: Iterable[str]) -> None:
    info = ZipInfo(name, LONG_AGO)
    info.compress_type, info.external_attr = ZIP_DEFLATED, 0o600 << 16
    with archive.open(info, "w", force_zip64=True) as file:
        write_lines(file, lines)


def fingerprint(path: Path) -> tuple[int, str]:
    """Its size in bytes and the SHA-256 of them."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return path.stat().st_size, digest.hexdigest()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_EXCL, 0o600)


def _why(error: OSError) -> str:
    if error.errno in FULL:
        return (
            "There is not enough room on the disk for this file. Make room and ask again. What was there before stays."
        )
    return f"The file cannot be written: {error.strerror or 'unknown problem'}. What was there before stays."
