"""Filter one dump: write what passes to a Parquet file, count what each rule removes, and repair odd lines."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, repeat
from pathlib import Path

import duckdb

from profiles.ingest.chunks import Chunk, Unpacker
from profiles.ingest.engine import cores
from profiles.ingest.funnel import Rule
from profiles.ingest.line_rules import LineRules, RuleOutcome, check_all_judged
from profiles.ingest.options import Options
from profiles.ingest.repair import CUT_OFF, NOT_JSON, TOO_LONG, NotAComment, repair_line
from profiles.ingest.rules import KEPT_CODE, RULES, SET_ASIDE_CODE
from profiles.ingest.shards import ShardWriter

MAX_CHUNKS = 4  # processed at once, each with a buffer
MAX_NOTED_LINES = 1000  # lines set aside that are listed one by one for each file; all are counted


@dataclass(slots=True)
class FilterResult:
    """The counts of one file so far."""

    position: int = 0
    lines: int = 0
    kept: int = 0
    removed: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    set_aside: list[tuple[int, str]] = field(default_factory=list)  # line number from 1, reason
    problem: str = ""

    def set_aside_line(self, line: int, reason: str) -> None:
        self.removed[Rule.SET_ASIDE] += 1
        self.reasons[reason] += 1
        if len(self.set_aside) < MAX_NOTED_LINES:
            self.set_aside.append((line + 1, reason))


def filter_lines(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    options: Options,
    shard: Path,
    report: Callable[[FilterResult], None],
    *,
    threads: int | None = None,
) -> FilterResult:
    """Filter a packed or plain dump into its shard. A broken archive is read as far as possible."""
    result, at_once = FilterResult(), min(threads or cores(), MAX_CHUNKS)
    with closing(Unpacker(path, buffers=at_once + 2)) as unpacker, ShardWriter(connection, shard) as writer:
        rules = LineRules(connection, options, unpacker.buffers)
        for chunk, outcome in _apply_rules(unpacker, rules, at_once):
            _collect_chunk(rules, chunk, outcome, writer, result)
            report(result)
    return result


def _apply_rules(unpacker: Unpacker, rules: LineRules, at_once: int) -> Iterator[tuple[Chunk, RuleOutcome]]:
    """Process several chunks at once, and yield them in order."""
    under_way: deque[tuple[Chunk, Future[RuleOutcome]]] = deque()
    with ThreadPoolExecutor(at_once) as pool:
        for chunk in chain(unpacker.chunks(), repeat(None, at_once)):
            if chunk:
                under_way.append((chunk, pool.submit(rules.apply_to_buffer, chunk.buffer)))
            if under_way and (len(under_way) >= at_once or not chunk):
                first, outcome = under_way.popleft()
                yield first, outcome.result()
                unpacker.release(first.buffer)


def _collect_chunk(
    rules: LineRules, chunk: Chunk, outcome: RuleOutcome, writer: ShardWriter, result: FilterResult
) -> None:
    info = chunk.info
    check_all_judged(outcome.lines, chunk.buffer, info)
    for line in info.too_long:
        result.set_aside_line(line, TOO_LONG)
    odd = collect(outcome, writer, result)
    if odd:
        _repair_lines(rules, chunk, odd, writer, result)
    result.lines += outcome.lines + len(info.too_long)  # blank lines do not count
    result.position, result.problem = info.position, info.problem


def collect(outcome: RuleOutcome, writer: ShardWriter, result: FilterResult) -> list[int]:
    """Write what is kept and count the rest. Return the rows that could not be read."""
    kept = outcome.counts.get(KEPT_CODE, 0)
    result.kept += kept
    result.removed.update({
        RULES[code]: count for code, count in outcome.counts.items() if code not in (KEPT_CODE, SET_ASIDE_CODE)
    })  # fmt: skip
    writer.add(outcome.kept, kept)
    return outcome.odd


def _repair_lines(rules: LineRules, chunk: Chunk, odd: list[int], writer: ShardWriter, result: FilterResult) -> None:
    """Repair what can be repaired, and set the rest aside. Rows are the lines that are not blank, in order."""
    lines = [(number, line) for number, line in enumerate(chunk.lines(), chunk.info.first_line) if line.strip()]
    repaired: dict[int, dict[str, str]] = {}
    for number, line in (lines[row] for row in odd):
        try:
            repaired[number] = repair_line(line)
        except NotAComment as reason:
            is_cut_off = chunk.info.problem and line is lines[-1][1]
            result.set_aside_line(number, CUT_OFF if is_cut_off else str(reason))
    if repaired:
        numbers = list(repaired)
        for row in collect(rules.apply_to_rows(list(repaired.values())), writer, result):
            result.set_aside_line(numbers[row], NOT_JSON)
