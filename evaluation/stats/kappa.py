"""Cohen's kappa, for two annotators and for more.

For exactly two people this is Cohen (1960), and with quadratic weights Cohen (1968): what agrees by chance comes from
each person's own shares of the codes, over the profiles that both judged.

For more it is Conger (1980), who averages over all pairs of people what they agree on and what they would by chance,
carried over to profiles that not everybody judged. Observed is the share of agreeing pairs among all pairs of
judgements of one profile. Expected is the chance that two judgements by different people, drawn from all that can be
compared, have the same code:

    kappa = (observed - expected) / (1 - expected)
    expected = sum over people a ≠ b of said(a) · said(b)  /  sum over people a ≠ b of n(a) n(b)

where said(a) is how often a said each code and n(a) how much a said. When everybody judged everything this is
Conger's kappa, and with two people Cohen's. With quadratic weights two codes c and k of K agree by
1 - (c - k)² / (K - 1)².
"""

import numpy as np

from evaluation.stats.bootstrap import Counts, Draws
from evaluation.stats.measures import Parts
from evaluation.stats.panel import Floats
from evaluation.stats.questions import Meetings, Question
from evaluation.stats.tallies import Said


class PlainKappa:
    def __init__(self, question: Question, met: Meetings, said: Said) -> None:
        equal = met.rows[met.codes == met.other_codes]
        rows = np.concatenate([met.rows, equal])
        columns = np.repeat([0, 1], [len(met.rows), len(equal)])
        self.pairs, self.said = Counts(rows, columns, np.ones(len(rows)), said.height, 2), said

    def parts(self, draws: Draws) -> Parts:
        pairs, agreed = draws.add(self.pairs).T
        squares = self.said.squares(draws)
        among_others = squares.total**2 - squares.by_person
        expected = pairs * _over(squares.by_code - squares.by_both, among_others)
        return Parts(agreed - expected, pairs - expected)


class QuadraticKappa:
    def __init__(self, question: Question, met: Meetings, said: Said) -> None:
        steps = np.arange(question.size) / max(question.size - 1, 1)
        apart = (steps[met.codes] - steps[met.other_codes]) ** 2
        amounts, columns = np.concatenate([np.ones_like(apart), apart]), np.repeat([0, 1], len(apart))
        self.pairs, self.said = Counts(np.tile(met.rows, 2), columns, amounts, said.height, 2), said
        self.first, self.second = (_by_person(said, steps**power) for power in (1, 2))

    def parts(self, draws: Draws) -> Parts:
        """Of squared differences: what was expected less what was found, of what was expected."""
        pairs, apart = draws.add(self.pairs).T
        count, first, second = (draws.add(each) for each in (self.said.by_person, self.first, self.second))
        differing = 2 * (_others(count, second) - _others(first, first))
        expected = pairs * _over(differing, _others(count, count))
        return Parts(expected - apart, expected)


def _by_person(said: Said, steps: Floats) -> Counts:
    return Counts(said.rows, said.people, steps[said.codes], said.height, said.crowd)


def _others(one: Floats, other: Floats) -> Floats:
    """The sum over people a ≠ b of one(a) times other(b)."""
    products: Floats = one.sum(axis=1) * other.sum(axis=1) - (one * other).sum(axis=1)
    return products


def _over(part: Floats, whole: Floats) -> Floats:
    return part / np.maximum(whole, 1)
