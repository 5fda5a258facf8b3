"""A report as its page and its HTML file show it, and span reports in particular. No database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from annotator.core.formatting import number, plural
from evaluation.reports.headlines import Headline, headlines_of, read_headlines
from evaluation.reports.sections import span_sections
from evaluation.reports.tables import Section, Side

Contents = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Caution:
    message: str
    why: str


@dataclass(frozen=True, slots=True)
class Block:
    """Wide sections below each other, or two columns beside each other."""

    wide: tuple[Section, ...]
    left: tuple[Section, ...]
    right: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class ShownReport:
    """`others` are the blocks of further systems that were measured in the same run, by name."""

    facts: tuple[str, ...]
    headlines: tuple[Headline, ...]
    cautions: tuple[Caution, ...]
    blocks: tuple[Block, ...]
    others: tuple[tuple[str, tuple[Block, ...]], ...]
    signature: str


def present_report(report: Contents) -> ShownReport:
    results = report.get("results") or []
    sections = span_sections(results[0], report) if results else []
    others = [(result["system"], arrange(span_sections(result, {}))) for result in results[1:]]
    return ShownReport(
        tuple(_facts(report)),
        tuple(read_headlines(headlines_of(report))),
        cautions_of(report),
        arrange(sections),
        tuple(others),
        report.get("signature", ""),
    )


def cautions_of(report: Contents) -> tuple[Caution, ...]:
    return tuple(Caution(row["message"], row.get("why", "")) for row in report.get("warnings") or [])


def _facts(report: Contents) -> list[str]:
    """What was measured, in a line: systems, gold, documents, spans."""
    gold: Contents = report.get("gold") or {}
    facts = [_system(row) for row in report.get("systems") or []]
    if gold:
        annotators = plural(len(gold.get("annotators") or [""]), "annotator")
        facts.append(f"gold: {gold['name']}, {plural(gold['documents'], 'document')}, {annotators}")
        facts.append(f"{number(gold['scored_spans'])} of {plural(gold['spans'], 'span')} scored")
    return facts


def _system(row: Contents) -> str:
    title = (row.get("details") or {}).get("title")
    return " · ".join(filter(None, [str(row["name"]), title, plural(row["spans"], "span")]))


def arrange(sections: Sequence[Section]) -> tuple[Block, ...]:
    """Blocks of two columns between the wide sections."""
    groups = [list(group) for _, group in groupby(sections, key=lambda section: section.side == Side.WIDE)]
    return tuple(
        Block(
            tuple(section for section in group if section.side == Side.WIDE),
            tuple(section for section in group if section.side == Side.LEFT),
            tuple(section for section in group if section.side == Side.RIGHT),
        )
        for group in groups
    )
