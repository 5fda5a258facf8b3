"""The files of a corpus, one after the other, each to its shard. A file is a unit: read whole, or again."""

import time
from collections.abc import Sequence
from pathlib import Path

import duckdb
from django.db import transaction
from django.utils import timezone

from profiles.ingest.archives import kind_of
from profiles.ingest.chunks import UnpackerDied
from profiles.ingest.engine import connect
from profiles.ingest.filtering import Filtered, filter_lines
from profiles.ingest.filtering_parquet import Unreadable, filter_parquet
from profiles.ingest.mending import CUT_OFF
from profiles.ingest.options import Options
from profiles.ingest.progress import Progress
from profiles.ingest.workplace import Workplace
from profiles.models import DumpFile, Ingest, SetAside

BROKEN = (
    "The archive is {where}. The {lines:,} lines before that were read; fetch the file again and add it: "
    "comments that are there already are not loaded twice."
)
DIED = "It could not be unpacked: {error}. Is there room for 2 GB in {folder}? Then run the same again."


class Reader:
    """Reads files into shards, and writes down what came of each."""

    def __init__(self, work: Workplace, options: Options, progress: Progress) -> None:
        self._work = work
        self._options = options
        self._progress = progress
        self._before = (0, 0, 0)  # bytes, lines and kept comments of the files that are done

    def read(self, files: Sequence[tuple[DumpFile, Path]]) -> None:
        self._progress.begin(Ingest.Stage.READING, sum(file.size for file, _ in files))
        with connect(self._work.folder, self._options) as connection:
            for file, path in files:
                self._progress.set(file=file.name)
                if file.state != DumpFile.State.READ or not self._work.shard(file).exists():
                    self._read(connection, file, path)
                done, lines, kept = self._before
                self._before = (done + file.size, lines + file.lines, kept + file.kept)
                self._show(Filtered())
        self._progress.set(file="")

    def _read(self, connection: duckdb.DuckDBPyConnection, file: DumpFile, path: Path) -> None:
        began, shard = time.monotonic(), self._work.shard(file)
        way = filter_parquet if kind_of(path) == "parquet" else filter_lines
        try:
            result = way(connection, path, self._options, shard, self._show)
        except Unreadable as error:
            _note_failure(file, str(error))
        except UnpackerDied as error:
            _note_failure(file, DIED.format(error=error, folder=shard.parent))
        else:
            file.seconds = time.monotonic() - began
            _note(file, result)

    def _show(self, result: Filtered) -> None:
        done, lines, kept = self._before
        self._progress.set(done=done + result.position, lines=lines + result.lines, kept=kept + result.kept)


def _note(file: DumpFile, result: Filtered) -> None:
    file.state, file.read_at = DumpFile.State.READ, timezone.now()
    file.lines, file.kept = result.lines, result.kept
    file.counts, file.reasons = dict(result.removed), dict(result.reasons)
    whole = result.lines - result.reasons[CUT_OFF]
    file.problem = BROKEN.format(where=result.problem, lines=whole) if result.problem else ""
    with transaction.atomic():
        file.set_aside.all().delete()
        SetAside.objects.bulk_create(SetAside(file=file, line=line, reason=why) for line, why in result.set_aside)
        file.save()


def _note_failure(file: DumpFile, problem: str) -> None:
    file.state, file.problem = DumpFile.State.FAILED, problem
    file.lines, file.kept, file.counts, file.reasons = 0, 0, {}, {}
    file.save()
