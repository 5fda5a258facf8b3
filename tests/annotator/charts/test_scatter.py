"""Labelled points of two shares."""

from itertools import combinations

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from annotator.charts.intervals import Estimate
from annotator.charts.scatter import MAX_LABEL, _hits, _label_box, scatter

AXES = ("Text kept", "Protection")


def point(name, kept, protection, half=0.02):
    ends = [(max(value - half, 0), min(value + half, 1)) for value in (kept, protection)]
    return Estimate(name, kept, *ends[0]), Estimate(name, protection, *ends[1])


def test_dots_and_intervals_lie_inside_the_axes():
    chart = scatter("c", [point("none", 1, 0.2), point("masked", 0.8, 0.5)], axes=AXES)
    for drawn in chart.points:
        assert chart.left <= drawn.across[0] <= drawn.x <= drawn.across[1] <= chart.right
        assert chart.top <= drawn.along[1] <= drawn.y <= drawn.along[0] <= chart.base


def test_the_table_has_the_same_numbers_and_the_points_that_cannot_be_drawn():
    chart = scatter("c", [point("none", 1, 0.2), (Estimate("late", None), Estimate("late", None))], axes=AXES)
    assert [row[0] for row in chart.rows] == ["none", "late"]
    assert chart.rows[1][1:] == ("–", "–")
    assert "18.0" in chart.rows[0][2]
    assert len(chart.points) == 1


def test_a_dot_says_its_values():
    assert "masked: Text kept 80.0" in scatter("c", [point("masked", 0.8, 0.5)], axes=AXES).points[0].tip.text


shares = st.floats(0, 1)


@given(st.lists(st.tuples(shares, shares), max_size=12))
def test_labels_never_cover_each_other_or_leave_the_chart(values):
    names = [f"Presidio and evidence, by type {n}" for n in range(len(values))]
    pairs = [point(name, *value) for name, value in zip(names, values, strict=True)]
    chart = scatter("c", pairs, axes=AXES)
    boxes = [_label_box(drawn.label) for drawn in chart.points]
    assert not any(_hits(first, [second]) for first, second in combinations(boxes, 2))
    assert all(chart.left <= box[0] and box[2] <= chart.right for box in boxes)


def test_a_label_far_from_its_dot_has_a_line():
    chart = scatter("c", [point(f"defence {n}", 0.5, 0.5) for n in range(8)], axes=AXES)
    assert any(drawn.label.is_far for drawn in chart.points)


def test_a_long_name_is_cut_at_its_dot_only():
    chart = scatter("c", [point("x" * 80, 0.5, 0.5)], axes=AXES)
    assert len(chart.points[0].label.text) == MAX_LABEL
    assert chart.rows[0][0] == "x" * 80


@pytest.mark.parametrize("share", [1.1, -0.1, float("nan")])
def test_only_shares_are_drawn(share):
    with pytest.raises(ValueError, match=r"share|finite"):
        scatter("c", [(Estimate("a", share), Estimate("a", 0.5))], axes=AXES)


@pytest.mark.parametrize("value", [0, 0.5, 1])
def test_equal_points_still_have_an_axis(value):
    chart = scatter("c", [(Estimate("a", value), Estimate("a", value))], axes=AXES)
    assert len(chart.marks) >= 3


def test_without_points_there_is_nothing_to_show():
    page = render_to_string("charts/_scatter.html", {"chart": scatter("c", [], axes=AXES)})
    assert "There is nothing to show yet." in page


def test_the_svg_names_every_point():
    page = render_to_string("charts/_scatter.html", {"chart": scatter("c", [point("a<b", 0.5, 0.5)], axes=AXES)})
    assert page.count("a&lt;b") >= 3
    assert "series-1" in page
