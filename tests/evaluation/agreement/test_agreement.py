"""From judgements in the database to figures: which judgements count, and which answers mean the same."""

import numpy as np
import pytest
from django.db import DatabaseError, transaction

from annotator.models import SameMeaning
from evaluation.agreement.codes.answers import Answers
from evaluation.agreement.codes.aspects import value_aspects
from evaluation.agreement.reports import make_report
from evaluation.agreement.scopes import Scope
from evaluation.models import AgreementReport
from evaluation.stats.bootstrap import ObservedSample
from evaluation.stats.metric import MetricName
from evaluation.stats.panel import build_panel
from evaluation.stats.registry import PreparedRatings
from profiles.attributes import Attribute
from tests.evaluation.agreement.studies import figure_of, make_profiles, make_study, report_of, said_of, submit
from tests.factories import make_annotator, make_batch

pytestmark = pytest.mark.django_db

TWELVE = 12


def percent_of(attribute: str, first: str, second: str, aspect: str = "value", equivalent=()) -> float | None:
    """Whether the two agree: 1 or 0; None where they cannot be compared."""
    people = np.array([1, 2])
    panel = build_panel(np.zeros(2, np.int64), people)
    answers = Answers(panel, *panel.positions(np.zeros(2, np.int64), people), np.array([0, 1]), [first, second])
    aspects = {member.name: member for member in value_aspects(Attribute(attribute), answers, equivalent)}
    metric = PreparedRatings(aspects[aspect].ratings[MetricName.PERCENT], panel).metric(MetricName.PERCENT)
    score = metric.ratio(ObservedSample()).values[0]
    return None if np.isnan(score) else score


@pytest.mark.parametrize(
    ("attribute", "aspect", "left", "other", "agree"),
    [
        ("sex", "value", "male", "female", 0),
        ("age", "value", "25-30", "30-35", 1),
        ("age", "value", "27", "29", 1),
        ("age", "value", "25-30", "33", 0),
        ("occupation", "value", "software engineer", "engineer software", 1),
        ("occupation", "value", "café owner", "cafe owner", 1),
        ("occupation", "value", "engineer", "software engineer", 0),
        ("location", "country", "houston / texas / united states", "united states", 1),
        ("location", "country", "houston / texas / united states", "berlin / germany", 0),
        ("location", "state", "houston / texas / united states", "dallas / texas / united states", 1),
        ("location", "city", "houston / texas / united states", "dallas / texas / united states", 0),
        ("location", "city", "houston", "houston / texas / united states", 1),
        ("location", "city", "houston / texas / united states", "texas", None),
        ("location", "state", "berlin / germany", "germany", None),
        ("place_of_birth", "country", "the midwest", "the-midwest", 1),
        ("place_of_birth", "city", "smallville / kansas / united states", "kansas / united states", None),
    ],
)
def test_answers_are_compared_by_meaning(attribute, aspect, left, other, agree):
    assert percent_of(attribute, left, other, aspect) == agree


def test_presence_counts_something_against_nothing():
    half = [*["teacher"] * 6, *[""] * 6]
    report = report_of(make_study([said_of("occupation", half), said_of("occupation", [*half[1:], ""])]))
    presence = figure_of(report, "occupation", "presence", "percent")
    assert (presence["value"], presence["pairs"]) == (pytest.approx(11 / 12), 12)
    assert figure_of(report, "occupation", "value", "percent")["pairs"] == 5
    assert figure_of(report, "sex", "presence", "kappa")["reason"].startswith("No variation")
    assert figure_of(report, "overall", "presence", "percent")["pairs"] == 12 * 8


def test_hardness_is_compared_among_those_who_gave_a_value():
    rows, other = ["male|1|3"] * 12, ["male|1|3"] * 6 + ["male|4|3"] * 4 + ["", ""]
    report = report_of(make_study([said_of("sex", rows), said_of("sex", other)]))
    assert figure_of(report, "sex", "hardness", "percent")["value"] == pytest.approx(0.6)
    shown = next(c for c in report.contents["confusions"] if (c["attribute"], c["aspect"]) == ("sex", "hardness"))
    assert shown["far_apart"] == 4
    assert shown["pairs"][0] == [6, 0, 0, 4, 0]


def test_a_persons_decision_is_followed_through():
    """One is two, two is three: so one is three. In whatever order it was decided."""
    decided = [("coder", "programmer"), ("programmer", "software developer")]
    for order in (decided, decided[::-1]):
        assert percent_of("occupation", "developer software", "coder", equivalent=order) == 1
    assert percent_of("occupation", "nurse", "coder", equivalent=decided) == 0


def test_decided_places_are_the_same_at_every_level():
    """The gazetteer’s place stands for the words, though these come first in the alphabet."""
    pair = ("energy capital", "houston / texas / united states")
    for aspect in ("country", "state", "city"):
        assert percent_of("location", *pair, aspect, equivalent=[pair]) == 1
        assert percent_of("location", *pair, aspect) == 0
        with_dallas = percent_of("location", pair[0], "dallas / texas / united states", aspect, equivalent=[pair])
        assert with_dallas == (aspect != "city")


