"""What a hint may say: one set of rules for what is typed and for what comes in a file. No database."""

import re
from dataclasses import dataclass

from profiles.attributes import CLOSED_LISTS, OLDEST, YOUNGEST, Attribute, is_age

PLACES = {Attribute.LOCATION, Attribute.PLACE_OF_BIRTH}
LONGEST = {"subreddit": 50, "value": 120, "reason": 200}
# Every name Reddit gives out, those of early years and of people's own pages too. ASCII: lower case means one thing.
NAME_GRAMMAR = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:-]*")
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class HintRow:
    """One line of the list, in the form in which it is kept."""

    subreddit: str
    attribute: Attribute
    value: str
    reason: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Two rows with the same key say the same."""
        return (self.subreddit.lower(), self.attribute.value, self.value)


class Refused(Exception):
    """The row cannot be kept. `problems` has a sentence for each field that is wrong."""

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems


def checked(*, subreddit: str, attribute: str, value: str, reason: str) -> HintRow:
    """The row as it is kept, with spaces and case tidied. Raises Refused."""
    tidy = {
        "subreddit": re.sub(r"^/?r/", "", subreddit.strip(), flags=re.IGNORECASE),
        "attribute": attribute.strip().lower(),
        "value": " ".join(value.split()).lower(),
        "reason": " ".join(reason.split()),
    }
    if tidy["attribute"] in PLACES:
        tidy["value"] = " / ".join(part.strip() for part in tidy["value"].split("/"))
    if problems := dict(_problems(tidy)):
        raise Refused(problems)
    return HintRow(tidy["subreddit"], Attribute(tidy["attribute"]), tidy["value"], tidy["reason"])


def _problems(tidy: dict[str, str]) -> list[tuple[str, str]]:
    """At most one for each field: the last one wins, so the plainest comes last."""
    found = []
    if not NAME_GRAMMAR.fullmatch(tidy["subreddit"]):
        found.append(("subreddit", "Write the subreddit's name as in its address, without spaces."))
    if tidy["attribute"] not in Attribute.values:
        found.append(("attribute", f"There is no such attribute. Choose one of: {', '.join(Attribute.values)}."))
    elif problem := _problem_of_value(Attribute(tidy["attribute"]), tidy["value"]):
        found.append(("value", problem))
    for field, longest in LONGEST.items():
        if len(tidy[field]) > longest:
            found.append((field, f"The {field} is longer than {longest} characters."))
        if UNPRINTABLE.search(tidy[field]):
            found.append((field, f"The {field} contains a character that cannot be printed."))
    return found


def _problem_of_value(attribute: Attribute, value: str) -> str:
    """Why this attribute cannot have this value, or nothing. An empty value fits every attribute."""
    if not value:
        return ""
    if attribute in CLOSED_LISTS and value not in CLOSED_LISTS[attribute].values:
        return f"Choose one of: {', '.join(CLOSED_LISTS[attribute].values)}. Or leave it empty."
    if attribute is Attribute.AGE and not is_age(value):
        return f"Write an age as 27 or 25-35, from {YOUNGEST} to {OLDEST}. Or leave it empty."
    parts = value.split(" / ")
    if attribute in PLACES and (len(parts) > 3 or not all(parts)):
        return "Write a place as city / state / country, the smallest first. Or leave it empty."
    return ""
