"""One dump filtered: what passes goes to a Parquet file, what each rule removed is counted, odd lines are mended."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, repeat
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

from profiles.ingest.chunks import Chunk, Unpacker
from profiles.ingest.engine import cores
from profiles.ingest.funnel import Rule
from profiles.ingest.line_rules import RAW_SCHEMA, Judge, Judged
from profiles.ingest.options import Options
from profiles.ingest.repair import CUT_OFF, NOT_JSON, TOO_LONG, NotAComment, mend
from profiles.ingest.rules import RULES
from profiles.ingest.shards import ShardWriter

AT_ONCE = 4  # chunks: each has a slot
MOST_SET_ASIDE = 1000  # lines noted one by one for each file; all are counted
ODD = RULES.index(Rule.SET_ASIDE)


@dataclass(slots=True)
class Filtered:
    """What came of one file, so far."""

    position: int = 0
    lines: int = 0
    kept: int = 0
    removed: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    set_aside: list[tuple[int, str]] = field(default_factory=list)  # line counted from 1, reason
    problem: str = ""

    def put_aside(self, line: int, reason: str) -> None:
        self.removed[Rule.SET_ASIDE] += 1
        self.reasons[reason] += 1
        if len(self.set_aside) < MOST_SET_ASIDE:
            self.set_aside.append((line + 1, reason))


def filter_lines(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    options: Options,
    shard: Path,
    tell: Callable[[Filtered], None],
    *,
    judges: int | None = None,
) -> Filtered:
    """From a packed or plain dump to its shard. A broken archive is read as far as it goes."""
    result, at_once = Filtered(), min(judges or cores(), AT_ONCE)
    with closing(Unpacker(path, shard.parent, slots=at_once + 1)) as unpacker, ShardWriter(shard) as writer:
        judge = Judge(connection, options, unpacker.slots)
        for chunk, judged in _judged(unpacker, judge, at_once):
            _take_chunk(judge, chunk, judged, writer, result)
            tell(result)
    return result


def _judged(unpacker: Unpacker, judge: Judge, at_once: int) -> Iterator[tuple[Chunk, Judged]]:
    """Several chunks at once, handed on in their order."""
    under_way: deque[tuple[Chunk, Future[Judged]]] = deque()
    with ThreadPoolExecutor(at_once) as pool:
        for chunk in chain(unpacker.chunks(), repeat(None, at_once)):
            if chunk:
                under_way.append((chunk, pool.submit(judge.lines, chunk.slot)))
            if under_way and (len(under_way) >= at_once or not chunk):
                first, judged = under_way.popleft()
                yield first, judged.result()
                unpacker.give_back(first.slot)


def _take_chunk(judge: Judge, chunk: Chunk, judged: Judged, writer: ShardWriter, result: Filtered) -> None:
    filled = chunk.filled
    for line in filled.too_long:
        result.put_aside(line, TOO_LONG)
    odd = take(judged, writer, result)
    if odd:
        _mend(judge, chunk, odd, writer, result)
    result.lines += len(judged.rules) + len(filled.too_long)  # blank ones are none
    result.position, result.problem = filled.position, filled.broken


def take(judged: Judged, writer: ShardWriter, result: Filtered) -> list[int]:
    """Keep what passed and count the rest. Which rows could not be read is the answer."""
    counts = np.bincount(judged.rules + 1, minlength=len(RULES) + 1).tolist()
    result.kept += counts[0]
    result.removed.update({rule: counts[at + 1] for at, rule in enumerate(RULES) if at != ODD and counts[at + 1]})
    writer.add(judged.kept)
    return np.flatnonzero(judged.rules == ODD).tolist()


def _mend(judge: Judge, chunk: Chunk, odd: list[int], writer: ShardWriter, result: Filtered) -> None:
    """Rows are the lines that are not blank, in their order."""
    written = [(number, line) for number, line in enumerate(chunk.lines(), chunk.filled.first_line) if line.strip()]
    mended: dict[int, dict[str, str]] = {}
    for number, line in (written[row] for row in odd):
        try:
            mended[number] = mend(line)
        except NotAComment as reason:
            is_piece = chunk.filled.broken and line is written[-1][1]
            result.put_aside(number, CUT_OFF if is_piece else str(reason))
    if mended:
        numbers, rows = list(mended), pa.Table.from_pylist(list(mended.values()), schema=RAW_SCHEMA)
        for row in take(judge.rows(rows), writer, result):
            result.put_aside(numbers[row], NOT_JSON)
