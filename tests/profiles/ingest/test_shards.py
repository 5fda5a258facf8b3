"""A shard appears only once it is complete."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from profiles.ingest import shards
from profiles.ingest.shards import SCHEMA, ShardWriter
from tests.profiles.ingest.dumps import MAY_2013


def comments(number: int, body: str = "A text of some length") -> pa.StructArray:
    row = {"account": "ann", "author": "Ann", "subreddit": "houston", "id": "c1", "created": MAY_2013, "body": body}
    return pa.array([row] * number, pa.struct(list(SCHEMA)))


def test_a_shard_appears_when_it_is_whole(tmp_path):
    shard = tmp_path / "a.parquet"
    with ShardWriter(shard) as writer:
        writer.add(comments(2))
        writer.add(comments(0))
        assert not shard.exists()
    assert pq.read_table(shard).num_rows == 2
    assert list(tmp_path.iterdir()) == [shard]


def test_nothing_is_left_of_a_shard_that_failed(tmp_path):
    with pytest.raises(AttributeError), ShardWriter(tmp_path / "a.parquet") as writer:
        writer.add(comments(2).to_pylist())
    assert list(tmp_path.iterdir()) == []


def test_a_shard_of_nothing_can_be_read(tmp_path):
    with ShardWriter(tmp_path / "a.parquet"):
        pass
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 0


@pytest.mark.parametrize(("body", "groups"), [("x", 2), ("x" * 4000, 4)])
def test_groups_are_small_in_rows_and_in_bytes(tmp_path, monkeypatch, body, groups):
    """A group is read as a whole, so few long comments count like many short ones."""
    monkeypatch.setattr(shards, "ROWS_A_GROUP", 20)
    monkeypatch.setattr(shards, "BYTES_A_GROUP", 30_000)
    with ShardWriter(tmp_path / "a.parquet") as writer:
        for _ in range(4):
            writer.add(comments(10, body))
    assert pq.ParquetFile(tmp_path / "a.parquet").metadata.num_row_groups == groups
