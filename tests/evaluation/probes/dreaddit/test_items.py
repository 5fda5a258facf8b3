"""Dreaddit's files: shapes that go around, duplicates, and bad input."""

import os
from pathlib import Path

import pytest

from evaluation.probes.dreaddit.items import BAD_LABEL, NO_TEXT, NUL, SHORT, Duplicates, UnreadableItems, read_items
from tests.evaluation.probes.dreaddit.files import COLUMNS, make_rows, write_csv

REAL = Path(os.environ.get("TELLTALE_TEST_DREADDIT", "nowhere"))  # the real test split, which is not ours to ship


def test_columns_may_stand_in_any_order(tmp_path):
    rows = make_rows(6)
    files = [
        write_csv(tmp_path / "test-a.csv", rows),
        write_csv(tmp_path / "test-b.csv", rows, tuple(reversed(COLUMNS))),
    ]
    first, second = (read_items([file]).items for file in files)
    assert first == second
    assert (first[1].key, first[1].label, first[1].group) == ("p1 15-20", True, "ptsd")


def test_subreddits_that_the_study_has_not_are_named(tmp_path):
    rows = make_rows(3)
    rows[1]["subreddit"] = "cats"
    assert read_items([write_csv(tmp_path / "test.csv", rows)]).other_subreddits == ["cats"]


def test_both_spellings_of_a_range_are_read(tmp_path):
    items = read_items([write_csv(tmp_path / "test.csv", make_rows(2))]).items
    assert [item.key for item in items] == ["p0 15-20", "p1 15-20"]


def test_text_and_label_are_enough(tmp_path):
    items = read_items([write_csv(tmp_path / "test.csv", make_rows(2), ("text", "label"))]).items
    assert [(item.key, item.group) for item in items] == [("test line 2", ""), ("test line 3", "")]


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("windows-1252", "windows-1252"), ("latin-1", "windows-1252")],
)
def test_encodings(tmp_path, encoding, name):
    rows = make_rows(1)
    rows[0]["text"] = "I can’t sleep, café" if encoding != "latin-1" else "I can't sleep, café"
    source = read_items([write_csv(tmp_path / "test.csv", rows, encoding=encoding)])
    assert source.items[0].text == rows[0]["text"]
    assert source.files[0].encoding == name


def test_bytes_that_windows_has_not_are_latin(tmp_path):
    path = tmp_path / "test.csv"
    path.write_bytes(b"text,label\ncaf\xe9 \x81,1\n")
    assert read_items([path]).files[0].encoding == "latin-1"


@pytest.mark.parametrize("names", [("dreaddit-test.csv", "dreaddit-train.csv"), ("a.csv", "b.csv")])
def test_test_comes_first_whatever_the_order(tmp_path, names):
    """By name, else by Dreaddit's own sizes."""
    test = write_csv(tmp_path / names[0], make_rows(715))
    train = write_csv(tmp_path / names[1], make_rows(2838, start=1000))
    for order in ((test, train), (train, test)):
        source = read_items(order)
        assert [file.split for file in source.files] == ["test", "train"]
        assert (len(source.items), source.items[0].key) == (3553, "p0 15-20")


def test_files_that_are_neither_keep_their_order(tmp_path):
    paths = [write_csv(tmp_path / name, make_rows(2, start)) for name, start in (("b.csv", 0), ("a.csv", 5))]
    assert [item.key[:2] for item in read_items(paths).items] == ["p0", "p1", "p5", "p6"]


def repeated(tmp_path):
    rows = make_rows(6)
    rows[3] |= {"text": rows[1]["text"], "label": "1"}
    rows[4] |= {"text": rows[2]["text"], "label": "0"}
    return write_csv(tmp_path / "test.csv", rows)


@pytest.mark.parametrize(
    ("duplicates", "keys"),
    [
        (Duplicates.KEEP, "p0 p1 p2 p3 p4 p5"), (Duplicates.FIRST, "p0 p1 p2 p5"),
        (Duplicates.DROP_CONTRADICTORY, "p0 p1 p3 p5"),
    ],
)  # fmt: skip
def test_duplicates_are_counted_and_kept_or_left_out(tmp_path, duplicates, keys):
    source = read_items([repeated(tmp_path)], duplicates)
    assert (source.repeated, source.contradictory) == (2, 1)
    assert " ".join(item.key.split()[0] for item in source.items) == keys
    assert source.left_out == 6 - len(source.items)


def test_bad_rows_are_set_aside_with_their_lines(tmp_path):
    path = tmp_path / "test.csv"
    lines = ["text,label,x", '"two\nlines",1,', "  ,1,", "fine,0,", "bad,2,", "nul\x00,1,", "short", "", "end,0.0,"]
    path.write_text("\n".join(lines))
    source = read_items([path])
    assert [item.text for item in source.items] == ["two\nlines", "fine", "end"]
    assert {setback.reason: setback.lines for setback in source.setbacks} == {
        NO_TEXT: (4,), BAD_LABEL: (6,), NUL: (7,), SHORT: (8,),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("contents", "word"),
    [
        (b"", "empty"), (b"  \n", "empty"), (b"id,label\n1,1\n", "“text”"), (b"a,b\n", "“text” and no “label”"),
        ("text,label\nx,1\n".encode("utf-16"), "UTF-16"), (bytes(400), "not a text"), (b"text,label\n,\n", "no row"),
        (b"text,label\n", "no row"), (b'text,label\n"' + b"x" * 200_000, "line 1"),
        (b"\x89PNG\r\n" + bytes(300), "text"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_used_are_refused_in_words(tmp_path, contents, word):
    path = tmp_path / "test.csv"
    path.write_bytes(contents)
    with pytest.raises(UnreadableItems, match=word):
        read_items([path])


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(UnreadableItems, match=r"nowhere\.csv"):
        read_items([tmp_path / "nowhere.csv"])


@pytest.mark.skipif(not REAL.exists(), reason="TELLTALE_TEST_DREADDIT names no file")
def test_the_real_test_split():
    source = read_items([REAL])
    assert (len(source.items), sum(item.label for item in source.items), source.setbacks) == (715, 369, [])
    assert len({item.group for item in source.items}) == 10
    assert len({item.key for item in source.items}) == 715
    assert (source.repeated, source.files[0].split) == (0, "test")
