"""The report of a probe as one HTML file, through the template that all reports share."""

from collections.abc import Mapping
from typing import Any

from evaluation.probes.presentation import present_probe
from evaluation.reports.html import render_shown_html


def render_probe_html(report: Mapping[str, Any]) -> str:
    """No database, and no texts: the file can be shared."""
    return render_shown_html(present_probe(report), name=report["name"], version=report["version"])
