"""Agreement on everything that was asked: figures by attribute and for all together, confusions, and pairs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from evaluation.agreement.pairs import Compared, Pair, pair_figures
from evaluation.stats.bootstrap import AT_ONCE, AsFound, Resamples, Stack, Weights
from evaluation.stats.confusion import confusion, far_apart
from evaluation.stats.intervals import Figure, figure
from evaluation.stats.measures import Measure, Parts
from evaluation.stats.panel import Bools, Ints, Panel
from evaluation.stats.questions import Question, agreeing
from evaluation.stats.signature import Signature
from evaluation.stats.statistics import Asked, asked_once

OVERALL = "overall"
Key = tuple[str, str, Measure]  # attribute, aspect, measure


@dataclass(frozen=True, slots=True)
class Line:
    """What is asked about one aspect of one attribute: each measure has its question.

    `pooled` is the aspect of all attributes together that it belongs to, or nothing. `is_shown` draws its confusions.
    """

    attribute: str
    aspect: str
    measured: Mapping[Measure, Question]
    pooled: str = ""
    is_shown: bool = False


@dataclass(slots=True)
class Found:
    figures: dict[Key, Figure] = field(default_factory=dict)
    confusions: dict[tuple[str, str], Ints] = field(default_factory=dict)
    far_apart: dict[tuple[str, str], int] = field(default_factory=dict)
    pairs: dict[str, list[Pair]] = field(default_factory=dict)


@dataclass(slots=True)
class _Pool:
    """What the attributes add up to. Chance is worked out within each: knowing the attribute earns nothing."""

    height: int
    parts: dict[tuple[str, Measure], Parts] = field(default_factory=dict)
    pairs: dict[tuple[str, Measure], int] = field(default_factory=lambda: defaultdict(int))
    rows: dict[tuple[str, Measure], Bools] = field(default_factory=dict)
    compared: dict[str, list[Compared]] = field(default_factory=lambda: defaultdict(list))

    def add(self, line: Line, measure: Measure, parts: Parts, asked: Asked) -> None:
        key = line.pooled, measure
        self.parts[key] = self.parts[key] + parts if key in self.parts else parts
        self.pairs[key] += asked.pairs
        rows = self.rows.setdefault(key, np.zeros(self.height, bool))
        rows[asked.met.rows] = True


def measure_all(panel: Panel, lines: Iterable[Line], weights: Weights, signature: Signature) -> Found:
    """Every line by itself, then all attributes together. `weights` are the resamples, see `draw`."""
    measuring = _Measuring(panel, weights, signature, Found(), _Pool(panel.size))
    for _, of_one in groupby(lines, key=lambda line: line.attribute):
        measuring.attribute([*of_one])
    measuring.overall()
    return measuring.found


@dataclass(slots=True)
class _Measuring:
    panel: Panel
    weights: Weights
    signature: Signature
    found: Found
    pool: _Pool

    def attribute(self, lines: Sequence[Line]) -> None:
        """One attribute's tables are gone before the next one's are made."""
        asked = asked_once(self.panel, (question for line in lines for question in line.measured.values()))
        wanted = [(line, measure, asked[id(question)]) for line in lines for measure, question in line.measured.items()]
        for (line, measure, one), parts in zip(wanted, _resampled(wanted, self.weights), strict=True):
            self._keep((line.attribute, line.aspect, measure), parts, one.profiles, one.pairs)
            if line.pooled:
                self.pool.add(line, measure, parts, one)
        for line in lines:
            _look_closer(line, asked, self.found, self.pool)

    def overall(self) -> None:
        for (aspect, measure), parts in self.pool.parts.items():
            profiles, pairs = int(self.pool.rows[aspect, measure].sum()), self.pool.pairs[aspect, measure]
            self._keep((OVERALL, aspect, measure), parts, profiles, pairs)
        compared = self.pool.compared.items()
        self.found.pairs = {aspect: pair_figures(self.panel, attributes) for aspect, attributes in compared}

    def _keep(self, key: Key, parts: Parts, profiles: int, pairs: int) -> None:
        attribute, aspect, measure = key
        signed = self.signature.of(measure, aspect, attribute)
        self.found.figures[key] = figure(parts, profiles=profiles, pairs=pairs, signature=signed)


def _resampled(wanted: Sequence[tuple[Line, Measure, Asked]], weights: Weights) -> list[Parts]:
    """For each measure what was found, then what each resample gives."""
    statistics = [asked.statistic(measure) for _, measure, asked in wanted]
    found = AsFound()
    got = [[statistic.parts(found)] for statistic in statistics]
    stack = Stack(found.asked.values(), weights.shape[1])
    for start in range(0, len(weights), AT_ONCE):
        resamples = Resamples(weights[start : start + AT_ONCE], stack)
        for parts, statistic in zip(got, statistics, strict=True):
            parts.append(statistic.parts(resamples))
    return [_joined(parts) for parts in got]


def _joined(parts: Sequence[Parts]) -> Parts:
    return Parts(np.concatenate([each.got for each in parts]), np.concatenate([each.possible for each in parts]))


def _look_closer(line: Line, asked: Mapping[int, Asked], found: Found, pool: _Pool) -> None:
    """Confusions where they are shown, and what the table of pairs is made of."""
    coded, exact = (asked[id(line.measured[key])] for key in (Measure.KAPPA, Measure.PERCENT))
    if line.is_shown:
        found.confusions[line.attribute, line.aspect] = confusion(coded.question, coded.met)
        found.far_apart[line.attribute, line.aspect] = far_apart(coded.met)
    if line.pooled:
        pool.compared[line.pooled].append(Compared(coded.met, agreeing(exact.question, exact.met)))
