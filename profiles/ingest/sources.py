"""Find the dumps at paths, in folders and by patterns, and identify them by their content."""

import glob
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_to_bytes

ENDINGS = (".zst", ".bz2", ".xz", ".gz", ".ndjson", ".jsonl", ".json", ".parquet")
READ_SIZE = 8 << 20
FILE_URI = "file://"


class NoSuchFile(Exception):
    """There is no dump at this path. The message names it."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, identified by its content."""

    path: Path
    size: int
    digest: str


def find_files(paths: Iterable[Path]) -> list[Path]:
    """Expand folders and patterns into the dumps they contain, each file once."""
    files: dict[Path, None] = {}
    for path in paths:
        matches = sorted(_matches(path))
        if not matches:
            raise NoSuchFile(f"There is no dump at {path_in_words(path)}.")
        files |= dict.fromkeys(match.resolve() for match in matches)
    return list(files)


def _matches(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (file for file in path.rglob("*") if file.is_file() and is_dump(file.name))
    elif path.is_file():
        yield path
    else:
        yield from (Path(match) for match in glob.glob(str(path), recursive=True) if Path(match).is_file())


def is_dump(name: str) -> bool:
    """Whether a file of this name is a dump of comments. Submissions (RS_…) are in the same folders."""
    is_named_so = name.lower().endswith(ENDINGS) or (name.startswith("RC_") and "." not in name)
    return is_named_so and not name.startswith("RS_")


def path_to_text(path: Path) -> str:
    """The path as text that can be stored. A name that is not UTF-8 becomes a URI, which keeps its bytes."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return path.absolute().as_uri()
    return str(path)


def path_from_text(text: str) -> Path:
    if text.startswith(FILE_URI):
        return Path(os.fsdecode(unquote_to_bytes(text.removeprefix(FILE_URI))))
    return Path(text)


def path_in_words(path: str | Path) -> str:
    """The path as people see it: bytes that are not UTF-8 become �."""
    return os.fsencode(path).decode(errors="replace")


def identify_file(path: Path, report: Callable[[int], None]) -> Source:
    """Compute the size and digest. `report` gets the size of every piece."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb", buffering=0) as file:
        while piece := file.read(READ_SIZE):
            digest.update(piece)
            size += len(piece)
            report(len(piece))
    return Source(path, size, digest.hexdigest())
