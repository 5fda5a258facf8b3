"""The files of a corpus, each to its shard. A file is a unit: read whole, or again.

Mostly one after the other, since one file keeps every core busy. Where unpacking takes far longer than judging,
several are read at once.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import groupby
from pathlib import Path

import duckdb

from profiles.ingest.archives import kind_of
from profiles.ingest.chunks import UnpackerDied
from profiles.ingest.engine import SPILL, connect, cores
from profiles.ingest.file_status import note, note_failure
from profiles.ingest.line_filter import Filtered, filter_lines
from profiles.ingest.options import Options
from profiles.ingest.parquet_filter import Unreadable, filter_parquet
from profiles.ingest.progress import Progress
from profiles.ingest.tally import Tally
from profiles.ingest.work_folder import Workplace
from profiles.models import DumpFile

MOST_AT_ONCE = {"bz2": 4}  # whose unpacking takes most of the time; each takes memory of its own
DIED = "It could not be unpacked: {error}. Is there room for 2 GB in {folder}? Then run the same again."

Files = Sequence[tuple[DumpFile, Path]]


class Stopped(Exception):
    """Everything is to end: another file has failed, or somebody pressed Ctrl-C."""


class Reader:
    """Reads files into shards, and writes down what came of each."""

    def __init__(self, work: Workplace, options: Options, progress: Progress) -> None:
        self._work = work
        self._options = options
        self._progress = progress
        self._is_stopped = False

    def read(self, files: Files) -> None:
        self._tally = Tally(self._progress, [file for file, _ in files])
        left = []
        for file, path in files:
            if file.state == DumpFile.State.READ and self._work.shard(file).exists():
                self._tally.end(file)
            else:
                left.append((file, path))
        for kind, alike in groupby(left, lambda pair: kind_of(pair[1])):
            self._read(list(alike), min(MOST_AT_ONCE.get(kind, 1), cores()))

    def _read(self, files: Files, at_once: int) -> None:
        """What came of a file is written down by this thread: the others have no connection to Postgres."""
        with ThreadPoolExecutor(at_once) as pool:
            try:
                reading = {pool.submit(self._filter, file, path, at_once): file for file, path in files}
                for done in as_completed(reading):
                    self._note(reading[done], *done.result())
            except BaseException:
                self._is_stopped = True
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _filter(self, file: DumpFile, path: Path, at_once: int) -> tuple[Filtered | str, float]:
        """What came of it, or why nothing did; and how long it took."""
        began = time.monotonic()
        self._tally.begin(file)
        with connect(self._work.folder, self._options, spill=f"{SPILL}-{file.digest}") as connection:
            return self._filtered(connection, file, path, at_once), time.monotonic() - began

    def _filtered(
        self, connection: duckdb.DuckDBPyConnection, file: DumpFile, path: Path, at_once: int
    ) -> Filtered | str:
        def tell(result: Filtered) -> None:
            self._tally.go_on(file, result)
            if self._is_stopped:
                raise Stopped

        shard = self._work.shard(file)
        try:
            if kind_of(path) == "parquet":
                return filter_parquet(connection, path, self._options, shard, tell)
            return filter_lines(connection, path, self._options, shard, tell, judges=cores() // at_once)
        except Unreadable as error:
            return str(error)
        except UnpackerDied as error:
            return DIED.format(error=error, folder=shard.parent)

    def _note(self, file: DumpFile, result: Filtered | str, seconds: float) -> None:
        if isinstance(result, str):
            note_failure(file, result)
        else:
            note(file, result, seconds)
        self._tally.end(file)
