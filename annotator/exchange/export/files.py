"""Write files atomically: under a temporary name, renamed once the last byte is on disk."""

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
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed time, so that the bytes do not change
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class FileNotWritten(Exception):
    """The file could not be written; an older one is still there. The message says why."""


@contextmanager
def atomic_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that only our account can read. If writing fails, leave nothing behind and raise FileNotWritten."""
    part = path.with_name(f"{PART}{secrets.token_hex(6)}-{path.name}"[:200])
    try:
        with open(part, "wb", opener=_open_private) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise FileNotWritten(_reason(error)) from error
    finally:
        part.unlink(missing_ok=True)


def write_lines(file: IO[bytes], lines: Iterable[str]) -> None:
    for line in lines:
        file.write(line.encode())


@contextmanager
def open_zip(file: IO[bytes]) -> Iterator[ZipFile]:
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        yield archive


def write_zip_lines(archive: ZipFile, name: str, lines: Iterable[str]) -> None:
    info = ZipInfo(name, ZIP_EPOCH)
    info.compress_type, info.external_attr = ZIP_DEFLATED, 0o600 << 16
    with archive.open(info, "w", force_zip64=True) as file:
        write_lines(file, lines)


def fingerprint(path: Path) -> tuple[int, str]:
    """Return the size in bytes and the SHA-256."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return path.stat().st_size, digest.hexdigest()


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_EXCL, 0o600)


def _reason(error: OSError) -> str:
    if error.errno in DISK_FULL:
        return (
            "There is too little disk space for this file. Free some and export again. Existing files were not touched."
        )
    return f"The file cannot be written: {error.strerror or 'unknown problem'}. Existing files were not touched."
