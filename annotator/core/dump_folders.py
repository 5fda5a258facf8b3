"""The dumps that lie on the server, in the folders from which admins may import."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from os import walk
from pathlib import Path

from django.conf import settings

from profiles.ingest.sources import is_dump

MOST_FILES = 500
MOST_LOOKED_AT = 20_000  # names: somebody may name a folder with a whole disk in it


class NotImportable(Exception):
    """Not a dump in one of the folders. Whether it exists elsewhere is not told."""


@dataclass(frozen=True, slots=True)
class FoundDump:
    path: str
    name: str  # as seen from its folder
    size: int


@dataclass(frozen=True, slots=True)
class FoundDumps:
    folders: list[str]
    files: list[FoundDump]
    are_all: bool


def find_dumps() -> FoundDumps:
    """By folder and name. Not all where there are too many to show."""
    found = [dump for folder in settings.IMPORT_FOLDERS for dump in islice(_dumps_in(folder), MOST_FILES + 1)]
    folders = [str(folder) for folder in settings.IMPORT_FOLDERS]
    return FoundDumps(folders, found[:MOST_FILES], len(found) <= MOST_FILES)


def importable(written: str) -> Path:
    """The real place of a dump, wherever links and dots lead; only inside the folders."""
    try:
        path = Path(written).resolve(strict=True)
        folders = [folder.resolve() for folder in settings.IMPORT_FOLDERS]
        allowed = path.is_file() and any(path.is_relative_to(folder) for folder in folders)
    except (OSError, ValueError, RuntimeError) as error:  # no such file, a NUL in its name, links in a circle
        raise NotImportable from error
    if not allowed or not is_dump(path.name):
        raise NotImportable
    return path


def _dumps_in(folder: Path) -> Iterator[FoundDump]:
    for path in islice(_names_in(folder), MOST_LOOKED_AT):
        try:
            size = importable(str(path)).stat().st_size
        except (NotImportable, OSError):
            continue
        yield FoundDump(str(path), str(path.relative_to(folder)), size)


def _names_in(folder: Path) -> Iterator[Path]:
    """In order, sub-folders after files. Names that are no text cannot be shown, and are passed over."""
    for inside, folders, files in walk(folder):
        folders.sort()
        yield from (Path(inside, name) for name in sorted(files) if is_dump(name) and _is_text(inside + name))


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
