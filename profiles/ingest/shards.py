"""Comments that passed the filter: a folder of Parquet files per dump, in the work folder of the corpus."""

import shutil
from pathlib import Path
from types import TracebackType

import duckdb

from profiles.ingest.columns import KEPT_COLUMNS
from profiles.ingest.engine import create_table, quoted

ROWS_A_FILE = 50_000
BYTES_A_FILE = 32 << 20  # long comments are many bytes in few rows, and row groups are read whole
TABLE = "kept"
BYTES_SQL = f"SELECT coalesce(sum(strlen(body)), 0) FROM {TABLE}"
WRITE_SQL = f"COPY {TABLE} TO {{file}} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE 122880)"


def files_of(shard: Path) -> str:
    """The pattern of its files."""
    return str(shard / "*.parquet")


class ShardWriter:
    """Writes a shard, which gets its name once it is complete, and is removed on an error."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._part = path.with_suffix(".part")
        self._rows = self._files = 0

    def __enter__(self) -> "ShardWriter":
        self._part.mkdir()
        create_table(self._connection, TABLE, KEPT_COLUMNS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            shutil.rmtree(self._part, ignore_errors=True)
            return
        if self._rows or not self._files:
            self._flush()
        shutil.rmtree(self._path, ignore_errors=True)  # a run that was killed before it could record this shard
        self._part.replace(self._path)

    def add(self, comments: str, count: int) -> None:
        """Add as many comments from a query."""
        if count:
            self._connection.execute(f"INSERT INTO {TABLE} {comments}")
            self._rows += count
        if self._rows >= ROWS_A_FILE or self._bytes() >= BYTES_A_FILE:
            self._flush()

    def _bytes(self) -> int:
        sums: list[tuple[int]] = self._connection.execute(BYTES_SQL).fetchall()
        return sums[0][0]

    def _flush(self) -> None:
        file = self._part / f"{self._files:06}.parquet"
        self._connection.execute(WRITE_SQL.format(file=quoted(str(file))))
        self._connection.execute(f"TRUNCATE {TABLE}")
        self._rows, self._files = 0, self._files + 1
