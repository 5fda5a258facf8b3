"""The sound scorer: grade a model's guess by what it means, not by how its letters look."""

from evaluation.inference.sound.ages import AgeDistance, measure_ages
from evaluation.inference.sound.guesses import clean_guess, is_abstention
from evaluation.inference.sound.occupations import Decisions, decision_key
from evaluation.inference.sound.scorer import ATTRIBUTES, PLACES, UnknownAttribute, grade
from evaluation.inference.sound.verdicts import Graded, Rule

__all__ = [
    "ATTRIBUTES",
    "PLACES",
    "AgeDistance",
    "Decisions",
    "Graded",
    "Rule",
    "UnknownAttribute",
    "clean_guess",
    "decision_key",
    "grade",
    "is_abstention",
    "measure_ages",
]
