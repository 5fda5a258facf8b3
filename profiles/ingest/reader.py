"""Read the files of a corpus into shards. A file that is not read to the end is read again from the start.

Files are usually read one after the other, since one file keeps every core busy. Where unpacking takes far longer than
filtering, several are read at once.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import groupby
from pathlib import Path

import duckdb

from profiles.ingest.archives import detect_format
from profiles.ingest.chunks import UnpackerDied
from profiles.ingest.engine import SPILL, connect, cores
from profiles.ingest.file_status import record_failure, record_result
from profiles.ingest.line_filter import FilterResult, filter_lines
from profiles.ingest.line_rules import LinesLost
from profiles.ingest.options import Options
from profiles.ingest.parquet_filter import UnreadableParquet, filter_parquet
from profiles.ingest.progress import Progress
from profiles.ingest.tally import Tally
from profiles.ingest.work_folder import WorkFolder
from profiles.models import DumpFile

MAX_PARALLEL_FILES = {"bz2": 4}  # unpacking takes most of the time; each file needs its own memory
UNPACKER_DIED = "The file could not be unpacked: {error}. Make sure that 3 GB of memory are free, then run it again."
LINES_LOST = "The file could not be read reliably: {error}. Nothing was kept. Please report this with the file's name."

Files = Sequence[tuple[DumpFile, Path]]


class Stopped(Exception):
    """Another file has failed, or somebody pressed Ctrl-C."""


class Reader:
    """Reads files into shards, and records the result of each."""

    def __init__(self, work: WorkFolder, options: Options, progress: Progress) -> None:
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
        for kind, alike in groupby(left, lambda pair: detect_format(pair[1])):
            self._read(list(alike), min(MAX_PARALLEL_FILES.get(kind, 1), cores()))

    def _read(self, files: Files, at_once: int) -> None:
        """Filter files in threads. This thread records the results: the others have no connection to Postgres."""
        with ThreadPoolExecutor(at_once) as pool:
            try:
                reading = {pool.submit(self._filter, file, path, at_once): file for file, path in files}
                for done in as_completed(reading):
                    self._note(reading[done], *done.result())
            except BaseException:
                self._is_stopped = True
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _filter(self, file: DumpFile, path: Path, at_once: int) -> tuple[FilterResult | str, float]:
        """Return the result, or the reason for the failure, and the seconds it took."""
        began = time.monotonic()
        self._tally.begin(file)
        with connect(self._work.folder, spill=f"{SPILL}-{file.digest}") as connection:
            return self._filtered(connection, file, path, at_once), time.monotonic() - began

    def _filtered(
        self, connection: duckdb.DuckDBPyConnection, file: DumpFile, path: Path, at_once: int
    ) -> FilterResult | str:
        def report(result: FilterResult) -> None:
            self._tally.update(file, result)
            if self._is_stopped:
                raise Stopped

        shard = self._work.shard(file)
        try:
            if detect_format(path) == "parquet":
                return filter_parquet(connection, path, self._options, shard, report)
            return filter_lines(connection, path, self._options, shard, report, threads=cores() // at_once)
        except UnreadableParquet as error:
            return str(error)
        except LinesLost as error:
            return LINES_LOST.format(error=error)
        except UnpackerDied as error:
            return UNPACKER_DIED.format(error=error)

    def _note(self, file: DumpFile, result: FilterResult | str, seconds: float) -> None:
        if isinstance(result, str):
            record_failure(file, result)
        else:
            record_result(file, result, seconds)
        self._tally.end(file)
