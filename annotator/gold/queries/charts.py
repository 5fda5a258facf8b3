"""The gold set as heat maps. Each number links to the list of its records. No query."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from annotator.charts.heatmap import Heatmap, heatmap
from annotator.gold.queries.gold import Gold
from profiles.attributes import Attribute

STEPS = range(1, 6)


@dataclass(frozen=True, slots=True)
class HeatMaps:
    hardness: Heatmap
    certainty: Heatmap
    both: Heatmap


def heat_maps(gold: Gold, address: str, attribute: Attribute | None = None) -> HeatMaps:
    """Draw the three maps. `address` is the list of records; the third map shows one attribute, or all."""
    return HeatMaps(
        _by_attribute(gold, "hardness", address), _by_attribute(gold, "certainty", address),
        _both(gold, address, attribute),
    )  # fmt: skip


def _by_attribute(gold: Gold, scale: str, address: str) -> Heatmap:
    counted: Counter[tuple[str, int]] = Counter()
    for count in gold.counts:
        counted[count.attribute, getattr(count, scale)] += count.records
    values = [[counted[attribute, step] for step in STEPS] for attribute in Attribute.values]
    links = [[_link(address, attribute=attribute, **{scale: step}) for step in STEPS] for attribute in Attribute.values]
    return heatmap(
        f"Values by attribute and {scale}", Attribute.labels, _steps(), values, axes=("Attribute", scale), links=links
    )


def _both(gold: Gold, address: str, attribute: Attribute | None) -> Heatmap:
    counted: Counter[tuple[int, int]] = Counter()
    for count in gold.counts:
        if attribute in (None, count.attribute):
            counted[count.hardness, count.certainty] += count.records
    named = {"attribute": attribute.value} if attribute else {}
    values = [[counted[hard, sure] for sure in STEPS] for hard in STEPS]
    links = [[_link(address, hardness=hard, certainty=sure, **named) for sure in STEPS] for hard in STEPS]
    of = attribute.label if attribute else "All attributes"
    return heatmap(
        f"{of} by hardness and certainty", _steps(), _steps(), values, axes=("Hardness", "certainty"), links=links
    )


def _steps() -> Sequence[str]:
    return [str(step) for step in STEPS]


def _link(address: str, **filters: object) -> str:
    return f"{address}?{urlencode(filters)}"
