"""Several dumps packed with bzip2: reading them at once compared with one after the other, in one run.

.venv/bin/python -m annotator.embedded.throwaway .venv/bin/python -m tests.benchmarks.ingest_bz2 --check

Takes two minutes and 100 MB of disk.
"""

import bz2
import os
import tempfile
import time
from pathlib import Path

from tests.benchmarks import dump
from tests.benchmarks.ingest import whole_way
from tests.benchmarks.memory import peak_of
from tests.benchmarks.table import Bar, Row, best_of, report, set_up

FILES, LINES = 4, 100_000


def main() -> None:
    set_up()
    with tempfile.TemporaryDirectory() as folder:
        measure([_dump(Path(folder), number) for number in range(FILES)])


def measure(paths: list[Path]) -> None:
    from profiles.hints.store import load_hints
    from profiles.ingest import reader

    load_hints()
    usual = reader.MAX_PARALLEL_FILES
    times: dict[str, list[float]] = {"after": [], "at once": []}
    for _ in range(3):
        for way, at_once in (("after", {}), ("at once", usual)):
            reader.MAX_PARALLEL_FILES = at_once
            times[way].append(best_of(1, lambda: whole_way(*paths)))
    best, lines = {way: min(taken) for way, taken in times.items()}, FILES * LINES
    megabytes, seconds = peak_of(["bin/manage", "ingest_dumps", *map(str, paths), "--corpus", f"memory {time.time()}"])
    report(
        f"{FILES} dumps packed with bzip2",
        [
            Row("one after the other", best["after"], lines),
            Row("several at once", best["at once"], lines),
            Row(f"the command: {megabytes:,.0f} MB at most", seconds, lines),
        ],
        [
            Bar("at once against one after the other", best["after"] / best["at once"], at_least=1.5),
            Bar("memory of the command, GB", megabytes / 1000, at_most=1),
        ],
    )


def _dump(folder: Path, number: int) -> Path:
    path = folder / f"RC_{number}.bz2"
    blocks = range(number * LINES // dump.BLOCK, (number + 1) * LINES // dump.BLOCK)
    path.write_bytes(bz2.compress("".join("".join(dump.lines(FILES * LINES, block)) for block in blocks).encode()))
    return path


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.config.settings")
    main()
