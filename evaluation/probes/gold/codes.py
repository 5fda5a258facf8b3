"""Guesses as codes: right, wrong, or nothing that can be read. And whether two guesses mean the same."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from evaluation.inference.records import Prediction
from evaluation.inference.sound import grade, is_abstention
from evaluation.probes.records import Code, Evaluated
from evaluation.probes.verdict import DOES, DOES_NOT, MOST_UNDETECTED, Verdict

LEAST_RIGHT = 0.01
ABSTAINED = ""


def first_guess(prediction: Prediction | None, attribute: str) -> str | None:
    """The best guess; empty if it says that nothing can be told; None if there is none."""
    guesses = [guess for guess in (prediction.guesses if prediction else ()) if any(map(str.isalnum, guess))]
    if not guesses:
        return None
    return ABSTAINED if is_abstention(guesses[0], attribute) else guesses[0]


def code_guess(guess: str | None, attribute: str, label: str) -> Code:
    """Right if it means the label or something more precise. An abstention is wrong, as everywhere."""
    if guess is None:
        return Code.UNDETECTED
    is_right = grade(attribute, guess, label).grade.credit == 1
    return Code.YES if is_right else Code.NO


def means_the_same(first: str, second: str, attribute: str) -> bool:
    """Whichever of the two is the more precise one."""
    if ABSTAINED in (first, second):
        return first == second
    return any(grade(attribute, *pair).grade.credit == 1 for pair in ((first, second), (second, first)))


def count_changes(guesses: Iterable[Sequence[Sequence[str | None]]], attribute: str) -> dict[str, float | None]:
    """The chance that two guesses about a profile differ: of different variants, and of the same.

    Guesses come by profile, variant and repetition.
    """
    counts = {True: [0, 0], False: [0, 0]}  # by whether the variant is the same: differing, all
    for by_variant in guesses:
        readable = [(at, guess) for at, repeated in enumerate(by_variant) for guess in repeated if guess is not None]
        for (first, left), (second, right) in combinations(readable, 2):
            count = counts[first == second]
            count[0] += not means_the_same(left, right, attribute)
            count[1] += 1
    between, within = (counts[is_same] for is_same in (False, True))
    return {
        "between": between[0] / between[1] if between[1] else None,
        "within": within[0] / within[1] if within[1] else None,
    }


def judge_guesses(evaluated: Evaluated, agreement: Mapping[str, Any]) -> Verdict:
    codes = evaluated.codes[:, evaluated.stated]
    undetected = float(np.mean(codes == Code.UNDETECTED))
    reasons = []
    if undetected >= MOST_UNDETECTED:
        reasons.append(f"{100 * undetected:.0f} % of its answers have no guess.")
    elif float(np.mean(codes == Code.YES)) < LEAST_RIGHT:
        reasons.append("Almost none of its first guesses are right.")
    return Verdict(not reasons, DOES_NOT if reasons else DOES, tuple(reasons))
