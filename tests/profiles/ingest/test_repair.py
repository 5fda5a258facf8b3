"""Lines that the quick reader cannot read are repaired, or set aside with a reason."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profiles.ingest.columns import RAW_COLUMNS
from profiles.ingest.repair import (
    MISSING,
    NOT_A_DATE,
    NOT_A_SUBREDDIT,
    NOT_AN_ID,
    NOT_AN_OBJECT,
    NOT_JSON,
    NOT_TEXT,
    SUBMISSION,
    NotAComment,
    repair_line,
)
from profiles.ingest.rules import LAST_SECOND
from tests.profiles.ingest.dumps import MAY_2013, comment, line


def reason(written: bytes) -> str:
    with pytest.raises(NotAComment) as refusal:
        repair_line(written)
    return str(refusal.value)


def repaired_body(old: bytes, new: bytes) -> str:
    return repair_line(line(body="I moved to Houston").replace(old, new))["body"]


def test_a_comment_is_taken_as_text():
    assert repair_line(line(id="c9q1x2y", created_utc=MAY_2013)) == {
        "author": "tinroof_rusty", "body": "I moved to Houston last spring.", "created_utc": str(MAY_2013),
        "id": "c9q1x2y", "subreddit": "houston",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "body"),
    [
        (b"Houston", b"Hou\xffston", "I moved to Hou\ufffdston"),
        (b"Houston", b"Hou\xed\xa0\x80ston", "I moved to Hou\ufffd\ufffd\ufffdston"),  # a surrogate in UTF-8
        (b"Houston", b"Hou\x00ston", "I moved to Houston"),
        (b"Houston", b"Hou\\u0000ston", "I moved to Hou\x00ston"),  # the rules remove it
        (b"Houston", b"Hou\\ud83dston", "I moved to Hou\ufffdston"),
        (b"Houston", b"Hou\\udc4d\\ud83dston", "I moved to Hou\ufffd\ufffdston"),
        (b"Houston", b"Hou\\ud83d\\udc4dston", "I moved to Hou👍ston"),
        (b"Houston", b"Hou\x01\x1f\tston", "I moved to Hou\x01\x1f\tston"),
        (b'{"author"', b'\xef\xbb\xbf{"author"', "I moved to Houston"),
        (b'{"author"', b"\x00" * 5000 + b'{"author"', "I moved to Houston"),
        (b'"body":', b'"body": "The first counts", "body":', "The first counts"),
        (b'"score": 3', b'"score": NaN', "I moved to Houston"),
    ],
)
def test_repairs_what_can_be_repaired(old, new, body):
    assert repaired_body(old, new) == body


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (b"", NOT_JSON),
        (b"{", NOT_JSON),
        (line()[:-9], NOT_JSON),
        (line().strip() + line(), NOT_JSON),
        (b"[" * 100_000, NOT_JSON),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, NOT_JSON),
        (line(score=0).replace(b'"score": 0', b'"score": ' + b"9" * 5000), NOT_JSON),
        (b"<html>", NOT_JSON),
        (b"12", NOT_AN_OBJECT),
        (b"null", NOT_AN_OBJECT),
        (b"[" + line().strip() + b"]", NOT_AN_OBJECT),
        (b"{}", MISSING.format(name="author")),
        (line(body=..., title="A question"), SUBMISSION),
        (line(body=..., selftext=""), SUBMISSION),
        (line(body=...), MISSING.format(name="body")),
        (line(body=None, title="A question"), MISSING.format(name="body")),
        (line(body=True), NOT_TEXT.format(name="body")),
        (line(body=["a", "b"]), NOT_TEXT.format(name="body")),
        (line(body={"a": "b"}), NOT_TEXT.format(name="body")),
        (line(id=""), MISSING.format(name="id")),
        (line(id="t1_c9q1x2y"), NOT_AN_ID),
        (line(id="c9q1x2yc9q1x2"), NOT_AN_ID),
        (line(id="c9q1x2y\n"), NOT_AN_ID),
        (line(subreddit="two words"), NOT_A_SUBREDDIT),
        (line(subreddit="x" * 51), NOT_A_SUBREDDIT),
        (line(subreddit="houston\n"), NOT_A_SUBREDDIT),
    ],
)
def test_other_lines_are_set_aside_with_the_reason(written, why):
    assert reason(written) == why


@pytest.mark.parametrize("name", [name for name in RAW_COLUMNS if name != "body"])
def test_a_line_without_a_required_field_is_not_a_comment(name):
    for empty in (..., None, ""):
        assert reason(line(**{name: empty})) == MISSING.format(name=name)
    assert repair_line(line(body=""))["body"] == ""  # too short, which a rule decides


@pytest.mark.parametrize("written", [0, "0", 1.5e9, "1367366400.0", f"{LAST_SECOND}", " 1367366400 ", 1367366400.25])
def test_dates_may_be_text_and_numbers(written):
    assert float(repair_line(line(created_utc=written))["created_utc"]) == float(written)


@pytest.mark.parametrize(
    "written", ["", "yesterday", -1, "-5", LAST_SECOND + 1, 10**30, "1e400", "nan", "inf", "2013-05-01", float("nan")]
)
def test_other_dates_are_refused(written):
    assert reason(line(created_utc=written)) in (NOT_A_DATE, MISSING.format(name="created_utc"))


@pytest.mark.parametrize("written", [False, [], {}, [1367366400]])
def test_dates_of_other_types_are_refused(written):
    assert reason(line(created_utc=written)) == NOT_TEXT.format(name="created_utc")


@given(st.binary(max_size=60), st.integers(0, 400), st.integers(0, 40))
def test_any_line_is_repaired_or_not_a_comment(noise, at, gone):
    whole = line(id="c1")
    with suppress(NotAComment):
        fields = repair_line(whole[:at] + noise + whole[at + gone :])
        json.dumps(fields, ensure_ascii=False).encode()  # no lone surrogates, which no file can hold


def test_reasons_give_nothing_away():
    """They are shown and logged: none repeats what is in a line."""
    for field in ({"id": "t1_secret"}, {"subreddit": "a secret"}, {"created_utc": "secret"}, {"body": ["secret"]}):
        assert "secret" not in reason(line(**field))
    assert comment()["author"] not in reason(line(id=None))
