"""From a dump to profiles: our ingest compared with zstandard and orjson, and with bare unpacking, in one run.

.venv/bin/python -m annotator.embedded.throwaway .venv/bin/python -m tests.benchmarks.ingest --check

Needs the zstd program, 4 GB of memory, 2 GB of disk and about ten minutes. With --dumps FOLDER, the dumps are kept
there.
"""

import argparse
import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks import dump
from tests.benchmarks.memory import peak_of
from tests.benchmarks.table import Bar, Row, report, set_up, wall_and_cpu

LINES, MORE = 1_500_000, 6_000_000  # the larger dump is larger than its window
LINE_SIZE, WINDOW = 534, 2**31


def main() -> None:
    if not shutil.which("zstd"):
        sys.exit("This benchmark compares with the program zstd. Install it (Debian: apt install zstd).")
    set_up()
    options = _options()
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(options.dumps or scratch)
        small, large = _dump(place, LINES), _dump(place, MORE)
        measure(small, large, Path(scratch), options.turns)


def measure(small: Path, large: Path, scratch: Path, turns: int) -> None:
    from profiles.hints.store import load_hints

    load_hints()
    ways = {
        "bare": lambda: bare(large),
        "loop": lambda: loop(large),
        "filter": lambda: filter_stage(large, scratch),
        "fewer": lambda: filter_stage(small, scratch),
        "whole": lambda: whole_way(small),
    }
    # In turns, so that a busy moment of the machine affects all of them.
    taken = [{way: wall_and_cpu(work) for way, work in ways.items()} for _ in range(turns)]
    wall, cpu = ({way: min(turn[way][at] for turn in taken) for way in ways} for at in (0, 1))
    memory = {lines: peak_of(_command(path))[0] / 1000 for lines, path in ((LINES, small), (MORE, large))}
    beyond = {lines: memory[lines] - min(WINDOW, lines * LINE_SIZE) / 1e9 for lines in memory}
    report(
        "From a dump to profiles",
        [
            Row(f"zstd -dc, nothing else, {MORE:,} lines", wall["bare"], MORE, cpu["bare"]),
            Row("zstandard and orjson, line by line", wall["loop"], MORE, cpu["loop"]),
            Row("ours, filter stage", wall["filter"], MORE, cpu["filter"]),
            Row(f"ours, filter stage, {LINES:,} lines", wall["fewer"], LINES, cpu["fewer"]),
            Row(f"ours, whole way into Postgres, {LINES:,} lines", wall["whole"], LINES, cpu["whole"]),
        ],
        [
            Bar("filter stage against the loop, time", wall["filter"] / wall["loop"], at_most=0.5),
            Bar("filter stage against the loop, CPU", cpu["filter"] / cpu["loop"], at_most=1),
            Bar("filter stage against bare unpacking, speed", wall["bare"] / wall["filter"], at_least=0.4),
            Bar("CPU for four times the lines, per line", cpu["filter"] / cpu["fewer"] / 4, at_most=1.1),
            *(Bar(f"memory beyond the window, {lines:,} lines, GB", gb, at_most=1) for lines, gb in beyond.items()),
        ],
    )


def bare(path: Path) -> None:
    subprocess.run(["zstd", "-dcq", "--long=31", str(path)], stdout=subprocess.DEVNULL, check=True)


def loop(path: Path) -> int:
    """What a careful script does."""
    import orjson
    import zstandard

    listed = {name.lower() for name in dump.LISTED}
    kept = 0
    unpacker = zstandard.ZstdDecompressor(max_window_size=2**31)
    with path.open("rb") as file:
        for line in io.BufferedReader(unpacker.stream_reader(file), 1 << 20):
            comment = orjson.loads(line)
            kept += (
                comment["author"] != "[deleted]"
                and len(comment["body"]) >= 10
                and comment["subreddit"].lower() in listed
                and 1325376000 <= int(comment["created_utc"]) < 1451606400
            )
    return kept


def filter_stage(path: Path, scratch: Path) -> None:
    from profiles.hints.store import stored_hints
    from profiles.ingest.engine import connect
    from profiles.ingest.line_filter import filter_lines
    from profiles.ingest.options import Options

    options = Options().with_names(row.subreddit for row in stored_hints())
    with connect(scratch) as connection:
        result = filter_lines(connection, path, options, scratch / "shard.parquet", lambda _: None)
    assert result.kept > result.lines * 0.03, result


def whole_way(*paths: Path) -> None:
    from profiles.ingest.requests import request_ingest
    from profiles.ingest.run import run_ingest
    from profiles.models import Corpus

    ingest = request_ingest(f"benchmark {time.time()}", None, paths)
    run_ingest(ingest)
    assert Corpus.objects.get(pk=ingest.corpus_id).ready_at


def _command(path: Path) -> list[str]:
    name = f"memory {path.name} {time.time()}"
    return [sys.executable, "manage.py", "ingest_dumps", str(path), "--corpus", name]


def _dump(folder: Path, lines: int) -> Path:
    path = folder / f"RC_{lines}.zst"
    if not path.exists():
        print(f"writing a dump of {lines:,} lines …", file=sys.stderr)
        draft = path.with_suffix(".part")
        dump.write(draft, lines)
        draft.rename(path)
    return path


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--dumps", default="", help="folder in which the dumps are kept for the next time")
    parser.add_argument("--turns", type=int, default=3, help="how often each way is measured; the best counts")
    options, rest = parser.parse_known_args()
    sys.argv = [sys.argv[0], *rest]
    return options


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.config.settings")
    main()
