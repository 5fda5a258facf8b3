"""The few numbers of a report that matter first, for lists and for the cards on top of a report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.core.formatting import percent, plural
from evaluation.reports.figures import Figure

DOMINANT = 0.5  # a type with a larger share of the gold spans decides the micro average
STUDY_SCHEMES = "echr-study"  # how the names of its label schemes begin
STUDY_RELAXED = "published: 0.84 on 1,014 documents"


@dataclass(frozen=True, slots=True)
class Headline:
    """One card. `is_share` prints percents."""

    label: str
    figure: Figure
    note: str = ""
    is_share: bool = False

    @property
    def shown(self) -> str:
        return self.figure.percent if self.is_share else self.figure.shown

    @property
    def detail(self) -> str:
        """The interval and the note; without a value, the reason."""
        interval = self.figure.percent_interval if self.is_share else self.figure.interval
        return " · ".join(filter(None, [interval or self.figure.reason, self.note]))

    def as_json(self) -> dict[str, Any]:
        figure = self.figure
        return {
            "label": self.label, "value": figure.value, "low": figure.low, "high": figure.high,
            "reason": figure.reason, "note": self.note, "is_share": self.is_share,
        }  # fmt: skip


def headlines_of(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The headline as JSON, to be stored with a run. A report of another kind brings its own as `headline`."""
    if "headline" in report:
        return list(report["headline"])
    results = report.get("results") or []
    return [headline.as_json() for headline in _span_headlines(results[0], _published(report))] if results else []


def read_headlines(stored: Sequence[Mapping[str, Any]]) -> list[Headline]:
    return [
        Headline(item["label"], Figure.of(item), item.get("note", ""), bool(item.get("is_share"))) for item in stored
    ]


def _span_headlines(result: Mapping[str, Any], published: str) -> list[Headline]:
    tab, leakage = result.get("tab") or {}, result.get("leakage") or {}
    relaxed = (result.get("compat") or {}).get("relaxed") or {}
    return [
        Headline("Macro F1, sound matching", _score(result, "macro", "f1")),
        Headline("Micro F1", _score(result, "micro", "f1"), _dominant_type(result)),
        Headline("Recall, direct identifiers", Figure.of(tab.get("entity_recall_direct")), _entities(tab)),
        Headline("PII characters left readable", Figure.of(leakage.get("rate")), is_share=True),
        Headline("As the ECHR study counts, relaxed", Figure.of(relaxed.get("f1")), published),
    ]


def _published(report: Mapping[str, Any]) -> str:
    """The study's own figure, which says something only about its own labels."""
    scheme = str((report.get("settings") or {}).get("scheme", ""))
    return STUDY_RELAXED if scheme.startswith(STUDY_SCHEMES) else ""


def _score(result: Mapping[str, Any], average: str, name: str) -> Figure:
    return Figure.of((result.get(average) or {}).get(name))


def _dominant_type(result: Mapping[str, Any]) -> str:
    """The type that most scored spans have, if more than half do."""
    types = {row["type"]: row["gold"] for row in result.get("by_type") or []}
    total, largest = sum(types.values()), max(types, key=lambda name: types[name], default="")
    share = types[largest] / total if total else 0
    return f"{percent(share)} are {largest}" if share > DOMINANT and len(types) > 1 else ""


def _entities(tab: Mapping[str, Any]) -> str:
    recall = tab.get("entity_recall_direct")
    count = recall.get("entities") if isinstance(recall, dict) else None
    return plural(count, "entity", "entities") if count else ""
