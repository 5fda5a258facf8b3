"""Filter lines as an ingest does."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq

from profiles.ingest.archives import detect_format
from profiles.ingest.columns import RAW_COLUMNS
from profiles.ingest.engine import connect
from profiles.ingest.line_filter import FilterResult, filter_lines
from profiles.ingest.line_rules import LineRules
from profiles.ingest.options import ALL, Options
from profiles.ingest.parquet_filter import filter_parquet
from profiles.ingest.rules import rules_sql
from tests.profiles.ingest.dumps import write_dump

EVERYTHING = Options(subreddits=ALL)
AS_WRITTEN = Options(subreddits=ALL, keep_quotes=True, keep_entities=True)


def apply_rules(
    comments: Iterable[dict[str, Any]], options: Options = EVERYTHING
) -> list[tuple[int, dict[str, Any] | None]]:
    """The rule of each comment, and the comment if it is kept, in order, without a file."""
    rows = [{name: None if row.get(name) is None else str(row[name]) for name in RAW_COLUMNS} for row in comments]
    with connect(Path("/nowhere")) as connection:
        outcome = LineRules(connection, options).apply_to_rows(rows)
        comments_kept = connection.execute(outcome.kept).fetchall()
        rules = rules_sql("rows", options, added="line")
        pairs = connection.execute(f"SELECT rule, comment FROM ({rules}) ORDER BY line").fetchall()  # noqa: S608
    assert sorted(comments_kept) == sorted(tuple(comment.values()) for _, comment in pairs if comment)
    assert outcome.counts == Counter(rule for rule, _ in pairs)
    return pairs


def filter_dump(
    lines: Iterable[bytes | dict[str, Any]], options: Options = EVERYTHING, kind: str = "plain"
) -> tuple[FilterResult, list[dict[str, Any]]]:
    """The result of filtering a dump with these lines, and the kept comments."""
    with TemporaryDirectory() as folder:
        return filter_path(write_dump(Path(folder) / "RC_2013-05", lines, kind), options)


def filter_path(path: Path, options: Options = EVERYTHING) -> tuple[FilterResult, list[dict[str, Any]]]:
    filter_file = filter_parquet if detect_format(path) == "parquet" else filter_lines
    with TemporaryDirectory() as folder:
        shard = Path(folder) / "one.shard"
        with connect(Path(folder)) as connection:
            result = filter_file(connection, path, options, shard, lambda so_far: None)
        kept = pq.read_table(shard).to_pylist()
        assert [file.name for file in Path(folder).iterdir()] == ["one.shard"]
    assert result.lines == result.kept + result.removed.total()
    assert result.kept == len(kept)
    assert result.removed["set_aside"] == result.reasons.total()
    return result, kept
