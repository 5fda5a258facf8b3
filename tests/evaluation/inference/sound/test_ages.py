"""Ages are intervals; what counts is the distance between their nearest points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.inference.grades import Grade
from evaluation.inference.sound import AgeDistance, Rule, grade, measure_ages
from evaluation.inference.sound.ages import parse_years
from evaluation.inference.sound.verdicts import mirror
from profiles.answers.ages import _decade_range


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("25", (25, 25)),
        ("25-30 years old", (25, 30)),
        ("25 – 30", (25, 30)),
        ("between 20 and 30", (20, 30)),
        ("around 25", (23, 27)),
        ("~40", (38, 42)),
        ("30ish", (28, 32)),
        ("25±3", (22, 28)),
        ("mid-twenties", (24, 26)),
        ("30s", (30, 39)),
        ("late 30s", (37, 39)),
        ("in his early to mid 30s", (30, 36)),
        ("20s to 30s", (20, 39)),
        ("thirty-something", (30, 39)),
        ("twenty-five", (25, 25)),
        ("teenager", (13, 19)),
        ("30+", (30, 40)),
        ("under 30", (20, 30)),
        ("25 years old, 5 years of experience", (25, 25)),
        ("born in 1990", None),
        ("young", None),
    ],
)
def test_the_years_of_an_age(text, years):
    assert parse_years(text) == years


@pytest.mark.parametrize("text", ["20s", "early 20s", "mid 20s", "late thirties", "teens", "forties"])
def test_decades_mean_what_people_are_told(text):
    assert parse_years(text) == _decade_range(text)


@pytest.mark.parametrize(
    ("guess", "label", "expected"),
    [
        ("25", "30", Grade.EXACT),
        ("25", "31", Grade.WRONG),
        ("25-35", "30-40", Grade.EXACT),
        ("17-19", "18-20", Grade.EXACT),
        ("25-25", "20-30", Grade.EXACT),
        ("20-40", "25-26", Grade.EXACT),
        ("25-30", "22", Grade.EXACT),
        ("25-30", "19", Grade.WRONG),
        ("18-80", "25", Grade.LESS_PRECISE),
        ("25", "18-80", Grade.MORE_PRECISE),
        ("young", "25", Grade.WRONG),
    ],
)
def test_an_age_by_distance(guess, label, expected):
    assert grade("age", guess, label).grade is expected


def test_all_three_verdicts():
    assert measure_ages("20-24", "23-27") == AgeDistance(years=0, overlap=2 / 8)
    apart = measure_ages("25", "28-30")
    assert apart is not None
    assert (apart.years, apart.within_two, apart.within_five, apart.overlaps) == (3, False, True, False)
    assert measure_ages("young", "25") is None
    assert grade("age", "30", "young").rule is Rule.UNKNOWN_LABEL


AGES = st.integers(10, 110).map(str) | st.tuples(st.integers(10, 60), st.integers(0, 50)).map(
    lambda pair: f"{pair[0]}-{pair[0] + pair[1]}"
)


@given(AGES, AGES)
def test_a_range_is_judged_no_harder_than_a_point(first, second):
    assert grade("age", first, first).grade is Grade.EXACT
    assert grade("age", first, second).grade is mirror(grade("age", second, first).grade)
    assert measure_ages(first, second) == measure_ages(second, first)
