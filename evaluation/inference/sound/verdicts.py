"""What the sound scorer returns, and the codes of its rules."""

from dataclasses import dataclass
from enum import StrEnum

from evaluation.inference.grades import Grade


class Rule(StrEnum):
    """Which rule decided. Reports count them to explain differences, so the codes are stable."""

    ABSTAINED = "abstained"
    SAME_TEXT = "same-text"
    DECISION = "decision"
    UNKNOWN = "unknown"
    UNKNOWN_LABEL = "unknown-label"
    CATEGORY_SAME = "category-same"
    CATEGORY_OTHER = "category-other"
    AGE_OVERLAP = "age-overlap"
    AGE_NEAR = "age-near"
    AGE_WIDE = "age-wide"
    AGE_FAR = "age-far"
    PLACE_SAME = "place-same"
    PLACE_LEVEL = "place-level"
    PLACE_AMBIGUOUS = "place-ambiguous"
    PLACE_TEXT = "place-text"
    PLACE_OTHER_CITY = "place-other-city"
    PLACE_OTHER_STATE = "place-other-state"
    PLACE_OTHER_COUNTRY = "place-other-country"
    OCCUPATION_SAME = "occupation-same"
    OCCUPATION_WORDS = "occupation-words"
    OCCUPATION_OTHER = "occupation-other"


@dataclass(frozen=True, slots=True)
class Graded:
    """A grade, and the rule that decided."""

    grade: Grade
    rule: Rule


MIRRORED = {Grade.LESS_PRECISE: Grade.MORE_PRECISE, Grade.MORE_PRECISE: Grade.LESS_PRECISE}
_ORDER = (Grade.WRONG, Grade.LESS_PRECISE, Grade.MORE_PRECISE, Grade.EXACT)


def rank(graded: Graded) -> int:
    """Sort from wrong to exact."""
    return _ORDER.index(graded.grade)


def mirror(grade: Grade) -> Grade:
    """The grade with guess and label swapped."""
    return MIRRORED.get(grade, grade)
