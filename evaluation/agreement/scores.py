"""All agreement scores: by attribute and overall, with confusion matrices and pairs of annotators. Plain numpy."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from evaluation.agreement.pairs import AttributePairs, PairScores, score_pairs
from evaluation.stats.bootstrap import CHUNK_SIZE, CountStack, ObservedSample, Resamples, Weights
from evaluation.stats.confusion import confusion_matrix, distant_pairs
from evaluation.stats.intervals import Score, score_with_interval
from evaluation.stats.metric import MetricName, Ratio
from evaluation.stats.panel import Bools, Ints, Panel
from evaluation.stats.ratings import Ratings, agreeing_pairs
from evaluation.stats.registry import PreparedRatings, prepare
from evaluation.stats.signature import Signature

OVERALL = "overall"
Key = tuple[str, str, MetricName]  # attribute, aspect, metric


@dataclass(frozen=True, slots=True)
class Aspect:
    """One aspect of one attribute, with the ratings that each metric is computed from.

    `pooled` names the overall aspect that it counts towards, if any. `has_confusion` keeps its confusion matrix.
    """

    attribute: str
    name: str
    ratings: Mapping[MetricName, Ratings]
    pooled: str = ""
    has_confusion: bool = False


@dataclass(slots=True)
class AgreementScores:
    scores: dict[Key, Score] = field(default_factory=dict)
    confusions: dict[tuple[str, str], Ints] = field(default_factory=dict)
    distant: dict[tuple[str, str], int] = field(default_factory=dict)
    pairs: dict[str, list[PairScores]] = field(default_factory=dict)


@dataclass(slots=True)
class _Pool:
    """Sums over attributes. Chance agreement is computed within each, so knowing the attribute earns no credit."""

    height: int
    ratios: dict[tuple[str, MetricName], Ratio] = field(default_factory=dict)
    pairs: dict[tuple[str, MetricName], int] = field(default_factory=lambda: defaultdict(int))
    rows: dict[tuple[str, MetricName], Bools] = field(default_factory=dict)
    attribute_pairs: dict[str, list[AttributePairs]] = field(default_factory=lambda: defaultdict(list))

    def add(self, aspect: Aspect, metric: MetricName, ratio: Ratio, prepared: PreparedRatings) -> None:
        key = aspect.pooled, metric
        self.ratios[key] = self.ratios[key] + ratio if key in self.ratios else ratio
        self.pairs[key] += prepared.pair_count
        rows = self.rows.setdefault(key, np.zeros(self.height, bool))
        rows[prepared.pairs.rows] = True


def score_all(panel: Panel, aspects: Iterable[Aspect], weights: Weights, signature: Signature) -> AgreementScores:
    """Score every aspect by itself, then all attributes together. `weights` come from `draw_weights`."""
    scorer = _Scorer(panel, weights, signature, AgreementScores(), _Pool(panel.size))
    for _, of_attribute in groupby(aspects, key=lambda aspect: aspect.attribute):
        scorer.score_attribute([*of_attribute])
    scorer.score_overall()
    return scorer.results


@dataclass(slots=True)
class _Scorer:
    panel: Panel
    weights: Weights
    signature: Signature
    results: AgreementScores
    pool: _Pool

    def score_attribute(self, aspects: Sequence[Aspect]) -> None:
        """Score one attribute. Its tables are freed before those of the next one are built."""
        prepared = prepare(self.panel, (ratings for aspect in aspects for ratings in aspect.ratings.values()))
        metrics = [
            (aspect, name, prepared[id(ratings)]) for aspect in aspects for name, ratings in aspect.ratings.items()
        ]
        for (aspect, name, of_metric), ratio in zip(metrics, _resampled_ratios(metrics, self.weights), strict=True):
            key = (aspect.attribute, aspect.name, name)
            self._keep(key, ratio, of_metric.profile_count, of_metric.pair_count)
            if aspect.pooled:
                self.pool.add(aspect, name, ratio, of_metric)
        for aspect in aspects:
            self._keep_details(aspect, prepared)

    def score_overall(self) -> None:
        for (aspect, metric), ratio in self.pool.ratios.items():
            profiles, pairs = int(self.pool.rows[aspect, metric].sum()), self.pool.pairs[aspect, metric]
            self._keep((OVERALL, aspect, metric), ratio, profiles, pairs)
        pooled = self.pool.attribute_pairs.items()
        self.results.pairs = {aspect: score_pairs(self.panel, attributes) for aspect, attributes in pooled}

    def _keep(self, key: Key, ratio: Ratio, profiles: int, pairs: int) -> None:
        attribute, aspect, metric = key
        signature = str(self.signature.prefixed(metric=metric, aspect=aspect, attribute=attribute))
        self.results.scores[key] = score_with_interval(ratio, profiles=profiles, pairs=pairs, signature=signature)

    def _keep_details(self, aspect: Aspect, prepared: Mapping[int, PreparedRatings]) -> None:
        """Keep the confusion matrix if it is wanted, and the data for the scores of pairs of annotators."""
        coded, exact = (prepared[id(aspect.ratings[name])] for name in (MetricName.KAPPA, MetricName.PERCENT))
        key = aspect.attribute, aspect.name
        if aspect.has_confusion:
            self.results.confusions[key] = confusion_matrix(coded.ratings, coded.pairs)
            self.results.distant[key] = distant_pairs(coded.pairs)
        if aspect.pooled:
            agreeing = agreeing_pairs(exact.ratings, exact.pairs)
            self.pool.attribute_pairs[aspect.pooled].append(AttributePairs(coded.pairs, agreeing))


def _resampled_ratios(metrics: Sequence[tuple[Aspect, MetricName, PreparedRatings]], weights: Weights) -> list[Ratio]:
    """For each metric, the observed ratio followed by the ratio of each resample."""
    computed = [prepared.metric(name) for _, name, prepared in metrics]
    observed = ObservedSample()
    ratios = [[metric.ratio(observed)] for metric in computed]
    stack = CountStack(observed.summed.values(), weights.shape[1])
    for start in range(0, len(weights), CHUNK_SIZE):
        resamples = Resamples(weights[start : start + CHUNK_SIZE], stack)
        for of_metric, metric in zip(ratios, computed, strict=True):
            of_metric.append(metric.ratio(resamples))
    return [_concatenated(of_metric) for of_metric in ratios]


def _concatenated(ratios: Sequence[Ratio]) -> Ratio:
    numerators = np.concatenate([ratio.numerator for ratio in ratios])
    return Ratio(numerators, np.concatenate([ratio.denominator for ratio in ratios]))
