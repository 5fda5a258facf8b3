"""What an executor of Spark does with one dump: unpack it, cut it into lines, and hand them on as text.

Spark's own readers are not used for this. Hadoop's zstd cannot look back 2 GiB, and a JSON reader of another make takes
other odd lines for comments. So each line is read here by the reader that one machine uses, and mended as there.
No Spark is imported: executors get this file by its name.
"""

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from profiles.ingest.archives import Archive
from profiles.ingest.engine import quoted
from profiles.ingest.line_rules import COLUMNS, RAW_SCHEMA, READ
from profiles.ingest.lines import count_lines, split_lines
from profiles.ingest.repair import NotAComment, mend
from profiles.ingest.shared_buffers import Slot
from profiles.ingest.unpacker import Cutter, Filled

NOTE = "note"  # a row that has one is no line: it says where an archive breaks off
SCHEMA = RAW_SCHEMA.append(pa.field(NOTE, pa.string()))
ROWS_AT_ONCE = 10_000


def read_dumps(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Paths in, lines out, as Spark's mapInArrow wants it."""
    for batch in batches:
        for path in batch.column("path").to_pylist():
            with tempfile.TemporaryDirectory() as scratch:
                for table in _read(Path(path), Path(scratch)):
                    yield from table.to_batches(ROWS_AT_ONCE)


def _read(path: Path, scratch: Path) -> Iterator[pa.Table]:
    connection, slot, cutter = _connect(scratch), Slot(0), Cutter(Archive(path, scratch), count_lines)
    while not cutter.is_over:
        filled = cutter.fill(slot)
        yield _lines(connection, slot, filled)
        if filled.broken:
            yield _table([{NOTE: f"{path}: {filled.broken}"}])
    slot.close()


def _connect(scratch: Path) -> duckdb.DuckDBPyConnection:
    """It must not remember what a file held: a slot is filled again and again."""
    return duckdb.connect(config={
        "threads": 1, "memory_limit": "512MB", "temp_directory": str(scratch),
        "autoinstall_known_extensions": False, "enable_external_file_cache": False,
    })  # fmt: skip


def _lines(connection: duckdb.DuckDBPyConnection, slot: Slot, filled: Filled) -> pa.Table:
    """One row for each line that is not blank; of nothing for those that are no comments, which the rules set aside."""
    source = f"read_json({quoted(slot.path)}, {READ}, columns={COLUMNS})"
    quick = connection.sql(f"SELECT {', '.join(RAW_SCHEMA.names)} FROM {source}").to_arrow_table().cast(RAW_SCHEMA)
    odd = _is_odd(quick)
    others: list[dict[str, str]] = [{}] * len(filled.too_long)
    if pc.any(odd).as_py():
        others += _mended(split_lines(slot.view[: filled.size]), odd.to_pylist())
    return pa.concat_tables([quick.filter(pc.invert(odd)), _table(others)], promote_options="default")


def _is_odd(rows: pa.Table) -> pa.ChunkedArray:
    """What the rules would set aside at first sight."""
    odd = pc.or_(pc.equal(rows["author"], ""), pc.equal(rows["subreddit"], "")).fill_null(True)
    for name in ("body", "created_utc", "id"):
        odd = pc.or_(odd, pc.is_null(rows[name]))
    return odd


def _mended(lines: Iterable[bytes], odd: list[bool]) -> list[dict[str, str]]:
    """Rows are the lines that are not blank, in their order."""
    written = (line for line in lines if line.strip())
    return [_mended_or_nothing(line) for line, is_odd in zip(written, odd, strict=True) if is_odd]


def _mended_or_nothing(line: bytes) -> dict[str, str]:
    try:
        return mend(line)
    except NotAComment:
        return {}


def _table(rows: list[dict[str, str]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=SCHEMA)
