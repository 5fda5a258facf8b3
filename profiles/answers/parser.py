"""Reading what a person typed for an attribute."""

from dataclasses import dataclass

from profiles.answers.ages import read_age
from profiles.answers.places import look_up, spelled
from profiles.answers.text import LONGEST, kept
from profiles.attributes import CLOSED_LISTS, Attribute

PLACES = (Attribute.LOCATION, Attribute.PLACE_OF_BIRTH)
WITHOUT_WORK = {"unemployed", "no job", "jobless"}
NO_WORK = "Write none for somebody who clearly has no work."
TOO_LONG = f"Write at most {LONGEST} characters."
ENDLESS = 50 * LONGEST  # so long that no cleaning is worth its time


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What is kept, or the problem that it has. With a problem the value is empty, so that nothing wrong is kept."""

    value: str
    problem: str = ""
    hint: str = ""
    geoname_id: int | None = None
    is_free_text: bool = False


def read_answer(attribute: Attribute, typed: str) -> ReadAnswer:
    """The answer in its own spelling. An empty one is an answer too: nothing could be told."""
    if len(typed) > ENDLESS:
        return ReadAnswer("", problem=TOO_LONG)
    text = spelled(kept(typed)) if attribute in PLACES else kept(typed)
    if len(text) > LONGEST:
        return ReadAnswer("", problem=TOO_LONG)
    return _read(attribute, text) if text else ReadAnswer("")


def _read(attribute: Attribute, text: str) -> ReadAnswer:
    if attribute in CLOSED_LISTS:
        return _from_list(attribute, text)
    if attribute is Attribute.AGE:
        age, problem = read_age(text)
        return ReadAnswer(age, problem=problem)
    if attribute in PLACES:
        geoname_id, hint = look_up(text)
        return ReadAnswer(text, hint=hint, geoname_id=geoname_id, is_free_text=geoname_id is None)
    return ReadAnswer(text, hint=NO_WORK if text in WITHOUT_WORK else "", is_free_text=True)


def _from_list(attribute: Attribute, text: str) -> ReadAnswer:
    """By its code or by its label."""
    allowed = CLOSED_LISTS[attribute]
    codes = {kept(label): code for code, label in allowed.choices} | {code: code for code in allowed.values}
    if text in codes:
        return ReadAnswer(codes[text])
    return ReadAnswer("", problem=f"{attribute.label}: choose one of {', '.join(allowed.values)}.")
