"""Filter a Parquet file by the same rules. Its columns may have types other than text."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb

from profiles.ingest.columns import RAW_COLUMNS
from profiles.ingest.engine import LINE, quoted
from profiles.ingest.line_filter import FilterResult, collect
from profiles.ingest.line_rules import LineRules
from profiles.ingest.options import Options
from profiles.ingest.repair import NotAComment, extract_fields
from profiles.ingest.shards import ShardWriter

ROWS_AT_ONCE = 100_000
ROWS = "rows_of_file"
# Where a column is not valid UTF-8, DuckDB puts a question mark for each byte.
FILE_SQL = "read_parquet({file}, binary_as_string=true, utf8_validation='replace', file_row_number=true)"
ROWS_SQL = (
    f"CREATE OR REPLACE TABLE {ROWS} AS SELECT {{columns}}, file_row_number - {{start}} AS {LINE} "
    "FROM {file} WHERE file_row_number >= {start} AND file_row_number < {end}"
)
# Types as DuckDB names them. Columns without values are of type "NULL".
TEXT_TYPES = {
    "VARCHAR", '"NULL"', "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
    "UBIGINT", "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL",
}  # fmt: skip
DATE_TYPES = {"TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE", "DATE"}
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
    with ShardWriter(connection, shard) as writer:
        for rows, share in _batches(connection, path):
            _collect_rows(connection, rules, rows, writer, result)
            result.position = int(size * share)
            report(result)
    return result


def _batches(connection: duckdb.DuckDBPyConnection, path: Path) -> Iterator[tuple[int, float]]:
    """Bring some rows into the table ROWS. Yield how many, and the share of the file read so far."""
    with path.open("rb") as content:
        # DuckDB takes only names in UTF-8.
        file = FILE_SQL.format(file=quoted(f"/proc/self/fd/{content.fileno()}"))
        columns, total = _readable(connection, f"DESCRIBE FROM {file}", f"SELECT count(*) FROM {file}")
        kinds = {name: kind for name, kind, *_ in columns}
        _check_columns(kinds)
        texts = ", ".join(f"{_as_text(name, kinds[name])} AS {name}" for name in RAW_COLUMNS)
        rows = total[0][0]
        for start in range(0, rows, ROWS_AT_ONCE):
            end = min(start + ROWS_AT_ONCE, rows)
            _readable(connection, ROWS_SQL.format(columns=texts, file=file, start=start, end=end))
            yield end - start, end / rows


def _readable(connection: duckdb.DuckDBPyConnection, *queries: str) -> list[list[tuple[Any, ...]]]:
    """The results, or UnreadableParquet."""
    try:
        return [connection.execute(query).fetchall() for query in queries]
    except (duckdb.NotImplementedException, duckdb.BinderException) as error:
        raise UnreadableParquet(NOT_SUPPORTED.format(reason=str(error).partition("\n")[0])) from error
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error as error:
        raise UnreadableParquet(NOT_WHOLE) from error


def _check_columns(kinds: dict[str, str]) -> None:
    missing = [name for name in RAW_COLUMNS if name not in kinds]
    if missing:
        raise UnreadableParquet(MISSING_COLUMN.format(name=missing[0]))
    for name in RAW_COLUMNS:
        if not _can_be_text(kinds[name], is_date=name == "created_utc"):
            raise UnreadableParquet(NOT_A_TEXT_COLUMN.format(name=name, kind=kinds[name]))


def _can_be_text(kind: str, *, is_date: bool) -> bool:
    """Text and numbers, and dates where one is expected. Not booleans, lists and structures."""
    plain = kind if kind.endswith("]") else kind.partition("(")[0]
    return plain in TEXT_TYPES or (is_date and plain in DATE_TYPES)


def _as_text(name: str, kind: str) -> str:
    value = f"CAST(floor(epoch({name})) AS BIGINT)" if kind in DATE_TYPES else name
    return f"CAST({value} AS VARCHAR)"


def _collect_rows(
    connection: duckdb.DuckDBPyConnection, rules: LineRules, rows: int, writer: ShardWriter, result: FilterResult
) -> None:
    odd = collect(rules.apply_to_table(ROWS, rows), writer, result)
    for row, fields in zip(odd, _rows(connection, odd), strict=True):
        result.set_aside_line(result.lines + row, _reason(fields))
    result.lines += rows


def _rows(connection: duckdb.DuckDBPyConnection, numbers: list[int]) -> list[dict[str, str | None]]:
    names = ", ".join(RAW_COLUMNS)
    query = f"SELECT {names} FROM {ROWS} WHERE {LINE} IN (SELECT unnest(?::BIGINT[])) ORDER BY {LINE}"
    rows = connection.execute(query, [numbers]).fetchall() if numbers else []
    return [dict(zip(RAW_COLUMNS, row, strict=True)) for row in rows]


def _reason(row: dict[str, str | None]) -> str:
    try:
        extract_fields(row)
    except NotAComment as reason:
        return str(reason)
    return "not readable"
