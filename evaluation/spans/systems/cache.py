"""Detections that were made before: a file per recipe, a line per text, named by the text's hash.

The file holds positions, labels and scores, but no texts. A line is there whole or not at all: what a killed run left
unfinished is cut off when the file is opened again.
"""

import fcntl
import hashlib
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from profiles.spans import EntitySpan

UNUSABLE = "The cache {path} can't be used: {reason}. Choose another folder with --cache, or use --no-cache."


class CacheUnusable(Exception):
    """The cache can't be read or written. The message says what to do."""


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class DetectionCache:
    """The detections of one recipe. While another run with the same recipe writes the file, this one only reads it."""

    def __init__(self, folder: Path, recipe: str) -> None:
        self.path = folder / f"{recipe}.jsonl"
        self._spans: dict[str, tuple[EntitySpan, ...]] = {}

    def __enter__(self) -> Self:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = open(self.path, "a+b", buffering=0, opener=_open_private)
            self._is_writer = self._lock()
            self._load()
        except OSError as error:
            raise self._unusable(error) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def _lock(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _load(self) -> None:
        self._file.seek(0)
        lines = self._file.read()
        whole = lines.rfind(b"\n") + 1
        if self._is_writer:
            self._file.truncate(whole)
        for line in lines[:whole].splitlines():
            self._load_line(line)

    def _load_line(self, line: bytes) -> None:
        """Skip what isn't ours: it is detected again."""
        try:
            entry: Any = json.loads(line)
            self._spans[entry["text"]] = tuple(EntitySpan(*span) for span in entry["spans"])
        except (ValueError, KeyError, TypeError):
            return

    def get(self, key: str) -> tuple[EntitySpan, ...] | None:
        return self._spans.get(key)

    def add(self, key: str, spans: tuple[EntitySpan, ...]) -> None:
        """Keep the detections at once. Raises CacheUnusable, and leaves no half line."""
        self._spans[key] = spans
        if self._is_writer:
            fields = [(span.start, span.end, span.entity_type, span.score) for span in spans]
            self._append(json.dumps({"text": key, "spans": fields}, separators=(",", ":")).encode() + b"\n")

    def _append(self, line: bytes) -> None:
        size = self._file.seek(0, os.SEEK_END)
        try:
            written = self._file.write(line)
        except OSError as error:
            raise self._unusable(error) from error
        if written != len(line):  # the disk is full
            self._file.truncate(size)
            raise CacheUnusable(UNUSABLE.format(path=self.path, reason="there is no room on the disk"))

    def _unusable(self, error: OSError) -> CacheUnusable:
        return CacheUnusable(UNUSABLE.format(path=self.path, reason=error.strerror or "unknown problem"))


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
