"""The consensus rule: answers that agree become one, the rest a dispute. Without a database."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.evidence import EvidenceSpan
from annotator.gold.consensus import AgreedAnswer, CountedJudgement, Disagreement, conclude, evidence_of
from annotator.gold.equivalence import Equivalence
from annotator.gold.proposals import evidence_for, propose_merger
from profiles.attributes import Attribute

AGE, WORK, PLACE, SEX = Attribute.AGE, Attribute.OCCUPATION, Attribute.LOCATION, Attribute.SEX
START = datetime(2026, 1, 1, tzinfo=UTC)


def judgement(value="", number=1, hardness=2, certainty=4, *, required=False, evidence=()):
    rated = (hardness, certainty, required) if value else (0, 0, False)
    return CountedJudgement(number, 100 + number, 7, value, *rated, START + timedelta(minutes=number), tuple(evidence))


def judgements(*values, **fields):
    return [judgement(value, number, **fields) for number, value in enumerate(values, start=1)]


def concluded(attribute, *values, equivalence=None):
    outcome = conclude(attribute, judgements(*values), equivalence or Equivalence())
    if isinstance(outcome, AgreedAnswer):
        return outcome.reached, outcome.value, len(outcome.supporters)
    return outcome.kind


@pytest.mark.parametrize(
    ("attribute", "values", "outcome"),
    [
        (AGE, ["27"], ("single", "27", 1)),
        (AGE, [""], ("single", "", 1)),
        (AGE, ["", ""], ("consensus", "", 2)),
        (AGE, ["27", "27"], ("consensus", "27", 2)),
        (AGE, ["27", "26"], ("consensus", "27", 2)),
        (AGE, ["26", "27", "27"], ("consensus", "27", 3)),
        (AGE, ["25", "27", "29"], ("majority", "25", 2)),  # a chain makes no agreement of all three
        (AGE, ["27", "27", "50"], ("majority", "27", 2)),
        (AGE, ["", "", "27"], "presence"),  # somebody who is certain is not outvoted by those who found nothing
        (AGE, ["27", "27", "50", "50"], "value"),
        (AGE, ["27", "27", "27", "50"], ("majority", "27", 3)),
        (AGE, ["27", "27", "27", "50", ""], "value"),  # three of five are no two thirds
        (AGE, ["27", ""], "presence"),
        (AGE, ["27", "50", ""], "value"),
        (AGE, ["20-40", "30"], "precision"),
        (AGE, ["20-40", "30", ""], "presence"),
        (SEX, ["male", "female"], "value"),
        (WORK, ["nurse", "icu nurse"], "precision"),
        (WORK, ["nurse", "carer"], "value"),
        (PLACE, ["münchen", "munich / germany"], ("consensus", "münchen", 2)),
        (PLACE, ["munich / germany", "germany"], "precision"),
    ],
)
def test_what_follows_from_what_was_said(attribute, values, outcome):
    assert concluded(attribute, *values) == outcome


@pytest.mark.parametrize(("certainty", "is_outvoted"), [(2, True), (3, False)])
def test_only_a_guess_is_outvoted_by_those_who_found_nothing(certainty, is_outvoted):
    judged = [judgement("", 1), judgement("", 2), judgement("27", 3, certainty=certainty)]
    assert isinstance(conclude(AGE, judged, Equivalence()), AgreedAnswer) is is_outvoted


def test_ratings_are_medians_in_doubt_harder_and_less_certain():
    judged = [judgement("27", 1, hardness=1, certainty=5), judgement("27", 2, hardness=2, certainty=4)]
    outcome = conclude(AGE, judged, Equivalence())
    assert (outcome.hardness, outcome.certainty) == (2, 4)


@pytest.mark.parametrize(("ticks", "required"), [((True, False), False), ((True, True, False), True)])
def test_the_subreddit_is_required_when_more_than_half_say_so(ticks, required):
    judged = [judgement("27", number, required=tick) for number, tick in enumerate(ticks, start=1)]
    assert conclude(AGE, judged, Equivalence()).required_subreddit is required


def test_of_values_written_as_often_the_surest_wins_then_the_earliest():
    by_certainty = [judgement("26", 1, certainty=2), judgement("27", 2, certainty=5)]
    by_time = [judgement("26", 2), judgement("27", 1)]
    assert conclude(AGE, by_certainty, Equivalence()).value == "27"
    assert conclude(AGE, by_time, Equivalence()).value == "27"


def test_a_majority_is_rated_by_those_who_agree():
    judged = [judgement("27", 1, 1, 5), judgement("27", 2, 1, 5), judgement("60", 3, 5, 1)]
    outcome = conclude(AGE, judged, Equivalence())
    assert (outcome.reached, outcome.hardness, outcome.certainty) == ("majority", 1, 5)


def test_evidence_is_that_of_the_supporters_each_span_once():
    later, earlier = EvidenceSpan(0, 2, 5, "27"), EvidenceSpan(3, 5, 4, "so")
    judged = [judgement("27", 1, evidence=[later]), judgement("27", 2, evidence=[later, earlier])]
    assert evidence_of(conclude(AGE, judged, Equivalence()).supporters) == [earlier, later]


def test_a_persons_decision_comes_before_the_rule():
    same = Equivalence({("occupation", "carer", "nurse"): True})
    assert concluded(WORK, "nurse", "carer", equivalence=same) == ("consensus", "nurse", 2)
    apart = Equivalence({("location", "munich / germany", "münchen"): False})
    assert concluded(PLACE, "münchen", "munich / germany", equivalence=apart) == "value"


def test_not_the_same_leaves_less_and_more_precise_as_they_are():
    apart = Equivalence({("occupation", "icu nurse", "nurse"): False})
    assert concluded(WORK, "nurse", "icu nurse", equivalence=apart) == "precision"


def test_severity_grows_with_kind_and_certainty():
    def severity(*judged):
        outcome = conclude(AGE, judged, Equivalence())
        assert isinstance(outcome, Disagreement)
        return outcome.severity

    assert severity(judgement("20", 1, certainty=5), judgement("60", 2, certainty=5)) == 300
    assert severity(judgement("20", 1, certainty=5), judgement("", 2)) == 200
    assert severity(judgement("20-40", 1, certainty=5), judgement("30", 2, certainty=5)) == 100
    assert severity(judgement("20", 1, certainty=1), judgement("60", 2, certainty=2)) == 90
    two_and_two = [judgement(value, n, certainty=5) for n, value in enumerate(("20", "20", "60", "60"), 1)]
    assert severity(*two_and_two) == 200  # four of six pairs disagree


JUDGED = st.lists(
    st.tuples(
        st.sampled_from(["", "25", "26", "27", "28", "29", "20-30", "25-35", "60"]), st.integers(1, 5),
        st.integers(1, 5), st.booleans(),
    ),
    min_size=1, max_size=7,
)  # fmt: skip


@given(JUDGED, st.randoms(use_true_random=False))
def test_the_order_of_judgements_does_not_matter(judged, chance):
    in_order = [judgement(v, n, h, c, required=r) for n, (v, h, c, r) in enumerate(judged, start=1)]
    shuffled = chance.sample(in_order, len(in_order))
    assert conclude(AGE, in_order, Equivalence()) == conclude(AGE, shuffled, Equivalence())


@given(JUDGED)
def test_whoever_supports_an_answer_agrees_with_every_other_supporter(judged):
    equivalence = Equivalence()
    outcome = conclude(
        AGE, [judgement(v, n, h, c, required=r) for n, (v, h, c, r) in enumerate(judged, 1)], equivalence
    )
    if isinstance(outcome, AgreedAnswer):
        values = {supporter.value for supporter in outcome.supporters}
        assert all(equivalence.are_same(AGE, first, second) for first in values for second in values)
        assert 3 * len(outcome.supporters) >= 2 * len(judged)


@pytest.mark.parametrize(
    ("attribute", "values", "value"),
    [
        (WORK, ["nurse", "icu nurse"], "icu nurse"),
        (PLACE, ["germany", "munich / germany"], "munich / germany"),
        (AGE, ["20-40", "30"], "30"),
        (AGE, ["20", "60", ""], "20-60"),
        (AGE, ["27", ""], "27"),
        (WORK, ["nurse", "cook"], None),
        (SEX, ["male", "female"], None),
        (AGE, ["", ""], None),
    ],
)
def test_what_is_proposed_as_a_merger(attribute, values, value):
    proposal = propose_merger(attribute, judgements(*values), Equivalence())
    assert (proposal and proposal.value) == value


def test_a_merger_rests_on_what_it_does_not_contradict():
    spans = [EvidenceSpan(0, 1, n, "x") for n in range(3)]
    judged = [judgement(value, n, evidence=[spans[n]]) for n, value in enumerate(("nurse", "icu nurse", "cook"))]
    assert evidence_for(WORK, "icu nurse", judged, Equivalence()) == spans[:2]
    assert evidence_for(WORK, "", judged, Equivalence()) == []
