"""The ECHR study's own figures: one count for both sides, from its rule at each of its stages."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from evaluation.spans.labels import IgnorePolicy, LabelMode, LabelScheme
from evaluation.spans.matching import GoldState, Matching, MatchRule, Method, PredictionState, match
from evaluation.spans.tables import Overlaps, SpanTable
from evaluation.stats.panel import Bools

PHASE1_UNMAPPED = "LOCATION"  # which the study's first script did not map to LOC


@dataclass(frozen=True, slots=True)
class StudyCounts:
    """True positives are gold spans with a match, also in the precision: several predictions may make one of them."""

    tp: int
    fp: int
    fn: int
    relaxed_matches: int = 0
    by_type: tuple[tuple[str, int, int, int], ...] = ()  # type, tp, fp, fn

    @property
    def precision(self) -> float | None:
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float | None:
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def denominator(self) -> int:
        """Of the recall. It grows with relaxed matches, because ignored types count only if they are matched."""
        return self.tp + self.fn

    def as_json(self) -> dict[str, Any]:
        by_type = {name: {"tp": tp, "fp": fp, "fn": fn} for name, tp, fp, fn in self.by_type}
        return {
            "tp": self.tp, "fp": self.fp, "fn": self.fn,
            "precision": self.precision, "recall": self.recall, "f1": self.f1,
            "relaxed_matches": self.relaxed_matches, "by_type": by_type,
        }  # fmt: skip


def count_as_study(
    gold: SpanTable,
    predicted: SpanTable,
    overlaps: Overlaps,
    scheme: LabelScheme,
    *,
    labels: LabelMode,
    threshold: float,
) -> StudyCounts:
    """The study's final rule. Tables hold all annotators' spans in the order of the file."""
    rule = MatchRule(Method.COMPAT, labels, threshold, IgnorePolicy.STUDY)
    return counts_of(match(gold, predicted, overlaps, scheme, rule), gold, predicted)


def count_phase1(gold: SpanTable, predicted: SpanTable, overlaps: Overlaps, scheme: LabelScheme) -> StudyCounts:
    """The study's first rule: same positions and labels. Map the labels of the tables with `phase1_scheme`."""
    rule = MatchRule(Method.EXACT, LabelMode.STRICT, ignore=IgnorePolicy.STUDY)
    return counts_of(match(gold, predicted, overlaps, scheme, rule), gold, predicted)


def phase1_scheme(scheme: LabelScheme) -> LabelScheme:
    """The scheme without the mapping that the first script lacked."""
    mapping = {label: target for label, target in scheme.mapping.items() if label != PHASE1_UNMAPPED}
    return replace(scheme, name=f"{scheme.name}-phase1", mapping=mapping, digest="")


def counts_of(matching: Matching, gold: SpanTable, predicted: SpanTable) -> StudyCounts:
    """Count matched and missed gold spans by their label, and spurious predictions by theirs."""
    tp = _by_label(gold, matching.is_matched)
    fp = _by_label(predicted, matching.predicted == PredictionState.SPURIOUS)
    fn = _by_label(gold, matching.gold == GoldState.MISSED)
    rows = tuple((name, tp[name], fp[name], fn[name]) for name in sorted({*tp, *fp, *fn}))
    return StudyCounts(tp.total(), fp.total(), fn.total(), int(matching.relaxed.sum()), rows)


def _by_label(table: SpanTable, is_counted: Bools) -> Counter[str]:
    return Counter(table.label_names[label] for label in table.labels[is_counted].tolist())


def _ratio(numerator: int, denominator: int) -> float | None:
    return numerator / denominator if denominator else None
