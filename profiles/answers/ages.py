"""Ages: `27`, or `25-35` with the lower year first. What is meant as one is turned into it."""

import re

from profiles.attributes import OLDEST, YOUNGEST, is_age

GENERAL = f"Write an age as 27 or as a range 25-35, from {YOUNGEST} to {OLDEST}, lower year first."
_UNIT = re.compile(r"\s*(years?([ -]old)?|yrs?([ -]old)?|y/?o)\.?$")
_DASH = re.compile(r"\s*(?:[-‐‑‒–—−]|\bto\b)\s*")
_OPEN = re.compile(r"(\d{1,3})\s*(?:\+|plus|or older|and over)$")
_ABOUT = re.compile(r"(?:~|≈|about |around |circa |ca\.? ?|c\. ?)\s*(\d{1,3})$")
_DECADE = re.compile(r"(?:in )?(?:(?:his|her|their|the|my) )?(?:(early|mid|late)[ -])?(\w+)$")
_DECADES = "twenties thirties forties fifties sixties seventies eighties nineties".split()
_STRETCHES = {"": (0, 9), "early": (0, 3), "mid": (4, 6), "late": (7, 9)}


def read_age(typed: str) -> tuple[str, str]:
    """The age and nothing, or nothing and what to write instead."""
    age = _DASH.sub("-", _UNIT.sub("", typed))
    return (age, "") if is_age(age) else ("", _advice(typed))


def years(age: str) -> tuple[int, int]:
    low, _, high = age.partition("-")
    return int(low), int(high or low)


def _advice(typed: str) -> str:
    text = _UNIT.sub("", typed)
    if found := _OPEN.match(text):
        low = int(found[1])
        return _instead(f"a range with an upper end instead of {typed}", low, low + 10)
    if found := _ABOUT.match(text):
        middle = int(found[1])
        return _instead(f"a range instead of {typed}", middle - 2, middle + 2)
    start = _decade(text)
    return _instead(f"a range instead of {typed}", *start) if start else GENERAL


def _instead(what: str, low: int, high: int) -> str:
    """With an example that would be accepted."""
    low, high = max(low, YOUNGEST), min(high, OLDEST)
    return f"Write {what}, such as {low}-{high}." if low < high else GENERAL


def _decade(text: str) -> tuple[int, int] | None:
    """`twenties`, `20s`, `mid 20s`, `late thirties`, `teens`, `teenager`."""
    found = _DECADE.match(text)
    if found is None:
        return None
    first = _first_year(found[2])
    low, high = _STRETCHES[found[1] or ""]
    if first == 10 and not found[1]:
        return 13, 19
    return (first + low, first + high) if first else None


def _first_year(word: str) -> int | None:
    if word in ("teens", "teen", "teenager"):
        return 10
    if word in _DECADES:
        return 20 + 10 * _DECADES.index(word)
    found = re.match(r"([1-9]0)s$", word)
    return int(found[1]) if found else None
