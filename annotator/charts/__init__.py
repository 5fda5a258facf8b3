"""SVG charts: functions turn numbers into shapes, templates print the shapes as SVG or as a table.

Geometry only, without Django, requests or colours, so that charts can be tested and put into reports.
"""

from annotator.charts.bars import Bars, bars
from annotator.charts.hbars import HorizontalBars, Row, funnel, hbars
from annotator.charts.heatmap import Heatmap, heatmap
from annotator.charts.intervals import Estimate, Intervals, intervals
from annotator.charts.lines import Lines, Series, lines
from annotator.charts.meter import Meter, meter
from annotator.charts.stacks import Figure, StackRow, Stacks, stacks

__all__ = [
    "Bars",
    "Estimate",
    "Figure",
    "Heatmap",
    "HorizontalBars",
    "Intervals",
    "Lines",
    "Meter",
    "Row",
    "Series",
    "StackRow",
    "Stacks",
    "bars",
    "funnel",
    "hbars",
    "heatmap",
    "intervals",
    "lines",
    "meter",
    "stacks",
]
