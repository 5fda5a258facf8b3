"""The human ceiling: one person's answer as a guess at another's."""

from evaluation.inference.ceiling import HumanPair, measure_ceiling
from evaluation.inference.grades import Grade
from evaluation.inference.records import Label
from evaluation.inference.settings import Settings
from evaluation.inference.sound import decision_key

SETTINGS = Settings(bootstrap=20)
BLANK = Label("", 0, 0)


def sure(value: str, certainty: int = 5) -> Label:
    return Label(value, 2, certainty)


def pair(first: Label, second: Label, attribute: str = "occupation", profile: str = "a") -> HumanPair:
    return HumanPair(profile, attribute, first, second)


def test_both_directions_count():
    """A city is more precise than its country, which is right; the country for a city is half right."""
    ceiling = measure_ceiling([pair(sure("rome, italy"), sure("italy"), "location")], SETTINGS)
    assert (ceiling["pairs"], ceiling["n"], ceiling["top1"]["value"]) == (1, 2, 0.5)
    assert ceiling["with_half_credit"]["value"] == 0.75


def test_only_labels_that_pass_the_filters_are_guessed_at():
    ceiling = measure_ceiling([pair(sure("nurse"), sure("nurse", certainty=1))], SETTINGS)
    assert (ceiling["n"], ceiling["top1"]["value"]) == (1, 1.0)


def test_who_could_not_tell_is_wrong_and_the_other_guessed():
    ceiling = measure_ceiling([pair(sure("nurse"), BLANK), pair(BLANK, BLANK, profile="b")], SETTINGS)
    assert (ceiling["n"], ceiling["top1"]["value"]) == (1, 0.0)
    assert (ceiling["negatives"]["n"], ceiling["negatives"]["guessed"]) == (3, 1)


def test_by_attribute():
    pairs = [pair(sure("nurse"), sure("nurse")), pair(sure("25"), sure("60"), "age", "b")]
    groups = measure_ceiling(pairs, SETTINGS)["by_attribute"]
    assert {name: (row["n"], row["top1"]["value"]) for name, row in groups.items()} == {
        "age": (2, 0.0),
        "occupation": (2, 1.0),
    }


def test_decisions_of_people_win():
    decisions = {decision_key("nurse", "carer"): Grade.EXACT}
    pairs = [pair(sure("nurse"), sure("carer"))]
    assert measure_ceiling(pairs, SETTINGS)["top1"]["value"] == 0
    assert measure_ceiling(pairs, SETTINGS, decisions)["top1"]["value"] == 1


def test_without_pairs_there_is_none():
    assert measure_ceiling([], SETTINGS) is None
