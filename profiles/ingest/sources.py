"""Which files are meant by paths, folders and patterns, and which of them a corpus knows already."""

import glob
import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ENDINGS = (".zst", ".bz2", ".xz", ".gz", ".ndjson", ".jsonl", ".json", ".parquet")
AT_ONCE = 8 << 20


class NoSuchFile(Exception):
    """The message says which."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, known by what is in it."""

    path: Path
    size: int
    digest: str


def find_files(paths: Iterable[Path]) -> list[Path]:
    """Files as they are, folders with the dumps in them, patterns with what they match; each file once."""
    found: dict[Path, None] = {}
    for path in paths:
        matches = sorted(_matches(path))
        if not matches:
            raise NoSuchFile(f"There is no dump at {path}.")
        found |= dict.fromkeys(match.resolve() for match in matches)
    return list(found)


def _matches(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (file for file in path.rglob("*") if file.is_file() and is_dump(file.name))
    elif path.is_file():
        yield path
    else:
        yield from (Path(match) for match in glob.glob(str(path), recursive=True) if Path(match).is_file())


def is_dump(name: str) -> bool:
    """Submissions (RS_…) lie in the same folders and are no comments."""
    is_named_so = name.lower().endswith(ENDINGS) or (name.startswith("RC_") and "." not in name)
    return is_named_so and not name.startswith("RS_")


def look_at(path: Path, tell: Callable[[int], None]) -> Source:
    """Its size and digest. `tell` hears of every piece."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb", buffering=0) as file:
        while piece := file.read(AT_ONCE):
            digest.update(piece)
            size += len(piece)
            tell(len(piece))
    return Source(path, size, digest.hexdigest())
