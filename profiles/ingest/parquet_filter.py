"""Filter a Parquet file by the same rules. Its columns may have other types than text."""

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from profiles.ingest.line_filter import FilterResult, collect
from profiles.ingest.line_rules import LineRules
from profiles.ingest.options import Options
from profiles.ingest.repair import NotAComment, extract_fields
from profiles.ingest.rules import RAW_COLUMNS
from profiles.ingest.shards import ShardWriter

ROWS_AT_ONCE = 100_000
NOT_WHOLE = "It is not a whole Parquet file. Fetch it again."
MISSING_COLUMN = "It has no column {name}, so it holds no comments."


class UnreadableParquet(Exception):
    """The message says what is wrong with the file."""


def filter_parquet(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    options: Options,
    shard: Path,
    report: Callable[[FilterResult], None],
) -> FilterResult:
    result, rules, size = FilterResult(), LineRules(connection, options), path.stat().st_size
    with ShardWriter(shard) as writer:
        for rows, share in _batches(path):
            _collect_rows(rules, rows, writer, result)
            result.position = int(size * share)
            report(result)
    return result


def _batches(path: Path) -> Iterator[tuple[pa.Table, float]]:
    """Yield rows as text, and the share of the file read so far."""
    rows_read = 0
    try:
        with pq.ParquetFile(path) as file:
            _check_columns(file)
            for batch in file.iter_batches(ROWS_AT_ONCE, columns=list(RAW_COLUMNS)):
                rows_read += batch.num_rows
                table = pa.Table.from_batches([batch])
                yield (
                    pa.table({name: _as_text(table[name]) for name in RAW_COLUMNS}),
                    rows_read / file.metadata.num_rows,
                )
    except (pa.ArrowException, OSError) as error:
        raise UnreadableParquet(NOT_WHOLE) from error


def _check_columns(file: pq.ParquetFile) -> None:
    missing = [name for name in RAW_COLUMNS if name not in file.schema_arrow.names]
    if missing:
        raise UnreadableParquet(MISSING_COLUMN.format(name=missing[0]))


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_timestamp(column.type):
        column = pc.cast(pc.cast(column, pa.timestamp("s", tz=column.type.tz), safe=False), pa.int64())
    try:
        text = pc.cast(column, pa.string())
        text.validate(full=True)  # Parquet does not check that text is UTF-8
    except pa.ArrowInvalid:
        values = pc.cast(column, pa.binary()).to_pylist()
        text = pa.chunked_array(
            [[None if value is None else value.decode(errors="replace") for value in values]], pa.string()
        )
    return text


def _collect_rows(rules: LineRules, rows: pa.Table, writer: ShardWriter, result: FilterResult) -> None:
    for row in collect(rules.apply_to_rows(rows), writer, result):
        result.set_aside_line(result.lines + row, _reason(rows.slice(row, 1).to_pylist()[0]))
    result.lines += rows.num_rows


def _reason(row: dict[str, str | None]) -> str:
    try:
        extract_fields(row)
    except NotAComment as reason:
        return str(reason)
    return "not readable"
