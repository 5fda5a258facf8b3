"""A card: an annotator's answer on one attribute, its state, and whether it can be submitted."""

from collections import Counter
from collections.abc import Iterable, Mapping
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

NO_VALUE = "Add a value, or clear the card."
NO_RATING = "Add {ratings} from 1 to 5."
MAX_GAPS = 2  # that the summary names
SCALES = (("hardness", "Hardness", "h"), ("certainty", "Certainty", "c"))


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
    NOTHING = "nothing", "Nothing to infer"
    ANSWERED = "answered", "Answered"
    INCOMPLETE = "incomplete", "Incomplete"


SUMMARY = {
    CardState.ANSWERED: "{} answered",
    CardState.INCOMPLETE: "{} incomplete ({})",
    CardState.NOTHING: "{} nothing to infer",
    CardState.UNTOUCHED: "{} untouched",
}


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
    def shown(self) -> str:
        """The value as its row shows it."""
        if self.state is CardState.NOTHING:
            return str(CardState.NOTHING.label)
        return dict(self.choices).get(self.card.value, self.card.value)

    @property
    def marks(self) -> list[tuple[str, int]]:
        """Ratings and the number of pieces of evidence as the row shows them. Nothing stands for what was not said."""
        card = self.card
        marks = [("hard", card.hardness), ("sure", card.certainty), ("¶", len(card.evidence))]
        return [(mark, number) for mark, number in marks if number]

    @property
    def scales(self) -> list[tuple[str, str, str, int]]:
        return [(scale, name, key, getattr(self.card, scale)) for scale, name, key in SCALES]

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
    missing = missing_ratings(card)
    return NO_RATING.format(ratings=" and ".join(missing)) if missing else ""


def missing_ratings(card: Card) -> list[str]:
    return [scale for scale, _, _ in SCALES if not getattr(card, scale)]


def summarize(cards: Iterable[CardOnPage]) -> str:
    """One line on all cards: “2 answered · 1 incomplete (Age: certainty missing) · 5 untouched”."""
    shown = list(cards)
    gaps = [f"{card.attribute.label}: {_gap(card)}" for card in shown if card.state is CardState.INCOMPLETE]
    listed = "; ".join([*gaps[:MAX_GAPS], "…"] if len(gaps) > MAX_GAPS else gaps)
    counts = Counter(card.state for card in shown)
    return " · ".join(SUMMARY[state].format(counts[state], listed) for state in SUMMARY if counts[state])


def _gap(card: CardOnPage) -> str:
    if not card.card.value.strip():
        return "value missing"
    missing = missing_ratings(card.card)
    return f"{' and '.join(missing)} missing" if missing else "check the value"
