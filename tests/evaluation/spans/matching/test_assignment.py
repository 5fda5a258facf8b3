"""One-to-one assignment: optimal, within its bounds, and still of the largest size beyond them."""

from functools import partial

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.matching import one_to_one
from evaluation.spans.matching.assignment import VISITS_PER_EDGE, assign
from evaluation.spans.matching.canonical import UNITS
from evaluation.spans.matching.cardinality import largest_assignment
from evaluation.spans.matching.one_to_one import choose_pairs
from tests.evaluation.spans.cases import PLAIN, match_documents, rule, span

Weights = dict[tuple[int, int], int]
UNEQUAL = st.sampled_from([1, 2, 3, UNITS // 2, UNITS - 1, UNITS])
EDGES = st.dictionaries(st.tuples(st.integers(0, 5), st.integers(0, 5)), UNEQUAL, min_size=1)


def by_trial(weights: Weights) -> tuple[int, int, list[tuple[int, int]]]:
    """The best set of pairs, of all that there are: most pairs, largest weight, first in order."""
    best: tuple[int, int, list[tuple[int, int]]] = (0, 0, [])
    stack: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]] = [([], sorted(weights))]
    while stack:
        chosen, left = stack.pop()
        quality = (-len(chosen), -sum(weights[pair] for pair in chosen), chosen)
        best = min(best, quality)
        for index, pair in enumerate(left):
            rest = [other for other in left[index + 1 :] if other[0] != pair[0] and other[1] != pair[1]]
            stack.append(([*chosen, pair], rest))
    return best


def columns(weights: Weights) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    pairs = sorted(weights)
    return (*np.array(pairs, np.int64).T, np.array([weights[pair] for pair in pairs], np.int64))


@given(EDGES)
def test_chosen_pairs_are_the_best_of_all(weights):
    pairs = sorted(weights)
    assert [pairs[index] for index in choose_pairs(*columns(weights))] == by_trial(weights)[2]


@given(EDGES)
def test_beyond_the_bound_the_number_of_pairs_is_still_the_largest(weights):
    rows: dict[int, list[tuple[int, int, int, int]]] = {}
    for index, pair in enumerate(sorted(weights)):
        rows.setdefault(pair[0], []).append((*pair, weights[pair], index))
    chosen = list(assign(list(rows.values()), max_visits=-VISITS_PER_EDGE * len(weights)))
    pairs = [sorted(weights)[index] for index in chosen]
    assert len(pairs) == -by_trial(weights)[0]
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)


def test_long_alternating_paths_need_no_recursion():
    """Each row's best column is the next one's only column, but for the last."""
    size = 3000
    rows = [[(index, 9), (index + 1, 10)] for index in range(size - 1)] + [[(size - 1, 1)]]
    assert None not in largest_assignment(rows)
    weights = {(row, column): weight for row, edges in enumerate(rows) for column, weight in edges}
    assert len(choose_pairs(*columns(weights))) == size


def test_large_dense_components_finish():
    rng = np.random.default_rng(7)
    gold, predicted = (rows.ravel() for rows in np.indices((300, 300)))
    assert len(choose_pairs(gold, predicted, rng.integers(1, UNITS, 300 * 300))) == 300


def test_nothing_to_choose_from():
    empty = np.zeros(0, np.int64)
    assert len(choose_pairs(empty, empty, empty)) == 0


def test_a_chain_beyond_the_bound_is_matched_whole_whatever_its_order(monkeypatch):
    """Every gold span overlaps the prediction before it more than its own, which the first one needs."""
    monkeypatch.setattr(one_to_one, "assign", partial(assign, max_visits=0))
    size = 300
    gold = [span("LOC", 10 * index, 10 * index + 12) for index in range(size)]
    predicted = [span("LOC", 10 * index + 6, 10 * index + 17) for index in range(size)]
    matching = match_documents([gold], [predicted], rule(threshold=0.1), PLAIN)
    assert matching.partners.tolist() == list(range(size))
    backwards = match_documents([gold[::-1]], [predicted[::-1]], rule(threshold=0.1), PLAIN)
    assert backwards.partners.tolist() == list(range(size))
