"""Percent agreement: of all pairs of judgements of one profile, how many agree."""

import numpy as np

from evaluation.stats.bootstrap import Counts, Draws
from evaluation.stats.measures import Parts
from evaluation.stats.questions import Meetings, Question, agreeing
from evaluation.stats.tallies import Said


class Percent:
    """Agreeing pairs of all pairs. A profile judged by five people weighs ten pairs, one judged by two weighs one."""

    def __init__(self, question: Question, met: Meetings, said: Said) -> None:
        agree = met.rows[agreeing(question, met)]
        rows, columns = np.concatenate([met.rows, agree]), np.repeat([0, 1], [len(met.rows), len(agree)])
        self.pairs = Counts(rows, columns, np.ones(len(rows)), said.height, 2)

    def parts(self, draws: Draws) -> Parts:
        pairs, agree = draws.add(self.pairs).T
        return Parts(agree, pairs)
