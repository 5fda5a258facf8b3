"""The report of a probe as its page and its HTML file show it. No database."""

from collections.abc import Mapping
from typing import Any

from annotator.core.formatting import number, plural
from evaluation.probes.sections import probe_sections
from evaluation.reports.headlines import headlines_of, read_headlines
from evaluation.reports.presentation import Block, Caution, ShownReport
from evaluation.reports.tables import Side

Json = Mapping[str, Any]


def present_probe(report: Json) -> ShownReport:
    sections = probe_sections(report)
    wide, narrow = ([part for part in sections if (part.side is Side.WIDE) is is_wide] for is_wide in (True, False))
    left, right = (tuple(part for part in narrow if part.side is side) for side in (Side.LEFT, Side.RIGHT))
    return ShownReport(
        facts=tuple(_facts(report)),
        headlines=tuple(read_headlines(headlines_of(report))),
        cautions=tuple(Caution(row["message"], row.get("why", "")) for row in report["warnings"]),
        blocks=(Block((), left, right), Block(tuple(wide), (), ())),
        others=(),
        signature=report["signature"],
    )


def _facts(report: Json) -> list[str]:
    attempts, inputs, system = report["attempts"], report["inputs"], report["system"]
    facts = [f"{system['kind']}: {system['name']}", plural(attempts["items"], "text")]
    facts.append(f"{len(attempts['variants'])} prompts each, {plural(attempts['repetitions'], 'repetition')}")
    facts.append(plural(attempts["total"], "answer"))
    if inputs.get("template"):
        facts.append(f"template: {inputs['template']['name']}")
    if inputs.get("repeated"):
        facts.append(f"{number(inputs['repeated'])} repeated texts, {number(inputs['contradictory'])} contradictory")
    return facts
