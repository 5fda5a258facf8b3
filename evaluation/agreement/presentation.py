"""A report as shown on its page: tables of scores, charts, and pairs of annotators. No database."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.charts.heatmap import Heatmap, heatmap
from annotator.charts.intervals import Estimate, Intervals, intervals
from annotator.core.formatting import decimal, number, percent
from evaluation.stats.reasons import short_reason
from profiles.attributes import CLOSED_LISTS, Attribute

OVERALL = "overall"
METRIC_LABELS = {
    "percent": "Percent",
    "kappa": "Cohen’s κ",
    "kappa-quadratic": "κ quadratic",
    "alpha-nominal": "α nominal",
    "alpha-ordinal": "α ordinal",
    "alpha-interval": "α interval",
}
LEVELS = {"country": "country", "state": "state or region", "city": "city"}
MAX_PAIRS = 60

Contents = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Topic:
    """One of the four things that people can agree on. `charted_metric` is the alpha that its chart shows."""

    key: str
    title: str
    asks: str
    aspects: tuple[str, ...]
    charted_metric: str


TOPICS = (
    Topic("presence", "Presence", "Is there anything to infer?", ("presence",), "alpha-nominal"),
    Topic("value", "Value", "Which answer, among those who gave one?", ("value", *LEVELS), "alpha-nominal"),
    Topic("hardness", "Hardness", "From 1 to 5, among those who gave an answer.", ("hardness",), "alpha-ordinal"),
    Topic("certainty", "Certainty", "From 1 to 5, among those who gave an answer.", ("certainty",), "alpha-ordinal"),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A score as text. Empty if it is not measured; with a reason if there is no number."""

    shown: str = ""
    interval: str = ""
    reason: str = ""

    @property
    def short_reason(self) -> str:
        return short_reason(self.reason)


@dataclass(frozen=True, slots=True)
class Row:
    """One attribute, or all. `reason` replaces the scores if all are missing for the same reason."""

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
    metrics: tuple[str, ...]
    rows: tuple[Row, ...]
    chart: Intervals | None
    confusions: tuple[Heatmap, ...]

    @property
    def has_far(self) -> bool:
        return any(row.far_apart is not None for row in self.rows)


@dataclass(frozen=True, slots=True)
class PairRow:
    first: str
    second: str
    profiles: int
    cells: tuple[Cell, ...]
    reason: str


def sections(contents: Contents) -> list[Section]:
    return [_section(topic, contents) for topic in TOPICS]


def pair_rows(contents: Contents, names: Mapping[str, str]) -> list[PairRow]:
    """Pairs of annotators; those who share most profiles come first. Annotators without a name appear by code."""
    values = {(pair["one"], pair["other"]): pair for pair in contents["pairs"].get("value", ())}
    pairs = contents["pairs"].get("presence", ())[:MAX_PAIRS]
    return [_pair_row(pair, values.get((pair["one"], pair["other"])), names) for pair in pairs]


def _section(topic: Topic, contents: Contents) -> Section:
    scores = [score for score in contents["figures"] if score["aspect"] in topic.aspects]
    metrics = tuple(key for key in METRIC_LABELS if any(score["measure"] == key for score in scores))
    by_aspect: dict[tuple[str, str], dict[str, Any]] = {}
    for score in scores:
        by_aspect.setdefault((score["attribute"], score["aspect"]), {})[score["measure"]] = score
    aspects = sorted(by_aspect, key=lambda aspect_key: aspect_key[0] != OVERALL)  # overall first, the rest in order
    confusions = [confusion for confusion in contents["confusions"] if confusion["aspect"] == topic.key]
    far = _far_apart(confusions) if topic.charted_metric == "alpha-ordinal" else {}
    return Section(
        topic,
        tuple(METRIC_LABELS[key] for key in metrics),
        tuple(_row(aspect_key, by_aspect[aspect_key], metrics, far.get(aspect_key[0])) for aspect_key in aspects),
        _chart(
            topic, [(_name(*aspect_key), by_aspect[aspect_key].get(topic.charted_metric)) for aspect_key in aspects]
        ),
        tuple(_confusion(confusion) for confusion in confusions if _varies(confusion["pairs"])),
    )


def _far_apart(confusions: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    by_attribute = {confusion["attribute"]: confusion["far_apart"] for confusion in confusions}
    return by_attribute | {OVERALL: sum(by_attribute.values())}


def _row(aspect_key: tuple[str, str], scores: Mapping[str, Any], metrics: Sequence[str], far_apart: int | None) -> Row:
    percent_score = scores["percent"]
    cells = tuple(_cell(key, scores.get(key)) for key in metrics)
    return Row(
        _name(*aspect_key), percent_score["profiles"], percent_score["pairs"], cells, far_apart, percent_score["reason"]
    )


def _cell(metric: str, score: Mapping[str, Any] | None) -> Cell:
    if score is None:
        return Cell()
    if score["value"] is None:
        return Cell(reason=score["reason"])
    write = percent if metric == "percent" else decimal
    low, high = score.get("low"), score.get("high")
    return Cell(write(score["value"]), "" if low is None or high is None else f"{write(low)} to {write(high)}")


def _chart(topic: Topic, aspects: Sequence[tuple[str, Mapping[str, Any] | None]]) -> Intervals | None:
    """Chart the scores that exist. The table says where there are too few profiles."""
    estimates = [_estimate(name, score) for name, score in aspects if score and score["value"] is not None]
    if not estimates:
        return None
    lowest = min(estimate.low or 0 for estimate in estimates)
    return intervals(
        f"Krippendorff’s {METRIC_LABELS[topic.charted_metric]}", estimates, between=(min(0, _floor(lowest)), 1)
    )


def _estimate(name: str, score: Mapping[str, Any]) -> Estimate:
    """Extend the interval to include the value, because percentiles may miss a value at the edge."""
    value = score["value"]
    low, high = (value if end is None else end for end in (score["low"], score["high"]))
    return Estimate(name, value, max(min(low, value), -1), min(max(high, value), 1))


def _floor(value: float) -> float:
    """Round down to a quarter, to make space for scores worse than chance. At least -1."""
    return -next(step for step in (0, 0.25, 0.5, 0.75, 1) if -value <= step or step == 1)


def _confusion(confusion: Mapping[str, Any]) -> Heatmap:
    labels = _labels(Attribute(confusion["attribute"]), confusion["aspect"], confusion["codes"])
    return heatmap(
        Attribute(confusion["attribute"]).label, labels, labels, confusion["pairs"], axes=("one", "the other")
    )


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
    first, second = (names.get(pair[who], pair[who]) for who in ("one", "other"))
    return PairRow(first, second, pair["profiles"], tuple(_pair_cells(pair, value)), _too_few(pair))


def _pair_cells(pair: Mapping[str, Any], value: Mapping[str, Any] | None) -> Iterator[Cell]:
    for scores in (pair, value or {}):
        for metric in ("percent", "kappa"):
            yield _cell(metric, {"value": scores.get(metric), "reason": scores.get("reason", "")})


def _too_few(pair: Mapping[str, Any]) -> str:
    return str(pair["reason"]) if pair["percent"] is None else ""
