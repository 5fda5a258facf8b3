"""Map attributes and values between our codes and those of other studies. Pure.

Foreign words that mean exactly one of our codes are mapped; all others go to `parse_answer`, which says why they
cannot be kept.
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
# The first match counts. We have no Master's: it counts as college.
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
    """Parse a foreign answer. `category` is SynthPAI's class of an education."""
    code = _FOREIGN.get(attribute, {}).get(normalize_text(written))
    if code is None and attribute is Attribute.EDUCATION:
        code = _education(normalize_text(written), normalize_text(category))
    return parse_answer(attribute, code or written)


def _education(text: str, category: str) -> str | None:
    if category in EDUCATIONS:
        return EDUCATIONS[category]
    text = text.replace("’", "'")
    return next((code for code, words in _EDUCATION_WORDS if re.search(words, text)), None)


def _with_commas(place: str) -> str:
    return place.replace(" / ", ", ")


def _category(code: str) -> str:
    return CATEGORIES.get(code, "")


_FOREIGN: Mapping[Attribute, Mapping[str, str]] = {
    Attribute.SEX: SEXES,
    Attribute.INCOME: INCOMES,
    Attribute.MARITAL_STATUS: RELATIONS,
}
_TO_SYNTHPAI: dict[Attribute, Callable[[str], str]] = {
    Attribute.LOCATION: _with_commas,
    Attribute.PLACE_OF_BIRTH: _with_commas,
    Attribute.INCOME: lambda code: {"medium": "middle"}.get(code, code),
    Attribute.MARITAL_STATUS: lambda code: {"no relation": "single", "relation": "in relationship"}.get(code, code),
    Attribute.EDUCATION: lambda code: _category(code).lower(),
}


def to_synthpai(attribute: Attribute, value: str) -> str:
    """Our value in SynthPAI's words; `read_foreign` reverses it."""
    convert = _TO_SYNTHPAI.get(attribute)
    return convert(value) if convert and value else value
