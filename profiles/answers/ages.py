"""Ages: `27`, or `25-35` with the lower year first."""

import re

from profiles.attributes import OLDEST, YOUNGEST, is_age

AGE_FORMAT = f"Write an age as 27 or as a range 25-35, from {YOUNGEST} to {OLDEST}, lower year first."
RANGE_INSTEAD = "Write a range instead of {typed}, such as {low}-{high}."
CLOSED_RANGE_INSTEAD = "Write a range with an upper end instead of {typed}, such as {low}-{high}."
_UNIT = re.compile(r"\s*(years?([ -]old)?|yrs?([ -]old)?|y/?o)\.?$")
_DASH = re.compile(r"\s*(?:[-‐‑‒–—−]|\bto\b)\s*")
_OPEN_RANGE = re.compile(r"(\d{1,3})\s*(?:\+|plus|or older|and over)$")
_ABOUT = re.compile(r"(?:~|≈|about |around |circa |ca\.? ?|c\. ?)\s*(\d{1,3})$")
_DECADE = re.compile(r"(?:in )?(?:(?:his|her|their|the|my) )?(?:(early|mid|late)[ -])?(\w+)$")
_DECADES = "twenties thirties forties fifties sixties seventies eighties nineties".split()
_DECADE_PARTS = {"": (0, 9), "early": (0, 3), "mid": (4, 6), "late": (7, 9)}


def parse_age(typed: str) -> tuple[str, str]:
    """Return the age and no problem, or no age and what to write instead."""
    age = _DASH.sub("-", _UNIT.sub("", typed))
    return (age, "") if is_age(age) else ("", _advice(typed))


def year_range(age: str) -> tuple[int, int]:
    low, _, high = age.partition("-")
    return int(low), int(high or low)


def _advice(typed: str) -> str:
    text = _UNIT.sub("", typed)
    if match := _OPEN_RANGE.match(text):
        low = int(match[1])
        return _suggest_range(CLOSED_RANGE_INSTEAD, typed, low, low + 10)
    if match := _ABOUT.match(text):
        middle = int(match[1])
        return _suggest_range(RANGE_INSTEAD, typed, middle - 2, middle + 2)
    decade = _decade_range(text)
    return _suggest_range(RANGE_INSTEAD, typed, *decade) if decade else AGE_FORMAT


def _suggest_range(sentence: str, typed: str, low: int, high: int) -> str:
    """Only suggest a range that would be accepted."""
    low, high = max(low, YOUNGEST), min(high, OLDEST)
    return sentence.format(typed=typed, low=low, high=high) if low < high else AGE_FORMAT


def _decade_range(text: str) -> tuple[int, int] | None:
    """Parse `twenties`, `20s`, `mid 20s`, `late thirties`, `teens` or `teenager`."""
    match = _DECADE.match(text)
    if match is None:
        return None
    first = _first_year(match[2])
    low, high = _DECADE_PARTS[match[1] or ""]
    if first == 10 and not match[1]:
        return 13, 19
    return (first + low, first + high) if first else None


def _first_year(word: str) -> int | None:
    if word in ("teens", "teen", "teenager"):
        return 10
    if word in _DECADES:
        return 20 + 10 * _DECADES.index(word)
    match = re.match(r"([1-9]0)s$", word)
    return int(match[1]) if match else None
