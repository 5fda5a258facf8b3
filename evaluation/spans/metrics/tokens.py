"""Precision and recall of single tokens, by type and for personal information against everything else.

Tokens are the words that `\\w+` finds where there are texts, and characters where there are none. A token has the label
of each span that covers one of its characters. Ignored labels: their predictions are left out, and so are the tokens
that lie in no gold span but theirs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from evaluation.spans.metrics.segments import Segments, cut_characters, cut_words
from evaluation.spans.metrics.shares import Share, f_share
from evaluation.spans.metrics.texts import Texts
from evaluation.spans.tables import SpanTable
from evaluation.stats.bootstrap import Weights
from evaluation.stats.panel import Bools, Floats


class TokenUnit(StrEnum):
    WORDS = "words"
    CHARACTERS = "characters"


@dataclass(frozen=True, slots=True, eq=False)
class TokenCounts:
    """Tokens of one label, by document."""

    hits: Floats  # gold and predicted
    predicted: Floats
    gold: Floats

    @property
    def precision(self) -> Share:
        return Share(self.hits, self.predicted)

    @property
    def recall(self) -> Share:
        return Share(self.hits, self.gold)

    def f_score(self, beta: float) -> Share:
        return f_share(self.precision, self.recall, beta)

    def as_json(self, weights: Weights | None = None) -> dict[str, object]:
        shares = {"precision": self.precision, "recall": self.recall, "f1": self.f_score(1), "f2": self.f_score(2)}
        totals = {"hits": self.hits, "predicted": self.predicted, "gold": self.gold}
        return {
            **{name: int(amounts.sum()) for name, amounts in totals.items()},
            **{name: share.as_json(weights) for name, share in shares.items()},
        }


@dataclass(frozen=True, slots=True, eq=False)
class TokenScores:
    """`overall` asks only whether a token is personal information, whatever its label."""

    unit: TokenUnit
    overall: TokenCounts
    by_type: Mapping[str, TokenCounts]

    def as_json(self, weights: Weights | None = None) -> dict[str, object]:
        by_type = [{"type": label, **counts.as_json(weights)} for label, counts in self.by_type.items()]
        return {"unit": self.unit.value, **self.overall.as_json(weights), "by_type": by_type}


def score_tokens(
    gold: SpanTable, predicted: SpanTable, texts: Texts | None, *, ignored: frozenset[str] = frozenset()
) -> TokenScores:
    segments = cut_words(gold, predicted, texts) if texts else cut_characters(gold, predicted)
    is_ignored = np.array([name in ignored for name in gold.label_names], bool)
    overall_gold = segments.in_gold(~is_ignored[gold.labels])
    is_scored = overall_gold | ~segments.in_gold(is_ignored[gold.labels])
    overall_predicted = segments.in_predicted(~is_ignored[predicted.labels]) & is_scored
    by_type = {
        gold.label_names[label]: _count(
            segments,
            segments.in_gold(gold.labels == label),
            segments.in_predicted(predicted.labels == label) & is_scored,
        )
        for label in np.union1d(gold.labels, predicted.labels)
        if not is_ignored[label]
    }
    unit = TokenUnit.WORDS if texts else TokenUnit.CHARACTERS
    return TokenScores(unit, _count(segments, overall_gold, overall_predicted), dict(sorted(by_type.items())))


def _count(segments: Segments, gold: Bools, predicted: Bools) -> TokenCounts:
    return TokenCounts(segments.count(gold & predicted), segments.count(predicted), segments.count(gold))
