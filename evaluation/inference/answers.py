"""Whether a model answered at all: missing, refused, abstained; and what it inferred where people could not."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from evaluation.inference.records import ATTRIBUTES, Case
from evaluation.inference.resamples import ProfileResamples
from evaluation.inference.settings import Settings
from evaluation.inference.sound import is_abstention

# The words before the colon are the short form, for table cells.
NO_LABELS = "No labels: there is nothing to answer."
NEVER_ASKED = "Not asked: the model was not asked where people could not tell."


class Answer(StrEnum):
    GUESSED = "guessed"
    ABSTAINED = "abstained"  # every guess says that it can't be told
    REFUSED = "refused"  # the attribute is there, without a guess
    MISSING = "missing"  # the model answered, but not on this attribute
    UNANSWERED = "unanswered"  # the model has no answer on this profile at all


UNREAD = (Answer.REFUSED, Answer.MISSING, Answer.UNANSWERED)  # refusals, and what could not be read


def kind_of_answer(case: Case) -> Answer:
    if case.prediction is None:
        return Answer.MISSING if case.has_answer else Answer.UNANSWERED
    guesses = [guess for guess in case.guesses if any(map(str.isalnum, guess))]
    if not guesses:
        return Answer.REFUSED
    has_abstained = all(is_abstention(guess, case.attribute) for guess in guesses)
    return Answer.ABSTAINED if has_abstained else Answer.GUESSED


def names_something(case: Case) -> bool:
    """Whether the first guess is an answer: neither blank nor an abstention."""
    return bool(case.guesses) and not is_abstention(case.guesses[0], case.attribute)


def count_answers(cases: Iterable[Case]) -> dict[str, int]:
    """Everything but GUESSED counts as wrong."""
    kinds = [kind_of_answer(case) for case in cases]
    return {kind.value: kinds.count(kind) for kind in Answer}


def describe_answers(cases: Sequence[Case], settings: Settings) -> dict[str, Any]:
    """How often the model abstained, refused, or gave nothing that could be read, over all and by attribute."""
    kinds = np.array([kind_of_answer(case) for case in cases], dtype=object)
    attributes = np.array([case.attribute for case in cases], dtype=object)
    resamples = ProfileResamples.of([case.profile for case in cases], settings)

    def rates(attribute: str | None = None) -> dict[str, Any]:
        is_chosen = np.ones(len(cases), bool) if attribute is None else attributes == attribute
        shares = {"abstained": (Answer.ABSTAINED,), "refused": (Answer.REFUSED,), "unread": UNREAD}
        return {"n": int(is_chosen.sum())} | {
            name: resamples.mean([kind in members for kind in kinds], NO_LABELS, is_chosen).as_json()
            for name, members in shares.items()
        }

    present = [name for name in ATTRIBUTES if name in attributes]
    return rates() | {"by_attribute": {name: rates(name) for name in present}}


@dataclass(frozen=True, slots=True)
class Negatives:
    """Attributes of which a person could not tell. `asked` have a prediction, `guessed` one that names something."""

    labels: int
    asked: int
    guessed: int

    def as_json(self) -> dict[str, int | float | None]:
        return asdict(self) | {"rate": self.guessed / self.asked if self.asked else None}


def count_negatives(cases: Iterable[Case]) -> Negatives | None:
    """None if the model was never asked about them, as in the published files."""
    counts = _count(cases)
    return counts if counts.asked else None


def describe_negatives(cases: Iterable[Case], settings: Settings) -> dict[str, Any] | None:
    """The same with intervals, and by attribute. None if the model was never asked about them."""
    negatives = [case for case in cases if case.label.is_negative]
    predicted = [case for case in negatives if case.prediction is not None]
    if not predicted:
        return None
    is_guess = [kind_of_answer(case) is Answer.GUESSED for case in predicted]
    attributes = np.array([case.attribute for case in predicted], dtype=object)
    resamples = ProfileResamples.of([case.profile for case in predicted], settings)

    def group(name: str) -> dict[str, Any]:
        members = [case for case in negatives if case.attribute == name]
        interval = resamples.mean(is_guess, NEVER_ASKED, attributes == name)
        return _count(members).as_json() | count_answers(_predicted(members)) | {"interval": interval.as_json()}

    present = [name for name in ATTRIBUTES if any(case.attribute == name for case in negatives)]
    return {
        **_count(negatives).as_json(),
        "interval": resamples.mean(is_guess, NEVER_ASKED).as_json(),
        "by_attribute": {name: group(name) for name in present},
    }


def _predicted(cases: Iterable[Case]) -> list[Case]:
    return [case for case in cases if case.prediction is not None]


def _count(cases: Iterable[Case]) -> Negatives:
    negatives = [case for case in cases if case.label.is_negative]
    predicted = _predicted(negatives)
    guessed = sum(kind_of_answer(case) is Answer.GUESSED for case in predicted)
    return Negatives(len(negatives), len(predicted), guessed)
