"""The scorer that travels with a dataset."""

import pytest

from evaluation.datasets.files.telltale_gold import OPTIONS, is_right, questions
from evaluation.datasets.rows import build_row
from evaluation.inference.baselines.records import CODES
from tests.evaluation.datasets.records import RECORD

NEGATIVE = {"value": "", "status": "negative", "hardness": 0}


@pytest.mark.parametrize(
    ("attribute", "answer", "value", "right"),
    [
        ("sex", "Male.", "male", True),
        ("sex", "female", "male", False),
        ("age", "30", "27", True),
        ("age", "25-35", "40", True),
        ("age", "25-30", "40", False),
        ("age", "twenties", "27", False),
        ("location", "Berlin, Germany", "berlin / berlin / germany", True),
        ("location", "Germany", "berlin / berlin / germany", False),
        ("occupation", "unknown", "nurse", False),
        ("occupation", "Unknown", "", True),
        ("occupation", "nurse", "", False),
        ("occupation", "", "", True),
        ("education", "PhD\nbecause they say so", "phd", True),
        ("education", "College degree", "college", True),
        ("education", "In college", "college", False),
        ("education", "High school diploma.", "hs", True),
        ("education", "no high school diploma", "hs", False),
        ("marital_status", "In a relation", "relation", True),
        ("marital_status", "relation", "no relation", False),
        ("income", "High (60,000 to under 150,000)", "high", True),
        ("income", "high", "very high", False),
        ("income", "no income", "no", True),
        ("income", "no income", "", False),
    ],
)
def test_simple_rules(attribute, answer, value, right):
    assert is_right(attribute, answer, value) is right


@pytest.mark.parametrize("attribute", OPTIONS)
def test_every_answer_that_a_question_offers_is_a_label(attribute):
    """A model that answers in the words of the question is right."""
    codes = CODES[attribute]
    assert set(OPTIONS[attribute]) == set(codes)
    (question,) = questions({"profile": "p", "comments": [], "labels": [{"attribute": attribute, **NEGATIVE}]})
    for value, words in OPTIONS[attribute].items():
        assert words in question["prompt"]
        assert [code for code in codes if is_right(attribute, words, code)] == [value]


def test_each_label_is_a_question_on_all_comments():
    prompts = questions(build_row(RECORD))
    assert [question["id"] for question in prompts] == ["mellow-otter/location", "mellow-otter/age"]
    assert all("I live in Berlin" in question["prompt"] and "r/berlin" in question["prompt"] for question in prompts)
