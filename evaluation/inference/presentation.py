"""An attribute report as its page and its HTML file show it: made from the report's JSON alone. No database.

Reports from before a part existed lack its key; the section is then left out.
"""

from collections.abc import Callable, Mapping
from typing import Any

from annotator.core.formatting import number, plural
from evaluation.inference.answer_sections import (
    age_section,
    answer_section,
    calibration_section,
    cost_section,
    named_section,
    negative_section,
    place_section,
)
from evaluation.inference.score_sections import (
    attribute_section,
    certainty_section,
    comparison_section,
    difference_section,
    hardness_section,
    problem_section,
    scorer_section,
    study_sections,
    subreddit_section,
)
from evaluation.reports.headlines import headlines_of, read_headlines
from evaluation.reports.presentation import Block, ShownReport, arrange, cautions_of
from evaluation.reports.tables import Section

Contents = Mapping[str, Any]

BUILDERS: tuple[Callable[[Contents], Section | None], ...] = (
    attribute_section, hardness_section, certainty_section, subreddit_section, scorer_section, calibration_section,
    negative_section, answer_section, named_section, age_section, place_section, cost_section,
)  # fmt: skip


def present_inference(report: Contents) -> ShownReport:
    return ShownReport(
        tuple(_facts(report)),
        tuple(read_headlines(headlines_of(report))),
        cautions_of(report),
        arrange([*_sections(report), *study_sections(report), *_closing(report)]),
        tuple((_title(other), _blocks(other)) for other in report.get("others") or []),
        report.get("signature", ""),
    )


def _sections(model: Contents) -> list[Section]:
    return [section for section in (build(model) for build in BUILDERS) if section]


def _closing(model: Contents) -> list[Section]:
    sections = difference_section(model), comparison_section(model), problem_section(model)
    return [section for section in sections if section]


def _blocks(model: Contents) -> tuple[Block, ...]:
    return arrange([*_sections(model), *_closing(model)])


def _title(model: Contents) -> str:
    return f"{model['input']['model']} ({model['input']['name']})"


def _facts(report: Contents) -> list[str]:
    """What was measured, in a line: model, file, reviewer, labels."""
    source, settings = report["input"], report["settings"]
    bounds = f"certainty {settings['min_certainty']} to {settings['max_certainty']}"
    bounds += f", hardness {settings['min_hardness']} to {settings['max_hardness']}"
    return [
        source["model"],
        f"{source['name']} ({source['format']})",
        f"labels by {source['reviewer']}: {plural(source['profiles'], 'profile')}",
        f"{number(report['sound']['n'])} of {plural(source['labels'], 'label')} scored, {bounds}",
    ]
