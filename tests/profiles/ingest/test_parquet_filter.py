"""Parquet dumps: their columns have various types, and the same rules apply."""

from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from profiles.ingest import parquet_filter
from profiles.ingest.funnel import Rule
from profiles.ingest.options import Options
from profiles.ingest.parquet_filter import MISSING_COLUMN, NOT_A_TEXT_COLUMN, NOT_WHOLE, UnreadableParquet
from profiles.ingest.repair import MISSING, NOT_A_DATE, NOT_AN_ID
from tests.profiles.ingest.dumps import MAY_2013, comment, write_parquet
from tests.profiles.ingest.filters import filter_path

MOMENT = datetime(2013, 5, 1, tzinfo=UTC)
LISTED = Options().with_names(["houston", *(f"place{n}" for n in range(2000))])


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (pa.int64(), MAY_2013), (pa.int32(), MAY_2013), (pa.uint64(), MAY_2013), (pa.string(), str(MAY_2013)),
        (pa.large_string(), str(MAY_2013)), (pa.float64(), float(MAY_2013)), (pa.float64(), MAY_2013 + 0.75),
        (pa.timestamp("s"), MOMENT), (pa.timestamp("ns"), MOMENT), (pa.timestamp("us", tz="UTC"), MOMENT),
        (pa.timestamp("ms", tz="America/New_York"), MOMENT), (pa.decimal128(12, 1), MAY_2013),
        (pa.dictionary(pa.int32(), pa.string()), str(MAY_2013)),
    ],
)  # fmt: skip
def test_dates_of_every_type_are_read(kind, written, tmp_path):
    rows = [comment(created_utc=written), comment(created_utc=None), comment(created_utc=written)]
    result, kept = filter_path(write_parquet(tmp_path / "a.parquet", rows, {"created_utc": kind}))
    assert [row["created"] for row in kept] == [MAY_2013] * 2
    assert result.set_aside == [(2, MISSING.format(name="created_utc"))]


@pytest.mark.parametrize("kind", [pa.large_string(), pa.dictionary(pa.int32(), pa.string()), pa.binary()])
def test_texts_of_every_type_are_read(kind, tmp_path):
    rows = [comment(body="naïve and long enough".encode() if kind == pa.binary() else "naïve and long enough")]
    _, kept = filter_path(write_parquet(tmp_path / "a.parquet", rows, {"body": kind}))
    assert kept[0]["body"] == "naïve and long enough"


@pytest.mark.parametrize("at_once", [1, 7, 1000])
def test_odd_rows_are_set_aside_with_their_numbers_and_reasons(at_once, tmp_path, monkeypatch):
    """However few come at once, beside a long list."""
    monkeypatch.setattr(parquet_filter, "ROWS_AT_ONCE", at_once)
    rows = [comment(id=f"e{n}", body="short" if n % 2 else "long enough") for n in range(20)]
    rows[3] |= {"author": None}
    rows[8] |= {"id": "t1_c9"}
    rows[11] |= {"subreddit": ""}
    rows[14] |= {"body": None}
    rows[19] |= {"created_utc": -5, "body": "long enough"}
    result, kept = filter_path(write_parquet(tmp_path / "a.parquet", rows), LISTED)
    assert result.set_aside == [
        (4, MISSING.format(name="author")),
        (9, NOT_AN_ID),
        (12, MISSING.format(name="subreddit")),
        (15, MISSING.format(name="body")),
        (20, NOT_A_DATE),
    ]
    assert [row["id"] for row in kept] == [f"e{n}" for n in (0, 2, 4, 6, 10, 12, 16, 18)]
    assert result.removed == {Rule.SET_ASIDE: 5, Rule.TOO_SHORT: 7}


def test_rows_of_nulls_are_set_aside(tmp_path):
    result, _ = filter_path(write_parquet(tmp_path / "a.parquet", [{}, comment(), {}]))
    assert result.set_aside == [(1, MISSING.format(name="author")), (3, MISSING.format(name="author"))]


