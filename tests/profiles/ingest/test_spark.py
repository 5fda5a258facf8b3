"""Spark and DuckDB turn the same dumps into the same comments, profiles and counts."""

import json
import os
import subprocess
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from profiles.ingest.archives import CUT_OFF, detect_format
from profiles.ingest.columns import GROUPED_COLUMNS
from profiles.ingest.engine import connect
from profiles.ingest.groups import PROFILES_SQL
from profiles.ingest.line_filter import filter_lines
from profiles.ingest.merge import merge_shards
from profiles.ingest.options import ALL, Options
from profiles.ingest.parquet_filter import filter_parquet
from tests.profiles.ingest.odd_dumps import LISTED, make_dumps

PROJECT = Path(__file__).resolve().parents[3]
SPARK_PYTHON = PROJECT / ".venv-spark/bin/python"
DEFAULT = Options().with_names(LISTED)
RULES = {
    "a_default": DEFAULT,
    "as_study": Options(subreddits=ALL).as_study(),
    "sample": replace(DEFAULT, min_comments=2, max_comments=12, sample=25, seed=3, min_chars=4),
}
QUICK = {  # it is over before Java has warmed up
    "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1",
    "PYSPARK_SUBMIT_ARGS": "--conf spark.sql.shuffle.partitions=4 pyspark-shell",
    "JAVA_HOME": str(PROJECT / ".venv-spark/java"),
}

pytestmark = [pytest.mark.spark, pytest.mark.long]


@dataclass(frozen=True)
class Corpus:
    comments: list[tuple[Any, ...]]
    profiles: list[tuple[Any, ...]]
    counts: dict[str, Any]


@dataclass(frozen=True)
class SparkRun:
    folder: Path
    output: str


@pytest.fixture(scope="module")
def spark() -> None:
    subprocess.run(["bin/_spark"], cwd=PROJECT, env=_without_java(), check=True)


@pytest.fixture(scope="module")
def dumps(tmp_path_factory) -> list[Path]:
    folder = tmp_path_factory.mktemp("dumps")
    make_dumps(folder)
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def spark_run(spark, dumps, tmp_path_factory) -> SparkRun:
    folder = tmp_path_factory.mktemp("results")
    for name, options in RULES.items():
        (folder / f"{name}.json").write_text(json.dumps(options.to_json()))
    ended = command(SPARK_PYTHON, "-m", "tests.profiles.ingest.spark_program", folder, *dumps, **QUICK)
    assert ended.returncode == 0, ended.stderr
    return SparkRun(folder, ended.stdout)


def command(*words: object, **env: str) -> subprocess.CompletedProcess[str]:
    env = _without_java() | env
    return subprocess.run([*map(str, words)], cwd=PROJECT, env=env, capture_output=True, text=True, check=False)


def _without_java() -> dict[str, str]:
    """As on a machine where nobody chose one."""
    return {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}


def made_by_spark(out: Path) -> Corpus:
    comments = pq.read_table(out / "comments")
    kinds = {"STRING": pa.string(), "BIGINT": pa.int64()}
    assert comments.schema.names == list(GROUPED_COLUMNS)
    assert comments.schema.types == [kinds[kind] for kind in GROUPED_COLUMNS.values()]
    profiles = json.loads((out / "profiles.json").read_text())
    return Corpus(rows(comments), sorted(map(tuple, profiles)), json.loads((out / "counts.json").read_text()))


def made_by_duckdb(dumps: list[Path], options: Options, folder: Path) -> Corpus:
    counts = {"lines": 0, "kept": 0, "removed": Counter[str]()}
    shards = [folder / f"{number}.shard" for number, _ in enumerate(dumps)]
    with connect(folder) as connection:
        for dump, shard in zip(dumps, shards, strict=True):
            filter_file = filter_parquet if detect_format(dump) == "parquet" else filter_lines
            result = filter_file(connection, dump, options, shard, lambda result: None)
            counts = {name: getattr(result, name) + count for name, count in counts.items()}
        removed = {**counts["removed"], **merge_shards(shards, options, folder / "grouped.parquet")}
        connection.execute(f"CREATE VIEW comments AS FROM read_parquet('{folder}/grouped.parquet')")
        profiles = sorted(connection.execute(PROFILES_SQL.format(comments="comments")).fetchall())
    return Corpus(rows(pq.read_table(folder / "grouped.parquet")), profiles, counts | {"removed": removed})


