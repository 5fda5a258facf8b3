"""Words mean codes, never by how similar they look."""

import pytest

from evaluation.inference.grades import Grade
from evaluation.inference.sound import Rule, grade
from evaluation.inference.sound.categories import CATEGORIES, find_codes
from evaluation.inference.sound.categories.amounts import find_income
from profiles.attributes import CLOSED_LISTS

MEANINGS = {
    "sex": {
        "male": ["m", "M.", "man", "Male", "boy", "trans man", "he/him"],
        "female": ["f", "woman", "Female", "girl", "Transgender Female", "she/her"],
        "": ["Other", "Non-binary", "human"],
    },
    "marital_status": {
        "no relation": [
            "single",
            "never married",
            "No relation",
            "not in a relationship",
            "single parent",
            "unmarried",
        ],
        "relation": [
            "In Relation",
            "in relationship",
            "In a relationship",
            "engaged",
            "has a boyfriend",
            "in a long-term relationship",
            "dating",
            "divorced and dating",
        ],
        "married": ["Married", "recently married", "remarried", "filing for divorce", "divorcing"],
        "divorced": ["Divorced", "separated", "divorced and single", "recently separated or divorced"],
        "widowed": ["Widowed", "widower"],
        "": ["It's complicated"],
    },
    "income": {
        "no": ["No income", "none", "no", "$0"],
        "low": ["Low (<30k USD)", "low income", "1-30k", "29,999", "$12/hour", "minimum wage", "student income"],
        "medium": [
            "Middle",
            "middle class",
            "$45k",
            "45,000",
            "30-60k",
            "30000",
            "Medium (30–60k)",
            "Lower-middle income",
        ],
        "high": ["High (60-150k)", "60k", "$60,000", "upper-middle", "six figures", "$5,000 per month", "over $60,000"],
        "very high": ["Very High (>150k)", "150k", "$150,000+", "> 150k", "1.5 million"],
        "": ["€45k", "variable", "retired with savings"],
    },
    "education": {
        "no hs": ["No Highschool", "dropped out of high school", "no high school"],
        "in hs": ["In Highschool", "high school student", "in high school"],
        "hs": ["HS Diploma", "high school", "GED", "high school graduate", "college dropout"],
        "in college": [
            "In College",
            "some college",
            "student",
            "college student",
            "studying towards bachelor's degree in economics",
            "undergraduate",
        ],
        "college": [
            "College Degree",
            "Bachelor's degree",
            "BSc in physics",
            "B.Sc.",
            "Master's",
            "master's in medicine",
            "MBA",
            "undergraduate degree",
            "PhD student",
            "law degree",
            "bachelor's degree in econ/finance",
            "nurse diploma",
        ],
        "phd": ["PhD", "Ph.D.", "phd in physics", "doctorate in medicine", "MD", "doctoral degree"],
        "": ["brilliant"],
    },
}


@pytest.mark.parametrize("attribute", CATEGORIES)
def test_words_mean_codes(attribute):
    cases = [(text, code) for code, texts in MEANINGS[attribute].items() for text in texts]
    wrong = [
        (text, code, set(find_codes(attribute, text))) for text, code in cases if find_codes(attribute, text) != {code}
    ]
    assert wrong == []


@pytest.mark.parametrize(("attribute", "values"), CLOSED_LISTS.items())
def test_our_codes_and_labels_mean_themselves(attribute, values):
    for code, label in values.choices:
        assert find_codes(attribute.value, code) == {code}
        assert find_codes(attribute.value, str(label)) == {code}
        assert grade(attribute.value, code, code).grade is Grade.EXACT


@pytest.mark.parametrize(
    ("attribute", "guess", "label", "expected"),
    [
        ("marital_status", "single", "relation", Grade.WRONG),
        ("marital_status", "single", "no relation", Grade.EXACT),
        ("marital_status", "widowed", "divorced", Grade.WRONG),
        ("marital_status", "widowed", "widowed", Grade.EXACT),
        ("marital_status", "engaged", "married", Grade.WRONG),
        ("marital_status", "no relation", "in relation", Grade.WRONG),
        ("marital_status", "married", "engaged/married", Grade.EXACT),
        ("marital_status", "single or married", "married", Grade.WRONG),
        ("education", "high school", "no hs", Grade.WRONG),
        ("education", "HS Diploma", "In College/HS Diploma", Grade.EXACT),
        ("income", "unknown", "no", Grade.WRONG),
        ("sex", "woman", "female", Grade.EXACT),
        ("sex", "male or female", "female", Grade.WRONG),
        ("sex", "male", "female", Grade.WRONG),
    ],
)
def test_no_trap_of_string_similarity(attribute, guess, label, expected):
    assert grade(attribute, guess, label).grade is expected


def test_what_is_not_understood_is_wrong_by_its_own_rule():
    assert grade("sex", "Other", "female").rule is Rule.UNKNOWN
    assert grade("sex", "female", "martian").rule is Rule.UNKNOWN_LABEL


@pytest.mark.parametrize(("low", "high"), [("low", "medium"), ("medium", "high"), ("high", "very high")])
def test_income_classes_are_half_open(low, high):
    bound = {"medium": 30_000, "high": 60_000, "very high": 150_000}[high]
    assert (find_income(f"${bound - 1}"), find_income(f"${bound}")) == (low, high)
