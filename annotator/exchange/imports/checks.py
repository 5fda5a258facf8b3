"""What a file may say, checked piece by piece: types, ranges and our own rules. Pure."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from annotator.exchange.formats.records import CitedSpan, written_id
from annotator.exchange.imports.records import IncomingSaid, LineRefused
from profiles.answers import ParsedAnswer
from profiles.encryption import account_digest

LONGEST_NAME = 200
LAST_MOMENT = datetime(2100, 1, 1, tzinfo=UTC).timestamp()


class AnswerRefused(Exception):
    """This answer breaks a rule; the rest of the line may be fine. Says which rule."""


def name_of(line: Mapping[str, Any], key: str = "username") -> str:
    name = line.get(key)
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME:
        raise LineRefused(f"It has no {key}, or one of more than {LONGEST_NAME} characters.")
    return name.strip()


def dict_of(line: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = line.get(key) or {}
    if not isinstance(found, dict):
        raise LineRefused(f"Its {key} are no object.")
    return found


def comments_of(line: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = line.get("comments")
    if not isinstance(found, list) or not all(isinstance(comment, dict) for comment in found):
        raise LineRefused("It has no list of comments.")
    if not all(isinstance(comment.get("text", ""), str) for comment in found):
        raise LineRefused("The text of a comment is no text.")
    if not found:
        raise LineRefused("It has no comment.")
    return found


def made_up_id(account: str, number: int) -> str:
    """For a comment that came without one: always the same, and without the key it tells nobody whose it is."""
    return written_id(int.from_bytes(account_digest(f"{account} comment {number}")[:8], "big") >> 2)


def epoch(value: object) -> datetime | None:
    """A moment given in seconds, as a number or as text. None for what is missing or 0."""
    try:
        seconds = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return datetime.fromtimestamp(seconds, UTC) if 0 < seconds < LAST_MOMENT else None


def moment_of(value: object) -> datetime:
    """As we write it: `2013-05-01T09:00:00Z`."""
    try:
        at = datetime.fromisoformat(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise LineRefused("It has a time that cannot be read.") from None
    if at.tzinfo is None or not 1970 <= at.year < 2100:
        raise LineRefused("It has a time without a zone, or of another century.")
    return at.astimezone(UTC)


def seconds_of(value: object) -> int:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return 0
    return round(value) if 0 <= value < 10**9 else 0


def text_of(said: Mapping[str, Any], key: str) -> str:
    value = said.get(key)
    if value is None:
        return ""
    if not isinstance(value, (str, int, float)) or isinstance(value, bool):
        raise AnswerRefused("The answer is no text.")
    return str(value)


def rating_of(said: Mapping[str, Any], key: str) -> int:
    value = said.get(key) or 0
    try:
        rating = int(value)
    except (TypeError, ValueError, OverflowError):
        raise AnswerRefused(f"Its {key} is no number.") from None
    if rating != float(value) or not 0 <= rating <= 5:
        raise AnswerRefused(f"Its {key} is not from 0 to 5.")
    return rating


def said_of(read: ParsedAnswer, said: Mapping[str, Any], required: object, **more: Any) -> IncomingSaid:
    """With our rules: a value has both ratings, and no value has none."""
    if read.problem:
        raise AnswerRefused(read.problem)
    hardness, certainty = rating_of(said, "hardness"), rating_of(said, "certainty")
    if read.value and not (hardness and certainty):
        raise AnswerRefused("A value needs hardness and certainty from 1 to 5.")
    if not read.value and (hardness or certainty or required is True):
        raise AnswerRefused("Ratings without a value.")
    return IncomingSaid(read.value, hardness, certainty, required is True, geoname_id=read.geoname_id, **more)


def evidence_of(said: Mapping[str, Any]) -> tuple[CitedSpan, ...]:
    """What is no span is left out: evidence is for looking, and an answer stands without it."""
    evidence = said.get("evidence")
    return tuple(_span(value) for value in evidence if _is_span(value)) if isinstance(evidence, list) else ()


def _is_span(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("text", ""), str):
        return False
    numbers = (value.get("start"), value.get("end"))
    return all(type(number) is int for number in numbers) and 0 <= value["start"] < value["end"] < 2**31


def _span(value: dict[str, Any]) -> CitedSpan:
    comment = value.get("comment")
    return CitedSpan(value["start"], value["end"], comment if isinstance(comment, str) else "", value.get("text", ""))
