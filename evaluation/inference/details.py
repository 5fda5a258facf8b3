"""First guesses of ages by how far off they are, and of places by how precise they are."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from evaluation.inference.answers import names_something
from evaluation.inference.differences import Scored
from evaluation.inference.grades import Grade
from evaluation.inference.resamples import ProfileResamples
from evaluation.inference.settings import Settings
from evaluation.inference.sound import PLACES, AgeDistance, clean_guess, measure_ages

# The words before the colon are the short form, for table cells.
NO_AGES = "No labels: no age is scored."
NO_GUESS = "no guess"


def describe_ages(scored: Sequence[Scored], settings: Settings) -> dict[str, Any] | None:
    """Shares of all scored ages. A guess that is no age counts as far off. None without ages."""
    ages = [item.case for item in scored if item.case.attribute == "age"]
    if not ages:
        return None
    distances = [_distance(case.guesses[0], case.label.value) if names_something(case) else None for case in ages]
    resamples = ProfileResamples.of([case.profile for case in ages], settings)
    amounts: dict[str, list[float]] = {
        "within_two": [distance is not None and distance.within_two for distance in distances],
        "within_five": [distance is not None and distance.within_five for distance in distances],
        "overlapping": [distance is not None and distance.overlaps for distance in distances],
        "overlap": [distance.overlap if distance else 0.0 for distance in distances],
    }
    shares = {name: resamples.mean(values, NO_AGES).as_json() for name, values in amounts.items()}
    return {"n": len(ages), "read": sum(distance is not None for distance in distances), **shares}


def _distance(guess: str, label: str) -> AgeDistance | None:
    return measure_ages(clean_guess(guess), clean_guess(label) or label)


def describe_places(scored: Sequence[Scored], grades: Sequence[Grade]) -> dict[str, Any]:
    """Grades of first guesses by attribute, and the rules by which the wrong ones were decided."""
    pairs = list(zip(scored, grades, strict=True))
    return {name: _places([pair for pair in pairs if pair[0].case.attribute == name]) for name in PLACES
            if any(item.case.attribute == name for item, _ in pairs)}  # fmt: skip


def _places(pairs: Sequence[tuple[Scored, Grade]]) -> dict[str, Any]:
    guessed = [(item, grade) for item, grade in pairs if names_something(item.case)]
    wrong = Counter(item.codes[0] for item, grade in guessed if grade is Grade.WRONG)
    counts = Counter(grade.value for _, grade in guessed)
    return {
        "n": len(pairs),
        **{grade.value: counts[grade.value] for grade in Grade},
        NO_GUESS: len(pairs) - len(guessed),
        "wrong_by": dict(sorted(wrong.items())),
    }
