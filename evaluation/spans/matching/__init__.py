"""Decide which gold spans were found and which predictions were right. Start with `match`."""

from evaluation.spans.labels import LabelScheme
from evaluation.spans.matching.canonical import CanonicalPairs
from evaluation.spans.matching.compat import match_compat
from evaluation.spans.matching.optimal import match_optimally
from evaluation.spans.matching.pairs import Pairs
from evaluation.spans.matching.rules import GoldState, Matching, MatchRule, Method, PredictionState
from evaluation.spans.tables import Overlaps, SpanTable

__all__ = ["GoldState", "MatchRule", "Matching", "Method", "PredictionState", "match"]


def match(gold: SpanTable, predicted: SpanTable, overlaps: Overlaps, scheme: LabelScheme, rule: MatchRule) -> Matching:
    """Match two tables whose labels are mapped. `overlaps` come from `find_overlaps`."""
    if rule.method == Method.COMPAT:
        return match_compat(Pairs.of(gold, predicted, overlaps), scheme, rule)
    return match_optimally(CanonicalPairs.of(gold, predicted, overlaps), scheme, rule)
