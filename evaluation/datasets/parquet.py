"""Write Parquet files, one per split, from a native export."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import duckdb

from evaluation.datasets.rows import SPLITS, build_row, columns_of, split_of

MEMORY = "512MB"
WRITE_SQL = (
    "COPY (FROM read_json(?, format='newline_delimited', columns={columns}, maximum_object_size={longest})) "
    "TO '{file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048)"
)

Counts = dict[str, Counter[str]]  # by split: profiles, comments, and labels by "attribute status"


def write_splits(native: Path, folder: Path, *, with_prompted: bool = False) -> Counts:
    """Splits without profiles get no file."""
    counts: Counts = {}
    with ExitStack() as files:
        lines = _SplitLines(folder, files)
        for row in _rows(native):
            split = split_of(row["profile"])
            counts.setdefault(split, Counter()).update(_counts(row))
            lines.add(split, row)
    for split in counts:
        _convert(folder / f"{split}.jsonl", lines.longest, columns_of(with_prompted=with_prompted))
    return {split: counts[split] for split in SPLITS if split in counts}


def _rows(native: Path) -> Iterator[dict[str, Any]]:
    with native.open(encoding="utf-8") as lines:
        for line in lines:
            row = build_row(json.loads(line))
            if row["labels"]:
                yield row


def _counts(row: dict[str, Any]) -> Counter[str]:
    labels = Counter(f"{label['attribute']} {label['status']}" for label in row["labels"])
    return labels + Counter(profiles=1, comments=len(row["comments"]))


class _SplitLines:
    """One file of JSON lines per split."""

    def __init__(self, folder: Path, files: ExitStack) -> None:
        self._folder, self._files = folder, files
        self._open: dict[str, IO[bytes]] = {}
        self.longest = 1

    def add(self, split: str, row: dict[str, Any]) -> None:
        if split not in self._open:
            self._open[split] = self._files.enter_context((self._folder / f"{split}.jsonl").open("wb"))
        line = json.dumps(row, ensure_ascii=False, default=datetime.isoformat).encode() + b"\n"
        self.longest = max(self.longest, len(line))
        self._open[split].write(line)


def _convert(lines: Path, longest: int, columns: dict[str, str]) -> None:
    """Replace a file of lines by a Parquet file with these columns."""
    query = WRITE_SQL.format(columns=columns, longest=longest, file=_quoted(lines.with_suffix(".parquet")))
    with duckdb.connect(config={"memory_limit": MEMORY, "threads": 1}) as connection:
        connection.execute(query, [str(lines)])
    lines.unlink()


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
