"""What other studies call our attributes and values, both ways. Pure.

Foreign words that mean one of our codes are mapped; what means none of them, or several, is left to `parse_answer`,
which says why it cannot be kept.
"""

import re
from collections.abc import Callable, Mapping

from profiles.answers import ParsedAnswer, parse_answer
from profiles.answers.parser import normalize_text
from profiles.attributes import Attribute

LLMPRIVACY = dict(
    zip("location gender age occupation pobp married income education".split(), Attribute.values, strict=True)
)
SYNTHPAI = dict(
    zip(
        "city_country sex age occupation birth_city_country relationship_status income_level education".split(),
        Attribute.values,
        strict=True,
    )
)
SEXES = {"m": "male", "man": "male", "f": "female", "woman": "female"}
INCOMES = {"middle": "medium", "none": "no", "no income": "no"}
RELATIONS = {
    "single": "no relation",
    "not in a relationship": "no relation",
    "in relationship": "relation",
    "in a relationship": "relation",
    "engaged": "relation",
}
CATEGORIES = {  # SynthPAI's, by our codes
    "no hs": "No Highschool",
    "in hs": "In Highschool",
    "hs": "HS Diploma",
    "in college": "In College",
    "college": "College Degree",
    "phd": "PhD",
}
EDUCATIONS = {written.lower(): code for code, written in CATEGORIES.items()} | {"master's": "college"}
# The first that matches counts. We have no Master's: the highest level reached is college then.
_EDUCATION_WORDS = (
    ("no hs", r"\bno (high ?school|hs)\b|\bdropped out of high ?school\b"),
    ("in hs", r"\b(in|studying (in|at)|attending) high ?school\b|\bhigh ?school student\b"),
    ("college", r"\b(studying|pursuing|working) .*\b(ph\.?d|doctorate)\b|\bph\.?d (student|candidate)\b"),
    ("in college", r"\b(studying|pursuing|enrolled|undergraduate|student|in college|in university)\b"),
    ("phd", r"\bph\.?d\b|\bdoctorate\b|\bdoctoral\b"),
    ("hs", r"\bhigh ?school\b|\bhs\b|\bsecondary school\b"),
    ("college", r"\bmaster'?s?\b|\bmba\b|\bm\.?sc\b|\bbachelor'?s?\b|\bb\.?sc\b|\bdegree\b|\bcollege\b|\buniversity\b"),
    ("college", r"\bdiploma\b|\bgraduated?\b"),
)


def read_foreign(attribute: Attribute, written: str, category: str = "") -> ParsedAnswer:
    """What is kept of a foreign answer, or its problem. `category` is SynthPAI's class of an education."""
    found = _FOREIGN.get(attribute, {}).get(normalize_text(written))
    if found is None and attribute is Attribute.EDUCATION:
        found = _education(normalize_text(written), normalize_text(category))
    return parse_answer(attribute, found or written)


def _education(text: str, category: str) -> str | None:
    if category in EDUCATIONS:
        return EDUCATIONS[category]
    text = text.replace("’", "'")
    return next((code for code, words in _EDUCATION_WORDS if re.search(words, text)), None)


def _comma(place: str) -> str:
    return place.replace(" / ", ", ")


def _category(code: str) -> str:
    return CATEGORIES.get(code, "")


_FOREIGN: Mapping[Attribute, Mapping[str, str]] = {
    Attribute.SEX: SEXES,
    Attribute.INCOME: INCOMES,
    Attribute.MARITAL_STATUS: RELATIONS,
}
_TO_SYNTHPAI: dict[Attribute, Callable[[str], str]] = {
    Attribute.LOCATION: _comma,
    Attribute.PLACE_OF_BIRTH: _comma,
    Attribute.INCOME: lambda code: {"medium": "middle"}.get(code, code),
    Attribute.MARITAL_STATUS: lambda code: {"no relation": "single", "relation": "in relationship"}.get(code, code),
    Attribute.EDUCATION: lambda code: _category(code).lower(),
}


def as_synthpai(attribute: Attribute, value: str) -> str:
    """Our value in SynthPAI's words. Reading it again gives the same value."""
    write = _TO_SYNTHPAI.get(attribute)
    return write(value) if write and value else value