def test_only_what_was_decided_to_be_the_same_is_merged():
    for other, is_same in (("programmer", True), ("nurse", False)):
        SameMeaning.objects.create(attribute="occupation", one="coder", other=other, is_same=is_same)
    answers = [["coder"] * TWELVE, ["programmer"] * 6 + ["nurse"] * 6]
    report = report_of(make_study([said_of("occupation", answer) for answer in answers]))
    assert figure_of(report, "occupation", "value", "percent")["value"] == pytest.approx(0.5)


def test_practice_planted_and_open_slots_do_not_count():
    batch = make_study([said_of("sex", ["male"] * TWELVE)] * 2)
    people = [make_annotator(), make_annotator()]
    practice = make_batch(corpus=batch.corpus, is_practice=True)
    more = make_profiles(batch.corpus, TWELVE)
    for person in people:
        submit(practice, person, more, said_of("sex", ["female"] * TWELVE))
        submit(batch, person, more[:6], said_of("sex", ["female"] * 6), is_planted=True)
    open_slots = submit(batch, people[0], more[6:7], [{}], submitted_at=None)
    assert open_slots[0].submitted_at is None
    for scope in (Scope(batch.corpus, batch), Scope(batch.corpus)):
        report = make_report(scope)
        assert report.contents["profiles"] == TWELVE
        assert report.judgement_count == 2 * TWELVE * 8


def test_whoever_judged_a_profile_twice_counts_once_with_the_newest():
    batch = make_study([said_of("sex", ["male"] * TWELVE)] * 2)
    slots = batch.assignments.order_by("pk").select_related("annotator", "profile")[:TWELVE]
    later = make_batch(corpus=batch.corpus)
    submit(later, slots[0].annotator, [slot.profile for slot in slots], said_of("sex", ["female"] * TWELVE))
    of_corpus, of_batch = make_report(Scope(batch.corpus)), report_of(batch)
    assert figure_of(of_corpus, "sex", "value", "percent")["value"] == 0
    assert figure_of(of_batch, "sex", "value", "percent")["value"] == 1


def test_a_report_holds_nothing_that_anybody_wrote():
    words = ["zookeeper of antwerp"] * TWELVE
    batch = make_study([said_of("occupation", words), said_of("location", ["hiddenville / kansas"] * TWELVE)])
    kept = str(report_of(batch).contents).lower()
    assert "zookeeper" not in kept
    assert "hiddenville" not in kept
    assert batch.assignments.first().annotator.display_name.lower() not in kept


def test_odd_answers_come_through_as_they_are():
    odd = ['say "hi", she said', "tab\there", "comma, and; more", "émigré\u2028writer", "\\n", "null", "na"]
    batch = make_study([said_of("occupation", odd + ["x"] * 5)] * 2)
    report = report_of(batch)
    assert figure_of(report, "occupation", "presence", "percent")["value"] == 1
    assert figure_of(report, "occupation", "value", "percent") | {"low": 1} == figure_of(
        report, "occupation", "value", "percent"
    )
    assert figure_of(report, "occupation", "value", "kappa")["value"] == 1


def test_nothing_submitted_gives_an_empty_report():
    report = report_of(make_batch())
    assert (report.contents["profiles"], report.judgement_count) == (0, 0)
    assert figure_of(report, "overall", "value", "kappa")["reason"].startswith("Too few: none")


def test_a_report_is_made_once_for_the_same_judgements():
    batch = make_study([said_of("sex", ["male"] * TWELVE)] * 2)
    assert report_of(batch).pk == report_of(batch).pk
    submit(batch, make_annotator(), make_profiles(batch.corpus, 1), [{}])
    assert AgreementReport.objects.count() == 1
    report_of(batch)
    assert AgreementReport.objects.count() == 2
    SameMeaning.objects.create(attribute="occupation", one="a", other="b", is_same=True)
    report_of(batch)
    assert AgreementReport.objects.count() == 3


def test_the_figures_do_not_depend_on_the_run():
    batch = make_study([said_of("sex", ["male", "female"] * 6), said_of("sex", ["male", "male", "female"] * 4)])
    first = report_of(batch).contents
    AgreementReport.objects.all().delete()
    assert report_of(batch).contents == first


def test_postgres_refuses_to_edit_a_report():
    report = report_of(make_batch())
    with pytest.raises(DatabaseError, match="Cannot update rows"), transaction.atomic():
        AgreementReport.objects.filter(pk=report.pk).update(seconds=0)


def test_reading_takes_a_fixed_number_of_queries(django_assert_num_queries):
    small, large = (make_study([said_of("sex", ["male"] * many)] * people) for many, people in ((10, 2), (30, 4)))
    for batch in (small, large):
        with django_assert_num_queries(12):
            report_of(batch)
