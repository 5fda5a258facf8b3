"""Adopt the result of a Spark run in place of shards: already filtered and grouped, ready to load."""

import hashlib
import json
from pathlib import Path

from django.utils import timezone

from profiles.ingest.columns import GROUPED_COLUMNS
from profiles.ingest.completion import ACCOUNT_RULES
from profiles.ingest.engine import connect, quoted
from profiles.ingest.merge import MEMORY, SORT_SQL
from profiles.ingest.sources import Source
from profiles.models import DumpFile


def is_spark_result(path: Path) -> bool:
    return (path / "counts.json").is_file() and (path / "comments").is_dir()


def identify_result(folder: Path) -> Source:
    """Identify it by its counts and by the names and sizes of its files, which Spark names anew in each run."""
    parts = sorted((part.name, part.stat().st_size) for part in (folder / "comments").glob("*.parquet"))
    digest = hashlib.sha256((folder / "counts.json").read_bytes() + repr(parts).encode())
    return Source(folder, sum(size for _, size in parts), digest.hexdigest())


def adopt_result(file: DumpFile, folder: Path, into: Path) -> dict[str, int]:
    """Record the run as one file that was read. Return what each rule about accounts removed."""
    counts = json.loads((folder / "counts.json").read_text())
    file.state, file.read_at = DumpFile.State.READ, timezone.now()
    file.lines, file.kept = counts["lines"], counts["kept"]
    file.problem = " ".join(f"Not read to the end: {problem}." for problem in counts.get("problems", []))
    file.counts = {rule: count for rule, count in counts["removed"].items() if rule not in ACCOUNT_RULES}
    file.save()
    _sort(folder, into)
    return {rule: count for rule, count in counts["removed"].items() if rule in ACCOUNT_RULES}


def _sort(folder: Path, into: Path) -> None:
    """Sort the comments in the order they are loaded."""
    part = into.with_suffix(".part")
    with connect(into.parent, memory=MEMORY) as connection:
        files = quoted(str(folder / "comments" / "*.parquet"))
        query = f"SELECT {', '.join(GROUPED_COLUMNS)} FROM read_parquet({files})"
        connection.execute(SORT_SQL.format(query=query, part=quoted(str(part))))
    part.replace(into)
