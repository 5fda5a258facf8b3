"""Parse what a person typed for an attribute into the value that is stored."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from profiles.answers.ages import parse_age
from profiles.answers.places import look_up, normalize_place
from profiles.attributes import CLOSED_LISTS, Attribute

MAX_LENGTH = 200
PLACES = (Attribute.LOCATION, Attribute.PLACE_OF_BIRTH)
WITHOUT_WORK = {"unemployed", "no job", "jobless"}
NO_WORK = "Write none for someone who clearly has no job."
TOO_LONG = f"Write at most {MAX_LENGTH} characters."
NOT_IN_LIST = "{attribute}: choose one of {values}."
EARLIER_LABELS = {Attribute.EDUCATION: {"no high school": "no hs", "in high school": "in hs", "high school": "hs"}}
_MAX_TYPED = 50 * MAX_LENGTH  # longer input is refused before it is cleaned
_NOT_TEXT = {"Cc", "Cf", "Cs", "Cn", "Co"}  # controls, direction marks, surrogates, unassigned, private use
_JOINERS = "\u200c\u200d"  # needed by Persian and Hindi words, and by emoji of families


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """A value to store, or the problem with it. With a problem, the value is empty, so nothing wrong is stored."""

    value: str
    problem: str = ""
    hint: str = ""
    geoname_id: int | None = None
    is_free_text: bool = False


@lru_cache(maxsize=2000)
def parse_answer(attribute: Attribute, typed: str) -> ParsedAnswer:
    """Normalize the answer and look it up. An empty one is an answer too: "could not tell".

    Results are kept, because saving and submitting a card parse the same answer several times.
    """
    if len(typed) > _MAX_TYPED:
        return ParsedAnswer("", problem=TOO_LONG)
    text = normalize_text(typed)
    if attribute in PLACES:
        text = normalize_place(text)
    if len(text) > MAX_LENGTH:
        return ParsedAnswer("", problem=TOO_LONG)
    return _parse(attribute, text) if text else ParsedAnswer("")


def normalize_text(typed: str) -> str:
    """Compose, drop control characters, trim, and convert to lower case.

    Neither Postgres' lower(trim()) nor a second call changes the result.
    """
    lowered = "".join(filter(_is_text, typed)).lower()
    return " ".join(unicodedata.normalize("NFC", lowered).split())


def _is_text(character: str) -> bool:
    return character.isspace() or character in _JOINERS or unicodedata.category(character) not in _NOT_TEXT


def _parse(attribute: Attribute, text: str) -> ParsedAnswer:
    if attribute in CLOSED_LISTS:
        return _choose_from_list(attribute, text)
    if attribute is Attribute.AGE:
        age, problem = parse_age(text)
        return ParsedAnswer(age, problem=problem)
    if attribute in PLACES:
        geoname_id, hint = look_up(text)
        return ParsedAnswer(text, hint=hint, geoname_id=geoname_id, is_free_text=geoname_id is None)
    return ParsedAnswer(text, hint=NO_WORK if text in WITHOUT_WORK else "", is_free_text=True)


def _choose_from_list(attribute: Attribute, text: str) -> ParsedAnswer:
    """Accept a code, its label, or a label that it had in earlier versions."""
    allowed = CLOSED_LISTS[attribute]
    codes = {normalize_text(label): code for code, label in allowed.choices} | {code: code for code in allowed.values}
    codes |= EARLIER_LABELS.get(attribute, {})
    if text in codes:
        return ParsedAnswer(codes[text])
    problem = NOT_IN_LIST.format(attribute=attribute.label, values=", ".join(allowed.values))
    return ParsedAnswer("", problem=problem)