@pytest.mark.parametrize("kind", [pa.string(), pa.binary()])
def test_text_that_is_not_utf_8_is_repaired(kind, tmp_path):
    bodies = pa.array([b"long enough", b"long \xff enough", b"long enough"]).view(kind)
    columns = {name: [comment()[name]] * 3 for name in ("author", "subreddit", "id", "created_utc")}
    pq.write_table(pa.table(columns | {"body": bodies}), tmp_path / "a.parquet")
    _, kept = filter_path(tmp_path / "a.parquet")
    assert [row["body"] for row in kept] == ["long enough", "long ? enough", "long enough"]


def test_columns_may_be_more_and_in_any_order(tmp_path):
    table = pq.read_table(write_parquet(tmp_path / "a.parquet", [comment(id="a1")]))
    backwards = table.select(table.column_names[::-1]).append_column("extra", pa.array([[1, 2]]))
    pq.write_table(backwards, tmp_path / "b.parquet")
    assert filter_path(tmp_path / "b.parquet")[1][0]["id"] == "a1"


def test_a_file_without_one_of_the_columns_is_refused_by_its_name(tmp_path):
    table = pq.read_table(write_parquet(tmp_path / "a.parquet", [comment()]))
    pq.write_table(table.drop_columns(["author"]), tmp_path / "b.parquet")
    with pytest.raises(UnreadableParquet, match=MISSING_COLUMN.format(name="author")):
        filter_path(tmp_path / "b.parquet")


def test_an_empty_file_is_nothing(tmp_path):
    result, kept = filter_path(write_parquet(tmp_path / "a.parquet", []))
    assert (result.lines, kept) == (0, [])


@pytest.mark.parametrize("share", [0.2, 0.6, 0.99])
def test_a_cut_file_is_refused(share, tmp_path):
    path = write_parquet(tmp_path / "a.parquet", [comment() for _ in range(500)])
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    with pytest.raises(UnreadableParquet, match=NOT_WHOLE):
        filter_path(path)


def test_a_damaged_file_is_refused(tmp_path):
    path = write_parquet(tmp_path / "a.parquet", [comment(body=f"{n} is long enough") for n in range(500)])
    damaged = bytearray(path.read_bytes())
    damaged[20:4000] = bytes(3980)
    path.write_bytes(damaged)
    with pytest.raises(UnreadableParquet, match=NOT_WHOLE):
        filter_path(path)


def test_a_full_disk_is_not_blamed_on_the_file(tmp_path, monkeypatch):
    def full(*of):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parquet_filter.ShardWriter, "add", full)
    with pytest.raises(OSError, match="No space left"):
        filter_path(write_parquet(tmp_path / "a.parquet", [comment()]))


@pytest.mark.parametrize("kind", [pa.date32(), pa.date64()])
def test_a_day_without_a_time_is_its_midnight(kind, tmp_path):
    rows = [comment(created_utc=MOMENT.date()), comment(created_utc=None)]
    result, kept = filter_path(write_parquet(tmp_path / "a.parquet", rows, {"created_utc": kind}))
    assert [row["created"] for row in kept] == [MAY_2013]
    assert result.set_aside == [(2, MISSING.format(name="created_utc"))]


@pytest.mark.parametrize("name", ["author", "body", "created_utc", "id", "subreddit"])
@pytest.mark.parametrize(
    ("kind", "value", "named"),
    [
        (pa.list_(pa.string()), ["long enough"], "VARCHAR[]"),
        (pa.struct([("a", pa.string())]), {"a": "long enough"}, "STRUCT(a VARCHAR)"),
        (pa.map_(pa.string(), pa.int64()), [("a", 1)], "MAP(VARCHAR, BIGINT)"),
        (pa.list_(pa.int64()), [1], "BIGINT[]"),
        (pa.bool_(), True, "BOOLEAN"),
    ],
)
def test_a_column_that_is_not_text_is_named_with_its_type(name, kind, value, named, tmp_path):
    path = write_parquet(tmp_path / "a.parquet", [comment(**{name: value})], {name: kind})
    with pytest.raises(UnreadableParquet) as refusal:
        filter_path(path)
    assert str(refusal.value) == NOT_A_TEXT_COLUMN.format(name=name, kind=named)


def test_a_date_is_no_text(tmp_path):
    path = write_parquet(tmp_path / "a.parquet", [comment(author=MOMENT.date())], {"author": pa.date32()})
    with pytest.raises(UnreadableParquet, match="author"):
        filter_path(path)
