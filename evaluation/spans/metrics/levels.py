"""Scores at three levels of labels: any personal information, its branch, and the label itself."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evaluation.spans.labels import IgnorePolicy, LabelMode, LabelScheme
from evaluation.spans.matching import MatchRule, match
from evaluation.spans.scores import PointScores, point_scores
from evaluation.spans.tables import Overlaps, SpanTable

BRANCH = "branch:"  # before the names of branches, so that none is taken for an ignored label


@dataclass(frozen=True, slots=True)
class LevelScores:
    """`branch` equals `leaf` for a scheme without branches."""

    binary: PointScores
    branch: PointScores
    leaf: PointScores

    def as_json(self) -> dict[str, Any]:
        return {"binary": self.binary.as_json(), "branch": self.branch.as_json(), "leaf": self.leaf.as_json()}


def score_levels(
    gold: SpanTable, predicted: SpanTable, overlaps: Overlaps, scheme: LabelScheme, rule: MatchRule
) -> LevelScores:
    """Match by `rule` three times, with other labels each time. The rule's own label mode makes no difference."""
    strict, blind = replace(rule, labels=LabelMode.STRICT), replace(rule, labels=LabelMode.ANY)
    gold_branches, predicted_branches = (_with_branches(side, scheme, rule.ignore) for side in (gold, predicted))
    return LevelScores(
        binary=point_scores(match(gold, predicted, overlaps, scheme, blind)),
        branch=point_scores(match(gold_branches, predicted_branches, overlaps, scheme, strict)),
        leaf=point_scores(match(gold, predicted, overlaps, scheme, strict)),
    )


def _with_branches(table: SpanTable, scheme: LabelScheme, policy: IgnorePolicy) -> SpanTable:
    """The same spans, labelled with their branches. Labels that aren't scored stay, to be ignored."""
    ignored = frozenset[str]() if policy == IgnorePolicy.NONE else scheme.ignored
    names = [name if name in ignored else BRANCH + scheme.branches.get(name, name) for name in table.label_names]
    distinct = tuple(dict.fromkeys(names))
    codes = np.array([distinct.index(name) for name in names], np.int64)
    return replace(table, labels=codes[table.labels], label_names=distinct)
