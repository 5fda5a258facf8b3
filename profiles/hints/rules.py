"""Rules for hints, the same for typed ones and for those from a file. No database."""

import re
from dataclasses import dataclass

from profiles.attributes import CLOSED_LISTS, OLDEST, YOUNGEST, Attribute, is_age

PLACES = {Attribute.LOCATION, Attribute.PLACE_OF_BIRTH}
MAX_LENGTHS = {"subreddit": 50, "value": 120, "reason": 200}
NOT_A_SUBREDDIT = "Write the subreddit's name as in its address, without spaces."
NO_SUCH_ATTRIBUTE = f"There is no such attribute. Choose one of: {', '.join(Attribute.values)}."
TOO_LONG = "The {field} is longer than {limit} characters."
NOT_PRINTABLE = "The {field} contains a character that cannot be printed."
NOT_IN_LIST = "Choose one of: {values}. Or leave it empty."
NOT_AN_AGE = f"Write an age as 27 or 25-35, from {YOUNGEST} to {OLDEST}. Or leave it empty."
NOT_A_PLACE = "Write a place as city / state / country, the smallest first. Or leave it empty."
# Every name Reddit allows, including early ones and user pages. ASCII, so that lower case is unambiguous.
SUBREDDIT_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:-]*")
UNPRINTABLE_CHARACTER = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class HintRow:
    """One line of the list, normalized."""

    subreddit: str
    attribute: Attribute
    value: str
    reason: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Rows with the same key are duplicates."""
        return (self.subreddit.lower(), self.attribute.value, self.value)


class InvalidHint(Exception):
    """The row cannot be stored. `problems` has a sentence for each field that is wrong."""

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems


def check_hint(*, subreddit: str, attribute: str, value: str, reason: str) -> HintRow:
    """Normalize spaces and case, and return the row. Raises InvalidHint."""
    fields = {
        "subreddit": re.sub(r"^/?r/", "", subreddit.strip(), flags=re.IGNORECASE),
        "attribute": attribute.strip().lower(),
        "value": " ".join(value.split()).lower(),
        "reason": " ".join(reason.split()),
    }
    if fields["attribute"] in PLACES:
        fields["value"] = " / ".join(part.strip() for part in fields["value"].split("/"))
    if problems := _find_problems(fields):
        raise InvalidHint(problems)
    return HintRow(fields["subreddit"], Attribute(fields["attribute"]), fields["value"], fields["reason"])


def _find_problems(fields: dict[str, str]) -> dict[str, str]:
    """At most one problem per field. The last one wins, so the most basic checks come last."""
    problems = {}
    if not SUBREDDIT_NAME.fullmatch(fields["subreddit"]):
        problems["subreddit"] = NOT_A_SUBREDDIT
    if fields["attribute"] not in Attribute.values:
        problems["attribute"] = NO_SUCH_ATTRIBUTE
    elif problem := _value_problem(Attribute(fields["attribute"]), fields["value"]):
        problems["value"] = problem
    for field, limit in MAX_LENGTHS.items():
        if len(fields[field]) > limit:
            problems[field] = TOO_LONG.format(field=field, limit=limit)
        if UNPRINTABLE_CHARACTER.search(fields[field]):
            problems[field] = NOT_PRINTABLE.format(field=field)
    return problems


def _value_problem(attribute: Attribute, value: str) -> str:
    """Why this attribute cannot have this value, or "". An empty value fits every attribute."""
    if not value:
        return ""
    if attribute in CLOSED_LISTS and value not in CLOSED_LISTS[attribute].values:
        return NOT_IN_LIST.format(values=", ".join(CLOSED_LISTS[attribute].values))
    if attribute is Attribute.AGE and not is_age(value):
        return NOT_AN_AGE
    parts = value.split(" / ")
    if attribute in PLACES and (len(parts) > 3 or not all(parts)):
        return NOT_A_PLACE

    return ""
