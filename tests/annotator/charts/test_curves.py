"""Curves of two shares."""

import pytest

from annotator.charts.curves import curve


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
