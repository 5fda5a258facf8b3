"""Krippendorff's alpha, with any number of annotators and with judgements missing.

    alpha = 1 - observed / expected disagreement

Each profile with m ≥ 2 judgements gives the coincidences of Krippendorff (2011): every ordered pair of its judgements
weighs 1 / (m - 1), so that each judgement weighs one. What is expected comes from all these judgements, whoever gave
them. The squared distance of two codes is 0 or 1 (nominal), the squared difference of the mid-ranks that the codes
have in all judgements (ordinal), or that of the numbers behind them (interval).

Ranks are written as shares of all judgements, so that disagreements of several attributes can be added up.
"""

import numpy as np

from evaluation.stats.bootstrap import Counts, Draws
from evaluation.stats.measures import Parts
from evaluation.stats.panel import Floats
from evaluation.stats.questions import Meetings, Question
from evaluation.stats.tallies import Said


class NominalAlpha:
    def __init__(self, question: Question, met: Meetings, said: Said) -> None:
        differ = met.codes != met.other_codes
        rows = met.rows[differ]
        self.differing = Counts(rows, np.zeros_like(rows), 2 * met.share[differ], said.height, 1)
        self.said = said

    def parts(self, draws: Draws) -> Parts:
        squares = self.said.squares(draws)
        expected = (squares.total**2 - squares.by_code) / np.maximum(squares.total - 1, 1)
        return _parts(draws.add(self.differing)[:, 0], expected)


class OrdinalAlpha:
    """Ranks change with every resample, so coincidences are kept by the two codes."""

    def __init__(self, question: Question, met: Meetings, said: Said) -> None:
        low, high = np.minimum(met.codes, met.other_codes), np.maximum(met.codes, met.other_codes)
        self.lower, self.upper = np.triu_indices(question.size, 1)
        columns = np.zeros((question.size, question.size), np.int64)
        columns[self.lower, self.upper] = np.arange(len(self.lower))
        differ = low < high
        rows, both = met.rows[differ], columns[low, high][differ]
        self.coincidences = Counts(rows, both, 2 * met.share[differ], said.height, len(self.lower))
        self.said = said

    def parts(self, draws: Draws) -> Parts:
        said = draws.add(self.said.by_code)
        total = np.maximum(said.sum(axis=1), 1)
        ranks = (np.cumsum(said, axis=1) - said / 2) / total[:, None]
        apart = (ranks[:, self.lower] - ranks[:, self.upper]) ** 2
        observed = (draws.add(self.coincidences) * apart).sum(axis=1)
        return _parts(observed, _expected(total, (said * ranks).sum(axis=1), (said * ranks**2).sum(axis=1)))


class IntervalAlpha:
    def __init__(self, question: Question, met: Meetings, said: Said) -> None:
        if question.values is None:
            raise ValueError("An interval measure needs the numbers behind the codes.")
        centre = question.values[said.codes].sum() / max(len(said.codes), 1)
        values = question.values - centre  # small squares: sums stay exact enough
        each = values[said.codes]
        sums, columns = np.stack([np.ones_like(each), each, each**2]), np.repeat([0, 1, 2], len(each))
        self.sums = Counts(np.tile(said.rows, 3), columns, sums.ravel(), said.height, 3)
        apart = 2 * met.share * (values[met.codes] - values[met.other_codes]) ** 2
        self.apart = Counts(met.rows, np.zeros_like(met.rows), apart, said.height, 1)

    def parts(self, draws: Draws) -> Parts:
        return _parts(draws.add(self.apart)[:, 0], _expected(*draws.add(self.sums).T))


def _parts(observed: Floats, expected: Floats) -> Parts:
    return Parts(expected - observed, expected)


def _expected(count: Floats, total: Floats, squares: Floats) -> Floats:
    """The sum of squared differences over all pairs of judgements, over the number of others that each could meet."""
    return 2 * (count * squares - total**2) / np.maximum(count - 1, 1)
