"""Filter a Parquet file by the same rules. Its columns may have types other than text."""

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from profiles.ingest.columns import RAW_COLUMNS
from profiles.ingest.line_filter import FilterResult, collect
from profiles.ingest.line_rules import LineRules
from profiles.ingest.options import Options
from profiles.ingest.repair import NotAComment, extract_fields
from profiles.ingest.shards import ShardWriter

ROWS_AT_ONCE = 100_000
TEXT_TYPES = (
    pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_binary,
    pa.types.is_large_binary, pa.types.is_binary_view, pa.types.is_fixed_size_binary, pa.types.is_integer,
    pa.types.is_floating, pa.types.is_decimal, pa.types.is_null,
)  # fmt: skip
DATE_TYPES = (pa.types.is_timestamp, pa.types.is_date)
NOT_WHOLE = "The Parquet file is incomplete. Download it again."
MISSING_COLUMN = "The file has no column {name}, so it contains no comments."
NOT_A_TEXT_COLUMN = "The column {name} is of type {kind}, not text, so the file contains no comments."
NOT_SUPPORTED = "This kind of Parquet file can’t be read: {reason}"


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
        with path.open("rb") as content, pq.ParquetFile(content) as file:  # Arrow takes only names in UTF-8
            _check_columns(file)
            for batch in file.iter_batches(ROWS_AT_ONCE, columns=list(RAW_COLUMNS)):
                rows_read += batch.num_rows
                table = pa.Table.from_batches([batch])
                yield (
                    pa.table({name: _as_text(table[name]) for name in RAW_COLUMNS}),
                    rows_read / file.metadata.num_rows,
                )
    except pa.ArrowNotImplementedError as error:
        raise UnreadableParquet(NOT_SUPPORTED.format(reason=str(error).partition("\n")[0])) from error
    except (pa.ArrowException, OSError) as error:
        raise UnreadableParquet(NOT_WHOLE) from error


def _check_columns(file: pq.ParquetFile) -> None:
    missing = [name for name in RAW_COLUMNS if name not in file.schema_arrow.names]
    if missing:
        raise UnreadableParquet(MISSING_COLUMN.format(name=missing[0]))
    for name in RAW_COLUMNS:
        kind = file.schema_arrow.field(name).type
        if not _can_be_text(kind, is_date=name == "created_utc"):
            raise UnreadableParquet(NOT_A_TEXT_COLUMN.format(name=name, kind=kind))


def _can_be_text(kind: pa.DataType, *, is_date: bool) -> bool:
    """Text and numbers, and dates where one is expected. Not booleans, lists and structures."""
    if pa.types.is_dictionary(kind):
        return _can_be_text(kind.value_type, is_date=is_date)
    return any(is_so(kind) for is_so in (*TEXT_TYPES, *(DATE_TYPES if is_date else ())))


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_date(column.type):
        column = pc.cast(column, pa.timestamp("s"))
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
