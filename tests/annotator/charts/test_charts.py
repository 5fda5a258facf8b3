"""The charts' geometry: shapes match the numbers at any size, and invalid input is refused."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.charts import (
    Estimate,
    Figure,
    Row,
    Series,
    StackRow,
    bars,
    funnel,
    hbars,
    heatmap,
    intervals,
    lines,
    meter,
    stacks,
)
from annotator.charts.scale import Axis, Scale, checked, nice_axis, nice_step
from annotator.core.formatting import THIN, number, percent, short

counts = st.integers(min_value=0, max_value=10**12)
finite = st.floats(min_value=-1e9, max_value=1e9)
nonsense = pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400])


# ── Scales and numbers ───────────────────────────────────────────────────────
@given(st.lists(finite, max_size=20))
def test_bounds_hold_zero_and_every_value(values):
    axis = nice_axis(values)
    tolerance = (axis.high - axis.low) * 1e-6
    assert axis.low < axis.high
    assert all(axis.low - tolerance <= value <= axis.high + tolerance for value in [0, *values])


@given(st.lists(finite.filter(lambda x: abs(x) > 1e-6), min_size=1, max_size=20))
def test_ticks_are_few_even_and_end_at_the_bounds(values):
    axis = nice_axis(values)
    ticks = axis.values()
    gaps = [after - before for before, after in pairwise(ticks)]
    assert 2 <= len(ticks) <= 7
    assert [ticks[0], ticks[-1]] == pytest.approx([axis.low, axis.high])
    assert gaps == pytest.approx([gaps[0]] * len(gaps))


@given(st.integers(min_value=1, max_value=10**9))
def test_counts_get_an_axis_without_halves(largest):
    assert all(tick == int(tick) for tick in nice_axis([largest], whole=True).values())


@pytest.mark.parametrize(("span", "step"), [(4, 1), (7, 2), (10, 2.5), (0.9, 0.25), (1204, 500), (1e300, 2.5e299)])
def test_steps_are_round(span, step):
    assert nice_step(span) == pytest.approx(step)


@given(st.floats(min_value=0, max_value=1))
def test_a_scale_goes_from_start_to_end(share):
    scale = Scale(Axis(0, 1, 0.25), 100, 0)
    assert (scale(0), scale(1)) == (100, 0)
    assert scale(share) == pytest.approx(100 - 100 * share, abs=0.01)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0001, "0"),
        (1234567, f"1{THIN}234{THIN}567"),
        (0.12345, "0.123"),
        (-2.5, "−2.5"),
        (1e300, "1e+300"),
    ],
)
def test_numbers_as_people_read_them(value, text):
    assert number(value) == text


@pytest.mark.parametrize(("value", "text"), [(9999, f"9{THIN}999"), (12_000, "12k"), (2.5e6, "2.5M"), (3e9, "3bn")])
def test_short_numbers_for_an_axis(value, text):
    assert short(value) == text


def test_little_is_not_nothing_and_nearly_all_is_not_all():
    shares = [percent(share).replace(THIN, " ") for share in (0, 0.001, 0.5, 0.999, 1)]
    assert shares == ["0 %", "<1 %", "50 %", ">99 %", "100 %"]


@nonsense
def test_no_chart_of_nonsense(value):
    with pytest.raises(ValueError, match="finite"):
        checked([1, value])


# ── Bars ─────────────────────────────────────────────────────────────────────
@given(st.lists(counts, min_size=1, max_size=60))
def test_bars_stand_on_the_base_inside_the_chart_and_apart(values):
    chart = bars("Activity", [(f"m{i}", value) for i, value in enumerate(values)])
    for bar in chart.bars:
        assert bar.y + bar.height == pytest.approx(chart.base, abs=0.02)
        assert 0 <= bar.y <= chart.base
        assert chart.left - 0.02 <= bar.x <= bar.x + bar.width <= chart.right + 0.02
    assert all(b.x >= a.x + a.width - 0.02 for a, b in pairwise(chart.bars))


@given(st.lists(counts, min_size=1, max_size=30).filter(any))
def test_heights_are_in_proportion(values):
    chart = bars("Activity", [("m", value) for value in values])
    tallest = max(bar.height for bar in chart.bars)
    for value, bar in zip(values, chart.bars, strict=True):
        assert bar.height == pytest.approx(tallest * value / max(values), abs=0.05)


def test_no_data_and_zeros_leave_an_empty_axis():
    assert bars("Activity", []).bars == ()
    assert [tick.label for tick in bars("Activity", []).ticks] == ["0", "1"]
    assert [bar.height for bar in bars("Activity", [("a", 0), ("b", 0)]).bars] == [0, 0]


def test_one_bar_is_not_a_wall():
    (bar,) = bars("Activity", [("2012-01", 7)]).bars
    assert bar.width <= 48


def test_names_under_bars_never_touch():
    chart = bars("Activity", [(f"2012-{i:02}", i) for i in range(200)])
    named = [bar.middle for bar in chart.bars if bar.named]
    assert min(b - a for a, b in pairwise(named)) > len("2012-00") * 6


def test_huge_values_are_drawn_and_negative_ones_refused():
    assert bars("Activity", [("a", 1e300), ("b", 1)]).bars[0].height > 50
    with pytest.raises(ValueError, match="negative"):
        bars("Activity", [("a", -1)])


def test_the_description_names_the_highest():
    chart = bars("Activity", [("May", 3), ("June", 1204), ("July", 5)], unit="comments")
    assert chart.description == f"May to July; highest at June with 1{THIN}204 comments."


# ── Horizontal bars ──────────────────────────────────────────────────────────
@given(st.lists(counts, min_size=1, max_size=30).filter(any))
def test_the_longest_row_is_full_and_the_rest_in_proportion(values):
    chart = hbars("By attribute", [Row("a", value) for value in values])
    assert max(bar.share for bar in chart.bars) == 100
    assert [bar.share for bar in chart.bars] == pytest.approx([100 * v / max(values) for v in values], abs=0.01)


def test_rows_of_zero_have_no_length():
    assert [bar.share for bar in hbars("None", [Row("a", 0)]).bars] == [0]
    assert hbars("None", []).bars == ()


def test_a_row_longer_than_the_longest_is_refused():
    with pytest.raises(ValueError, match="larger"):
        hbars("Shares", [Row("a", 1.2)], longest=1)


def test_a_funnel_says_what_each_step_kept():
    chart = funnel("Rules", [("read", 200), ("long", 100), ("kept", 0), ("listed", 0)])
    assert [bar.note.replace(THIN, "") for bar in chart.bars] == ["", "50%", "0%", ""]
    with pytest.raises(ValueError, match="narrows"):
        funnel("Rules", [("read", 1), ("long", 2)])


# ── Lines ────────────────────────────────────────────────────────────────────
@given(st.lists(finite, min_size=1, max_size=40))
def test_points_lie_inside_and_go_right(values):
    chart = lines("Alpha", [str(i) for i in range(len(values))], [Series("a", values)])
    points = chart.lines[0].points
    assert [p.x for p in points] == sorted(p.x for p in points)
    assert all(chart.left <= p.x <= chart.right for p in points)
    assert all(0 <= p.y <= chart.height for p in points)


def test_a_gap_breaks_the_line_and_is_not_a_zero():
    chart = lines("Alpha", ["1", "2", "3"], [Series("a", [0.5, None, 0.5])])
    assert len(chart.lines[0].paths) == 2
    assert chart.table[1] == ("2", ("–",))


def test_a_band_goes_there_and_back():
    (line,) = lines("Alpha", ["1", "2"], [Series("a", [1, 2], intervals=[(0, 2), (1, 3)])]).lines
    corners = [tuple(map(float, corner.split(","))) for corner in line.band.split()]
    assert [x for x, _ in corners] == [corners[0][0], corners[1][0], corners[1][0], corners[0][0]]
    assert corners[0][1] < corners[3][1]


def test_lines_without_data_and_with_the_wrong_length():
    assert "nothing to show" in lines("Alpha", [], []).description
    with pytest.raises(ValueError, match="one value for each label"):
        lines("Alpha", ["1", "2"], [Series("a", [1])])


@nonsense
def test_lines_refuse_nonsense(value):
    with pytest.raises(ValueError, match="finite"):
        lines("Alpha", ["1"], [Series("a", [value])])


# ── Heat maps, intervals, meters ─────────────────────────────────────────────
@given(st.lists(st.lists(counts, min_size=3, max_size=3), min_size=1, max_size=6))
def test_shades_follow_the_numbers(values):
    chart = heatmap("Gold", [str(i) for i in range(len(values))], ["a", "b", "c"], values)
    flat = sorted(
        (v, c.level)
        for row, (_, cells) in zip(values, chart.rows, strict=True)
        for v, c in zip(row, cells, strict=True)
    )
    levels = [level for _, level in flat]
    assert levels == sorted(levels)
    assert all((level == 0) == (value == 0) and level <= 5 for value, level in flat)


@pytest.mark.parametrize("values", [[[1]], [], [[1, 2], [3, 4]]])
def test_a_heat_map_needs_every_cell(values):
    with pytest.raises(ValueError, match="each row and column"):
        heatmap("Gold", ["1"], ["a", "b"], values)


def test_a_number_of_a_heat_map_leads_somewhere_and_a_zero_does_not():
    ((_, cells),) = heatmap("Gold", ["1"], ["a", "b"], [[3, 0]], links=[["/a", "/b"]]).rows
    assert [cell.href for cell in cells] == ["/a", ""]
    with pytest.raises(ValueError):
        heatmap("Gold", ["1"], ["a", "b"], [[3, 0]], links=[["/a"]])


def test_an_estimate_lies_within_its_whiskers():
    whisker, unknown = intervals("F1", [Estimate("age", 0.5, 0.25, 1), Estimate("sex", None)], between=(0, 1)).whiskers
    assert (whisker.start, whisker.at, whisker.end) == (26, 50, 98)
    assert (whisker.shown, whisker.interval) == ("0.50", "0.25 to 1.00")
    assert (unknown.known, unknown.shown) == (False, "–")


@pytest.mark.parametrize("wrong", [Estimate("a", 0.5, 0.6, 0.7), Estimate("a", 1.5), Estimate("a", math.nan)])
def test_an_estimate_outside_its_interval_or_axis_is_refused(wrong):
    with pytest.raises(ValueError):
        intervals("F1", [wrong], between=(0, 1))


@given(counts, counts, counts)
def test_parts_of_a_meter_never_pass_its_end(done, under_way, rest):
    chart = meter(done, done + under_way + rest, under_way=under_way)
    assert 0 <= chart.done + chart.under_way <= 100.01


def test_a_meter_says_its_numbers():
    assert meter(12, 1200).text == f"12 of 1{THIN}200"
    assert meter(0, 0) == meter(0, 0, under_way=0)
    with pytest.raises(ValueError, match="More is done"):
        meter(3, 2)


# ── Stacks ───────────────────────────────────────────────────────────────────
@given(st.lists(counts, min_size=3, max_size=3))
def test_parts_of_a_stack_fill_it_without_gaps_or_overlaps(amounts):
    (stack,) = stacks("", ["a", "b", "c"], [StackRow("", amounts)]).stacks
    assert [part.start for part in stack.parts[1:]] == pytest.approx([p.start + p.width for p in stack.parts[:-1]])
    if any(amounts):
        assert stack.parts[-1].start + stack.parts[-1].width == pytest.approx(100)


def test_a_stack_says_its_numbers_in_words():
    (stack,) = stacks("", ["masked", "left"], [StackRow("age", (1, 3))]).stacks
    assert (stack.total, stack.description) == ("4", "1 masked, 3 left")
    assert [(part.shade, part.start, part.width) for part in stack.parts] == [(1, 0, 25), (2, 25, 75)]


def test_an_empty_stack_has_no_bar():
    (stack,) = stacks("", ["a", "b"], [StackRow("", (0, 0))]).stacks
    assert stack.parts == ()


@nonsense
def test_stacks_refuse_nonsense(value):
    with pytest.raises(ValueError, match="finite"):
        stacks("", ["a"], [StackRow("", [value])])


@pytest.mark.parametrize(
    ("parts", "row"),
    [
        ([], StackRow("", [])),
        (["a", "b", "c", "d"], StackRow("", [1, 1, 1, 1])),
        (["a", "b"], StackRow("", [1])),
        (["a"], StackRow("", [1], [Figure("1"), Figure("2")])),
    ],
)
def test_stacks_refuse_what_does_not_fit(parts, row):
    with pytest.raises(ValueError, match=r"part"):
        stacks("", parts, [row], columns=["one"])
