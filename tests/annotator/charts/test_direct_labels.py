"""Charts can be read without a legend: names at lines, values at shapes, whole numbers on the axes of counts."""

import re
from itertools import pairwise

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from annotator.charts import Series, bars, lines
from annotator.charts.curves import curve
from annotator.charts.lines import COLOURS, MAX_NAME
from annotator.charts.tips import spread, tip

CHARTS = {
    "_bars.html": bars("Submitted", [("Mon", 3), ("Tue", 0), ("Wed", 1)], unit="profiles"),
    "_lines.html": lines("By person", ["Mon", "Tue"], [Series("Eva <b>", [1, 2]), Series("Ben", [None, 1])]),
    "_curve.html": curve("Precision", [(0, 1), (1, 0)], axes=("Recall", "Precision"), mark=("Here", 0.5, 0.5)),
}


@given(st.lists(st.floats(min_value=0, max_value=100), max_size=7))
def test_names_keep_apart_in_order_and_inside(heights):
    placed = spread(heights, 14, 0, 100)
    ranked = [y for _, y in sorted(zip(heights, placed, strict=True))]
    assert all(after - before >= 13.98 for before, after in pairwise(ranked))
    assert all(-0.01 <= y <= 100.01 for y in placed)


def test_lines_have_distinct_colours_and_their_names_at_the_end():
    chart = lines("By person", ["Mon", "Tue"], [Series(f"Person {n}", [n, n]) for n in range(COLOURS)])
    assert len({line.style for line in chart.lines}) == COLOURS
    assert [name.text for name in chart.names] == [line.name for line in chart.lines]
    assert [name.style for name in chart.names] == [line.style for line in chart.lines]


def test_a_long_name_is_cut_and_one_line_needs_none():
    two = lines("t", ["a", "b"], [Series("x" * 99, [1, 2]), Series("y", [1, 2])])
    assert len(two.names[0].text) == MAX_NAME
    assert two.lines[0].points[0].tip.text.startswith("x" * 99)
    assert lines("t", ["a", "b"], [Series("x", [1, 2])]).names == ()


@given(st.lists(st.integers(min_value=0, max_value=9), min_size=1, max_size=9))
def test_lines_of_counts_have_whole_ticks(values):
    chart = lines("t", [str(n) for n in range(len(values))], [Series("a", [float(value) for value in values])])
    assert all(tick.label.isdecimal() for tick in chart.ticks)


def test_ratings_have_an_axis_of_their_own():
    chart = lines("t", ["a", "b"], [Series("x", [2.5, 4])], between=(1, 5))
    assert [tick.label for tick in chart.ticks] == ["1", "2", "3", "4", "5"]
    assert chart.base == max(tick.at for tick in chart.ticks)
    with pytest.raises(ValueError, match="outside"):
        lines("t", ["a"], [Series("x", [6])], between=(1, 5))


def test_the_words_of_a_value_stay_inside():
    assert [tip("12 profiles", x, 50, width=300).anchor for x in (3, 150, 299)] == ["start", "middle", "end"]
    assert tip("12", 50, 2, width=300).text_y > 2
    assert tip("12", 50, 90, width=300).text_y < 90


@pytest.mark.parametrize("template", CHARTS)
def test_every_shape_can_be_focused_and_says_its_value(template):
    html = render_to_string(f"charts/{template}", {"chart": CHARTS[template]})
    tips = re.findall(r'<g class="tip" tabindex="0" role="img" aria-label="([^"]+)">', html)
    assert len(tips) == 3
    assert len(re.findall(r'<text class="tip-text"', html)) == 3
    assert 'role="group"' in html
    assert "<b>" not in html


@pytest.mark.parametrize("template", CHARTS)
def test_every_chart_has_its_numbers_as_a_table(template):
    html = render_to_string(f"charts/{template}", {"chart": CHARTS[template]})
    assert re.search(r"<details.*<table.*</table>.*</details>", html, re.DOTALL)
    assert len(re.findall("<tr>", html)) >= 3
