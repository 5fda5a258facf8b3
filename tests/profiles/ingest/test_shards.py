"""A shard appears only once it is complete."""

from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from profiles.ingest import shards
from profiles.ingest.engine import connect
from profiles.ingest.shards import ShardWriter
from tests.profiles.ingest.dumps import MAY_2013


@pytest.fixture
def write(tmp_path):
    with connect(tmp_path) as connection:
        yield lambda shard: ShardWriter(connection, shard)


def add_comments(writer: ShardWriter, number: int, body: str = "A text of some length") -> None:
    writer.add(f"SELECT 'ann', 'Ann', 'houston', 'c1', {MAY_2013}, '{body}' FROM range({number})", number)  # noqa: S608


def files(shard: Path) -> int:
    return len(list(shard.glob("*.parquet")))


def test_a_shard_appears_when_it_is_whole(tmp_path, write):
    shard = tmp_path / "a.shard"
    with write(shard) as writer:
        add_comments(writer, 2)
        add_comments(writer, 0)
        assert not shard.exists()
    assert pq.read_table(shard).num_rows == 2
    assert list(tmp_path.iterdir()) == [shard]


def test_nothing_is_left_of_a_shard_that_failed(tmp_path, write):
    with pytest.raises(duckdb.Error), write(tmp_path / "a.shard") as writer:
        writer.add("SELECT 'too few columns'", 1)
    assert list(tmp_path.iterdir()) == []


def test_a_shard_that_nobody_recorded_is_written_again(tmp_path, write):
    """An ingest can be killed between the last rename and the commit that says the file has been read."""
    for number in (2, 3):
        with write(tmp_path / "a.shard") as writer:
            add_comments(writer, number)
    assert pq.read_table(tmp_path / "a.shard").num_rows == 3


def test_a_shard_of_nothing_can_be_read(tmp_path, write):
    with write(tmp_path / "a.shard"):
        pass
    assert pq.read_table(tmp_path / "a.shard").num_rows == 0


@pytest.mark.parametrize(("body", "number"), [("x", 2), ("x" * 4000, 4)])
def test_files_are_small_in_rows_and_in_bytes(tmp_path, write, monkeypatch, body, number):
    """Their row groups are read as a whole, so few long comments count like many short ones."""
    monkeypatch.setattr(shards, "ROWS_A_FILE", 20)
    monkeypatch.setattr(shards, "BYTES_A_FILE", 30_000)
    with write(tmp_path / "a.shard") as writer:
        for _ in range(4):
            add_comments(writer, 10, body)
    assert files(tmp_path / "a.shard") == number
    assert pq.read_table(tmp_path / "a.shard").num_rows == 40


def test_memory_of_what_is_written_is_free_again(tmp_path, write):
    """However much a dump keeps: only the comments that wait are in memory."""
    with connect(tmp_path) as connection, ShardWriter(connection, tmp_path / "a.shard") as writer:
        for _ in range(30):
            add_comments(writer, 50_000, "x" * 200)
        used = connection.execute("SELECT sum(memory_usage_bytes) FROM duckdb_memory()").fetchall()[0][0]
    assert used < 100e6  # of 300 MB
