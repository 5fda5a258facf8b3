"""Curves of two shares."""

import pytest

from annotator.charts.curves import MAX_TIPS, curve


def test_points_lie_inside_the_axes():
    chart = curve("Precision over recall", [(0, 1), (0.5, 0.8), (1, 0)], axes=("Recall", "Precision"))
    points = [tuple(map(float, point.split(","))) for point in chart.points.split()]
    assert points[0] == (chart.left, chart.top)
    assert points[-1] == (chart.right, chart.base)
    assert chart.rows[1] == ("0.50", "0.80")


def test_a_mark_is_described():
    chart = curve("c", [(0, 1)], axes=("Recall", "Precision"), mark=("All predictions", 0.25, 0.5))
    assert chart.dots[0].x > chart.left
    assert "All predictions: 0.50 at 0.25." in chart.description


def test_dots_grow_with_their_weight():
    chart = curve("c", [(0, 0), (1, 1)], axes=("x", "y"), notes=[("few", 0.1), ("many", 1)], has_diagonal=True)
    assert [dot.label for dot in chart.dots] == ["few", "many"]
    assert chart.dots[0].radius < chart.dots[1].radius


@pytest.mark.parametrize("point", [(1.1, 0), (0, -0.1), (float("nan"), 0)])
def test_only_shares_are_drawn(point):
    with pytest.raises(ValueError, match=r"share|finite"):
        curve("c", [point], axes=("x", "y"))


def test_without_points_there_is_nothing_to_show():
    assert curve("c", [], axes=("x", "y")).points == ""


def test_every_point_says_its_values():
    chart = curve("c", [(0, 1), (0.5, 0.8)], axes=("Recall", "Precision"), mark=("All predictions", 0.25, 0.5))
    assert [tip.text for tip in chart.tips] == ["Recall 0.00, Precision 1.00", "Recall 0.50, Precision 0.80"]
    assert [dot.tip.text for dot in chart.dots] == ["All predictions: Recall 0.25, Precision 0.50"]


def test_a_curve_of_many_points_has_as_many_tips_as_can_be_told_apart():
    points = [(n / 1000, 0.5) for n in range(1000)]
    assert len(curve("c", points, axes=("x", "y")).tips) <= MAX_TIPS
