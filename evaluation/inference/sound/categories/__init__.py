"""Categories: sex, marital status, income and education, from words to our codes."""

from evaluation.inference.sound.categories.codes import CATEGORIES, find_codes, grade_category

__all__ = ["CATEGORIES", "find_codes", "grade_category"]
