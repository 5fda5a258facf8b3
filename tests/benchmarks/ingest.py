"""From a dump to profiles: ours against the usual Python way and against bare unpacking, in one run.

.venv/bin/python -m annotator.embedded.throwaway .venv/bin/python -m tests.benchmarks.ingest --check

Needs the zstd program, 2 GB of disk and about ten minutes. The dumps stay in the folder that --dumps names, if any.
"""

import argparse
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks import dump
from tests.benchmarks.memory import peak_of
from tests.benchmarks.table import Bar, Row, best_of, report, set_up

LINES, MORE = 1_500_000, 6_000_000


def main() -> None:
    if not shutil.which("zstd"):
        sys.exit("This benchmark compares with the program zstd. Install it (Debian: apt install zstd).")
    set_up()
    folder, _ = _asked()
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(folder or scratch)
        small, large = _dump(place, LINES), _dump(place, MORE)
        measure(small, large, Path(scratch))


def measure(small: Path, large: Path, scratch: Path) -> None:
    from profiles.hints.store import load_hints

    load_hints()
    times = {"bare": [], "usual": [], "filter": [], "whole": [], "more": []}
    for turn in range(5):  # in turns, so that a busy moment of the machine hits all of them
        times["bare"].append(best_of(1, lambda: bare(small)))
        times["filter"].append(best_of(1, lambda: filter_stage(small, scratch)))
        times["whole"].append(best_of(1, lambda: whole_way(small)))
        times["more"].append(best_of(1, lambda: filter_stage(large, scratch)))
        if turn < 3:
            times["usual"].append(best_of(1, lambda: usual(small)))
    best = {way: min(taken) for way, taken in times.items()}
    memory = {lines: peak_of(_command(path)) for lines, path in ((LINES, small), (MORE, large))}
    report(
        "From a dump to profiles",
        [
            Row("zstd -dc, nothing else", best["bare"], LINES),
            Row("zstandard and json, line by line", best["usual"], LINES),
            Row("ours, filter stage", best["filter"], LINES),
            Row("ours, whole way into Postgres", best["whole"], LINES),
            Row(f"ours, filter stage, {MORE:,} lines", best["more"], MORE),
            *(
                Row(f"the command, {lines:,} lines: {mb:,.0f} MB at most", sec, lines)
                for lines, (mb, sec) in memory.items()
            ),
        ],
        [
            Bar("filter stage against line by line", best["usual"] / best["filter"], at_least=5),
            Bar("filter stage against bare unpacking", best["bare"] / best["filter"], at_least=0.4),
            Bar("whole way against line by line", best["usual"] / best["whole"], at_least=2.5),
            Bar("time for four times the lines, per line", best["more"] / best["filter"] / 4, at_most=1.1),
            Bar("memory for four times the lines", memory[MORE][0] / memory[LINES][0], at_most=1.1),
            Bar("memory of the command, GB", memory[MORE][0] / 1000, at_most=1.5),
        ],
    )


def bare(path: Path) -> None:
    subprocess.run(["zstd", "-dcq", "--long=31", str(path)], stdout=subprocess.DEVNULL, check=True)


def usual(path: Path) -> int:
    """What most public scripts do."""
    import zstandard

    listed = {name.lower() for name in dump.LISTED}
    kept = 0
    unpacker = zstandard.ZstdDecompressor(max_window_size=2**31)
    with path.open("rb") as file:
        for line in io.TextIOWrapper(unpacker.stream_reader(file), encoding="utf-8"):
            comment = json.loads(line)
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
    with connect(scratch, options) as connection:
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


def _asked() -> tuple[str, list[str]]:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--dumps", default="", help="folder in which the dumps are kept for the next time")
    asked, rest = parser.parse_known_args()
    sys.argv = [sys.argv[0], *rest]
    return asked.dumps, rest


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.config.settings")
    main()
