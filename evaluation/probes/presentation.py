"""The report of a probe as its page and its HTML file show it. No database."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from annotator.core.formatting import number, plural
from evaluation.probes.records import Setback
from evaluation.probes.sections import probe_sections, summary_section
from evaluation.reports.headlines import headlines_of, read_headlines
from evaluation.reports.presentation import Block, Caution, ShownReport
from evaluation.reports.tables import Section, Side

Json = Mapping[str, Any]


def present_probe(report: Json) -> ShownReport:
    """A report of one probe, or of a set of them with a summary."""
    if "attributes" in report:
        return _present_set(report)
    return ShownReport(
        facts=tuple(_facts(report)),
        headlines=tuple(read_headlines(headlines_of(report))),
        cautions=(*(Caution(row["message"], row.get("why", "")) for row in report["warnings"]), *_setbacks(report)),
        blocks=tuple(_blocks(probe_sections(report))),
        others=(),
        signature=report["signature"],
    )


def _present_set(report: Json) -> ShownReport:
    """The summary, and the report of each attribute below it."""
    inputs, reports = report["inputs"], report["attributes"]
    cautions = [
        Caution(f"{attribute.replace('_', ' ').capitalize()}: {row['message']}", row.get("why", ""))
        for attribute, part in reports.items()
        for row in part["warnings"]
        if part["verdict"]["reasons"]
    ]
    return ShownReport(
        facts=(
            f"model: {report['system']['name']}",
            plural(inputs["profiles"], "profile"),
            f"corpus: {inputs['corpus']}",
        ),
        headlines=tuple(read_headlines(headlines_of(report))),
        cautions=tuple(cautions),
        blocks=(Block((summary_section(report),), (), ()),),
        others=tuple((part["name"], tuple(_blocks(probe_sections(part)))) for part in reports.values()),
        signature=report["signature"],
    )


def _blocks(sections: Sequence[Section]) -> Iterator[Block]:
    """Wide sections as they come, and two columns between them."""
    for _, group in groupby(sections, key=lambda section: section.side is Side.WIDE):
        members = list(group)
        yield Block(
            *(tuple(part for part in members if part.side is side) for side in (Side.WIDE, Side.LEFT, Side.RIGHT))
        )


def _setbacks(report: Json) -> Iterator[Caution]:
    for row in report["inputs"].get("setbacks", ()):
        yield Caution(Setback(row["file"], row["reason"], row["count"], tuple(row["lines"])).sentence, "")


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
