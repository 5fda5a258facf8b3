"""The ECHR study's rule, with its peculiarities, so that its numbers can be reproduced.

Gold spans take their turn in the order of the file. Each takes all predictions that share a character with it, have a
compatible label and were not taken before, if the sum of the shared characters is at least the threshold's share of
the gold span. Characters that two predictions share count twice, and a prediction may be as long as it likes. A gold
span of an ignored type counts if it is matched, but isn't missed; a prediction of an ignored type isn't spurious.
"""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

import numpy as np

from evaluation.spans.labels import LabelScheme
from evaluation.spans.matching.outcome import Outcome
from evaluation.spans.matching.pairs import Pairs, degrees, has_label_in, largest_by_row
from evaluation.spans.matching.rules import Matching, MatchRule
from evaluation.stats.panel import Bools


def match_compat(pairs: Pairs, scheme: LabelScheme, rule: MatchRule) -> Matching:
    """Match in the order of the file. `pairs` are all that overlap."""
    candidates = pairs.where(pairs.compatible(scheme, rule.labels))
    gold, predicted = pairs.gold_table, pairs.predicted_table
    outcome = Outcome.start(len(gold), len(predicted))
    outcome.keep(candidates.where(_taken(candidates, rule.threshold)))
    is_skipped = has_label_in(gold, scheme.ignored) | (gold.lengths <= 0)
    outcome.ignore(is_skipped, has_label_in(predicted, scheme.ignored))
    return outcome.as_matching(candidates.merged_count(rule.threshold))


def _taken(pairs: Pairs, threshold: float) -> Bools:
    """Which pairs are part of a match. Only gold spans that compete for a prediction need to take turns."""
    competes = largest_by_row(pairs.gold, degrees(pairs.predicted)) > 1
    is_taken = ~competes & _is_covered(pairs, threshold)
    is_taken[list(_take_turns(pairs, np.flatnonzero(competes).tolist(), threshold))] = True
    return is_taken


def _is_covered(pairs: Pairs, threshold: float) -> Bools:
    if not len(pairs):
        return np.zeros(0, bool)
    totals = np.bincount(pairs.gold, pairs.shared)[pairs.gold]
    return totals / pairs.gold_lengths >= threshold


def _take_turns(pairs: Pairs, competing: list[int], threshold: float) -> Iterator[int]:
    """Yield the indices of the pairs that are part of a match, gold span by gold span."""
    columns = (pairs.gold, pairs.predicted, pairs.shared, pairs.gold_lengths)
    rows = zip(competing, *(column[competing].tolist() for column in columns), strict=True)
    used: set[int] = set()
    for _, of_gold in groupby(rows, key=itemgetter(1)):
        free = [row for row in of_gold if row[2] not in used]
        if free and sum(row[3] for row in free) / free[0][4] >= threshold:
            used.update(row[2] for row in free)
            yield from (row[0] for row in free)
