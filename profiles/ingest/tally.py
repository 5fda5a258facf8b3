"""The progress of an ingest's files, even when several are read at once."""

from collections.abc import Iterable

from profiles.ingest.line_filter import FilterResult
from profiles.ingest.progress import Progress
from profiles.models import DumpFile, Ingest


class Tally:
    """Counts bytes, lines and kept comments of each file, and shows their sums in the ingest's row."""

    def __init__(self, progress: Progress, files: Iterable[DumpFile]) -> None:
        sizes = {file.pk: file.size for file in files}
        self._progress = progress
        self._counts = dict.fromkeys(sizes, (0, 0, 0))
        self._names: dict[int, str] = {}  # of the files being read
        progress.begin(Ingest.Stage.READING, sum(sizes.values()))

    def begin(self, file: DumpFile) -> None:
        self._names[file.pk] = file.name
        self._show()

    def update(self, file: DumpFile, result: FilterResult) -> None:
        self._counts[file.pk] = (result.position, result.lines, result.kept)
        self._show()

    def end(self, file: DumpFile) -> None:
        self._names.pop(file.pk, None)
        self._counts[file.pk] = (file.size, file.lines, file.kept)
        self._show()

    def _show(self) -> None:
        done, lines, kept = (sum(column) for column in zip(*self._counts.values(), strict=True))
        names = list(self._names.values())
        more = f" and {len(names) - 1} more" if names[1:] else ""
        self._progress.set(done=done, lines=lines, kept=kept, file=f"{names[0]}{more}"[:255] if names else "")
