"""What a Spark executor does with one dump: unpack it, cut it into lines, and return them as text.

Spark's own readers do not fit: Hadoop's zstd cannot look back 2 GiB, and another JSON reader takes other odd lines for
comments. So this uses the same reader and repairs as an ingest on one machine. This module does not import Spark:
executors import it by name.
"""

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from profiles.ingest.archives import Archive
from profiles.ingest.chunks import count_lines, split_lines
from profiles.ingest.columns import RAW_COLUMNS
from profiles.ingest.line_rules import check_all_judged, lines_sql
from profiles.ingest.repair import NotAComment, repair_line
from profiles.ingest.shared_buffers import SharedBuffer
from profiles.ingest.sources import path_from_text, path_in_words
from profiles.ingest.unpacker import ChunkInfo, LineCutter

NOTE = "note"  # a row with a note is not a line: it says where an archive breaks off
RAW_SCHEMA = pa.schema([(name, pa.string()) for name in RAW_COLUMNS])
SCHEMA = RAW_SCHEMA.append(pa.field(NOTE, pa.string()))
ROWS_AT_ONCE = 10_000


def read_dumps(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Turn paths into lines, in the form of Spark's mapInArrow."""
    for batch in batches:
        for path in batch.column("path").to_pylist():
            with tempfile.TemporaryDirectory() as scratch:
                for table in _read(path_from_text(path), Path(scratch)):
                    yield from table.to_batches(ROWS_AT_ONCE)


def _read(path: Path, scratch: Path) -> Iterator[pa.Table]:
    connection, buffer, cutter = _connect(scratch), SharedBuffer(0), LineCutter(Archive(path), count_lines)
    while not cutter.is_over:
        info = cutter.fill(buffer)
        yield _lines(connection, buffer, info)
        if info.problem:
            yield _table([{NOTE: f"{path_in_words(path)}: {info.problem}"}])
    buffer.close()


def _connect(scratch: Path) -> duckdb.DuckDBPyConnection:
    """Connect without a file cache, because buffers are reused."""
    return duckdb.connect(config={
        "threads": 1, "memory_limit": "512MB", "temp_directory": str(scratch),
        "autoinstall_known_extensions": False, "enable_external_file_cache": False,
    })  # fmt: skip


def _lines(connection: duckdb.DuckDBPyConnection, buffer: SharedBuffer, info: ChunkInfo) -> pa.Table:
    """One row for each line that is not blank. If it is not a comment, the row is empty, and the rules set it aside."""
    quick = connection.sql(lines_sql(buffer)).to_arrow_table().cast(RAW_SCHEMA)
    check_all_judged(quick.num_rows, buffer, info)
    odd = _is_odd(quick)
    others: list[dict[str, str]] = [{}] * len(info.too_long)
    if pc.any(odd).as_py():
        others += _repair_odd(split_lines(buffer.view[: info.size]), odd.to_pylist())
    return pa.concat_tables([quick.filter(pc.invert(odd)), _table(others)], promote_options="default")


def _is_odd(rows: pa.Table) -> pa.ChunkedArray:
    """Whether the rules would set a row aside at once."""
    odd = pc.or_(pc.equal(rows["author"], ""), pc.equal(rows["subreddit"], "")).fill_null(True)
    for name in ("body", "created_utc", "id"):
        odd = pc.or_(odd, pc.is_null(rows[name]))
    return odd


def _repair_odd(lines: Iterable[bytes], odd: list[bool]) -> list[dict[str, str]]:
    """Repair the odd rows. Rows are the lines that are not blank, in order."""
    filled = (line for line in lines if line.strip())
    return [_repair_or_empty(line) for line, is_odd in zip(filled, odd, strict=True) if is_odd]


def _repair_or_empty(line: bytes) -> dict[str, str]:
    try:
        return repair_line(line)
    except NotAComment:
        return {}


def _table(rows: list[dict[str, str]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=SCHEMA)
