"""The summary in plain words: thresholds, wide intervals, what is confused, and too little data."""

import pytest

from evaluation.agreement.summary import Verdict, most_confused, summarise, verdict_on
from evaluation.stats.reasons import NO_VARIATION, too_few_profiles
from profiles.attributes import CLOSED_LISTS, Attribute


def figure(attribute, value, interval=(None, None), *, aspect="value", measure="alpha-nominal", reason=""):
    low, high = interval
    return {
        "attribute": attribute, "aspect": aspect, "measure": measure, "value": value, "low": low, "high": high,
        "reason": reason,
    }  # fmt: skip


def lines(*figures, topic="value", confusions=()):
    """The verdicts and sentences about one question."""
    topics = {topic.key: topic for topic in summarise({"figures": figures, "confusions": confusions})}
    return [(line.verdict, line.text) for line in topics[topic].lines]


def verdicts(*figures, **fields):
    return [verdict for verdict, _ in lines(*figures, **fields)]


@pytest.mark.parametrize(
    ("alpha", "verdict"),
    [
        (1.0, Verdict.RELIABLE), (0.80, Verdict.RELIABLE), (0.799, Verdict.TENTATIVE), (0.667, Verdict.TENTATIVE),
        (0.6669, Verdict.WEAK), (0.0, Verdict.WEAK), (-0.4, Verdict.WEAK),
    ],
)  # fmt: skip
def test_thresholds(alpha, verdict):
    assert verdict_on(alpha) is verdict


@pytest.mark.parametrize(
    ("codes", "pairs", "expected"),
    [
        (["a", "b"], [[5, 0], [0, 3]], None),
        (["a", "b"], [[5, 2], [2, 3]], ("a", "b", 1.0)),
        (["a", "b", "c"], [[0, 1, 0], [1, 0, 3], [0, 3, 9]], ("b", "c", 0.75)),
        ([], [], None),
    ],
)
def test_what_is_confused_most(codes, pairs, expected):
    assert most_confused(codes, pairs) == expected


def test_attributes_with_one_verdict_share_a_sentence():
    topics = lines(figure("sex", 0.91, (0.85, 0.96)), figure("marital_status", 0.84, (0.75, 0.9)))
    verdict, sentence = topics[0]
    assert verdict is Verdict.RELIABLE
    assert sentence.startswith("Sex (α 0.91 [0.85, 0.96]) and marital status (α 0.84 [0.75, 0.90])")
    assert topics[1][0] is Verdict.UNKNOWN


def test_what_needs_work_has_a_line_of_its_own_the_worst_first():
    topics = lines(figure("sex", 0.5), figure("income", 0.41, (0.30, 0.52)))
    weak = [sentence for verdict, sentence in topics if verdict is Verdict.WEAK]
    assert [sentence.split()[0] for sentence in weak] == ["Income", "Sex"]
    assert "α 0.41 [0.30, 0.52]" in weak[0]


def test_says_what_people_differ_between():
    codes = CLOSED_LISTS[Attribute.SEX].values
    pairs = [[0] * len(codes) for _ in codes]
    pairs[0][1] = pairs[1][0] = 4
    table = {"attribute": "sex", "aspect": "value", "codes": codes, "pairs": pairs, "far_apart": 0}
    ((_, sentence), *_) = lines(figure("sex", 0.3), confusions=[table])
    assert all(str(CLOSED_LISTS[Attribute.SEX](code).label).partition(" (")[0] in sentence for code in codes[:2])
    assert "100" in sentence


def test_an_attribute_goes_by_the_alpha_that_fits_it():
    """Ages by interval, ordered lists by order, places by country."""
    nominal = [figure(attribute, 0.1) for attribute in ("age", "income")]
    fitting = [figure("age", 0.9, measure="alpha-interval"), figure("income", 0.9, measure="alpha-ordinal")]
    place = [figure("location", 0.9, aspect="country"), figure("location", 0.1, aspect="city")]
    assert verdicts(*nominal, *fitting, *place) == [Verdict.RELIABLE, Verdict.UNKNOWN]


@pytest.mark.parametrize(
    ("value", "interval", "is_told"),
    [
        (0.85, (0.2, 0.99), True), (0.85, (0.499, 0.99), True), (0.85, (0.5, 0.99), False), (0.85, (None, None), False),
        (0.7, (0.4, 0.9), True), (0.4, (-0.2, 1.0), True), (0.4, (0.3, 0.79), False),
    ],
)  # fmt: skip
def test_a_wide_interval_is_told(value, interval, is_told):
    ((_, sentence), *_) = lines(figure("sex", value, interval))
    assert ("label more" in sentence) is is_told


@pytest.mark.parametrize("topic", ["presence", "value", "hardness"])
def test_without_data_there_is_one_line(topic):
    assert verdicts(topic=topic) == [Verdict.UNKNOWN]


def test_too_few_and_no_variation_differ():
    few = figure("sex", None, reason=too_few_profiles(4))
    alike = figure("age", None, reason=NO_VARIATION, measure="alpha-interval")
    topics = lines(few, alike)
    assert [verdict for verdict, _ in topics] == [Verdict.UNVARIED, Verdict.UNKNOWN]
    assert "age" in topics[0][1]


def test_presence_and_ratings_are_told_apart():
    presence = figure("sex", 0.9, aspect="presence")
    ratings = [figure("overall", 0.7, aspect=aspect, measure="alpha-ordinal") for aspect in ("hardness", "certainty")]
    assert verdicts(presence, *ratings, topic="presence") == [Verdict.RELIABLE, Verdict.UNKNOWN]
    assert verdicts(presence, *ratings, topic="hardness") == [Verdict.TENTATIVE]
