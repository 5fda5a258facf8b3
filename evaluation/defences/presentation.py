"""A report on defences as its page and its HTML file show it: made from the report's JSON alone. No database."""

from collections.abc import Mapping
from typing import Any

from evaluation.defences.sections import defence_sections, facts_of
from evaluation.reports.headlines import headlines_of, read_headlines
from evaluation.reports.presentation import Caution, ShownReport, arrange, cautions_of


def present_defences(report: Mapping[str, Any]) -> ShownReport:
    missing = tuple(Caution(sentence, "") for sentence in report["missing"])
    return ShownReport(
        facts=tuple(facts_of(report)),
        headlines=tuple(read_headlines(headlines_of(report))),
        cautions=(*missing, *cautions_of(report)),
        blocks=arrange(defence_sections(report)),
        others=(),
        signature=report["signature"],
    )
