"""One card of the form: what was said about an attribute, and whether it can be sealed as it stands. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import TextChoices

from annotator.core.evidence import EvidenceSpan
from profiles.answers import parse_answer
from profiles.attributes import Attribute

NOTE_LENGTH = 2000
VALUE_LENGTH = 500
QUOTES_EACH = 50


@dataclass(frozen=True, slots=True)
class Card:
    """What somebody says about one attribute. The empty card says: looked, could not tell."""

    value: str = ""
    hardness: int = 0
    certainty: int = 0
    required_subreddit: bool = False
    note: str = ""
    evidence: tuple[EvidenceSpan, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.value.strip() or self.hardness or self.certainty or self.required_subreddit or self.evidence)

    def as_json(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "hardness": self.hardness,
            "certainty": self.certainty,
            "required_subreddit": self.required_subreddit,
            "note": self.note,
            "evidence": [span.as_json() for span in self.evidence],
        }


class CardState(TextChoices):
    UNTOUCHED = "untouched", "Untouched"
    NOTHING = "nothing", "Nothing to find"
    ANSWERED = "answered", "Answered"
    INCOMPLETE = "incomplete", "Incomplete"


def problem_of(attribute: Attribute, card: Card) -> str:
    """Why the card cannot be sealed, in words that say what to do; empty when it can."""
    read = parse_answer(attribute, card.value)
    if read.problem:
        return read.problem
    if read.value:
        return _missing_rating(card)
    return "" if card.is_empty else "Ratings or evidence without a value: give one, or clear the card."


def state_of(attribute: Attribute, card: Card | None) -> CardState:
    if card is None:
        return CardState.UNTOUCHED
    if problem_of(attribute, card):
        return CardState.INCOMPLETE
    return CardState.NOTHING if card.is_empty else CardState.ANSWERED


def card_from(said: Mapping[str, Any]) -> Card:
    """From a draft's columns, or from JSON of the same shape."""
    evidence = tuple(EvidenceSpan(s["start"], s["end"], s["comment"], s["text"]) for s in said["evidence"])
    plain = {name: said[name] for name in ("value", "hardness", "certainty", "required_subreddit", "note")}
    return Card(**plain, evidence=evidence)


def _missing_rating(card: Card) -> str:
    missing = [name for name, rating in (("hardness", card.hardness), ("certainty", card.certainty)) if not rating]
    return f"A value needs {' and '.join(missing)} from 1 to 5." if missing else ""
