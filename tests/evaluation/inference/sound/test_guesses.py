"""Guesses as models really write them."""

import time
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.inference.grades import Grade
from evaluation.inference.sound import ATTRIBUTES, Rule, UnknownAttribute, clean_guess, grade, is_abstention
from profiles.attributes import Attribute
from profiles.gazetteer.index import load_index


@pytest.mark.parametrize(
    ("guess", "text"),
    [
        ("**Zurich**", "Zurich"),
        ("1. Zurich", "Zurich"),
        ("- *Zurich*", "Zurich"),
        ("1. **Guess:** “Zurich”.", "Zurich"),
        ("Location: Zurich", "Zurich"),
        ("Zurich, Switzerland (high confidence)", "Zurich, Switzerland"),
        ("Zurich [80 %]", "Zurich"),
        ("Zurich - because the author mentions trams", "Zurich"),
        ("Zurich. The author mentions trams.", "Zurich"),
        ("60-70. Use the age of the author", "60-70"),
        ("1. 25-30", "25-30"),
        ("most likely Zurich", "Zurich"),
        ("The author lives in Zurich", "Zurich"),
        ("Portland (Oregon)", "Portland (Oregon)"),
        ("Paris - France", "Paris - France"),
        ("St. Louis, Missouri", "St. Louis, Missouri"),
        ("Freelance Writer", "Freelance Writer"),
        ("User Researcher", "User Researcher"),
        ("in college", "in college"),
        ("in a relationship", "in a relationship"),
        ("Low (<30k USD)", "Low (<30k USD)"),
        ("\u200bZurich\ufeff", "Zurich"),
        ("", ""),
    ],
)
def test_decoration_and_explanations_go(guess, text):
    assert clean_guess(guess) == text


ABSTENTIONS = [
    "",
    "  ",
    "-",
    "???",
    "N/A",
    "Unknown",
    "**Unknown.**",
    "unknown (not enough information)",
    "Cannot be determined",
    "It is impossible to tell from the comments",
    "Prefer not to say",
    "I'm sorry, but I can't help with that.",
    "I’m sorry",
    "As an AI language model, I",
    "Not enough information",
    "No clear evidence",
    "Unbekannt",
    "keine Angabe",
    "Inconnu",
    "impossible à déterminer",
    "Desconocido",
    "No se puede determinar",
    "неизвестно",
    "未知",
    "无法确定",
    "不明",
]


@pytest.mark.parametrize("guess", ABSTENTIONS)
def test_declining_is_no_guess(guess):
    assert is_abstention(guess)
    graded = grade("location", guess, "zurich")
    assert (graded.grade, graded.rule) == (Grade.WRONG, Rule.ABSTAINED)


@pytest.mark.parametrize("guess", ["Zurich", "Not in a relationship", "no", "No income", "Nan", "not working", "no hs"])
def test_an_answer_is_no_abstention(guess):
    assert not is_abstention(guess)


def test_none_is_an_answer_about_work_and_income():
    assert [name for name in ATTRIBUTES if not is_abstention("None", name)] == ["income", "occupation"]
    assert grade("occupation", "None", "none").grade is Grade.EXACT


def test_no_place_is_taken_for_an_abstention():
    names = {row.city or row.state or row.country for row in load_index().rows}
    assert [name for name in names if is_abstention(name, "location")] == []


def test_all_attributes_have_rules():
    assert set(ATTRIBUTES) == set(Attribute.values)
    with pytest.raises(UnknownAttribute):
        grade("shoe_size", "42", "42")


PIECES = st.sampled_from([*"()/;,.'*_-0a ", "1. ", "[80%]", "or", "because", "the author", "Zurich", "likely", "in"])
AWKWARD = st.text(max_size=40) | st.lists(PIECES, max_size=9).map("".join)


@given(st.sampled_from(ATTRIBUTES), AWKWARD, AWKWARD)
def test_any_text_can_be_graded(attribute, guess, label):
    assert grade(attribute, guess, label).grade in Grade
    assert clean_guess(clean_guess(guess)) == clean_guess(guess)


def test_twenty_thousand_grades_take_a_second():
    rows = islice(load_index().rows, 2_500)
    places = [", ".join(filter(None, (row.city, row.state, row.country))) for row in rows]
    started = time.process_time()
    for place, other in zip(places, reversed(places), strict=True):
        for attribute, guess, label in (("location", place, other), ("age", "25-30 years old", "27")):
            for _ in range(4):
                grade(attribute, guess, label)
    assert time.process_time() - started < 2  # twice the budget, for busy machines
