"""Rows and splits of a dataset."""

from collections import Counter

import pyarrow as pa

from evaluation.datasets.rows import SCHEMA, SPLITS, build_row, split_of
from tests.evaluation.datasets.records import RECORD


def test_a_row_has_comments_labels_and_statuses():
    row = build_row(RECORD)
    assert [(label["attribute"], label["status"]) for label in row["labels"]] == [
        ("location", "inferred"), ("age", "negative"),
    ]  # fmt: skip
    span = row["labels"][0]["evidence"][0]
    assert row["comments"][0]["text"][span["start"] : span["end"]] == span["text"]


def test_rows_fit_the_schema_and_come_back():
    row = build_row(RECORD)
    assert pa.Table.from_pylist([row], SCHEMA).to_pylist() == [row]


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
