"""A card: an annotator's answer on one attribute, its state, and whether it can be submitted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import TextChoices

from annotator.core.evidence import EvidenceSpan
from annotator.models import Draft
from profiles.answers import parse_answer
from profiles.attributes import CLOSED_LISTS, Attribute

NOTE_LENGTH = 2000
VALUE_LENGTH = 500
MAX_EVIDENCE = 50
RATINGS = range(6)
PLACES = {Attribute.LOCATION, Attribute.PLACE_OF_BIRTH}
FIELDS = ("value", "hardness", "certainty", "required_subreddit", "note")

NO_VALUE = "Ratings or evidence without a value: give one, or clear the card."
NO_RATING = "A value needs {ratings} from 1 to 5."


@dataclass(frozen=True, slots=True)
class Card:
    """An answer on one attribute. The empty card means: looked, could not tell."""

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


@dataclass(frozen=True, slots=True)
class CardOnPage:
    """A card as the form shows it."""

    attribute: Attribute
    number: int
    card: Card
    version: int
    state: CardState
    problem: str
    hint: str

    @property
    def kind(self) -> str:
        if self.attribute in CLOSED_LISTS:
            return "choice"
        if self.attribute in PLACES:
            return "place"
        return "age" if self.attribute is Attribute.AGE else "words"

    @property
    def choices(self) -> list[tuple[str, str]]:
        return CLOSED_LISTS[self.attribute].choices if self.attribute in CLOSED_LISTS else []


def card_on_page(attribute: Attribute, draft: Draft | None) -> CardOnPage:
    card = card_from(vars(draft)) if draft else Card()
    return CardOnPage(
        attribute=attribute,
        number=list(Attribute).index(attribute) + 1,
        card=card,
        version=draft.version if draft else 0,
        state=state_of(attribute, card) if draft else CardState.UNTOUCHED,
        problem=problem_of(attribute, card),
        hint=parse_answer(attribute, card.value).hint,
    )


def card_from(fields: Mapping[str, Any]) -> Card:
    """A card from a draft's columns, or from JSON of the same shape."""
    evidence = tuple(EvidenceSpan(**span) for span in fields["evidence"])
    return Card(**{name: fields[name] for name in FIELDS}, evidence=evidence)


def state_of(attribute: Attribute, card: Card) -> CardState:
    if problem_of(attribute, card):
        return CardState.INCOMPLETE
    return CardState.NOTHING if card.is_empty else CardState.ANSWERED


def problem_of(attribute: Attribute, card: Card) -> str:
    """Why the card can't be submitted and what to do about it. Empty if it can."""
    answer = parse_answer(attribute, card.value)
    if answer.problem:
        return answer.problem
    if answer.value:
        return _missing_rating(card)
    return "" if card.is_empty else NO_VALUE


def _missing_rating(card: Card) -> str:
    missing = [name for name, rating in (("hardness", card.hardness), ("certainty", card.certainty)) if not rating]
    return NO_RATING.format(ratings=" and ".join(missing)) if missing else ""
