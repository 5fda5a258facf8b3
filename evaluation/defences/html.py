"""A report on defences as one HTML file."""

from collections.abc import Mapping
from typing import Any

from evaluation.defences.presentation import present_defences
from evaluation.reports.html import render_shown_html


def render_defence_html(report: Mapping[str, Any], *, name: str = "") -> str:
    """It quotes neither comments nor labels nor guesses, so it can be shared. No database."""
    title = name or "What does masking protect?"
    return render_shown_html(present_defences(report), name=title, version=report["version"])
