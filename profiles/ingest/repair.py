"""One line that the quick reader could not take: mended where it can be, otherwise set aside with a reason."""

import json
import re
from collections.abc import Iterable
from typing import Any

from profiles.ingest.rules import LAST_SECOND, RAW

TOO_LONG = "longer than 48 MB"
CUT_OFF = "cut off by the end of the archive"
NOT_JSON = "not JSON"
SUBMISSION = "a submission, not a comment"
ID = re.compile(r"[0-9A-Za-z]{1,12}")
SUBREDDIT = re.compile(r"[0-9A-Za-z_:.\-]{1,50}")
LONE_SURROGATES = re.compile("[\ud800-\udfff]")


class NotAComment(Exception):
    """The message is the reason, in a few words."""


def mend(line: bytes) -> dict[str, str]:
    """What the quick reader wants of a line, as text."""
    return as_comment(_parse(line))


def as_comment(found: dict[str, Any]) -> dict[str, str]:
    values = {name: _value(found, name) for name in RAW}
    _check(values)
    return values


def _parse(line: bytes) -> dict[str, Any]:
    text = line.decode("utf-8", errors="replace").replace("\x00", "").removeprefix("\ufeff")
    try:
        found = json.loads(text, strict=False, object_pairs_hook=_first_of_each)
    except (ValueError, RecursionError):
        raise NotAComment(NOT_JSON) from None
    if not isinstance(found, dict):
        raise NotAComment("not a JSON object")
    if "body" not in found and ("title" in found or "selftext" in found):
        raise NotAComment(SUBMISSION)
    return found


def _first_of_each(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """As the quick reader does it: of a key that stands twice, the first counts."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        found.setdefault(name, value)
    return found


def _value(comment: dict[str, Any], name: str) -> str:
    value = comment.get(name)
    if value is None or (value == "" and name != "body"):
        raise NotAComment(f"without {name}")
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise NotAComment(f"{name} is no text")
    return LONE_SURROGATES.sub("\ufffd", str(value))


def _check(values: dict[str, str]) -> None:
    try:
        second = float(values["created_utc"])
    except ValueError:
        second = -1
    if not 0 <= second <= LAST_SECOND:
        raise NotAComment("created_utc is no date")
    if not ID.fullmatch(values["id"]):
        raise NotAComment("id is not Reddit's")
    if not SUBREDDIT.fullmatch(values["subreddit"]):
        raise NotAComment("subreddit is no name")
