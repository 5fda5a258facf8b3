"""The same filter and grouping on Apache Spark, for more dumps than one machine can read in time.

    bin/_spark --master spark://HOST:7077 --options rules.json --out /shared/autumn /shared/dumps/RC_2012-*.zst

The rules are those of `rules.py` and `groups.py`. The result is loaded by `bin/manage ingest_dumps --from-spark`.
Every path must mean the same file on every machine.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from profiles.ingest.options import Options
from profiles.ingest.sources import NoSuchFile, find_files
from profiles.ingest.spark.session import SPARK_ERRORS, SparkRefused, SparkSession, open_session
from profiles.ingest.spark.steps import SparkCounts, count_lines, filter_lines, group_comments


def filter_and_group(
    session_or_master: SparkSession | str | None,
    paths: Sequence[Path],
    options: Options,
    out: str | Path,
    report: Callable[[str], None] = lambda line: None,
) -> SparkCounts:
    """Write the comments of profiles to `out/comments`, then what each rule removed to `out/counts.json`."""
    folder, filtered = _new_folder(Path(out)), Path(out).resolve() / "filtered"
    files = find_files(paths)
    with open_session(session_or_master) as session:
        report(f"reading {len(files):,} files, {sum(file.stat().st_size for file in files) / 1e9:,.1f} GB")
        filter_lines(session, files, options, filtered)
        counts = count_lines(session, filtered)
        report(f"{counts.lines:,} lines read, {counts.kept:,} kept; grouping them by account")
        counts = counts.with_groups(group_comments(session, filtered, options, folder / "comments"))
    shutil.rmtree(filtered)
    _write_atomically(folder / "counts.json", counts.to_json() | {"options": options.to_json()})
    return counts


def _new_folder(out: Path) -> Path:
    """Overwrite what a killed run left behind, but never a result."""
    if (out / "counts.json").exists():
        raise SparkRefused(f"{out} already contains a result. Choose another folder, or remove it.")
    out.mkdir(parents=True, exist_ok=True)
    return out.resolve()


def _write_atomically(path: Path, counts: dict[str, Any]) -> None:
    """Write the file last and atomically: a folder that has it is complete."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
    part.replace(path)


# ── As a command ────────────────────────────────────────────────────────────


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    try:
        counts = filter_and_group(arguments.master, arguments.paths, _options(arguments.options), arguments.out, _say)
    except (SparkRefused, NoSuchFile, OSError) as error:
        return _stop(str(error))
    except SPARK_ERRORS as error:
        return _stop(f"Spark stopped: {_cause(error)}")
    for problem in counts.problems:
        _say(f"Not read to the end: {problem}")
    comments = Path(arguments.out, "comments")
    _say(f"{counts.comments:,} comments are in {comments}; counts.json lists what each rule removed.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bin/_spark", description="Filter and group dumps on Apache Spark.")
    parser.add_argument("paths", nargs="+", type=Path, help="dumps, folders with dumps, or patterns")
    parser.add_argument("--master", help="local[2], spark://HOST:PORT or yarn; spark-submit sets it automatically")
    parser.add_argument(
        "--options", required=True, type=Path, help="the rules as JSON; see docs/how-to/scale-ingest.md"
    )
    parser.add_argument("--out", required=True, help="folder for the result")
    return parser


def _options(path: Path) -> Options:
    try:
        return Options.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise SparkRefused(f"{path} contains no rules: {error}") from error


def _cause(error: Exception) -> str:
    """The line of a stack trace that says what happened."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line for line in lines if line.startswith("Caused by:") or "Error: " in line or "Exception: " in line]
    return (causes or lines or [type(error).__name__])[-1]


def _say(line: str) -> None:
    sys.stdout.write(f"  {line}\n")
    sys.stdout.flush()


def _stop(sentence: str) -> int:
    sys.stderr.write(f"\n{sentence}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
