"""The subreddit list as a file."""

import csv
import io

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from profiles.attributes import Attribute
from profiles.hints import files, rules
from profiles.hints.files import COLUMNS, UnreadableFile, escape_formula, read_hints, unescape_formula, write_hints
from profiles.hints.rules import HintRow, InvalidHint, check_hint

HEAD = "subreddit,attribute,value,reason\n"


def read(text: str):
    return read_hints(text.encode())


def row(subreddit="Oslo", attribute="location", value="oslo / norway", reason="the city") -> HintRow:
    return check_hint(subreddit=subreddit, attribute=attribute, value=value, reason=reason)


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
    except InvalidHint:
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
    hints = read_hints(text.encode("utf-8-sig" if mark else "utf-8"))
    assert (hints.rows, hints.invalid_lines) == (rows, [])


@given(TEXTS)
@example("\t=1")
@example("'+1")
def test_no_cell_can_be_run_and_none_is_changed(cell):
    assert not escape_formula(cell).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert unescape_formula(escape_formula(cell)) == cell


@given(hint_rows())
def test_a_normalized_row_stays_as_it_is(hint):
    assert row(hint.subreddit, hint.attribute.value, hint.value, hint.reason) == hint


def test_an_apostrophe_of_its_own_stays():
    assert escape_formula("'tis") == unescape_formula("'tis") == "'tis"


# ── The file as a whole ─────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", files.WRONG_COLUMNS),
        (b"\n\n", files.WRONG_COLUMNS),
        (b"subreddit,attribute,value\nOslo,location,oslo\n", files.WRONG_COLUMNS),
        (b"subreddit,attribute,value,reason,value\n", files.WRONG_COLUMNS),
        (b'"subreddit,attribute', files.WRONG_COLUMNS),
        ("subreddit,attribute,value,reason\nÖrebro,location,,".encode("latin-1"), files.NOT_UTF8),
        (HEAD.encode("utf-16"), files.NOT_UTF8),
        (HEAD.encode("utf-16-le"), files.WRONG_COLUMNS),
    ],
)
def test_a_file_that_cannot_be_read_is_explained(data, reason):
    with pytest.raises(UnreadableFile) as error:
        read_hints(data)
    assert str(error.value) == reason


def test_size_and_rows_are_bounded(monkeypatch):
    with pytest.raises(UnreadableFile) as too_large:
        read_hints(b"x" * (files.MAX_BYTES + 1))
    assert str(too_large.value) == files.TOO_LARGE.format(megabytes=5)
    monkeypatch.setattr(files, "MAX_ROWS", 2)
    assert len(read(HEAD + "a,sex,,\nb,sex,,\n").rows) == 2
    with pytest.raises(UnreadableFile) as too_many:
        read(HEAD + "a,sex,,\nb,sex,,\nc,nonsense,,\n")
    assert str(too_many.value) == files.TOO_MANY_ROWS.format(rows=2)


def test_columns_may_be_in_any_order_and_case_with_others_between():
    hints = read("Reason;note; VALUE ;Attribute;subreddit\r\nthe city;x;Oslo/Norway;Location;r/Oslo\r\n")
    assert hints.rows == [row()]


# ── Rows ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Oslo,height,,", rules.NO_SUCH_ATTRIBUTE),
        ("Oslo,sex,both,", rules.NOT_IN_LIST.format(values="male, female")),
        ("Oslo,marital_status,single,", rules.NOT_IN_LIST.format(values="no relation, relation, married, divorced")),
        ("Oslo,age,30+,", rules.NOT_AN_AGE),
        ("Oslo,age,40-30,", rules.NOT_AN_AGE),
        ("Oslo,age,9,", rules.NOT_AN_AGE),
        ("Oslo,location,a / b / c / d,", rules.NOT_A_PLACE),
        ("Oslo,location,oslo / / norway,", rules.NOT_A_PLACE),
        (",sex,male,", rules.NOT_A_SUBREDDIT),
        ("two words,sex,male,", rules.NOT_A_SUBREDDIT),
        ("Örebro,sex,male,", rules.NOT_A_SUBREDDIT),
        (f"{'x' * 51},sex,male,", rules.TOO_LONG.format(field="subreddit", limit=50)),
        (f"Oslo,occupation,{'x' * 121},", rules.TOO_LONG.format(field="value", limit=120)),
        (f"Oslo,sex,male,{'x' * 201}", rules.TOO_LONG.format(field="reason", limit=200)),
        ("Oslo,sex,male,a\x00b", rules.NOT_PRINTABLE.format(field="reason")),
        ("Os\x00lo,sex,male,", rules.NOT_PRINTABLE.format(field="subreddit")),
        ("Oslo,sex,male", files.WRONG_CELL_COUNT.format(cells=3, columns=4)),
        ("Oslo,sex,male,because, well", files.WRONG_CELL_COUNT.format(cells=5, columns=4)),
        ('Oslo,sex,male,"so" it is', files.MISPLACED_QUOTE),
        (f"Oslo,sex,male,{'x' * 140_000}", files.CELL_TOO_LONG),
    ],
)
def test_an_invalid_row_is_left_out_and_the_valid_ones_are_read(line, reason):
    hints = read(f"{HEAD}first,sex,male,\n\n{line}\nlast,sex,female,\n")
    assert [good.subreddit for good in hints.rows] == ["first", "last"]
    assert [bad.line for bad in hints.invalid_lines] == [4]
    assert hints.invalid_lines[0].reason == reason


def test_a_quotation_mark_that_is_never_closed_is_reported_with_its_line():
    hints = read(HEAD + 'first,sex,male,\nOslo,sex,male,"open\nlast,sex,female,\n')
    assert len(hints.rows) == 1
    assert [(bad.line, bad.reason) for bad in hints.invalid_lines] == [(3, files.UNCLOSED_QUOTE)]


def test_a_duplicate_row_is_left_out_whatever_its_case():
    hints = read(HEAD + "Oslo,location,oslo / norway,one\nOSLO,Location,Oslo/Norway,two\n")
    assert [good.reason for good in hints.rows] == ["one"]
    assert hints.invalid_lines[0].reason == files.DUPLICATE.format(line=2)


def test_a_cell_over_two_lines_does_not_shift_the_numbers():
    hints = read(HEAD + 'Oslo,location,,"over\ntwo lines"\n,,,\nx,nonsense,,\n')
    assert hints.rows[0].reason == "over two lines"
    assert hints.invalid_lines[0].line == 5


def test_every_wrong_field_is_reported_once():
    with pytest.raises(InvalidHint) as error:
        row("a b", "age", "old", "x" * 300)
    assert set(error.value.problems) == {"subreddit", "value", "reason"}
    assert set(COLUMNS) > set(error.value.problems)
