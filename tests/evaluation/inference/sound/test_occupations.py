"""Occupations are compared by whole words, and a person's decision wins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.inference.grades import Grade
from evaluation.inference.sound import Rule, decision_key, grade
from evaluation.inference.sound.verdicts import mirror

EXACT, LESS, MORE, WRONG = Grade.EXACT, Grade.LESS_PRECISE, Grade.MORE_PRECISE, Grade.WRONG


@pytest.mark.parametrize(
    ("guess", "label", "expected"),
    [
        ("Software Engineer at Google", "software engineer", EXACT),
        ("a software-engineer", "Software Engineers", EXACT),
        ("Software Developer", "software engineer", EXACT),
        ("engineer", "software engineer", LESS),
        ("Software Engineer", "engineer", MORE),
        ("Professor of physics", "physics professor", EXACT),
        ("HR Manager", "human resources manager", EXACT),
        ("Professional Chef", "chef", EXACT),
        ("unemployed", "none", EXACT),
        ("not working", "none", EXACT),
        ("Jobless", "unemployed", EXACT),
        ("student", "none", WRONG),
        ("college student", "student", MORE),
        ("PhD student", "graduate student", EXACT),
        ("student advisor", "student", WRONG),
        ("freelancer", "freelance writer", LESS),
        ("retired", "retired teacher", LESS),
        ("marketing professional", "marketing manager", LESS),
        ("waitress", "waiter", EXACT),
        ("barista", "bartender/barista", EXACT),
        ("Woodworker/Carpenter", "carpenter", LESS),
        ("teacher/nurse/engineer", "nurse", WRONG),
        ("data scientist", "scientist", MORE),
        ("lawyer", "engineer", WRONG),
        ("social worker", "worker", MORE),
    ],
)
def test_an_occupation_by_its_words(guess, label, expected):
    assert grade("occupation", guess, label).grade is expected


def test_a_decision_wins_and_is_mirrored():
    decisions = {decision_key("Designer", "graphic artist"): LESS}
    assert grade("occupation", "designer", "Graphic Artist", decisions=decisions).grade is LESS
    swapped = grade("occupation", "graphic artist", "designer", decisions=decisions)
    assert (swapped.grade, swapped.rule) == (MORE, Rule.DECISION)
    assert grade("occupation", "designer", "painter", decisions=decisions).grade is WRONG


WORDS = st.lists(
    st.sampled_from("software engineer student retired freelance nurse teacher school professional hr of none".split()),
    min_size=1,
    max_size=4,
).map(" ".join)


@given(WORDS, WORDS)
def test_grades_mirror_when_guess_and_label_are_swapped(first, second):
    assert grade("occupation", first, first).grade is EXACT
    assert grade("occupation", first, second).grade is mirror(grade("occupation", second, first).grade)
