"""The report of a probe as one HTML file, through the template that all reports share."""

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string

from evaluation.probes.presentation import present_probe
from evaluation.reports.html import STYLES_HERE, styles


def render_probe_html(report: Mapping[str, Any]) -> str:
    """No database, and no texts: the file can be shared."""
    context = {"name": report["name"], "report": present_probe(report), "version": report["version"], "errors": []}
    page = render_to_string("evaluation/reports/report_file.html", context)
    return page.replace(STYLES_HERE, f"<style>{styles()}</style>", 1)
