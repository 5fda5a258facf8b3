"""Repair a line that the quick reader could not read, or say why it is set aside."""

import json
import re
from collections.abc import Iterable
from typing import Any

from profiles.ingest.columns import RAW_COLUMNS
from profiles.ingest.rules import LAST_SECOND

TOO_LONG = "longer than 31 MB"
CUT_OFF = "cut off by the end of the archive"
NOT_JSON = "not JSON"
SUBMISSION = "a submission, not a comment"
NOT_AN_OBJECT = "not a JSON object"
MISSING = "without {name}"
NOT_TEXT = "{name} is not text"
NOT_A_DATE = "created_utc is not a date"
NOT_AN_ID = "id is not a Reddit id"
NOT_A_SUBREDDIT = "subreddit is not a valid name"
ID = re.compile(r"[0-9A-Za-z]{1,12}")
SUBREDDIT = re.compile(r"[0-9A-Za-z_:.\-]{1,50}")
LONE_SURROGATES = re.compile("[\ud800-\udfff]")


class NotAComment(Exception):
    """The line is set aside; the message is the reason."""


def repair_line(line: bytes) -> dict[str, str]:
    """The fields that the quick reader would return, as text."""
    return extract_fields(_parse(line))


def extract_fields(record: dict[str, Any]) -> dict[str, str]:
    values = {name: _value(record, name) for name in RAW_COLUMNS}
    _check(values)
    return values


def _parse(line: bytes) -> dict[str, Any]:
    text = line.decode("utf-8", errors="replace").replace("\x00", "").removeprefix("\ufeff")
    try:
        record = json.loads(text, strict=False, object_pairs_hook=_keep_first)
    except (ValueError, RecursionError):
        raise NotAComment(NOT_JSON) from None
    if not isinstance(record, dict):
        raise NotAComment(NOT_AN_OBJECT)
    if "body" not in record and ("title" in record or "selftext" in record):
        raise NotAComment(SUBMISSION)
    return record


def _keep_first(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Like the quick reader, keep the first of repeated keys."""
    record: dict[str, Any] = {}
    for name, value in pairs:
        record.setdefault(name, value)
    return record


def _value(comment: dict[str, Any], name: str) -> str:
    value = comment.get(name)
    if value is None or (value == "" and name != "body"):
        raise NotAComment(MISSING.format(name=name))
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise NotAComment(NOT_TEXT.format(name=name))
    return LONE_SURROGATES.sub("\ufffd", str(value))


def _check(values: dict[str, str]) -> None:
    try:
        second = float(values["created_utc"])
    except ValueError:
        second = -1
    if not 0 <= second <= LAST_SECOND:
        raise NotAComment(NOT_A_DATE)
    if not ID.fullmatch(values["id"]):
        raise NotAComment(NOT_AN_ID)
    if not SUBREDDIT.fullmatch(values["subreddit"]):
        raise NotAComment(NOT_A_SUBREDDIT)
