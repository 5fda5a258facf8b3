"""Small panels for tests: a row of answers for each annotator, None for no answer."""

from collections.abc import Sequence

import numpy as np

from evaluation.stats.bootstrap import ObservedSample
from evaluation.stats.metric import MetricName
from evaluation.stats.panel import Ints, Panel, build_panel
from evaluation.stats.ratings import Ratings
from evaluation.stats.registry import PreparedRatings

Table = Sequence[Sequence[int | None]]


def rows_of(table: Table) -> tuple[Ints, Ints, Ints]:
    """The profile, annotator and code of each answer."""
    ratings = [(p, a, code) for a, row in enumerate(table) for p, code in enumerate(row) if code is not None]
    profiles, people, codes = np.array(ratings, np.int64).reshape(-1, 3).T
    return profiles, people, codes


def panel_of(table: Table, size: int, **fields) -> tuple[Panel, Ratings]:
    profiles, people, codes = rows_of(table)
    panel = build_panel(profiles, people)
    return panel, Ratings(panel.lay_out(panel.positions(profiles, people), codes), size, **fields)


def score(measure: MetricName, table: Table, size: int, **fields) -> float:
    panel, question = panel_of(table, size, **fields)
    return float(PreparedRatings(question, panel).metric(measure).ratio(ObservedSample()).values[0])


def from_counts(counts: Sequence[Sequence[int]]) -> Table:
    """Two annotators whose answers give this contingency table."""
    pairs = [(c, k) for c, row in enumerate(counts) for k, many in enumerate(row) for _ in range(many)]
    return [[c for c, _ in pairs], [k for _, k in pairs]]
