"""The measures of one question, which share what they are made of."""

from collections.abc import Iterable, Mapping

import numpy as np

from evaluation.stats.alpha import IntervalAlpha, NominalAlpha, OrdinalAlpha
from evaluation.stats.kappa import PlainKappa, QuadraticKappa
from evaluation.stats.measures import Measure, Statistic
from evaluation.stats.panel import Panel
from evaluation.stats.percent import Percent
from evaluation.stats.questions import Question, meetings
from evaluation.stats.tallies import Said

Kind = type[Percent | PlainKappa | QuadraticKappa | NominalAlpha | OrdinalAlpha | IntervalAlpha]

KINDS: Mapping[Measure, Kind] = {
    Measure.PERCENT: Percent,
    Measure.KAPPA: PlainKappa,
    Measure.KAPPA_QUADRATIC: QuadraticKappa,
    Measure.ALPHA_NOMINAL: NominalAlpha,
    Measure.ALPHA_ORDINAL: OrdinalAlpha,
    Measure.ALPHA_INTERVAL: IntervalAlpha,
}


class Asked:
    """One question, ready to be measured."""

    def __init__(self, question: Question, panel: Panel) -> None:
        self.question = question
        self.met = meetings(panel, question)
        self.said = Said(question, panel)

    def statistic(self, measure: Measure) -> Statistic:
        return KINDS[measure](self.question, self.met, self.said)

    @property
    def profiles(self) -> int:
        return int(np.count_nonzero(np.bincount(self.met.rows)))

    @property
    def pairs(self) -> int:
        return len(self.met.rows)


def asked_once(panel: Panel, questions: Iterable[Question]) -> dict[int, Asked]:
    """By the question's identity: several measures may ask the same."""
    return {id(question): Asked(question, panel) for question in {id(each): each for each in questions}.values()}
