"""What a Spark run has made, taken over in place of shards: filtered and grouped already, and only to be loaded."""

import hashlib
import json
from pathlib import Path

from django.utils import timezone

from profiles.ingest.comment_batches import GROUPED
from profiles.ingest.completion import ABOUT_ACCOUNTS
from profiles.ingest.engine import connect, quoted
from profiles.ingest.merge import MEMORY, SORTED
from profiles.ingest.options import Options
from profiles.ingest.sources import Source
from profiles.models import DumpFile


def is_spark_result(path: Path) -> bool:
    return (path / "counts.json").is_file() and (path / "comments").is_dir()


def look_at_result(folder: Path) -> Source:
    """Known by its counts and by the names and sizes of its files: Spark names each run's files anew."""
    parts = sorted((part.name, part.stat().st_size) for part in (folder / "comments").glob("*.parquet"))
    digest = hashlib.sha256((folder / "counts.json").read_bytes() + repr(parts).encode())
    return Source(folder, sum(size for _, size in parts), digest.hexdigest())


def take_over(file: DumpFile, folder: Path, options: Options, into: Path) -> dict[str, int]:
    """The run counts as one file that was read. What each rule about accounts removed is the answer."""
    counts = json.loads((folder / "counts.json").read_text())
    file.state, file.read_at = DumpFile.State.READ, timezone.now()
    file.lines, file.kept = counts["lines"], counts["kept"]
    file.problem = " ".join(f"Not read to the end: {problem}." for problem in counts.get("problems", []))
    file.counts = {rule: count for rule, count in counts["removed"].items() if rule not in ABOUT_ACCOUNTS}
    file.save()
    _sort(folder, options, into)
    return {rule: count for rule, count in counts["removed"].items() if rule in ABOUT_ACCOUNTS}


def _sort(folder: Path, options: Options, into: Path) -> None:
    """Its comments in the order in which they are loaded."""
    part = into.with_suffix(".part")
    with connect(into.parent, options, memory=MEMORY) as connection:
        files = quoted(str(folder / "comments" / "*.parquet"))
        query = f"SELECT {', '.join(GROUPED.names)} FROM read_parquet({files})"
        connection.execute(SORTED.format(query=query, part=quoted(str(part))))
    part.replace(into)
