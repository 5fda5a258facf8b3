"""Read and check the fields of a line: types, ranges and our own rules. Pure."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from annotator.exchange.formats.records import CitedSpan, format_reddit_id
from annotator.exchange.imports.records import IncomingAnswer, LineRefused
from profiles.answers import ParsedAnswer
from profiles.encryption import account_digest

MAX_NAME_LENGTH = 200
NUMBER_BITS = 22  # more comments than the longest line can hold
LATEST_TIMESTAMP = datetime(2100, 1, 1, tzinfo=UTC).timestamp()


class AnswerRefused(Exception):
    """The answer breaks a rule, which the message names; the rest of the line may be fine."""


def name_of(line: Mapping[str, Any], key: str = "username") -> str:
    name = line.get(key)
    if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME_LENGTH:
        raise LineRefused(f"The {key} is missing or longer than {MAX_NAME_LENGTH} characters.")
    return name.strip()


def dict_of(line: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = line.get(key) or {}
    if not isinstance(value, dict):
        raise LineRefused(f"{key} is not a JSON object.")
    return value


def comments_of(line: Mapping[str, Any]) -> list[dict[str, Any]]:
    comments = line.get("comments")
    if not isinstance(comments, list) or not all(isinstance(comment, dict) for comment in comments):
        raise LineRefused("There is no list of comments.")
    if not all(isinstance(comment.get("text", ""), str) for comment in comments):
        raise LineRefused("The text of a comment is not a string.")
    if not comments:
        raise LineRefused("There are no comments.")
    return comments


def generated_id(account: str, number: int) -> str:
    """A stable id for a comment that has none. Without the key it does not reveal the account.

    Ids grow with the number, so that comments of the same second stay in the order of the file.
    """
    prefix = int.from_bytes(account_digest(f"{account} comments")[:5], "big")
    return format_reddit_id((prefix << NUMBER_BITS) + number)


def timestamp_of(value: object) -> datetime | None:
    """Parse Unix seconds given as a number or text; None if they are missing or 0."""
    try:
        seconds = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return datetime.fromtimestamp(seconds, UTC) if 0 < seconds < LATEST_TIMESTAMP else None


def time_of(value: object) -> datetime:
    """Parse a time as we write it: `2013-05-01T09:00:00Z`."""
    try:
        at = datetime.fromisoformat(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise LineRefused("A time can’t be read.") from None
    if at.tzinfo is None or not 1970 <= at.year < 2100:
        raise LineRefused("A time has no time zone or is in another century.")
    return at.astimezone(UTC)


def number_of(value: object) -> int | None:
    return value if type(value) is int and 0 < value < 2**31 else None


def seconds_of(value: object) -> int:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return 0
    return round(value) if 0 <= value < 10**9 else 0


def text_of(fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key)
    if value is None:
        return ""
    if not isinstance(value, (str, int, float)) or isinstance(value, bool):
        raise AnswerRefused("The answer is not a string.")
    return str(value)


def rating_of(fields: Mapping[str, Any], key: str) -> int:
    value = fields.get(key) or 0
    try:
        rating = int(value)
    except (TypeError, ValueError, OverflowError):
        raise AnswerRefused(f"{key} is not a number.") from None
    if rating != float(value) or not 0 <= rating <= 5:
        raise AnswerRefused(f"{key} is not between 0 and 5.")
    return rating


def answer_of(parsed: ParsedAnswer, fields: Mapping[str, Any], required: object, **other: Any) -> IncomingAnswer:
    """Build an answer. Refuse one that breaks our rule: it has both ratings exactly if it has a value."""
    if parsed.problem:
        raise AnswerRefused(parsed.problem)
    hardness, certainty = rating_of(fields, "hardness"), rating_of(fields, "certainty")
    if parsed.value and not (hardness and certainty):
        raise AnswerRefused("A value needs hardness and certainty from 1 to 5.")
    if not parsed.value and (hardness or certainty or required is True):
        raise AnswerRefused("There are ratings but no value.")
    return IncomingAnswer(parsed.value, hardness, certainty, required is True, geoname_id=parsed.geoname_id, **other)


def evidence_of(fields: Mapping[str, Any]) -> tuple[CitedSpan, ...]:
    """Read the evidence and leave out what is not a span: an answer is valid without evidence."""
    evidence = fields.get("evidence")
    return tuple(_span(value) for value in evidence if _is_span(value)) if isinstance(evidence, list) else ()


def _is_span(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("text", ""), str):
        return False
    numbers = (value.get("start"), value.get("end"))
    return all(type(number) is int for number in numbers) and 0 <= value["start"] < value["end"] < 2**31


def _span(value: dict[str, Any]) -> CitedSpan:
    comment = value.get("comment")
    return CitedSpan(value["start"], value["end"], comment if isinstance(comment, str) else "", value.get("text", ""))
