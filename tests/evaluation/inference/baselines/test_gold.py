"""Majority and random know the gold of other profiles, and never that of the profile itself."""

import pytest

from evaluation.inference.answers import Answer, kind_of_answer
from evaluation.inference.baselines import BASELINES, UnknownBaseline, predict
from evaluation.inference.baselines.gold import AGES
from evaluation.inference.baselines.records import CODES
from evaluation.inference.records import ATTRIBUTES, Case, Label
from profiles.attributes import CLOSED_LISTS
from tests.evaluation.inference.baselines.profiles import make_baseline_profile


def people(*values, attribute="occupation"):
    return [make_baseline_profile(pk, {attribute: value}) for pk, value in enumerate(values, start=1)]


def test_codes_are_those_of_the_forms():
    assert {name: tuple(choices.values) for name, choices in CLOSED_LISTS.items()} == dict(CODES)


def test_most_frequent_values_first_and_the_alphabet_decides_ties():
    predictions = predict("majority", people("nurse", "nurse", "cook", "baker", ""), seed=0)
    assert predictions[5]["occupation"].guesses == ("nurse", "baker", "cook")
    assert predictions[5]["occupation"].confidence == pytest.approx(2 / 4)


def test_a_profile_never_votes_for_itself():
    predictions = predict("majority", people("nurse", "cook", "baker", "clerk"), seed=0)
    assert predictions[3]["occupation"].guesses == ("clerk", "cook", "nurse")
    assert all("nurse" not in predictions[1][name].guesses for name in ATTRIBUTES)


def test_its_own_value_can_lose_a_place():
    predictions = predict("majority", people("a", "a", "b", "b", "c", "c", "d", "d"), seed=0)
    assert predictions[1]["occupation"].guesses == ("b", "c", "d")


def test_abstains_where_nobody_else_has_a_value():
    prediction = predict("majority", people("nurse"), seed=0)[1]["occupation"]
    assert kind_of_answer(Case("1", "occupation", Label("nurse", 1, 5), prediction)) is Answer.ABSTAINED
    assert predict("random", people("nurse"), seed=0)[1]["occupation"] == prediction


def test_random_draws_from_what_is_stated():
    profiles = people("nurse", "cook", "baker", "clerk")
    for predictions in predict("random", profiles, seed=7).values():
        for name, codes in CODES.items():
            assert set(predictions[name].guesses) <= set(codes)
            assert predictions[name].confidence == pytest.approx(1 / len(codes))
        assert all(int(age) in AGES for age in predictions["age"].guesses)
    assert set(predict("random", profiles, seed=7)[1]["occupation"].guesses) == {"cook", "baker", "clerk"}


def test_random_is_uniform():
    profiles = [make_baseline_profile(pk) for pk in range(1, 2001)]
    first = [prediction["sex"].guesses[0] for prediction in predict("random", profiles, seed=1).values()]
    assert 900 < first.count("male") < 1100


@pytest.mark.parametrize("name", BASELINES)
def test_neither_order_nor_repetition_changes_anything(name):
    profiles = people("nurse", "cook", "nurse", "", "baker")
    predictions = predict(name, profiles, seed=3)
    assert predict(name, profiles[::-1], seed=3) == predictions
    assert {len(values) for values in predictions.values()} == {len(ATTRIBUTES)}
    assert all(0 < len(value.guesses) <= 3 for values in predictions.values() for value in values.values())


def test_another_seed_draws_otherwise():
    profiles = people(*"abcdefgh")
    assert predict("random", profiles, seed=1) != predict("random", profiles, seed=2)


def test_refuses_a_baseline_that_does_not_exist():
    with pytest.raises(UnknownBaseline, match="majority"):
        predict("oracle", [], seed=0)
