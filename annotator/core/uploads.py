"""Dumps that come with a form. They are written to one folder as they arrive, and leave when they were read.

Django's own handlers would put them under /tmp first, which in a container is memory.
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

DUMPS = "uploads"  # the field of the form; other files are small
MOST_BESIDES = 5_000_000  # bytes of other files
PART, A_DAY = ".part-", 24 * 3600
NO_ROOM = "There is not enough room on the server for this upload. Nothing was imported. Ask those who run it for room."


class DumpUpload(UploadedFile):  # type: ignore[type-arg]  # generic for the type checker only
    """A file on its way in: gone when the request ends, however it ends, unless somebody keeps it."""

    problem = ""

    def __init__(self, name: str, content_type: str) -> None:
        ending = os.path.splitext(name)[1].lower()
        file = NamedTemporaryFile(prefix=PART, suffix=_plain(ending), dir=_folder())  # noqa: SIM115 closed by Django
        super().__init__(file, name, content_type, 0)

    def keep(self) -> Path:
        """Where it stays. The name begins as it came, so that people know it again, and ends at random."""
        part = Path(self.file.name)  # type: ignore[union-attr]
        self.flush()
        name = f"{_plain(Path(self.name or '').stem)[:60] or 'dump'}-{secrets.token_hex(6)}{part.suffix}"
        kept = part.with_name(name)
        return part.rename(kept)

    def give_up(self, problem: str) -> None:
        self.problem = self.problem or problem
        self.truncate(0)

    def close(self) -> None:
        with suppress(FileNotFoundError):  # it was kept, under another name
            self.file.close()  # type: ignore[union-attr]


class DumpUploadHandler(FileUploadHandler):
    """Takes the dumps, up to the limit for all of them together, and reads past the rest so that it can be told."""

    file: DumpUpload | None = None
    taken = 0

    def new_file(self, *args: object, **kwargs: object) -> None:
        super().new_file(*args, **kwargs)  # type: ignore[arg-type]
        self.file = DumpUpload(self.file_name or "", self.content_type or "") if self.field_name == DUMPS else None
        if self.file:
            raise StopFutureHandlers

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        if not self.file:
            return raw_data if start < MOST_BESIDES else None
        self.taken += len(raw_data)
        if self.taken > settings.UPLOAD_BYTES:
            self.file.give_up(too_large())
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
            file.give_up(NO_ROOM)


def too_large() -> str:
    most = filesizeformat(settings.UPLOAD_BYTES)
    return (
        f"The upload is larger than {most}. Nothing was imported. "
        "Put the files into a folder on the server instead, or raise TELLTALE_UPLOAD_MB."
    )


def remove_uploads(paths: Iterable[str | Path]) -> None:
    """Those of the paths that were uploaded; a dump that lies elsewhere on the server is not ours to remove."""
    for path in map(Path, paths):
        if is_upload(path):
            path.unlink(missing_ok=True)


def is_upload(path: Path) -> bool:
    return path.parent == settings.UPLOADS


def _folder() -> Path:
    """For our own account only. What a killed web server left half done goes after a day."""
    folder: Path = settings.UPLOADS
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in folder.glob(f"{PART}*"):
        if left.stat().st_mtime < time.time() - A_DAY:
            left.unlink(missing_ok=True)
    return folder


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name).lstrip("-")
