"""The steps of a Spark run: filter the lines, count them, group the kept comments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

import sqlglot
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql.functions import broadcast, col, lit

from profiles.ingest.archives import detect_format
from profiles.ingest.columns import GROUPED_COLUMNS, RAW_COLUMNS
from profiles.ingest.funnel import Rule
from profiles.ingest.groups import REMOVED_SQL, accounts_with_rules, comments_of_profiles, known_bots
from profiles.ingest.options import Options
from profiles.ingest.rules import KEPT_CODE, RULES, rules_sql
from profiles.ingest.sources import path_in_words, path_to_text
from profiles.ingest.spark.reader import NOTE, SCHEMA, read_dumps
from profiles.ingest.spark.session import SparkRefused

ALL_TEXT = ", ".join(f"{name} string" for name in SCHEMA.names)


@dataclass(frozen=True, slots=True)
class SparkCounts:
    """The counts of a run, in comments."""

    lines: int
    kept: int  # by the rules about one line
    removed: Mapping[str, int]
    problems: list[str]  # archives that could not be read to their end
    comments: int = 0  # of profiles

    def with_groups(self, removed: Mapping[str, int]) -> "SparkCounts":
        return replace(self, removed={**self.removed, **removed}, comments=self.kept - sum(removed.values()))

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def filter_lines(session: SparkSession, files: Sequence[Path], options: Options, into: Path) -> None:
    """Write every line with its rule, and the comment if it is kept, so that the dumps are read only once."""
    _lines(session, files).createOrReplaceTempView("raw")
    _write(run_sql(session, rules_sql("raw", options, added=NOTE)), into)


def count_lines(session: SparkSession, filtered: Path) -> SparkCounts:
    rows = _read(session, filtered).groupBy("rule", NOTE).count().collect()
    rules = {row["rule"]: row["count"] for row in rows if row[NOTE] is None}
    removed = {RULES[rule].value: count for rule, count in rules.items() if rule != KEPT_CODE}
    problems = sorted(row[NOTE] for row in rows if row[NOTE] is not None)
    return SparkCounts(sum(rules.values()), rules.get(KEPT_CODE, 0), removed, problems)


def group_comments(session: SparkSession, filtered: Path, options: Options, into: Path) -> dict[str, int]:
    """Write the comments of profiles. Return what each rule about accounts removed."""
    _broadcast_view(session.createDataFrame([(name,) for name in sorted(known_bots())], "bot string"), "bots")
    kept = _read(session, filtered).where(col("rule") == KEPT_CODE).select("comment.*")
    kept.createOrReplaceTempView("kept")
    ruled = run_sql(session, accounts_with_rules(options)).persist()
    ruled.createOrReplaceTempView("accounts")
    comments = run_sql(session, comments_of_profiles(options))
    _write(comments.select(*(col(name).cast(kind.lower()) for name, kind in GROUPED_COLUMNS.items())), into)
    counts = {row["rule"]: int(row["comments"]) for row in run_sql(session, REMOVED_SQL).collect()}
    ruled.unpersist()
    duplicates = kept.count() - sum(counts.values())
    return {rule: count for rule, count in ({Rule.DUPLICATE.value: duplicates} | counts).items() if rule and count}


# ── Tables ──────────────────────────────────────────────────────────────────


def run_sql(session: SparkSession, query: str) -> DataFrame:
    """Run a query that is written in DuckDB's dialect."""
    return session.sql(sqlglot.transpile(query, read="duckdb", write="spark")[0])


def _broadcast_view(table: DataFrame, name: str) -> None:
    """Send a short list to every executor under a name, so that a join with it does not shuffle the lines."""
    broadcast(table).createOrReplaceTempView(name)


def _write(table: DataFrame, into: Path) -> None:
    table.write.parquet(f"file://{into}", mode="overwrite", compression="zstd")


def _read(session: SparkSession, path: Path) -> DataFrame:
    return session.read.parquet(f"file://{path}")


def _lines(session: SparkSession, files: Iterable[Path]) -> DataFrame:
    tables = {True: list[Path](), False: list[Path]()}
    for file in files:
        tables[detect_format(file) == "parquet"].append(file)
    packed = [_unpacked(session, tables[False])] if tables[False] else []
    return reduce(DataFrame.unionByName, packed + [_rows(session, file) for file in tables[True]])


def _unpacked(session: SparkSession, files: Sequence[Path]) -> DataFrame:
    """One task per file, the largest first, because an archive can only be read from its start."""
    names = [(path_to_text(file),) for file in sorted(files, key=lambda file: -file.stat().st_size)]
    paths = session.createDataFrame(session.sparkContext.parallelize(names, len(names)), "path string")
    return paths.mapInArrow(read_dumps, ALL_TEXT)


def _rows(session: SparkSession, file: Path) -> DataFrame:
    """A Parquet file, which Spark can read in pieces. Its columns may have other types than text."""
    if path_to_text(file) != str(file):
        raise SparkRefused(f"The name of {path_in_words(file)} is not UTF-8, so Spark can't open it. Rename it.")
    rows = _read(session, file)
    missing = [name for name in RAW_COLUMNS if name not in rows.columns]
    if missing:
        raise SparkRefused(f"{file} has no column {missing[0]}, so it contains no comments.")
    for name in RAW_COLUMNS:
        _refuse_other_types(rows, name, file)
    note = lit(None).cast("string").alias(NOTE)
    return rows.select(*(_as_text(rows, name).alias(name) for name in RAW_COLUMNS), note)


def _refuse_other_types(rows: DataFrame, name: str, file: Path) -> None:
    kind = rows.schema[name].dataType.typeName()
    is_date = kind.startswith(("timestamp", "date"))
    if kind in ("array", "struct", "map", "boolean") or (is_date and name != "created_utc"):
        raise SparkRefused(f"The column {name} of {file} is of type {kind}, not text, so it contains no comments.")


def _as_text(rows: DataFrame, name: str) -> Column:
    is_time = rows.schema[name].dataType.typeName().startswith(("timestamp", "date"))
    return (rows[name].cast("timestamp").cast("bigint") if is_time else rows[name]).cast("string")
