"""Dumps in the server's folders that admins may import from."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from os import walk
from pathlib import Path

from django.conf import settings

from profiles.ingest.sources import is_dump

MAX_FILES = 500
MAX_SCANNED = 20_000  # file names, because the folder may be a whole disk


class NotImportable(Exception):
    """Not a dump in one of the folders. Does not reveal whether the file exists elsewhere."""


@dataclass(frozen=True, slots=True)
class ListedDump:
    path: str
    name: str  # relative to its folder
    size: int


@dataclass(frozen=True, slots=True)
class DumpListing:
    folders: list[str]
    files: list[ListedDump]
    are_all: bool


def list_dumps() -> DumpListing:
    """List dumps by folder and name, up to MAX_FILES."""
    dumps = [dump for folder in settings.IMPORT_FOLDERS for dump in islice(_dumps_in(folder), MAX_FILES + 1)]
    folders = [str(folder) for folder in settings.IMPORT_FOLDERS]
    return DumpListing(folders, dumps[:MAX_FILES], len(dumps) <= MAX_FILES)


def resolve_dump(name: str) -> Path:
    """The real path of a dump, with links and dots resolved; refuse paths outside the folders."""
    try:
        path = Path(name).resolve(strict=True)
        folders = [folder.resolve() for folder in settings.IMPORT_FOLDERS]
        allowed = path.is_file() and any(path.is_relative_to(folder) for folder in folders)
    except (OSError, ValueError, RuntimeError) as error:  # no such file, a NUL in its name, circular links
        raise NotImportable from error
    if not allowed or not is_dump(path.name):
        raise NotImportable
    return path


def _dumps_in(folder: Path) -> Iterator[ListedDump]:
    for path in islice(_names_in(folder), MAX_SCANNED):
        try:
            size = resolve_dump(str(path)).stat().st_size
        except (NotImportable, OSError):
            continue
        yield ListedDump(str(path), str(path.relative_to(folder)), size)


def _names_in(folder: Path) -> Iterator[Path]:
    """Dumps by name, files before sub-folders. Skip names that are not valid text: they cannot be shown."""
    for inside, folders, files in walk(folder):
        folders.sort()
        yield from (Path(inside, name) for name in sorted(files) if is_dump(name) and _is_text(inside + name))


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
