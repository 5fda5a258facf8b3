"""A report as one HTML file: styles inside, charts as SVG, no script and no request to anywhere."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.template.loader import render_to_string

from annotator.site.static_files import BUNDLES, SOURCES
from evaluation.reports.presentation import ShownReport, present_report

PAGE_STYLES = ("reports.css",)
STYLES_HERE = "<!-- styles -->"  # in the template, before anything that a report says
MAX_ERRORS = 2000  # in the file; the rest is in the JSON lines


def render_report_html(
    report: Mapping[str, Any], errors: Iterable[Mapping[str, Any]] = (), *, name: str = "", evidence: object = None
) -> str:
    """Render a span report. `errors` quote the documents; leave them out to share the file freely. No database.

    `evidence` is what the evidence template shows, for runs over a corpus.
    """
    name = name or report.get("name") or "Evaluation report"
    shown = present_report(report)
    return render_shown_html(shown, errors, name=name, version=report.get("version", ""), evidence=evidence)


def render_shown_html(
    shown: ShownReport,
    errors: Iterable[Mapping[str, Any]] = (),
    *,
    name: str,
    version: str = "",
    evidence: object = None,
) -> str:
    """Render a report of any kind as its presentation shows it."""
    items = list(errors)
    context = {
        "name": name, "report": shown, "version": version, "evidence": evidence, "errors": items[:MAX_ERRORS],
        "errors_left_out": max(len(items) - MAX_ERRORS, 0),
    }  # fmt: skip
    page = render_to_string("evaluation/reports/report_file.html", context)
    return page.replace(STYLES_HERE, f"<style>{styles()}</style>", 1)


def styles() -> str:
    """The site's style sheets. They go in after rendering, because escaping would break their selectors."""
    names = (*BUNDLES["css/site.css"], *PAGE_STYLES)
    text = "\n".join((SOURCES / "css" / name).read_text(encoding="utf-8") for name in names)
    if "</" in text:
        raise ValueError("A style sheet would end its element.")
    return text
