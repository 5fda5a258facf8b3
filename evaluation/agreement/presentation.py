"""A report as a page shows it: rows of figures in words, charts, and pairs of people. No database."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.charts.heatmap import Heatmap, heatmap
from annotator.charts.intervals import Estimate, Intervals, intervals
from annotator.core.formatting import number, percent
from profiles.attributes import CLOSED_LISTS, Attribute

OVERALL = "overall"
MEASURES = {
    "percent": "Percent",
    "kappa": "Cohen’s κ",
    "kappa-quadratic": "κ quadratic",
    "alpha-nominal": "α nominal",
    "alpha-ordinal": "α ordinal",
    "alpha-interval": "α interval",
}
LEVELS = {"country": "country", "state": "state or region", "city": "city"}
MOST_PAIRS = 60

Contents = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Topic:
    """One of the four things that people can agree on. `drawn` is the alpha that its chart shows."""

    key: str
    title: str
    asks: str
    aspects: tuple[str, ...]
    drawn: str


TOPICS = (
    Topic("presence", "Something or nothing", "Is there anything to infer?", ("presence",), "alpha-nominal"),
    Topic("value", "Value", "Among those who gave one.", ("value", *LEVELS), "alpha-nominal"),
    Topic("hardness", "Hardness", "Among those who gave a value, from 1 to 5.", ("hardness",), "alpha-ordinal"),
    Topic("certainty", "Certainty", "Among those who gave a value, from 1 to 5.", ("certainty",), "alpha-ordinal"),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure in words; nothing where it is not measured, and a reason where there is no number."""

    shown: str = ""
    interval: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One attribute, or all. `reason` stands for the figures where all lack for the same."""

    name: str
    profiles: int
    pairs: int
    cells: tuple[Cell, ...]
    far_apart: int | None
    reason: str

    @property
    def far(self) -> str:
        return "" if self.far_apart is None else number(self.far_apart)


@dataclass(frozen=True, slots=True)
class Section:
    topic: Topic
    measures: tuple[str, ...]
    rows: tuple[Row, ...]
    chart: Intervals | None
    confusions: tuple[Heatmap, ...]

    @property
    def has_far(self) -> bool:
        return any(row.far_apart is not None for row in self.rows)


@dataclass(frozen=True, slots=True)
class PairRow:
    one: str
    other: str
    profiles: int
    cells: tuple[Cell, ...]
    reason: str


def sections(contents: Contents) -> list[Section]:
    return [_section(topic, contents) for topic in TOPICS]


def pair_rows(contents: Contents, names: Mapping[str, str]) -> list[PairRow]:
    """Those who met most first. People go by their code where no name is given."""
    values = {(pair["one"], pair["other"]): pair for pair in contents["pairs"].get("value", ())}
    met = contents["pairs"].get("presence", ())[:MOST_PAIRS]
    return [_pair_row(pair, values.get((pair["one"], pair["other"])), names) for pair in met]


def _section(topic: Topic, contents: Contents) -> Section:
    figures = [figure for figure in contents["figures"] if figure["aspect"] in topic.aspects]
    measures = tuple(key for key in MEASURES if any(figure["measure"] == key for figure in figures))
    by_line: dict[tuple[str, str], dict[str, Any]] = {}
    for figure in figures:
        by_line.setdefault((figure["attribute"], figure["aspect"]), {})[figure["measure"]] = figure
    lines = sorted(by_line, key=lambda line: line[0] != OVERALL)  # all together first, then as they come
    confusions = [each for each in contents["confusions"] if each["aspect"] == topic.key]
    far = _far_apart(confusions) if topic.drawn == "alpha-ordinal" else {}
    return Section(
        topic,
        tuple(MEASURES[key] for key in measures),
        tuple(_row(line, by_line[line], measures, far.get(line[0])) for line in lines),
        _chart(topic, [(_name(*line), by_line[line].get(topic.drawn)) for line in lines]),
        tuple(_confusion(each) for each in confusions if _varies(each["pairs"])),
    )


def _far_apart(confusions: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    by_attribute = {each["attribute"]: each["far_apart"] for each in confusions}
    return by_attribute | {OVERALL: sum(by_attribute.values())}


def _row(line: tuple[str, str], figures: Mapping[str, Any], measures: Sequence[str], far_apart: int | None) -> Row:
    behind = figures["percent"]
    cells = tuple(_cell(key, figures.get(key)) for key in measures)
    return Row(_name(*line), behind["profiles"], behind["pairs"], cells, far_apart, behind["reason"])


def _cell(measure: str, figure: Mapping[str, Any] | None) -> Cell:
    if figure is None:
        return Cell()
    if figure["value"] is None:
        return Cell(reason=figure["reason"])
    write = percent if measure == "percent" else _score
    low, high = figure.get("low"), figure.get("high")
    return Cell(write(figure["value"]), "" if low is None or high is None else f"{write(low)} to {write(high)}")


def _score(value: float) -> str:
    return f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")


def _chart(topic: Topic, lines: Sequence[tuple[str, Mapping[str, Any] | None]]) -> Intervals | None:
    """Of what there is a figure for; the table says where there are too few."""
    estimates = [_estimate(name, figure) for name, figure in lines if figure and figure["value"] is not None]
    if not estimates:
        return None
    lowest = min(each.low or 0 for each in estimates)
    return intervals(f"Krippendorff’s {MEASURES[topic.drawn]}", estimates, between=(min(0, _floor(lowest)), 1))


def _estimate(name: str, figure: Mapping[str, Any]) -> Estimate:
    """Percentiles may pass a figure by when it lies on the edge; the line is drawn up to it."""
    value = figure["value"]
    low, high = (value if end is None else end for end in (figure["low"], figure["high"]))
    return Estimate(name, value, max(min(low, value), -1), min(max(high, value), 1))


def _floor(value: float) -> float:
    """Room for what is worse than chance, in quarters."""
    return -next(step for step in (0, 0.25, 0.5, 0.75, 1) if -value <= step or step == 1)


def _confusion(each: Mapping[str, Any]) -> Heatmap:
    labels = _labels(Attribute(each["attribute"]), each["aspect"], each["codes"])
    return heatmap(Attribute(each["attribute"]).label, labels, labels, each["pairs"], axes=("one", "the other"))


def _labels(attribute: Attribute, aspect: str, codes: Sequence[str]) -> list[str]:
    if aspect == "value" and attribute in CLOSED_LISTS:
        labels = dict(CLOSED_LISTS[attribute].choices)
        return [labels.get(code, code).partition(" (")[0] for code in codes]
    return [code.capitalize() for code in codes]


def _varies(pairs: Sequence[Sequence[int]]) -> bool:
    return any(map(any, pairs))


def _name(attribute: str, aspect: str) -> str:
    if attribute == OVERALL:
        return "All attributes"
    label = Attribute(attribute).label
    return f"{label}: {LEVELS[aspect]}" if aspect in LEVELS else label


def _pair_row(pair: Mapping[str, Any], value: Mapping[str, Any] | None, names: Mapping[str, str]) -> PairRow:
    one, other = (names.get(pair[who], pair[who]) for who in ("one", "other"))
    return PairRow(one, other, pair["profiles"], tuple(_pair_cells(pair, value)), _too_few(pair))


def _pair_cells(pair: Mapping[str, Any], value: Mapping[str, Any] | None) -> Iterator[Cell]:
    for each in (pair, value or {}):
        for measure in ("percent", "kappa"):
            found = each.get(measure)
            yield _cell(measure, {"value": found, "reason": each.get("reason", "")})


def _too_few(pair: Mapping[str, Any]) -> str:
    return str(pair["reason"]) if pair["percent"] is None else ""
