"""An evidence report as pages and HTML files show it. No database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.charts.stacks import Figure, StackRow, Stacks, stacks
from annotator.core.entities import entity_hue, entity_name
from annotator.core.formatting import number, percent, plural
from evaluation.reports.headlines import Headline, read_headlines
from evaluation.spans.evidence.records import Skip
from profiles.attributes import Attribute

TITLE = "How much of the evidence people used would Presidio have hidden?"
PARTS = ("fully masked", "partly", "left readable")
HARDNESSES = (1, 2, 3, 4, 5)
SKIPPED = {
    Skip.NOT_ANALYSED: "in comments that the detection run hasn't analysed",
    Skip.LANGUAGE: "in comments in a language without a model",
    Skip.FAILED: "in comments whose analysis failed",
    Skip.GONE: "whose comment is gone or has changed",
}
NO_SHARE = Figure("–", reason="No evidence.")

Contents = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TypeRow:
    """What one entity type masks of the evidence, and how many of its detections mattered."""

    name: str
    hue: str
    touched: str
    masked: Figure
    characters: str
    detections: str
    touching: Figure


@dataclass(frozen=True, slots=True)
class EvidenceReport:
    title: str
    headlines: tuple[Headline, ...]
    chart: Stacks
    types: tuple[TypeRow, ...]
    left_out: tuple[str, ...]
    signature: str
    bootstrap: int
    min_profiles: int

    @property
    def is_empty(self) -> bool:
        return not self.chart.stacks


def present_evidence(contents: Contents) -> EvidenceReport:
    settings = contents["settings"]
    return EvidenceReport(
        TITLE,
        tuple(read_headlines(contents["headline"])),
        _chart(contents),
        tuple(_type_row(row) for row in contents["types"]),
        tuple(_left_out(contents["counts"])),
        contents["signature"],
        settings["bootstrap"],
        settings["min_profiles"],
    )


def _chart(contents: Contents) -> Stacks:
    rows = [("All attributes", contents["overall"], contents["hardness"])]
    rows += [(str(Attribute(row["attribute"]).label), row, row["hardness"]) for row in contents["attributes"]]
    columns = ["Fully masked", "Hardness 1", *map(str, HARDNESSES[1:])]
    drawn = [_stack_row(*row) for row in rows if row[1]["spans"]]
    return stacks("Spans of evidence by attribute", PARTS, drawn, axes=("Attribute", "Evidence"), columns=columns)


def _stack_row(label: str, row: Contents, by_hardness: Sequence[Contents]) -> StackRow:
    cells = {cell["hardness"]: cell for cell in by_hardness}
    figures = [_hardness_figure(cells.get(hardness)) for hardness in HARDNESSES]
    return StackRow(label, (row["full"], row["partly"], row["left"]), [_figure(row["full_share"]), *figures])


def _hardness_figure(cell: Contents | None) -> Figure:
    """The share alone. Its count is in the tooltip, because five intervals would not fit beside each other."""
    if cell is None or not cell["spans"]:
        return NO_SHARE
    share = cell["full_share"]
    return Figure(percent(share["value"]), reason=f"{number(cell['full'])} of {number(cell['spans'])}. {_range(share)}")


def _figure(share: Contents) -> Figure:
    if share["value"] is None:
        return Figure("–", reason=share["reason"])
    return Figure(percent(share["value"]), _interval(share), share["reason"])


def _interval(share: Contents) -> str:
    return f"{percent(share['low'])} to {percent(share['high'])}" if share["low"] is not None else ""


def _range(share: Contents) -> str:
    return f"95 % interval {_interval(share)}." if share["low"] is not None else str(share["reason"])


def _type_row(row: Contents) -> TypeRow:
    return TypeRow(
        entity_name(row["type"]),
        entity_hue(row["type"]),
        number(row["touched_spans"]),
        _figure(row["masked_share"]),
        number(row["masked_characters"]),
        number(row["detections"]),
        _figure(row["touching_share"]),
    )


def _left_out(counts: Contents) -> list[str]:
    """What isn't in the figures, in words."""
    spans = [f"{plural(count, 'span')} {SKIPPED[Skip(key)]}" for key, count in counts["skipped_spans"].items() if count]
    without = counts["records_without_evidence"]
    return [*spans, *([f"{plural(without, 'value')} for which nobody marked evidence"] if without else [])]
