"""Grade a model's guess against a human label."""

from evaluation.inference.grades import Grade
from evaluation.inference.sound.ages import grade_age
from evaluation.inference.sound.categories import CATEGORIES, grade_category
from evaluation.inference.sound.guesses import clean_guess, is_abstention
from evaluation.inference.sound.occupations import Decisions, grade_occupation
from evaluation.inference.sound.places import grade_place
from evaluation.inference.sound.verdicts import Graded, Rule

PLACES = ("location", "place_of_birth")
ATTRIBUTES = (*PLACES, *CATEGORIES, "age", "occupation")


class UnknownAttribute(ValueError):
    """An attribute that the scorer has no rules for."""


def grade(attribute: str, guess: str, label: str, *, decisions: Decisions | None = None) -> Graded:
    """Grade one guess. An abstention is WRONG by the rule `abstained`, so that reports can count it apart.

    A decision is one that a person made about an occupation; see `decision_key`.
    """
    if attribute not in ATTRIBUTES:
        raise UnknownAttribute(f"“{attribute}” is not an attribute. Use one of: {', '.join(ATTRIBUTES)}.")
    if is_abstention(guess, attribute):
        return Graded(Grade.WRONG, Rule.ABSTAINED)
    text, truth = clean_guess(guess), clean_guess(label) or label
    if text.casefold() == truth.casefold():
        return Graded(Grade.EXACT, Rule.SAME_TEXT)
    return _grade(attribute, text, truth, decisions)


def _grade(attribute: str, guess: str, label: str, decisions: Decisions | None) -> Graded:
    if attribute in PLACES:
        return grade_place(guess, label)
    if attribute in CATEGORIES:
        return grade_category(attribute, guess, label)
    return grade_age(guess, label) if attribute == "age" else grade_occupation(guess, label, decisions)
