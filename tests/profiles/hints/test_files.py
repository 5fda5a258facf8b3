"""The subreddit list as a file."""

import csv
import io

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from profiles.attributes import Attribute
from profiles.hints import files
from profiles.hints.files import COLUMNS, Unreadable, defused, read_hints, restored, write_hints
from profiles.hints.rules import HintRow, Refused, checked

HEAD = "subreddit,attribute,value,reason\n"


def read(text: str):
    return read_hints(text.encode())


def row(subreddit="Oslo", attribute="location", value="oslo / norway", reason="the city") -> HintRow:
    return checked(subreddit=subreddit, attribute=attribute, value=value, reason=reason)


# ── Out and in again ────────────────────────────────────────────────────────

NAMES = st.builds("{}{}".format, st.sampled_from("aZ0_"), st.text("aZ0_.:-", max_size=49))
# What makes files go wrong: formulas, quotes, delimiters, line ends, spaces, letters whose lower case is longer.
TEXTS = st.text("abZ9'\"=+-@,;/ \t\r\n\x00\xa0\u2028ÀßİΣςǅ漢😀", max_size=40)


@st.composite
def hint_rows(draw) -> HintRow:
    attribute = draw(st.sampled_from([Attribute.OCCUPATION, Attribute.LOCATION, Attribute.AGE]))
    value = draw(st.just("13-19") if attribute is Attribute.AGE else TEXTS)
    try:
        return row(draw(NAMES), attribute.value, value, draw(TEXTS))
    except Refused:
        assume(False)
        raise


@given(st.lists(hint_rows(), max_size=8, unique_by=lambda row: row.key), st.booleans(), st.booleans())
@example([HintRow("a", Attribute.OCCUPATION, "=1+1", "'@x")], False, True)
@example([HintRow("a", Attribute.OCCUPATION, "'=1+1", "''-x")], True, False)
def test_what_is_written_is_read_again_in_either_dialect(rows, mark, semicolons):
    text = "".join(write_hints(rows))
    if semicolons:
        again = io.StringIO(newline="")
        csv.writer(again, delimiter=";").writerows(csv.reader(io.StringIO(text, newline="")))
        text = again.getvalue()
    found = read_hints(text.encode("utf-8-sig" if mark else "utf-8"))
    assert (found.rows, found.refused) == (rows, [])


@given(TEXTS)
@example("\t=1")
@example("'+1")
def test_no_cell_can_be_run_and_none_is_changed(cell):
    assert not defused(cell).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert restored(defused(cell)) == cell


@given(hint_rows())
def test_a_row_that_was_tidied_is_tidy(one):
    assert row(one.subreddit, one.attribute.value, one.value, one.reason) == one


def test_an_apostrophe_of_its_own_stays():
    assert defused("'tis") == restored("'tis") == "'tis"


# ── The file as a whole ─────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "first line must name the columns"),
        (b"\n\n", "first line must name the columns"),
        (b"subreddit,attribute,value\nOslo,location,oslo\n", "first line must name the columns"),
        (b"subreddit,attribute,value,reason,value\n", "first line must name the columns"),
        (b'"subreddit,attribute', "first line must name the columns"),
        ("subreddit,attribute,value,reason\nÖrebro,location,,".encode("latin-1"), "not UTF-8"),
        (HEAD.encode("utf-16"), "not UTF-8"),
        (HEAD.encode("utf-16-le"), "first line must name the columns"),
    ],
)
def test_a_file_that_cannot_be_read_is_explained(data, reason):
    with pytest.raises(Unreadable, match=reason):
        read_hints(data)


def test_size_and_rows_are_bounded(monkeypatch):
    with pytest.raises(Unreadable, match="larger than 5 MB"):
        read_hints(b"x" * 5_000_001)
    monkeypatch.setattr(files, "MOST_ROWS", 2)
    assert len(read(HEAD + "a,sex,,\nb,sex,,\n").rows) == 2
    with pytest.raises(Unreadable, match="more than 2 rows"):
        read(HEAD + "a,sex,,\nb,sex,,\nc,nonsense,,\n")


def test_columns_may_be_in_any_order_and_case_with_others_between():
    found = read("Reason;note; VALUE ;Attribute;subreddit\r\nthe city;x;Oslo/Norway;Location;r/Oslo\r\n")
    assert found.rows == [row()]


# ── Rows ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Oslo,height,,", "There is no such attribute"),
        ("Oslo,sex,both,", "Choose one of: male, female"),
        ("Oslo,marital_status,single,", "Choose one of: no relation"),
        ("Oslo,age,30+,", "Write an age as 27 or 25-35"),
        ("Oslo,age,40-30,", "Write an age as 27 or 25-35"),
        ("Oslo,age,9,", "Write an age as 27 or 25-35"),
        ("Oslo,location,a / b / c / d,", "Write a place as city / state / country"),
        ("Oslo,location,oslo / / norway,", "Write a place as city / state / country"),
        (",sex,male,", "Write the subreddit's name"),
        ("two words,sex,male,", "Write the subreddit's name"),
        ("Örebro,sex,male,", "Write the subreddit's name"),
        (f"{'x' * 51},sex,male,", "The subreddit is longer than 50 characters"),
        (f"Oslo,occupation,{'x' * 121},", "The value is longer than 120 characters"),
        (f"Oslo,sex,male,{'x' * 201}", "The reason is longer than 200 characters"),
        ("Oslo,sex,male,a\x00b", "The reason contains a character that cannot be printed"),
        ("Os\x00lo,sex,male,", "The subreddit contains a character that cannot be printed"),
        ("Oslo,sex,male", "The row has 3 cells, the first line has 4"),
        ("Oslo,sex,male,because, well", "The row has 5 cells, the first line has 4"),
        ('Oslo,sex,male,"so" it is', "Quotation marks are in the wrong place"),
        (f"Oslo,sex,male,{'x' * 140_000}", "A cell is far too long"),
    ],
)
def test_a_bad_row_is_set_aside_and_the_good_ones_are_taken(line, reason):
    found = read(f"{HEAD}first,sex,male,\n\n{line}\nlast,sex,female,\n")
    assert [good.subreddit for good in found.rows] == ["first", "last"]
    assert [bad.line for bad in found.refused] == [4]
    assert reason in found.refused[0].reason


def test_a_quotation_mark_that_is_never_closed_is_told_with_the_line_it_opens_on():
    found = read(HEAD + 'first,sex,male,\nOslo,sex,male,"open\nlast,sex,female,\n')
    assert len(found.rows) == 1
    assert [(bad.line, "never closed" in bad.reason) for bad in found.refused] == [(3, True)]


def test_a_row_that_says_what_another_said_is_set_aside_whatever_its_case():
    found = read(HEAD + "Oslo,location,oslo / norway,one\nOSLO,Location,Oslo/Norway,two\n")
    assert [good.reason for good in found.rows] == ["one"]
    assert found.refused[0].reason == "Line 2 says this already."


def test_a_cell_over_two_lines_does_not_shift_the_numbers():
    found = read(HEAD + 'Oslo,location,,"over\ntwo lines"\n,,,\nx,nonsense,,\n')
    assert found.rows[0].reason == "over two lines"
    assert found.refused[0].line == 5


def test_every_wrong_field_is_told_once():
    with pytest.raises(Refused) as refusal:
        row("a b", "age", "old", "x" * 300)
    assert set(refusal.value.problems) == {"subreddit", "value", "reason"}
    assert set(COLUMNS) > set(refusal.value.problems)
