"""Matching that doesn't depend on the order of spans: exact positions, IoU, and R1."""

import numpy as np

from evaluation.spans.labels import IgnorePolicy, LabelScheme
from evaluation.spans.matching.canonical import CanonicalPairs
from evaluation.spans.matching.compound import find_compounds
from evaluation.spans.matching.one_to_one import choose_pairs
from evaluation.spans.matching.outcome import Outcome
from evaluation.spans.matching.pairs import Pairs, has_label_in
from evaluation.spans.matching.rules import Matching, MatchRule, Method
from evaluation.stats.panel import Bools


def match_optimally(canonical: CanonicalPairs, scheme: LabelScheme, rule: MatchRule) -> Matching:
    """Match one to one, under R1 then in compounds. Spans without a match are missed, spurious or ignored."""
    pairs = canonical.pairs
    may_match = _may_match(canonical, scheme, rule)
    candidates = pairs.where(may_match)
    outcome = Outcome.start(len(pairs.gold_table), len(pairs.predicted_table))
    threshold = 1.0 if rule.method == Method.EXACT else rule.threshold
    is_close = canonical.iou[may_match] >= threshold
    close = candidates.where(is_close)
    chosen = choose_pairs(close.gold, close.predicted, canonical.iou_units[may_match][is_close])
    outcome.keep(close.where(_mask(chosen, len(close))))
    if rule.method == Method.R1:
        left = candidates.where(outcome.is_open(candidates))
        outcome.keep_compounds(left.where(find_compounds(left, threshold)))
    outcome.ignore(*_ignored(canonical, scheme, rule))
    return canonical.in_order_of_input(outcome).as_matching(candidates.merged_count(threshold))


def _may_match(canonical: CanonicalPairs, scheme: LabelScheme, rule: MatchRule) -> Bools:
    """Pairs with compatible labels. R1 collapses duplicate predictions; the symmetric policy skips ignored gold."""
    pairs = canonical.pairs
    allowed = pairs.compatible(scheme, rule.labels)
    if rule.method == Method.R1:
        allowed &= ~canonical.is_duplicate[pairs.predicted]
    if rule.ignore == IgnorePolicy.SYMMETRIC:
        allowed &= ~has_label_in(pairs.gold_table, scheme.ignored)[pairs.gold]
    return allowed


def _ignored(canonical: CanonicalPairs, scheme: LabelScheme, rule: MatchRule) -> tuple[Bools, Bools]:
    """Gold spans and predictions that don't count unless they match."""
    pairs = canonical.pairs
    labels = frozenset() if rule.ignore == IgnorePolicy.NONE else scheme.ignored
    is_gold_ignored = has_label_in(pairs.gold_table, labels)
    is_predicted_ignored = has_label_in(pairs.predicted_table, labels)
    if rule.ignore == IgnorePolicy.SYMMETRIC:
        is_predicted_ignored |= _is_in_zone(pairs, is_gold_ignored)
    if rule.method == Method.R1:
        is_predicted_ignored |= canonical.is_duplicate
    return is_gold_ignored | (pairs.gold_table.lengths <= 0), is_predicted_ignored


def _is_in_zone(pairs: Pairs, is_gold_ignored: Bools) -> Bools:
    """Predictions that lie at least half inside an ignored gold span, whatever their label."""
    is_inside = is_gold_ignored[pairs.gold] & (2 * pairs.shared >= pairs.predicted_lengths)
    return _mask(pairs.predicted[is_inside], len(pairs.predicted_table))


def _mask(indices: np.ndarray, size: int) -> Bools:
    mask = np.zeros(size, bool)
    mask[indices] = True
    return mask
