"""Scores of each pair of annotators: how much they share, how often they agree, and Cohen's kappa. Plain numpy."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.stats.panel import Bools, Floats, Ints, Panel, factorize
from evaluation.stats.ratings import RatingPairs
from evaluation.stats.reasons import missing_reason
from evaluation.stats.signature import MIN_PROFILES


@dataclass(frozen=True, slots=True)
class PairScores:
    """Scores of two annotators, given by id.

    Kappa uses each annotator's own shares of the codes, over what both judged, within each attribute.
    """

    first: int
    second: int
    profiles: int
    pairs: int
    percent: float | None
    kappa: float | None
    reason: str

    def as_json(self, first: str, second: str) -> dict[str, object]:
        """`first` and `second` are the names or codes to show for the two annotators."""
        return {
            "one": first, "other": second, "profiles": self.profiles, "pairs": self.pairs,
            "percent": self.percent, "kappa": self.kappa, "reason": self.reason,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class AttributePairs:
    """The pairs of ratings of one attribute, and which of them agree. Different codes may agree, too."""

    pairs: RatingPairs
    agreeing: Bools


def score_pairs(panel: Panel, attributes: Sequence[AttributePairs]) -> list[PairScores]:
    """Score all pairs of annotators over all attributes. Those who share most profiles come first."""
    people = len(panel.annotator_ids)
    keys = [attribute.pairs.first * people + attribute.pairs.second for attribute in attributes]
    sums = sum((_sums(*member, people**2) for member in zip(attributes, keys, strict=True)), np.zeros((4, people**2)))
    present = np.flatnonzero(sums[0])
    is_shared = np.zeros((len(present), panel.size), bool)
    for attribute, attribute_keys in zip(attributes, keys, strict=True):
        is_shared[np.searchsorted(present, attribute_keys), attribute.pairs.rows] = True
    profiles = dict(zip(present.tolist(), is_shared.sum(axis=1).tolist(), strict=True))
    order = sorted(profiles, key=lambda key: (-profiles[key], key))
    return [_pair_scores(panel, key, profiles[key], sums[:, key]) for key in order]


def _sums(attribute: AttributePairs, keys: Ints, size: int) -> Floats:
    """The number of pairs of ratings; of those that agree; with the same code; expected to have it by chance."""
    first, second = attribute.pairs.first_codes, attribute.pairs.second_codes
    agreeing, equal = (np.bincount(keys, amounts, size) for amounts in (attribute.agreeing, first == second))
    return np.stack([np.bincount(keys, minlength=size), agreeing, equal, _expected(keys, first, second, size)])


def _expected(keys: Ints, first: Ints, second: Ints, size: int) -> Floats:
    """For each pair of annotators, the sum over codes of the products of their counts, divided by their pairs."""
    span = 1 + max(first.max(initial=0), second.max(initial=0))
    cells, indices = factorize(np.concatenate([keys * span + first, keys * span + second]))
    half = len(keys)
    first_counts, second_counts = (np.bincount(part, minlength=len(cells)) for part in (indices[:half], indices[half:]))
    pairs = np.bincount(keys, minlength=size)
    return np.bincount(cells // span, first_counts * second_counts, size) / np.maximum(pairs, 1)


def _pair_scores(panel: Panel, key: int, profiles: int, sums: Floats) -> PairScores:
    first, second = divmod(key, len(panel.annotator_ids))
    pairs, agreeing, equal, expected = sums.tolist()
    ids = int(panel.annotator_ids[first]), int(panel.annotator_ids[second])
    varies = pairs - expected > 1e-9
    reason = missing_reason(profiles, is_defined=varies)
    if profiles < MIN_PROFILES:
        return PairScores(*ids, profiles, int(pairs), None, None, reason)
    kappa = (equal - expected) / (pairs - expected) if varies else None
    return PairScores(*ids, profiles, int(pairs), agreeing / pairs, kappa, reason)
