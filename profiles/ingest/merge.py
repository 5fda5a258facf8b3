"""All shards into one file: the comments of the profiles, account by account, in an order that does not change."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import ibis
import pyarrow as pa
import pyarrow.parquet as pq

from profiles.ingest.bots import known_bots
from profiles.ingest.comment_batches import GROUPED
from profiles.ingest.engine import connect, cores, quoted
from profiles.ingest.funnel import Rule
from profiles.ingest.groups import ACCOUNTS, BOTS, comments_of_profiles, removed_comments, ruled_accounts
from profiles.ingest.options import Options
from profiles.ingest.rules import KEPT

MEMORY = "640MB"
THREADS = 2  # each holds 122,880 rows while it sorts, wherever they lie: more threads want more memory
SORTED = (
    "COPY (SELECT * FROM ({query}) ORDER BY account, id, copy, created, body) "
    "TO {part} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, "
    "ROW_GROUP_SIZE 20480, ROW_GROUP_SIZE_BYTES 16777216)"
)


def gather(shards: Sequence[Path], options: Options, into: Path) -> dict[str, int]:
    """What each rule about accounts removed, in comments. Sorting spills to the disk beside the file."""
    part = into.with_suffix(".part")
    with connect(into.parent, options, memory=MEMORY) as connection:
        connection.execute("SET preserve_insertion_order = false")
        connection.execute(f"SET threads = {min(cores(), THREADS)}")
        names = ", ".join(quoted(str(shard)) for shard in shards)
        connection.execute(f"CREATE VIEW kept AS SELECT * FROM read_parquet([{names}])")
        connection.register("bots", pa.table({"bot": sorted(known_bots())}))
        accounts, comments, removed = _questions(options)
        connection.execute(f"CREATE TEMP TABLE accounts AS {accounts}")
        query = f"SELECT {', '.join(GROUPED.names)} FROM ({comments})"
        connection.execute(SORTED.format(query=query, part=quoted(str(part))))
        counts = {rule: int(count) for rule, count in connection.execute(removed).fetchall() if rule}
        seen = connection.execute("SELECT count(*) FROM kept").fetchone()
    part.replace(into)
    left = pq.ParquetFile(into).metadata.num_rows
    duplicates = (seen[0] if seen else 0) - sum(counts.values()) - left
    return counts | ({Rule.DUPLICATE.value: duplicates} if duplicates else {})


@lru_cache(maxsize=8)
def _questions(options: Options) -> tuple[str, str, str]:
    """For the accounts, the comments of those that become profiles, and what was removed. Written once: it takes
    a tenth of a second."""
    kept, bots = ibis.table(KEPT, name="kept"), ibis.table(BOTS, name="bots")
    accounts = ibis.table(ACCOUNTS, name="accounts")
    asked = (
        ruled_accounts(kept, bots, options),
        comments_of_profiles(kept, accounts, options),
        removed_comments(accounts),
    )
    ruled, comments, removed = (str(ibis.to_sql(expression, dialect="duckdb")) for expression in asked)
    return ruled, comments, removed
