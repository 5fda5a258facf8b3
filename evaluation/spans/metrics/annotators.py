"""A detector against each annotator, against all of them together, and annotators against each other.

The ceiling scores one annotator as if they were the detector and another one were gold, by the same rule: a detector
can't be expected to agree with people more than people do.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from evaluation.spans.alignment import AlignedDocument
from evaluation.spans.labels import LabelScheme
from evaluation.spans.matching import MatchRule, match
from evaluation.spans.metrics.votes import Layer, majority_gold, union_gold
from evaluation.spans.scores import metric_values
from evaluation.spans.tables import build_tables, find_overlaps
from evaluation.spans.tally import count
from evaluation.stats.panel import Floats

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayerScores:
    """A detector against one layer of gold: an annotator, or what they have in common."""

    documents: int
    gold: int
    matched: int
    predicted: int
    used: int
    precision: float | None
    recall: float | None
    f1: float | None


@dataclass(frozen=True, slots=True)
class AnnotatorScores:
    """`union` and `majority` are None unless a document has several annotators."""

    each: dict[str, LayerScores]
    union: LayerScores | None
    majority: LayerScores | None
    ceiling: dict[tuple[str, str], LayerScores]

    def as_json(self) -> dict[str, Any]:
        return {
            "each": [{"name": name, **asdict(scores)} for name, scores in self.each.items()],
            "union": self.union and asdict(self.union),
            "majority": self.majority and asdict(self.majority),
            "ceiling": [
                {"first": first, "second": second, **asdict(scores)} for (first, second), scores in self.ceiling.items()
            ],
        }


@dataclass(frozen=True, slots=True)
class _Case:
    """Two layers of one document, and whose they are."""

    names: Names
    gold: Layer
    predicted: Layer


def score_annotators(documents: Sequence[AlignedDocument], scheme: LabelScheme, rule: MatchRule) -> AnnotatorScores:
    shared = [document for document in documents if len(document.gold) > 1]
    single = _score(list(_each(documents)), scheme, rule)
    ceiling = _score(list(_pairs(shared)), scheme, rule)
    return AnnotatorScores(
        {name: scores for (name,), scores in single.items()},
        _score_together(documents, union_gold, scheme, rule) if shared else None,
        _score_together(documents, majority_gold, scheme, rule) if shared else None,
        {(first, second): scores for (first, second), scores in ceiling.items()},
    )


def _each(documents: Sequence[AlignedDocument]) -> Iterator[_Case]:
    for document in documents:
        yield from (_Case((name,), layer, document.predicted) for name, layer in document.gold.items())


def _pairs(documents: Sequence[AlignedDocument]) -> Iterator[_Case]:
    """Each two annotators of a document: the second is scored against the first. Names are in order."""
    for document in documents:
        for first, second in combinations(sorted(document.gold), 2):
            yield _Case((first, second), document.gold[first], document.gold[second])


def _score_together(
    documents: Sequence[AlignedDocument],
    combine: Callable[[list[Layer]], Layer],
    scheme: LabelScheme,
    rule: MatchRule,
) -> LayerScores:
    cases = [_Case((), combine(list(document.gold.values())), document.predicted) for document in documents]
    return _score(cases, scheme, rule)[()]


def _score(cases: Sequence[_Case], scheme: LabelScheme, rule: MatchRule) -> dict[Names, LayerScores]:
    """Match all cases at once, and count by name."""
    rows: dict[Names, int] = {}
    units = np.array([rows.setdefault(case.names, len(rows)) for case in cases], np.int64)
    gold, predicted = build_tables([case.gold for case in cases], [case.predicted for case in cases])
    matching = match(gold, predicted, find_overlaps(gold, predicted), scheme, rule)
    tally = count(matching, gold, predicted, units)
    parts = np.stack([part.sum(axis=1) for part in tally.parts], axis=1)
    documents = np.bincount(units, minlength=len(rows)).tolist()
    return {names: _layer_scores(documents[row], parts[row].astype(np.float64)) for names, row in rows.items()}


def _layer_scores(documents: int, parts: Floats) -> LayerScores:
    values = (float(metric_values(metric, parts[None, :])[0]) for metric in ("precision", "recall", "f1"))
    precision, recall, f1 = (None if np.isnan(value) else value for value in values)
    gold, matched, predicted, used = map(int, parts)
    return LayerScores(documents, gold, matched, predicted, used, precision, recall, f1)
