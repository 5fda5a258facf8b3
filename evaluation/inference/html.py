"""An attribute report as one HTML file."""

from collections.abc import Mapping
from typing import Any

from evaluation.inference.presentation import present_inference
from evaluation.reports.html import render_shown_html


def render_inference_html(report: Mapping[str, Any], *, name: str = "") -> str:
    """Render a report. It quotes neither comments nor labels nor guesses. No database."""
    title = name or f"{report['input']['model']}: attributes inferred"
    return render_shown_html(present_inference(report), name=title, version=report.get("version", ""))
