"""Settings: which cases are scored, and a signature that changes with everything that moves a score."""

from dataclasses import replace

import pytest

from evaluation.inference.records import PredictionFile
from evaluation.inference.settings import MissingPolicy, Settings
from tests.evaluation.inference.cases import make_case

FILE = PredictionFile((), "gpt-4", "human", "synthpai", "0123456789abcdef", "file.jsonl")


@pytest.mark.parametrize(
    ("hardness", "certainty", "is_in"), [(1, 3, True), (5, 5, True), (1, 2, False), (1, 0, False), (3, 4, True)]
)
def test_the_headline_needs_certainty_3(hardness, certainty, is_in):
    assert Settings().includes(make_case(hardness=hardness, certainty=certainty)) == is_in


@pytest.mark.parametrize(
    ("bounds", "is_in"),
    [
        ({"min_hardness": 3}, True),
        ({"min_hardness": 4}, False),
        ({"max_hardness": 3}, True),
        ({"max_hardness": 2}, False),
        ({"min_certainty": 4}, True),
        ({"min_certainty": 5}, False),
        ({"max_certainty": 4}, True),
        ({"max_certainty": 3}, False),
    ],
)
def test_bounds_are_inclusive(bounds, is_in):
    assert Settings(**bounds).includes(make_case(hardness=3, certainty=4)) == is_in


def test_negatives_are_never_scored():
    assert not Settings(min_certainty=0).includes(make_case(value="", hardness=0, certainty=0))


def test_profiles_without_an_answer_count_unless_they_are_skipped():
    case = make_case(guesses=None, has_answer=False)
    assert Settings().includes(case)
    assert not Settings(missing=MissingPolicy.SKIP).includes(case)
    assert Settings(missing=MissingPolicy.SKIP).includes(make_case(guesses=None))


@pytest.mark.parametrize(
    "wrong",
    [
        {"min_hardness": 0},
        {"max_hardness": 6},
        {"min_hardness": 4, "max_hardness": 3},
        {"min_certainty": -1},
        {"max_certainty": 6},
        {"min_certainty": 4, "max_certainty": 3},
        {"bootstrap": -1},
    ],
)
def test_refuses_what_makes_no_sense(wrong):
    with pytest.raises(ValueError, match=r"."):
        Settings(**wrong)


def test_everything_that_moves_a_score_is_in_the_signature():
    changed = [
        *(
            replace(Settings(), **{name: 4})
            for name in ("min_hardness", "max_hardness", "min_certainty", "max_certainty")
        ),
        Settings(missing=MissingPolicy.SKIP),
        Settings(bootstrap=5),
        Settings(seed=5),
    ]
    files = [replace(FILE, **{name: "other"}) for name in ("model", "reviewer", "format", "sha256", "name")]
    signatures = {str(settings.signature(FILE)) for settings in [Settings(), *changed]}
    signatures |= {str(Settings().signature(file)) for file in files}
    assert len(signatures) == 1 + len(changed) + len(files)


def test_names_cannot_break_a_signature():
    text = str(Settings().signature(replace(FILE, model="a|b:c", name="")))
    assert "model:a-b-c|" in text
    assert "predictions:unnamed@01234567|" in text
