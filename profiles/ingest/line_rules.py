"""Apply the rules to many lines at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from profiles.ingest.engine import keep_order, quoted, rules_sql
from profiles.ingest.options import Options
from profiles.ingest.rules import RAW_COLUMNS
from profiles.ingest.shared_buffers import SharedBuffer

READ_OPTIONS = "format='newline_delimited', ignore_errors=true, maximum_object_size=1048576"
RAW_SCHEMA = pa.schema([(name, pa.string()) for name in RAW_COLUMNS])
COLUMN_TYPES = "{" + ", ".join(f"{name}: 'VARCHAR'" for name in RAW_COLUMNS) + "}"


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """The rule of each line, in order, and the comments that are kept."""

    rules: npt.NDArray[np.int8]
    kept: pa.Array

    @classmethod
    def from_relation(cls, relation: duckdb.DuckDBPyRelation) -> "RuleOutcome":
        table = relation.to_arrow_table().combine_chunks()
        rules, kept = (table[name].chunk(0).flatten() for name in ("rules", "kept"))
        return cls(rules.to_numpy(), kept)


class LineRules:
    """The rules as prepared queries over the buffers."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, options: Options, buffers: Sequence[SharedBuffer] = ()
    ) -> None:
        self._connection = connection
        self._options = options
        keep_order(connection)
        self._cursors = [self._prepare(buffer) for buffer in buffers]

    def apply_to_buffer(self, buffer: SharedBuffer) -> RuleOutcome:
        return RuleOutcome.from_relation(self._cursors[buffer.number].sql("EXECUTE rules"))

    def apply_to_rows(self, rows: pa.Table) -> RuleOutcome:
        """Apply the same rules to comments that were read in another way."""
        cursor = self._connection.cursor()
        cursor.register("rows", rows)
        return RuleOutcome.from_relation(cursor.sql(rules_sql("rows", self._options)))

    def _prepare(self, buffer: SharedBuffer) -> duckdb.DuckDBPyConnection:
        """Plan the query once: that takes as long as reading a tenth of a chunk."""
        name, source = (
            f"chunk{buffer.number}",
            f"read_json({quoted(buffer.path)}, {READ_OPTIONS}, columns={COLUMN_TYPES})",
        )
        cursor = self._connection.cursor()
        cursor.execute(f"CREATE OR REPLACE VIEW {name} AS SELECT * FROM {source}")
        cursor.execute(f"PREPARE rules AS {rules_sql(name, self._options)}")
        return cursor
