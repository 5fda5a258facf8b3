"""Comments that passed the filter: one Parquet file per dump, in the work folder of the corpus."""

from pathlib import Path
from types import TracebackType

import pyarrow as pa
import pyarrow.parquet as pq

from profiles.ingest.columns import KEPT_COLUMNS

SCHEMA = pa.schema([(name, pa.string() if kind == "string" else pa.int64()) for name, kind in KEPT_COLUMNS.items()])
ROWS_A_GROUP = 50_000
BYTES_A_GROUP = 32 << 20  # long comments are many bytes in few rows, and row groups are read whole


class ShardWriter:
    """Writes a shard, which gets its name once it is complete, and is removed on an error."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_suffix(".part")
        self._waiting: list[pa.Table] = []
        self._rows = self._bytes = 0

    def __enter__(self) -> "ShardWriter":
        self._writer = pq.ParquetWriter(self._part, SCHEMA, compression="zstd", compression_level=1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._flush()
        self._writer.close()
        if error is None:
            self._part.replace(self._path)
        else:
            self._part.unlink(missing_ok=True)

    def add(self, comments: pa.StructArray) -> None:
        if len(comments):
            self._waiting.append(pa.table(comments.flatten(), names=SCHEMA.names).cast(SCHEMA))
            self._rows += len(comments)
            self._bytes += self._waiting[-1].nbytes
        if self._rows >= ROWS_A_GROUP or self._bytes >= BYTES_A_GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self._writer.write_table(pa.concat_tables(self._waiting))
        self._waiting, self._rows, self._bytes = [], 0, 0
