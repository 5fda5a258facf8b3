"""Rows and splits of a dataset."""

import json
from collections import Counter

import pyarrow.parquet as pq

from evaluation.datasets.parquet import write_splits
from evaluation.datasets.rows import SPLITS, build_row, split_of
from tests.evaluation.datasets.records import RECORD


def test_a_row_has_comments_labels_and_statuses():
    row = build_row(RECORD)
    assert [(label["attribute"], label["status"]) for label in row["labels"]] == [
        ("location", "inferred"), ("age", "negative"),
    ]  # fmt: skip
    span = row["labels"][0]["evidence"][0]
    assert row["comments"][0]["text"][span["start"] : span["end"]] == span["text"]


def test_rows_come_back_from_the_file_with_the_types_of_the_card(tmp_path):
    native = tmp_path / "native.jsonl"
    native.write_text(json.dumps(RECORD) + "\n", encoding="utf-8")
    write_splits(native, tmp_path)
    native.unlink()
    [file] = tmp_path.iterdir()
    assert pq.read_table(file).to_pylist() == [build_row(RECORD)]
    schema = pq.read_schema(file)
    label, comment = (schema.field(name).type.value_type for name in ("labels", "comments"))
    kinds = {name: str(label.field(name).type) for name in ("hardness", "guideline", "required_subreddit")}
    assert kinds == {"hardness": "int8", "guideline": "int32", "required_subreddit": "bool"}
    assert str(comment.field("written_at").type) == "timestamp[us, tz=UTC]"


def test_texts_may_be_left_out():
    comment = {name: value for name, value in RECORD["comments"][0].items() if name != "text"}
    assert build_row(RECORD | {"comments": [comment]})["comments"][0]["text"] is None


def test_a_tenth_is_for_validation_and_stays_there():
    names = [f"profile-{number}" for number in range(5000)]
    counts = Counter(map(split_of, names))
    assert set(counts) == set(SPLITS)
    assert 400 < counts["validation"] < 600
    assert [split_of(name) for name in names] == [split_of(name) for name in names]
    assert split_of("mellow-otter") == "test"  # any change moves profiles between splits of published files
