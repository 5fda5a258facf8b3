"""The four schemes of SemEval-2013, task 9, with the numbers of nervaluate 1.2.1.

nervaluate counts an end as part of its span: give it `end - 1`, and its numbers are these. What it does, we do:

- A prediction overlaps a gold span if it covers at least 1 % of the gold span's characters.
- Predictions choose in the order of their file, and a gold span that is taken stays taken, even by a bad match.
- A prediction takes a correct partner if one is free (`ent_type`: the one with the nearest boundaries), otherwise the
  first free one that it overlaps, in the order of the gold file. So the order of both files matters.
- Scores by type see only the spans of that type: a span found under another label is one missed and one spurious.

Where nervaluate says 0 because there is nothing to count, we say None.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from evaluation.spans.tables import Overlaps, SpanTable
from evaluation.stats.panel import Bools, Ints

MIN_OVERLAP = 1.0  # percent of the gold span
FAR = np.iinfo(np.int64).max


class SemEvalScheme(StrEnum):
    STRICT = "strict"  # same boundaries and label
    EXACT = "exact"  # same boundaries
    PARTIAL = "partial"  # same boundaries; half the credit for an overlap
    ENT_TYPE = "ent_type"  # same label and an overlap


@dataclass(frozen=True, slots=True)
class SemEvalCounts:
    """How often each outcome occurred. Only the partial scheme has `partial`, and it has no `incorrect`."""

    correct: int
    incorrect: int
    partial: int
    missed: int
    spurious: int

    @property
    def possible(self) -> int:
        """The number of gold spans."""
        return self.correct + self.incorrect + self.partial + self.missed

    @property
    def actual(self) -> int:
        """The number of predictions."""
        return self.correct + self.incorrect + self.partial + self.spurious

    @property
    def credit(self) -> float:
        return self.correct + 0.5 * self.partial

    def as_json(self) -> dict[str, object]:
        return {
            "correct": self.correct,
            "incorrect": self.incorrect,
            "partial": self.partial,
            "missed": self.missed,
            "spurious": self.spurious,
            "possible": self.possible,
            "actual": self.actual,
            "precision": _ratio(self.credit, self.actual),
            "recall": _ratio(self.credit, self.possible),
            "f1": _ratio(2 * self.credit, self.actual + self.possible),
        }


@dataclass(frozen=True, slots=True)
class SemEvalScores:
    overall: Mapping[SemEvalScheme, SemEvalCounts]
    by_type: Mapping[str, Mapping[SemEvalScheme, SemEvalCounts]]

    def as_json(self) -> dict[str, object]:
        by_type = {label: _scheme_json(counts) for label, counts in self.by_type.items()}
        return {**_scheme_json(self.overall), "by_type": by_type}


@dataclass(frozen=True, slots=True, eq=False)
class _Candidates:
    """Pairs of spans that overlap enough to be partners."""

    gold: Ints
    predicted: Ints
    same_bounds: Bools
    same_label: Bools
    distance: Ints  # between the starts plus between the ends

    def only(self, kept: Bools) -> "_Candidates":
        bounds, label, distance = self.same_bounds[kept], self.same_label[kept], self.distance[kept]
        return _Candidates(self.gold[kept], self.predicted[kept], bounds, label, distance)


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """The group of each span, or -1 if it isn't scored: a group is counted for itself."""

    gold: Ints
    predicted: Ints
    size: int


