"""Rules fire on what people state about themselves, and on nothing else."""

import time

import pytest

from evaluation.inference.baselines import predict
from evaluation.inference.baselines.rules import find_statements
from tests.evaluation.inference.baselines.profiles import make_baseline_profile

STATED = {
    "I am 19": {"age": "19"},
    "I'm 19 years old.": {"age": "19"},
    "im 24 and ive had it": {"age": "24"},
    "I’m twenty-five, so what": {"age": "25"},
    "I'm in my late twenties": {"age": "27-29"},
    "I was born in 1987.": {"age": "26-27"},
    "turned 26 today": {"age": "26"},
    "I (25F) think so": {"age": "25", "sex": "female"},
    "25 F": {"age": "25", "sex": "female"},
    "(25F) I like it": {"age": "25", "sex": "female"},
    "M/34": {"age": "34", "sex": "male"},
    "M/34/5'10 and happy": {"age": "34", "sex": "male"},
    "My girlfriend (24F) and I (26M) live here": {"age": "26", "sex": "male", "marital_status": "relation"},
    "As a 30 year old woman I like it": {"age": "30", "sex": "female"},
    "I'm a 25 year old male from Texas": {"age": "25", "sex": "male"},
    "40 year old dad here": {"age": "40", "sex": "male"},
    "I'm a mother of two": {"sex": "female"},
    "I told my wife": {"marital_status": "married"},
    "My husband cooks": {"marital_status": "married"},
    "my ex-wife called": {"marital_status": "divorced"},
    "I'm divorced.": {"marital_status": "divorced"},
    "I'm single and fine": {"marital_status": "no relation"},
    "I don't have a girlfriend": {"marital_status": "no relation"},
    "I'm a nurse in Ohio": {"occupation": "nurse"},
    "I'm a nurse practitioner": {"occupation": "nurse practitioner"},
    "I work as a zoo keeper": {"occupation": "zoo keeper"},
    "my job as a line cook sucks": {"occupation": "line cook"},
    "As a teacher, I disagree": {"occupation": "teacher"},
    "I'm unemployed": {"occupation": "none"},
    "I live in Houston, Texas and love it": {"location": "Houston, Texas"},
    "i live in houston with my dog": {"location": "houston"},
    "I live in St. Louis.": {"location": "St. Louis"},
    "I live in the US": {"location": "US"},
    "I'm from Portland, OR": {"location": "Portland, OR", "place_of_birth": "Portland, OR"},
    "Born and raised in New York City": {"place_of_birth": "New York City"},
    "I was born in 1939, in Duluth": {"age": "74-75", "place_of_birth": "Duluth"},
    "I make 45k": {"income": "medium"},
    "I make $45,000 a year": {"income": "medium"},
    "I make $20 an hour": {"income": "medium"},
    "made 151k last year": {"income": "very high"},
    "I have a PhD in physics": {"education": "phd"},
    "I finished high school": {"education": "hs"},
    "I'm a sophomore in college": {"education": "in college"},
    "I never finished high school": {"education": "no hs"},
}
NOT_STATED = [
    "> I am 19", "&gt; I'm a nurse", 'She wrote "I am 19 years old" there', "if I were 19", "If I'm 19, so what",
    "when I was 19", "When I'm 64, will you", "my brother is 19", "My brother says I'm 19", "I'm not 19",
    "I'm 20 minutes away", "I'm 30 pounds lighter", "I'm 19 in that photo", "I wish I was a nurse", "I'm 200",
    "I'm not a nurse", "I'm no nurse", "I was a nurse", "I'm a former nurse", "I'm an aspiring actor",
    "I'm a huge fan", "I'm a terrible cook", "I'm a doctor who fan", "He thinks I'm a doctor", "Not like I'm a cop",
    "Their friend (24F) left", "My dad, M/60, snores", "68 F", "It's 25 F outside",
    "As a 30 year old woman, you should", "I'm single handedly doing it", "your wife", "his ex-wife",
    "if my wife asks", "my future wife",
    "I'm married to my work", "my brother's wife", "I used to live in Boston",
    "I don't live in Boston", "I live in hope", "I live in a house",
    "My friend was born in Oslo", "She lives in Rome", "If I live in Rome someday", "I'm from here", "I live in us",
    "I make $20 on eBay", "I make 45k on that house", "They make 45k", "I make 3 pies a year", "If I make 45k a year",
    "I have a PhD student", "I'm a lady gaga fan", "My sister is a sophomore in college", "I want to work as a nurse",
    "You have a PhD", "I don't have a PhD", "I used to work as a nurse", "Would you hire me as a nurse?", "im",
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), STATED.items())
def test_finds_what_is_stated(text, values):
    assert {statement.attribute: statement.value for statement in find_statements(text, 2014)} == values


@pytest.mark.parametrize("text", NOT_STATED)
def test_stays_silent(text):
    assert list(find_statements(text, 2014)) == []


def guesses(*texts):
    predictions = predict("rules", [make_baseline_profile(texts=texts)], seed=0)[1]
    return {name: value.guesses for name, value in predictions.items() if value.guesses != ("unknown",)}


def test_the_latest_statement_comes_first():
    assert guesses("I'm 17", "I'm 18", "I'm 19", "I'm 20") == {"age": ("20", "19", "18")}
    assert guesses("my wife", "my ex-wife") == {"marital_status": ("divorced", "married")}
    assert guesses("I'm a cook. I'm a nurse.") == {"occupation": ("nurse", "cook")}
    assert guesses("I'm 17", "I'm 18", "I'm 17") == {"age": ("17", "18")}


def test_the_highest_education_counts():
    assert guesses("I have a PhD", "I finished high school in 1990") == {"education": ("phd", "hs")}


def test_where_somebody_lives_comes_before_where_they_are_from():
    assert guesses("I live in Oslo", "I'm from Rome") == {"location": ("Oslo", "Rome"), "place_of_birth": ("Rome",)}


def test_says_which_rule_fired():
    prediction = predict("rules", [make_baseline_profile(texts=("Well, I am 19.",))], seed=0)[1]["age"]
    assert prediction.inference == "I am N: “I am 19”."
    assert prediction.confidence is None


@pytest.mark.parametrize(
    "part",
    [
        "I", "I am ", "I'm a ", "I'm a nurse ", "my ", "as a ", "I live in ", "I live in New York, ", "1", "25 F ",
        "(", '"', "> ", "I make $1", "I make 45k a ", " ", "\n", "I was born in a a a ", "My girlfriend (24F) and I ",
        "x" * 50,
        "I'm in a very very ", "I'm 30 years ", "if ", "I am the mother of ", "born and raised in ", "'", "twenty-",
    ],
)  # fmt: skip
def test_takes_time_in_proportion_to_the_text(part):
    """50 kB of hostile text, in seconds of this process."""
    text = part * (50_000 // len(part))
    began = time.process_time()
    list(find_statements(text, 2014))
    assert time.process_time() - began < 1
