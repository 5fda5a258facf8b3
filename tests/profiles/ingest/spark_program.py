"""Run by test_spark.py inside .venv-spark, in one process, because starting Java takes longer than the work."""

import json
import sys
from pathlib import Path

from profiles.ingest.groups import PROFILES_SQL
from profiles.ingest.options import Options
from profiles.ingest.spark.main import filter_and_group
from profiles.ingest.spark.main import main as run_command
from profiles.ingest.spark.session import SparkSession, open_session
from profiles.ingest.spark.steps import run_sql

MASTER = "local[2]"


def main(folder: Path, *dumps: Path) -> None:
    """Run the first rules through the command, and the others in one session. Then write the profiles of each."""
    first, *others = sorted(folder.glob("*.json"))
    words = ["--master", MASTER, "--options", first, "--out", folder / first.stem, *dumps]
    assert run_command([*map(str, words)]) == 0
    with open_session(MASTER) as session:
        for rules in others:
            filter_and_group(session, dumps, Options.from_json(json.loads(rules.read_text())), folder / rules.stem)
        for rules in (first, *others):
            write_profiles(session, folder / rules.stem)


def write_profiles(session: SparkSession, out: Path) -> None:
    session.read.parquet(f"file://{out}/comments").createOrReplaceTempView("comments")
    profiles = run_sql(session, PROFILES_SQL.format(comments="comments"))
    (out / "profiles.json").write_text(json.dumps([list(row) for row in profiles.collect()]))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
