"""Apply the rules to many lines at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from profiles.ingest.chunks import split_lines
from profiles.ingest.columns import RAW_COLUMNS
from profiles.ingest.engine import LINE, quoted, rules_sql
from profiles.ingest.options import Options
from profiles.ingest.shared_buffers import SharedBuffer
from profiles.ingest.unpacker import ChunkInfo

READ_OPTIONS = "format='newline_delimited', ignore_errors=true, maximum_object_size=1048576"
RAW_SCHEMA = pa.schema([(name, pa.string()) for name in RAW_COLUMNS])
COLUMN_TYPES = "{" + ", ".join(f"{name}: 'VARCHAR'" for name in RAW_COLUMNS) + "}"
# DuckDB turns nested values and booleans into JSON text. A string may look the same: `repair_line` distinguishes them.
NOT_SURELY_TEXT = "{name} IN ('true', 'false') OR ({name} ^@ '{{' OR {name} ^@ '[') AND json_valid({name})"
TEXT_COLUMNS = ("author", "body", "id", "subreddit")  # created_utc must be a number anyway


class LinesLost(Exception):
    """The number of judged lines is not the number of lines read, so nothing about the file can be relied on."""


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """The code of each line's rule, in order, and the comments that are kept."""

    rules: npt.NDArray[np.int8]
    kept: pa.Array

    @classmethod
    def from_relation(cls, relation: duckdb.DuckDBPyRelation) -> "RuleOutcome":
        table = relation.to_arrow_table().combine_chunks()
        rules, kept = (table[name].chunk(0).flatten() for name in ("rules", "kept"))
        return cls(rules.to_numpy(), kept)


def lines_sql(buffer: SharedBuffer) -> str:
    """Select the fields of every line as text, NULL where they may not be text."""
    source = f"read_json({quoted(buffer.path)}, {READ_OPTIONS}, columns={COLUMN_TYPES})"
    fields = (
        f"CASE WHEN {NOT_SURELY_TEXT.format(name=name)} THEN NULL ELSE {name} END AS {name}"
        if name in TEXT_COLUMNS
        else name
        for name in RAW_COLUMNS
    )
    return f"SELECT {', '.join(fields)} FROM {source}"


def check_all_judged(judged: int, buffer: SharedBuffer, info: ChunkInfo) -> None:
    """Raise LinesLost unless every line was judged. Blank lines are not, and are counted only where there are some."""
    if judged == info.line_count:
        return
    filled = sum(1 for line in split_lines(buffer.view[: info.size]) if line.strip())
    if judged != filled:
        raise LinesLost(f"of {filled:,} lines, {judged:,} were judged")


class LineRules:
    """The rules as prepared queries over the buffers."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, options: Options, buffers: Sequence[SharedBuffer] = ()
    ) -> None:
        self._connection = connection
        self._options = options
        connection.execute("SET threads = 1")  # for each query: several run at once
        self._cursors = [self._prepare(buffer) for buffer in buffers]

    def apply_to_buffer(self, buffer: SharedBuffer) -> RuleOutcome:
        return RuleOutcome.from_relation(self._cursors[buffer.number].sql("EXECUTE rules"))

    def apply_to_rows(self, rows: pa.Table) -> RuleOutcome:
        """Apply the same rules to comments that were read in another way."""
        cursor = self._connection.cursor()
        cursor.register("rows", rows.append_column(LINE, pa.array(range(rows.num_rows), pa.int64())))
        outcome = RuleOutcome.from_relation(cursor.sql(rules_sql("rows", self._options)))
        if len(outcome.rules) != rows.num_rows:
            raise LinesLost(f"of {rows.num_rows:,} lines, {len(outcome.rules):,} were judged")
        return outcome

    def _prepare(self, buffer: SharedBuffer) -> duckdb.DuckDBPyConnection:
        """Plan the query once: that takes as long as reading a tenth of a chunk."""
        name, cursor = f"chunk{buffer.number}", self._connection.cursor()
        numbered = f"SELECT *, row_number() OVER () AS {LINE} FROM ({lines_sql(buffer)})"
        cursor.execute(f"CREATE OR REPLACE VIEW {name} AS {numbered}")
        cursor.execute(f"PREPARE rules AS {rules_sql(name, self._options)}")
        return cursor
