"""Labels, predictions and evaluations from what files have in their place. Raises RecordRefused."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from evaluation.inference.parser.guesses import read_confidence
from evaluation.inference.readers.contents import RecordRefused
from evaluation.inference.records import Label, Prediction

BAD_RATING = "A label's hardness or certainty is not a whole number from 0 to 5."
BAD_VALUE = "A label's value is neither text nor a number."
NO_VALUE = "A label has a hardness, but no value."
NO_HARDNESS = "A label has a value, but hardness 0."
BAD_EVALUATION = "An evaluation is not a list of numbers from 0 to 1."
BAD_CONFIDENCE = "A confidence is not a number from 0 to 1, or a percentage such as “70 %”."
PLAIN_NUMBER = re.compile(r"-?\d*\.?\d+")
MAX_WORDS = 40  # characters of a confidence in words
SEPARATOR = re.compile(r"\s*[;\n]+\s*")  # between guesses
NEGATIVE = "negative"  # the status of an attribute in our own exports of which somebody could not tell


def read_label(written: Mapping[str, Any], category: Mapping[str, Any]) -> Label | None:
    """None if nobody has looked yet. `category` is SynthPAI's class of an education."""
    value = _text(written.get("estimate"))
    hardness, certainty = _rating(written.get("hardness")), _rating(written.get("certainty"))
    if bool(value) != (hardness > 0):
        raise RecordRefused(NO_HARDNESS if value else NO_VALUE)
    if not value and written.get("status", NEGATIVE) != NEGATIVE:
        return None
    subreddit, accuracy = written.get("detect_from_subreddit"), written.get("acc_gt")
    return Label(
        value,
        hardness,
        certainty,
        subreddit if isinstance(subreddit, bool) else None,
        float(accuracy) if _is_number(accuracy) else None,
        _text(category.get("estimate")),
    )


def read_prediction(written: object) -> Prediction | None:
    """None if there is nothing. Blank guesses keep their place, because evaluations and classes go by place."""
    if written is None:
        return None
    if not isinstance(written, dict):
        return Prediction(tuple(_guesses(written)))
    inference = written.get("inference")
    return Prediction(
        tuple(_guesses(written.get("guess"))),
        inference if isinstance(inference, str) else "",
        categories=tuple(_flatten(written.get("guess_category"))),
    )


def read_stated_confidence(written: object) -> float | None:
    """From 0 to 1, in the first guess: a share, or words such as `70 %`, `7/10` or `high`. None if there is none."""
    value = written.get("confidence") if isinstance(written, dict) else None
    if isinstance(value, list):
        value = value[0] if value else None
    if value is None or value == "":
        return None
    confidence = _confidence(value)
    if confidence is None:
        raise RecordRefused(BAD_CONFIDENCE)
    return confidence


def _confidence(value: object) -> float | None:
    """A bare number above 1 could be percents or a scale of five, so it says nothing."""
    if isinstance(value, str):
        text = value.strip()[:MAX_WORDS]
        if not PLAIN_NUMBER.fullmatch(text):
            return read_confidence(text)
        value = float(text)
    return float(value) if _is_number(value) and 0 <= value <= 1 else None


def read_evaluation(written: object) -> tuple[float, ...]:
    values = written if isinstance(written, list) else [written]
    return tuple(_credit(value) for value in values)


def _credit(value: object) -> float:
    if isinstance(value, bool) or (_is_number(value) and 0 <= value <= 1):
        return float(value)
    raise RecordRefused(BAD_EVALUATION)


def _guesses(value: object) -> Iterator[str]:
    """A text instead of a list has its guesses between semicolons, as the prompts ask for them."""
    yield from _flatten(SEPARATOR.split(value.strip(" ;\n")) if isinstance(value, str) else value)


def _flatten(value: object) -> Iterator[str]:
    """Texts in order, out of lists in lists. Inside a list, nothing is a blank text."""
    if isinstance(value, list):
        for item in value:
            yield from _flatten("" if item is None else item)
    elif isinstance(value, dict):
        yield from _flatten([*value.values()])
    elif isinstance(value, str) or _is_number(value):
        yield str(value).strip()


def _text(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) and not _is_number(value):
        raise RecordRefused(BAD_VALUE)
    return str(value).strip()


def _rating(value: object) -> int:
    for rating in range(6):
        if value == str(rating) or (_is_number(value) and value == rating):
            return rating
    raise RecordRefused(BAD_RATING)


def _is_number(value: object) -> TypeGuard[float]:
    """Neither infinite nor absurd: JSON has integers that no float can hold."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