def rows(table) -> list[tuple[Any, ...]]:
    return sorted(tuple(row.values()) for row in table.to_pylist())


def assert_same(theirs: list[Any], ours: list[Any]) -> None:
    """The first difference alone: thousands would take minutes to print."""
    differing = [pair for pair in zip(theirs, ours, strict=False) if pair[0] != pair[1]][:1]
    assert (differing, len(theirs)) == ([], len(ours))


@pytest.mark.parametrize("name", RULES)
def test_both_engines_make_the_same(name, spark_run, dumps, tmp_path):
    theirs, ours = made_by_spark(spark_run.folder / name), made_by_duckdb(dumps, RULES[name], tmp_path)
    assert {key: theirs.counts[key] for key in ours.counts} == ours.counts
    assert_same(theirs.comments, ours.comments)
    assert_same(theirs.profiles, ours.profiles)
    assert theirs.counts["comments"] == len(ours.comments) > 20
    assert Options.from_json(theirs.counts["options"]) == RULES[name]


def test_every_rule_was_applied(spark_run):
    counts = [json.loads((spark_run.folder / name / "counts.json").read_text()) for name in RULES]
    assert {rule for count in counts for rule in count["removed"]} == set(
        "set_aside too_short deleted_author removed_text other_subreddit other_years not_own duplicate bot too_few "
        "too_many not_drawn".split()
    )


def test_the_command_reports_its_result(spark_run, dumps):
    corpus = made_by_spark(spark_run.folder / "a_default")
    cut_off = next(dump for dump in dumps if dump.name == "RC_2013-03.bz2")
    assert corpus.counts["problems"] == [f"{cut_off}: {CUT_OFF} at byte {cut_off.stat().st_size:,}"]
    assert f"Not read to the end: {corpus.counts['problems'][0]}" in spark_run.output
    assert f"{len(corpus.comments):,} comments are in {spark_run.folder / 'a_default' / 'comments'}" in spark_run.output


def test_nothing_else_is_left_behind(spark_run):
    left = {path.name for path in (spark_run.folder / "sample").iterdir()}
    assert left == {"comments", "counts.json", "profiles.json"}


# ── What it refuses, in one sentence ────────────────────────────────────────


def assert_refused(ended: subprocess.CompletedProcess[str], sentence: str) -> None:
    assert ended.returncode == 1
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr


def words(folder: Path, *paths: Path, rules: str = "{}", out: str = "out") -> list[object]:
    (folder / "rules.json").write_text(rules)
    return ["--master", "local[2]", "--options", folder / "rules.json", "--out", folder / out, *paths]


def test_refuses_a_path_without_a_dump(spark, tmp_path):
    assert_refused(command("bin/_spark", *words(tmp_path, tmp_path / "nowhere")), "There is no dump at")


def test_refuses_rules_that_are_none(spark, dumps, tmp_path):
    ended = command("bin/_spark", *words(tmp_path, dumps[0], rules='{"since": "soon"}'))
    assert_refused(ended, "rules.json contains no rules")


def test_does_not_write_over_a_result(spark, dumps, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "counts.json").write_text("{}")
    assert_refused(command("bin/_spark", *words(tmp_path, dumps[0])), "Choose another folder, or remove it.")


def test_refuses_a_java_that_is_none(spark, dumps, tmp_path):
    arguments = words(tmp_path, dumps[0])
    assert_refused(command("bin/_spark", *arguments, JAVA_HOME="/nowhere"), "Spark needs Java 17 or 21")
    ended = command(SPARK_PYTHON, "-m", "profiles.ingest.spark.main", *arguments, JAVA_HOME="/nowhere")
    assert_refused(ended, "There is no Java in JAVA_HOME=/nowhere.")


def test_refuses_a_python_without_spark(dumps, tmp_path):
    ended = command(PROJECT / ".venv/bin/python", "-m", "profiles.ingest.spark.main", *words(tmp_path, dumps[0]))
    assert_refused(ended, "Spark is not installed in this Python.")
