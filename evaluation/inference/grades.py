"""How good a guess is."""

from enum import StrEnum


class Grade(StrEnum):
    EXACT = "exact"
    MORE_PRECISE = "more precise"  # a city where the label has its country
    LESS_PRECISE = "less precise"  # a country where the label has a city in it
    WRONG = "wrong"

    @property
    def credit(self) -> float:
        """1, ½ or 0. A guess that says more than the label and agrees with it is right."""
        return CREDITS[self]


CREDITS = {Grade.EXACT: 1.0, Grade.MORE_PRECISE: 1.0, Grade.LESS_PRECISE: 0.5, Grade.WRONG: 0.0}
