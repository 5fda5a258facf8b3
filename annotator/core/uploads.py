"""Uploaded dumps. They are written to one folder as they arrive, and removed once they have been read.

Django's own handlers would write them to /tmp first, which in a container is memory.
"""

import errno
import os
import re
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopFutureHandlers
from django.template.defaultfilters import filesizeformat

DUMPS_FIELD = "uploads"  # the field for dumps; other files are small
MAX_OTHER_BYTES = 5_000_000
PART_PREFIX, SECONDS_PER_DAY = ".part-", 24 * 3600
DISK_FULL = (
    "The server has too little disk space for this upload. Nothing was imported. Ask whoever runs it to free some."
)


class DumpUpload(UploadedFile):  # type: ignore[type-arg]  # generic for the type checker only
    """An incoming file: deleted at the end of the request unless `keep` is called."""

    problem = ""

    def __init__(self, name: str, content_type: str) -> None:
        suffix = os.path.splitext(name)[1].lower()
        file = NamedTemporaryFile(prefix=PART_PREFIX, suffix=_plain_name(suffix), dir=_folder())  # noqa: SIM115 closed by Django
        super().__init__(file, name, content_type, 0)

    def keep(self) -> Path:
        """Keep the file and return its path: the original name, so that people recognise it, with a random suffix."""
        part = Path(self.file.name)  # type: ignore[union-attr]
        self.flush()
        name = f"{_plain_name(Path(self.name or '').stem)[:60] or 'dump'}-{secrets.token_hex(6)}{part.suffix}"
        return part.rename(part.with_name(name))

    def reject(self, problem: str) -> None:
        self.problem = self.problem or problem
        self.truncate(0)

    def close(self) -> None:
        with suppress(FileNotFoundError):  # it was kept under another name
            self.file.close()  # type: ignore[union-attr]


class DumpUploadHandler(FileUploadHandler):
    """Write dumps up to a limit for all of them together. Skip the rest, so that the form can explain the refusal."""

    fields: frozenset[str] = frozenset({DUMPS_FIELD})
    file: DumpUpload | None = None
    bytes_received = 0

    def new_file(self, *args: object, **kwargs: object) -> None:
        super().new_file(*args, **kwargs)  # type: ignore[arg-type]
        is_large = self.field_name in self.fields
        self.file = DumpUpload(self.file_name or "", self.content_type or "") if is_large else None
        if self.file:
            raise StopFutureHandlers

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        if not self.file:
            return raw_data if start < MAX_OTHER_BYTES else None
        self.bytes_received += len(raw_data)
        if self.bytes_received > settings.UPLOAD_BYTES:
            self.file.reject(too_large_message())
        if not self.file.problem:
            self._write(self.file, raw_data)
        return None

    def file_complete(self, file_size: int) -> DumpUpload | None:
        if self.file:
            self.file.size = file_size
        return self.file

    def _write(self, file: DumpUpload, data: bytes) -> None:
        try:
            file.write(data)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise
            file.reject(DISK_FULL)


def too_large_message() -> str:
    limit = filesizeformat(settings.UPLOAD_BYTES)
    return (
        f"The upload is larger than {limit}. Nothing was imported. "
        "Put the files into a folder on the server instead, or raise TELLTALE_UPLOAD_MB."
    )


def remove_uploads(paths: Iterable[str | Path]) -> None:
    """Remove the files that were uploaded. Dumps elsewhere on the server are not ours to remove."""
    for path in map(Path, paths):
        if is_upload(path):
            path.unlink(missing_ok=True)


def is_upload(path: Path) -> bool:
    return path.parent == settings.UPLOADS


def _folder() -> Path:
    """The upload folder, readable only by our account. Remove partial uploads of killed web servers after a day."""
    folder: Path = settings.UPLOADS
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for partial in folder.glob(f"{PART_PREFIX}*"):
        if partial.stat().st_mtime < time.time() - SECONDS_PER_DAY:
            partial.unlink(missing_ok=True)
    return folder


def _plain_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name).lstrip("-")
