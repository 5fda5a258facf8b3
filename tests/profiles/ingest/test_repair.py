"""Lines that the quick reader cannot take: mended, or set aside with a reason."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profiles.ingest.repair import NOT_JSON, SUBMISSION, NotAComment, mend
from profiles.ingest.rules import LAST_SECOND, RAW
from tests.profiles.ingest.dumps import MAY_2013, comment, line


def reason(written: bytes) -> str:
    with pytest.raises(NotAComment) as refusal:
        mend(written)
    return str(refusal.value)


def mended_body(old: bytes, new: bytes) -> str:
    return mend(line(body="I moved to Houston").replace(old, new))["body"]


def test_a_comment_is_taken_as_text():
    assert mend(line(id="c9q1x2y", created_utc=MAY_2013)) == {
        "author": "tinroof_rusty", "body": "I moved to Houston last spring.", "created_utc": str(MAY_2013),
        "id": "c9q1x2y", "subreddit": "houston",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "body"),
    [
        (b"Houston", b"Hou\xffston", "I moved to Hou\ufffdston"),
        (b"Houston", b"Hou\xed\xa0\x80ston", "I moved to Hou\ufffd\ufffd\ufffdston"),  # a surrogate in UTF-8
        (b"Houston", b"Hou\x00ston", "I moved to Houston"),
        (b"Houston", b"Hou\\u0000ston", "I moved to Hou\x00ston"),  # the rules take it out
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
def test_what_can_be_mended_is(old, new, body):
    assert mended_body(old, new) == body


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
        (b"12", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b"[" + line().strip() + b"]", "not a JSON object"),
        (b"{}", "without author"),
        (line(body=..., title="A question"), SUBMISSION),
        (line(body=..., selftext=""), SUBMISSION),
        (line(body=...), "without body"),
        (line(body=None, title="A question"), "without body"),
        (line(body=True), "body is no text"),
        (line(body=["a", "b"]), "body is no text"),
        (line(body={"a": "b"}), "body is no text"),
        (line(id=""), "without id"),
        (line(id="t1_c9q1x2y"), "id is not Reddit's"),
        (line(id="c9q1x2yc9q1x2"), "id is not Reddit's"),
        (line(id="c9q1x2y\n"), "id is not Reddit's"),
        (line(subreddit="two words"), "subreddit is no name"),
        (line(subreddit="x" * 51), "subreddit is no name"),
        (line(subreddit="houston\n"), "subreddit is no name"),
    ],
)
def test_what_cannot_be_mended_is_set_aside_with_the_reason(written, why):
    assert reason(written) == why


@pytest.mark.parametrize("name", [name for name in RAW if name != "body"])
def test_without_one_of_its_parts_it_is_no_comment(name):
    for empty in (..., None, ""):
        assert reason(line(**{name: empty})) == f"without {name}"
    assert mend(line(body=""))["body"] == ""  # too short, which is a rule's to say


@pytest.mark.parametrize("written", [0, "0", 1.5e9, "1367366400.0", f"{LAST_SECOND}", " 1367366400 ", 1367366400.25])
def test_dates_may_be_text_and_numbers(written):
    assert float(mend(line(created_utc=written))["created_utc"]) == float(written)


@pytest.mark.parametrize(
    "written", ["", "yesterday", -1, "-5", LAST_SECOND + 1, 10**30, "1e400", "nan", "inf", "2013-05-01", float("nan")]
)
def test_other_dates_are_none(written):
    assert reason(line(created_utc=written)) in ("created_utc is no date", "without created_utc")


@pytest.mark.parametrize("written", [False, [], {}, [1367366400]])
def test_dates_of_other_kinds_are_none(written):
    assert reason(line(created_utc=written)) == "created_utc is no text"


@given(st.binary(max_size=60), st.integers(0, 400), st.integers(0, 40))
def test_no_line_whatever_it_holds_is_more_than_not_a_comment(noise, at, gone):
    whole = line(id="c1")
    with suppress(NotAComment):
        found = mend(whole[:at] + noise + whole[at + gone :])
        json.dumps(found, ensure_ascii=False).encode()  # no lone surrogates, which no file can hold


def test_reasons_give_nothing_away():
    """They are shown and logged: none repeats what is in a line."""
    for field in ({"id": "t1_secret"}, {"subreddit": "a secret"}, {"created_utc": "secret"}, {"body": ["secret"]}):
        assert "secret" not in reason(line(**field))
    assert comment()["author"] not in reason(line(id=None))
