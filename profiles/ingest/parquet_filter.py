"""A Parquet file filtered by the same rules. Its columns may have other types than text."""

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from profiles.ingest.line_filter import Filtered, take
from profiles.ingest.line_rules import Judge
from profiles.ingest.options import Options
from profiles.ingest.repair import NotAComment, as_comment
from profiles.ingest.rules import RAW
from profiles.ingest.shards import ShardWriter

ROWS_AT_ONCE = 100_000


class Unreadable(Exception):
    """The message says what is wrong with the file."""


def filter_parquet(
    connection: duckdb.DuckDBPyConnection, path: Path, options: Options, shard: Path, tell: Callable[[Filtered], None]
) -> Filtered:
    result, judge, size = Filtered(), Judge(connection, options), path.stat().st_size
    with ShardWriter(shard) as writer:
        for rows, share in _batches(path):
            _take_rows(judge, rows, writer, result)
            result.position = int(size * share)
            tell(result)
    return result


def _batches(path: Path) -> Iterator[tuple[pa.Table, float]]:
    """Rows as text, and how much of the file was read with them."""
    seen = 0
    try:
        with pq.ParquetFile(path) as file:
            _refuse_others(file)
            for batch in file.iter_batches(ROWS_AT_ONCE, columns=list(RAW)):
                seen += batch.num_rows
                table = pa.Table.from_batches([batch])
                yield pa.table({name: _as_text(table[name]) for name in RAW}), seen / file.metadata.num_rows
    except (pa.ArrowException, OSError) as error:
        raise Unreadable("It is not a whole Parquet file. Fetch it again.") from error


def _refuse_others(file: pq.ParquetFile) -> None:
    missing = [name for name in RAW if name not in file.schema_arrow.names]
    if missing:
        raise Unreadable(f"It has no column {missing[0]}, so it holds no comments.")


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_timestamp(column.type):
        column = pc.cast(pc.cast(column, pa.timestamp("s", tz=column.type.tz), safe=False), pa.int64())
    try:
        text = pc.cast(column, pa.string())
        text.validate(full=True)  # Parquet does not look whether a text is UTF-8
    except pa.ArrowInvalid:
        found = pc.cast(column, pa.binary()).to_pylist()
        text = pa.chunked_array([[None if one is None else one.decode(errors="replace") for one in found]], pa.string())
    return text


def _take_rows(judge: Judge, rows: pa.Table, writer: ShardWriter, result: Filtered) -> None:
    for row in take(judge.rows(rows), writer, result):
        result.put_aside(result.lines + row, _reason(rows.slice(row, 1).to_pylist()[0]))
    result.lines += rows.num_rows


def _reason(row: dict[str, str | None]) -> str:
    try:
        as_comment(row)
    except NotAComment as reason:
        return str(reason)
    return "not readable"
