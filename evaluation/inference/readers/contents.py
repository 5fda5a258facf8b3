"""The profiles in a file: JSON lines, or a JSON list. What is broken is set aside with its reason."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BOM = b"\xef\xbb\xbf"
BLANK = b"\x00\t\r\n "
PACKED = (b"\x1f\x8b", b"PK\x03\x04", b"(\xb5/\xfd", b"BZh")  # gzip, zip, Zstandard, bzip2
NOT_JSON = "It is not valid JSON."
TOO_DEEP = "It is nested too deeply."
NOT_UTF_8 = "It is not UTF-8."
NOT_AN_OBJECT = "It is not a JSON object."
NOTHING_READ = "No line can be read. {reason} The file must have one profile per line, as a JSON object in UTF-8."

Record = dict[str, Any]


class UnreadablePredictions(Exception):
    """A file that can't be used, with a sentence that says why and what to do."""


class RecordRefused(Exception):
    """A part of a file that can't be used, with a reason that doesn't quote it."""


@dataclass(slots=True)
class Contents:
    """Records and defects, each with the number of its line, or of its item in a list."""

    sha256: str
    records: list[tuple[int, Record]] = field(default_factory=list)
    defects: list[tuple[int, str]] = field(default_factory=list)


def read_contents(path: Path) -> Contents:
    """Raises UnreadablePredictions if the file can't be opened, or has no record."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadablePredictions(f"It can't be opened: {error.strerror}. Check its name and permissions.") from None
    text = data.removeprefix(BOM)
    if not text.strip(BLANK):
        raise UnreadablePredictions("The file is empty. Export it again.")
    if text.startswith(PACKED):
        raise UnreadablePredictions("The file is compressed. Decompress it first.")
    contents = Contents(hashlib.sha256(data).hexdigest())
    for number, part in _parts(text):
        try:
            contents.records.append((number, _as_object(part if not isinstance(part, bytes) else _parse(part))))
        except RecordRefused as refused:
            contents.defects.append((number, str(refused)))
    if not contents.records:
        raise UnreadablePredictions(NOTHING_READ.format(reason=contents.defects[0][1] if contents.defects else ""))
    return contents


def _parts(text: bytes) -> Iterator[tuple[int, Any]]:
    """The items of a list as they are, or else lines as bytes."""
    stripped = text.strip(BLANK)
    if stripped.startswith(b"["):
        try:
            yield from enumerate(_parse(stripped), 1)
            return
        except RecordRefused:
            pass  # perhaps lines of lists, or a list that breaks off
    for number, line in enumerate(text.split(b"\n"), 1):
        if content := line.strip(BLANK):
            yield number, content


def _parse(text: bytes) -> Any:
    try:
        return json.loads(text.decode())
    except UnicodeDecodeError:
        raise RecordRefused(NOT_UTF_8) from None
    except RecursionError:
        raise RecordRefused(TOO_DEEP) from None
    except ValueError:
        raise RecordRefused(NOT_JSON) from None


def _as_object(value: object) -> Record:
    if not isinstance(value, dict):
        raise RecordRefused(NOT_AN_OBJECT)
    return value
