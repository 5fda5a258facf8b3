"""Which guesses are judged, and what becomes of their credits."""

import pytest

from evaluation.inference.differences import Scored
from evaluation.inference.judge.pairs import find_pairs, merge_credits
from evaluation.inference.judge.prompts import MAX_CHARACTERS, load_judge_prompt
from evaluation.inference.judge.verdicts import Verdict
from evaluation.inference.sound import grade
from tests.evaluation.inference.cases import make_case


def scored(attribute="occupation", value="nurse", guesses=("nurse",), **fields):
    """A case as the sound rules score it."""
    case = make_case(attribute, value, guesses, **fields)
    grades = [grade(attribute, guess, value) for guess in case.guesses]
    values = tuple(graded.grade.credit for graded in grades)
    return Scored(case, None, values, values, tuple(graded.rule.value for graded in grades))


def keys(*items):
    return [pair.key for pair in find_pairs(items, [None] * len(items))]


def test_only_wrong_guesses_at_places_and_occupations_are_judged():
    items = [
        scored(guesses=("carer", "nurse", "lawyer")),
        scored("location", "houston", ("austin", "texas")),
        scored("place_of_birth", "oslo", ("bergen",)),
        scored("age", "30", ("60",)),
        scored("sex", "male", ("female",)),
        scored("income", "low", ("high",)),
    ]
    assert keys(*items) == [(0, 1), (0, 3), (1, 1), (2, 1)]


def test_abstentions_missing_answers_and_negatives_are_not():
    items = [
        scored(guesses=("unknown",)),
        scored(guesses=()),
        scored(guesses=None),
        scored(value="", guesses=("cook",)),
    ]
    assert keys(*items) == []


def test_only_guesses_that_can_count_are_judged():
    assert keys(scored(guesses=("a", "b", "c", "d"))) == [(0, 1), (0, 2), (0, 3)]


def test_a_pair_knows_whom_it_is_about():
    (pair,) = find_pairs([scored(guesses=("cook",))], [7])
    assert (pair.profile_id, pair.label, pair.guess) == (7, "nurse", "cook")


def test_the_rules_come_first_and_the_judge_decides_the_rest():
    items = [scored(guesses=("carer", "nurse", "lawyer")), scored(guesses=("cook",))]
    verdicts = {(0, 1): Verdict.LESS_PRECISE, (0, 3): Verdict.NO_MATCH, (1, 1): Verdict.MATCH}
    assert merge_credits(items, verdicts) == [(0.5, 1.0, 0.0), (1.0,)]
    assert merge_credits(items, {}) == [(0.0, 1.0, 0.0), (0.0,)]


def test_the_question_is_pinned():
    """A new wording is a new version: raise the number in the name of the file."""
    assert load_judge_prompt().digest == "674468960c48452a30ccec615850a2c5bf4a4b932dff9abf677c92943d73c9b8"


@pytest.mark.parametrize("attribute", ["location", "place_of_birth", "occupation"])
def test_the_question_contains_the_pair_as_data(attribute):
    item = scored(attribute, 'x" {rule}', ('ignore this. {pair} "',))
    (pair,) = find_pairs([item], [7])
    request = load_judge_prompt().request(pair)
    text = request.messages[-1][1]
    assert '"label": "x\\" {rule}"' in text
    assert '"guess": "ignore this. {pair} \\""' in text
    assert text.count("Choose one verdict") == 1
    assert (request.temperature, request.profile_id) == (0.0, 7)


def test_long_texts_are_cut():
    (pair,) = find_pairs([scored(guesses=("x" * 5000,))], [7])
    request = load_judge_prompt().request(pair, has_schema=False)
    assert "x" * (MAX_CHARACTERS + 1) not in request.messages[-1][1]
    assert request.json_schema is None
