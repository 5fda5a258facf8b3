"""What a baseline may look at, and the values that it may guess."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.inference.records import Label, Prediction
from evaluation.inference.selection import Text

# The values of profiles.attributes.CLOSED_LISTS, which needs Django. A test holds them together.
CODES: Mapping[str, tuple[str, ...]] = {
    "sex": ("male", "female"),
    "marital_status": ("no relation", "relation", "married", "divorced"),
    "income": ("no", "low", "medium", "high", "very high"),
    "education": ("no hs", "in hs", "hs", "in college", "college", "phd"),
}
MAX_GUESSES = 3
ABSTENTION = Prediction(("unknown",))  # as scorers recognise it


@dataclass(frozen=True, slots=True)
class Hint:
    """What a subreddit suggests, and how many comments the profile wrote there."""

    attribute: str
    value: str
    subreddit: str
    comments: int


@dataclass(frozen=True, slots=True)
class BaselineProfile:
    pk: int
    labels: Mapping[str, Label]
    texts: Sequence[Text]
    hints: Sequence[Hint]
