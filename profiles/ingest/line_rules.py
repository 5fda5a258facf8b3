"""The rules asked of many lines at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from profiles.ingest.engine import judging_sql, keep_order, quoted
from profiles.ingest.options import Options
from profiles.ingest.rules import RAW
from profiles.ingest.shared_buffers import Slot

READ = "format='newline_delimited', ignore_errors=true, maximum_object_size=1048576"
RAW_SCHEMA = pa.schema([(name, pa.string()) for name in RAW])
COLUMNS = "{" + ", ".join(f"{name}: 'VARCHAR'" for name in RAW) + "}"


@dataclass(frozen=True, slots=True)
class Judged:
    """For each line its rule, in their order, and the comments that are kept."""

    rules: npt.NDArray[np.int8]
    kept: pa.Array

    @classmethod
    def of(cls, answer: duckdb.DuckDBPyRelation) -> "Judged":
        table = answer.to_arrow_table().combine_chunks()
        rules, kept = (table[name].chunk(0).flatten() for name in ("rules", "kept"))
        return cls(rules.to_numpy(), kept)


class Judge:
    """The rules, as queries over the slots."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, options: Options, slots: Sequence[Slot] = ()) -> None:
        self._connection = connection
        self._options = options
        keep_order(connection)
        self._cursors = [self._prepared(slot) for slot in slots]

    def lines(self, slot: Slot) -> Judged:
        return Judged.of(self._cursors[slot.number].sql("EXECUTE judge"))

    def rows(self, rows: pa.Table) -> Judged:
        """The same rules over comments that were read in another way."""
        cursor = self._connection.cursor()
        cursor.register("rows", rows)
        return Judged.of(cursor.sql(judging_sql("rows", self._options)))

    def _prepared(self, slot: Slot) -> duckdb.DuckDBPyConnection:
        """Planned once: for a chunk, that takes as long as reading a tenth of it."""
        name, source = f"chunk{slot.number}", f"read_json({quoted(slot.path)}, {READ}, columns={COLUMNS})"
        cursor = self._connection.cursor()
        cursor.execute(f"CREATE OR REPLACE VIEW {name} AS SELECT * FROM {source}")
        cursor.execute(f"PREPARE judge AS {judging_sql(name, self._options)}")
        return cursor
