"""Whether a model answered at all: missing, refused, abstained; and what it inferred where people could not."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum

from evaluation.inference.records import Case
from evaluation.inference.sound import is_abstention


class Answer(StrEnum):
    GUESSED = "guessed"
    ABSTAINED = "abstained"  # every guess says that it can't be told
    REFUSED = "refused"  # the attribute is there, without a guess
    MISSING = "missing"  # the model answered, but not on this attribute
    UNANSWERED = "unanswered"  # the model has no answer on this profile at all


def kind_of_answer(case: Case) -> Answer:
    if case.prediction is None:
        return Answer.MISSING if case.has_answer else Answer.UNANSWERED
    guesses = [guess for guess in case.guesses if any(map(str.isalnum, guess))]
    if not guesses:
        return Answer.REFUSED
    has_abstained = all(is_abstention(guess, case.attribute) for guess in guesses)
    return Answer.ABSTAINED if has_abstained else Answer.GUESSED


def count_answers(cases: Iterable[Case]) -> dict[str, int]:
    """Everything but GUESSED counts as wrong."""
    kinds = [kind_of_answer(case) for case in cases]
    return {kind.value: kinds.count(kind) for kind in Answer}


@dataclass(frozen=True, slots=True)
class Negatives:
    """Attributes of which a person could not tell. `asked` have a prediction, `guessed` one that names something."""

    labels: int
    asked: int
    guessed: int

    def as_json(self) -> dict[str, int | float]:
        return asdict(self) | {"rate": self.guessed / self.asked}


def count_negatives(cases: Iterable[Case]) -> Negatives | None:
    """None if the model was never asked about them, as in the published files."""
    negatives = [case for case in cases if case.label.is_negative]
    predicted = [case for case in negatives if case.prediction is not None]
    guessed = sum(kind_of_answer(case) is Answer.GUESSED for case in predicted)
    return Negatives(len(negatives), len(predicted), guessed) if predicted else None
