"""The questions: in the study's form, with all that was typed, and never changed once published."""

import pytest

from evaluation.proposals.answers import read_answer
from evaluation.proposals.prompts import CURRENT, load_prompts
from profiles.attributes import CLOSED_LISTS, Attribute

DIGESTS = {
    "proposals-1": "68676087406b47523d59b9152bb8c825bb1b1d9658f6db30dc639c71e00ff09f"
}  # a change of a word is a new version


@pytest.mark.parametrize("name", DIGESTS)
def test_a_published_version_never_changes(name):
    assert load_prompts(name).digest == DIGESTS[name]


def test_the_current_version_is_a_published_one():
    assert CURRENT in DIGESTS


def first(attribute="location", value="London", **options):
    return load_prompts().first(attribute, value, **({"number": 7} | options)).as_lines


def test_the_first_question_names_number_people_and_examples():
    question = first(examples=["uk", "AskUK"])
    assert "7 subreddits where comments are made largely by people who live in London?" in question
    assert "r/uk, r/AskUK" in question
    assert "xample" not in first()


@pytest.mark.parametrize(
    ("attribute", "value", "people"),
    [
        ("location", "Leeds / England", "people who live in Leeds, England"),
        ("place_of_birth", "Oslo", "people who were born in Oslo"),
        ("age", "25-35", "people who are 25 to 35 years old"),
        ("age", "27", "people who are 27 years old"),
        ("occupation", "nurse", "people whose occupation is “nurse”"),
        ("occupation", "{people} {number}", "people whose occupation is “{people} {number}”"),
        ("sex", "female", "women"),
    ],
)
def test_people_are_named_in_words(attribute, value, people):
    assert people in first(attribute, value)
    assert people in load_prompts().second(attribute, value).as_json


def test_every_value_of_a_closed_list_has_words():
    for attribute in Attribute:
        for value in CLOSED_LISTS[attribute].values if attribute in CLOSED_LISTS else ["x"]:
            assert load_prompts().people(attribute, value)


def test_both_forms_ask_for_something_that_can_be_read():
    question = load_prompts().second("sex", "male")
    assert [name.name for name in read_answer(question.as_lines).subreddits] == ["name"]
    assert '{"subreddits": [{"name"' in question.as_json
