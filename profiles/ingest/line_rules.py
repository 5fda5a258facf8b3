"""Apply the rules to many lines at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

from profiles.ingest.chunks import split_lines
from profiles.ingest.columns import KEPT_COLUMNS, RAW_COLUMNS
from profiles.ingest.engine import LINE, create_table, quoted
from profiles.ingest.options import Options
from profiles.ingest.rules import KEPT_CODE, SET_ASIDE_CODE, rules_sql
from profiles.ingest.shared_buffers import SharedBuffer
from profiles.ingest.unpacker import ChunkInfo

READ_OPTIONS = "format='newline_delimited', ignore_errors=true"
COLUMN_TYPES = "{" + ", ".join(f"{name}: 'VARCHAR'" for name in RAW_COLUMNS) + "}"
# DuckDB turns nested values and booleans into JSON text. A string may look the same: `repair_line` distinguishes them.
NOT_SURELY_TEXT = "{name} IN ('true', 'false') OR ({name} ^@ '{{' OR {name} ^@ '[') AND json_valid({name})"
TEXT_COLUMNS = ("author", "body", "id", "subreddit")  # created_utc must be a number anyway

COMMENT_TYPE = f"STRUCT({', '.join(f'{column} {kind}' for column, kind in KEPT_COLUMNS.items())})"
OUTCOME_COLUMNS = {"rule": "TINYINT", "lines": "BIGINT", "odd": "BIGINT[]", "comments": f"{COMMENT_TYPE}[]"}
OUTCOME_SQL = f"""
SELECT rule, count(*), list({LINE}) FILTER (rule = {SET_ASIDE_CODE}), list(comment) FILTER (rule = {KEPT_CODE})
FROM ({{rules}}) GROUP BY rule
"""


class LinesLost(Exception):
    """The number of judged lines is not the number of lines read, so nothing about the file can be relied on."""


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """The number of lines per rule, the lines that couldn't be read, and a query for the comments that are kept."""

    counts: dict[int, int]
    odd: list[int]
    kept: str

    @classmethod
    def from_table(cls, connection: duckdb.DuckDBPyConnection, name: str) -> "RuleOutcome":
        rows = connection.execute(f"SELECT rule, lines, odd FROM {name}").fetchall()
        odd = sorted(line for *_, unread in rows for line in unread or ())
        kept = f"SELECT unnest(comments, recursive := true) FROM {name} WHERE rule = {KEPT_CODE}"
        return cls({rule: lines for rule, lines, _ in rows}, odd, kept)

    @property
    def lines(self) -> int:
        return sum(self.counts.values())


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
    """The rules as prepared queries over the buffers. Each buffer has a table for the outcome."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, options: Options, buffers: Sequence[SharedBuffer] = ()
    ) -> None:
        self._connection = connection
        self._options = options
        connection.execute("SET threads = 1")  # for each query: several run at once
        self._cursors = [self._prepare(buffer) for buffer in buffers]

    def apply_to_buffer(self, buffer: SharedBuffer) -> RuleOutcome:
        cursor, outcome = self._cursors[buffer.number], f"outcome{buffer.number}"
        cursor.execute(f"TRUNCATE {outcome}")
        cursor.execute("EXECUTE rules")
        return RuleOutcome.from_table(cursor, outcome)

    def apply_to_rows(self, rows: Sequence[Mapping[str, str | None]]) -> RuleOutcome:
        """Apply the same rules to comments that were read in another way."""
        columns = [[row.get(name) for row in rows] for name in RAW_COLUMNS]
        fields = ", ".join(f"unnest(?::VARCHAR[]) AS {name}" for name in RAW_COLUMNS)
        numbers = f"unnest(range({len(rows)})) AS {LINE}"
        self._connection.execute(f"CREATE OR REPLACE TABLE rows AS SELECT {fields}, {numbers}", columns)
        return self.apply_to_table("rows", len(rows))

    def apply_to_table(self, name: str, rows: int) -> RuleOutcome:
        """The table has `RAW_COLUMNS`, and numbers its lines."""
        self._create_outcome("outcome")
        self._connection.execute(f"INSERT INTO outcome {self._outcome_sql(name)}")
        outcome = RuleOutcome.from_table(self._connection, "outcome")
        if outcome.lines != rows:
            raise LinesLost(f"of {rows:,} lines, {outcome.lines:,} were judged")
        return outcome

    def _prepare(self, buffer: SharedBuffer) -> duckdb.DuckDBPyConnection:
        """Plan the query once: that takes as long as reading a tenth of a chunk."""
        name, outcome, cursor = f"chunk{buffer.number}", f"outcome{buffer.number}", self._connection.cursor()
        self._create_outcome(outcome)
        numbered = f"SELECT *, row_number() OVER () - 1 AS {LINE} FROM ({lines_sql(buffer)})"
        cursor.execute(f"CREATE OR REPLACE VIEW {name} AS {numbered}")
        cursor.execute(f"PREPARE rules AS INSERT INTO {outcome} {self._outcome_sql(name)}")
        return cursor

    def _outcome_sql(self, name: str) -> str:
        return OUTCOME_SQL.format(rules=rules_sql(name, self._options, added=LINE))

    def _create_outcome(self, name: str) -> None:
        create_table(self._connection, name, OUTCOME_COLUMNS)