def score_semeval(
    gold: SpanTable, predicted: SpanTable, overlaps: Overlaps, *, ignored: frozenset[str] = frozenset()
) -> SemEvalScores:
    """Score by all four schemes. Spans with ignored labels are left out on both sides, as with nervaluate's `tags`."""
    names = gold.label_names
    is_scored = np.array([name not in ignored for name in names], bool)
    candidates = _find_candidates(gold, predicted, overlaps, is_scored)
    whole = _Groups(is_scored[gold.labels] - 1, is_scored[predicted.labels] - 1, 1)
    types = _Groups(_labels(gold, is_scored), _labels(predicted, is_scored), len(names))
    overall = {scheme: _count(candidates, whole, scheme)[0] for scheme in SemEvalScheme}
    same_label = candidates.only(candidates.same_label)
    counts = {scheme: _count(same_label, types, scheme) for scheme in SemEvalScheme}
    used = np.union1d(types.gold, types.predicted)
    by_type = {names[label]: {scheme: counts[scheme][label] for scheme in SemEvalScheme} for label in used[used >= 0]}
    return SemEvalScores(overall, dict(sorted(by_type.items())))


def _labels(table: SpanTable, is_scored: Bools) -> Ints:
    return np.where(is_scored[table.labels], table.labels, -1)


def _find_candidates(gold: SpanTable, predicted: SpanTable, overlaps: Overlaps, is_scored: Bools) -> _Candidates:
    enough = overlaps.shared / gold.lengths[overlaps.gold] * 100.0 >= MIN_OVERLAP
    enough &= is_scored[gold.labels[overlaps.gold]] & is_scored[predicted.labels[overlaps.predicted]]
    left, right = overlaps.gold[enough], overlaps.predicted[enough]
    distance = np.abs(gold.starts[left] - predicted.starts[right]) + np.abs(gold.ends[left] - predicted.ends[right])
    return _Candidates(left, right, distance == 0, gold.labels[left] == predicted.labels[right], distance)


def _count(candidates: _Candidates, groups: _Groups, scheme: SemEvalScheme) -> list[SemEvalCounts]:
    """The counts of each group under one scheme."""
    is_correct = _is_correct(candidates, scheme)
    rank = np.where(is_correct, candidates.distance if scheme == SemEvalScheme.ENT_TYPE else 0, FAR)
    chosen = _choose(candidates, rank)
    pair_groups = groups.gold[candidates.gold[chosen]]
    correct = np.bincount(pair_groups[is_correct[chosen]], minlength=groups.size)
    pairs = np.bincount(pair_groups, minlength=groups.size)
    totals = [np.bincount(side[side >= 0], minlength=groups.size) for side in (groups.gold, groups.predicted)]
    columns = (correct, pairs - correct, totals[0] - pairs, totals[1] - pairs)
    return [_counts(scheme, *row) for row in np.stack(columns, axis=1).tolist()]


def _is_correct(candidates: _Candidates, scheme: SemEvalScheme) -> Bools:
    if scheme == SemEvalScheme.STRICT:
        return candidates.same_bounds & candidates.same_label
    return candidates.same_label if scheme == SemEvalScheme.ENT_TYPE else candidates.same_bounds


def _choose(candidates: _Candidates, rank: Ints) -> Ints:
    """The pairs that are made when each prediction, in order, takes its best free gold span."""
    order = np.lexsort((candidates.gold, rank, candidates.predicted))
    taken: set[int] = set()
    chosen, served = [], -1
    predictions, golds = candidates.predicted[order].tolist(), candidates.gold[order].tolist()
    for position, (prediction, gold) in enumerate(zip(predictions, golds, strict=True)):
        if prediction != served and gold not in taken:
            served = prediction
            taken.add(gold)
            chosen.append(position)
    return order[np.array(chosen, np.int64)]


def _counts(scheme: SemEvalScheme, correct: int, rest: int, missed: int, spurious: int) -> SemEvalCounts:
    partial = rest if scheme == SemEvalScheme.PARTIAL else 0
    return SemEvalCounts(correct, rest - partial, partial, missed, spurious)


def _scheme_json(counts: Mapping[SemEvalScheme, SemEvalCounts]) -> dict[str, object]:
    return {scheme.value: counts[scheme].as_json() for scheme in SemEvalScheme}


def _ratio(part: float, whole: int) -> float | None:
    return part / whole if whole else None
