"""What a page shows of an evidence report."""

from django.template.loader import render_to_string

from evaluation.spans.evidence.presentation import present_evidence
from evaluation.spans.evidence.records import Skip
from tests.evaluation.spans.evidence.spans import covered, mark, record
from tests.evaluation.spans.evidence.test_report import hand_computed, many, report


def shown(records=None, counts=None):
    return present_evidence(report(records, counts))


def test_has_a_bar_for_everything_and_for_each_attribute_with_evidence():
    bars = shown([row for row in hand_computed() if row.attribute == "location"]).chart.stacks
    assert [(bar.label, bar.total, bar.description) for bar in bars] == [
        ("All attributes", "3", "1 fully masked, 1 partly, 1 left readable"),
        ("Location", "3", "1 fully masked, 1 partly, 1 left readable"),
    ]


def test_has_a_column_for_each_hardness():
    chart = shown().chart
    assert chart.columns == ("Fully masked", "Hardness 1", "2", "3", "4", "5")
    location = chart.stacks[1]
    assert [figure.shown[:3].strip(" %\u202f") for figure in location.figures] == ["33", "100", "0", "–", "–", "–"]
    assert "0 of 2" in location.figures[2].reason


def test_shows_intervals_only_where_there_are_enough_profiles():
    assert " to " not in shown().headlines[0].detail
    assert " to " in shown(many(40, 10), []).headlines[0].detail


def test_says_what_was_left_out():
    spans = [covered("Houston", mark(0, 7)), covered("Texas", comment=2, skip=Skip.FAILED)]
    (failed, without) = shown([record(*spans), record(pk=2)]).left_out
    assert failed.startswith("1 span ")
    assert without.startswith("1 value ")


def test_nothing_to_score_is_an_empty_page():
    assert shown([], []).is_empty


def render(contents):
    return render_to_string("evaluation/spans/evidence/_report.html", {"evidence": present_evidence(contents)})


def test_the_template_prints_bars_and_types():
    html = render(report())
    assert html.count("<rect") >= 5
    assert "1 fully masked, 1 partly, 1 left readable" in html
    assert "hue-location" in html


def test_the_template_quotes_no_evidence():
    html = render(report())
    assert "Houston" not in html
    assert "bayou" not in html


def test_the_empty_page_says_what_to_do():
    assert 'class="empty"' in render(report([], []))
