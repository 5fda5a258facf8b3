"""Lines through the filter, as an ingest sends them."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from profiles.ingest.archives import kind_of
from profiles.ingest.engine import connect
from profiles.ingest.line_filter import Filtered, filter_lines
from profiles.ingest.line_rules import RAW_SCHEMA, Judge
from profiles.ingest.options import ALL, Options
from profiles.ingest.parquet_filter import filter_parquet
from profiles.ingest.rules import IS_KEPT, RAW
from tests.profiles.ingest.dumps import write_dump

EVERYTHING = Options(subreddits=ALL)
AS_WRITTEN = Options(subreddits=ALL, keep_quotes=True, keep_entities=True)


def judged(
    comments: Iterable[dict[str, Any]], options: Options = EVERYTHING
) -> list[tuple[int, dict[str, Any] | None]]:
    """The rule of each comment and what is kept of it, in their order, without a file between."""
    rows = [{name: None if one.get(name) is None else str(one[name]) for name in RAW} for one in comments]
    with connect(Path("/nowhere"), options) as connection:
        answer = Judge(connection, options).rows(pa.Table.from_pylist(rows, schema=RAW_SCHEMA))
    kept = iter(answer.kept.to_pylist())
    pairs = [(int(rule), next(kept) if rule == IS_KEPT else None) for rule in answer.rules]
    assert next(kept, None) is None
    return pairs


def filtered(
    lines: Iterable[bytes | dict[str, Any]], options: Options = EVERYTHING, kind: str = "plain"
) -> tuple[Filtered, list[dict[str, Any]]]:
    """What came of a dump with these lines, and what was kept of it."""
    with TemporaryDirectory() as folder:
        return filtered_file(write_dump(Path(folder) / "RC_2013-05", lines, kind), options)


def filtered_file(path: Path, options: Options = EVERYTHING) -> tuple[Filtered, list[dict[str, Any]]]:
    way = filter_parquet if kind_of(path) == "parquet" else filter_lines
    with TemporaryDirectory() as folder:
        shard = Path(folder) / "shard.parquet"
        with connect(Path(folder), options) as connection:
            result = way(connection, path, options, shard, lambda so_far: None)
        kept = pq.read_table(shard).to_pylist()
        assert [file.name for file in Path(folder).iterdir()] == ["shard.parquet"]
    assert result.lines == result.kept + result.removed.total()
    assert result.kept == len(kept)
    assert result.removed["set_aside"] == result.reasons.total()
    return result, kept
