"""Grades and records: the words that readers and scorers share."""

from evaluation.inference.grades import Grade
from evaluation.inference.records import ATTRIBUTES
from profiles.attributes import Attribute


def test_attributes_are_those_of_the_study():
    assert list(ATTRIBUTES) == Attribute.values


def test_saying_more_than_the_label_is_right_and_saying_less_is_half_right():
    assert {grade: grade.credit for grade in Grade} == {
        Grade.EXACT: 1,
        Grade.MORE_PRECISE: 1,
        Grade.LESS_PRECISE: 0.5,
        Grade.WRONG: 0,
    }
