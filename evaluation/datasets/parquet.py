"""Write Parquet files, one per split, from a native export. Memory holds one group of rows per split."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from evaluation.datasets.rows import SPLITS, build_row, schema_of, split_of

GROUP_SIZE = 200  # profiles in memory, and in a row group of the file

Counts = dict[str, Counter[str]]  # by split: profiles, comments, and labels by "attribute status"


def write_splits(native: Path, folder: Path, *, with_prompted: bool = False) -> Counts:
    """Splits without profiles get no file."""
    counts: Counts = {}
    with ExitStack() as files:
        writers = _Writers(folder, files, schema_of(with_prompted=with_prompted))
        for row in _rows(native):
            split = split_of(row["profile"])
            counts.setdefault(split, Counter()).update(_counts(row))
            writers.add(split, row)
        writers.flush()
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


class _Writers:
    def __init__(self, folder: Path, files: ExitStack, schema: pa.Schema) -> None:
        self._folder, self._files, self._schema = folder, files, schema
        self._open: dict[str, pq.ParquetWriter] = {}
        self._waiting: dict[str, list[dict[str, Any]]] = {}

    def add(self, split: str, row: dict[str, Any]) -> None:
        waiting = self._waiting.setdefault(split, [])
        waiting.append(row)
        if len(waiting) == GROUP_SIZE:
            self._write(split)

    def flush(self) -> None:
        for split in list(self._waiting):
            self._write(split)

    def _write(self, split: str) -> None:
        rows = self._waiting.pop(split)
        if split not in self._open:
            path = self._folder / f"{split}.parquet"
            self._open[split] = self._files.enter_context(pq.ParquetWriter(path, self._schema, compression="zstd"))
        self._open[split].write_table(pa.Table.from_pylist(rows, self._schema))
