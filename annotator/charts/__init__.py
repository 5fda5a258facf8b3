"""SVG charts: functions turn numbers into shapes, templates print the shapes as SVG or as a table.

Geometry only: nothing here knows Django, a request or a colour, so charts can be tested and put into a report.
"""

from annotator.charts.bars import Bars, bars
from annotator.charts.hbars import HorizontalBars, Row, funnel, hbars
from annotator.charts.heatmap import Heatmap, heatmap
from annotator.charts.intervals import Estimate, Intervals, intervals
from annotator.charts.lines import Lines, Series, lines
from annotator.charts.meter import Meter, meter

__all__ = [
    "Bars",
    "Estimate",
    "Heatmap",
    "HorizontalBars",
    "Intervals",
    "Lines",
    "Meter",
    "Row",
    "Series",
    "bars",
    "funnel",
    "hbars",
    "heatmap",
    "intervals",
    "lines",
    "meter",
]
