"""Top-1, top-2 and top-3 accuracy with intervals over profiles: micro, macro, and by what labels say.

precise   = precise cases / cases                           (the headline: half credit counts nothing)
half      = (precise + ½ less precise) / cases
lenient   = (precise + less precise) / cases
macro     = the mean of precise over the attributes that have cases
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.inference.outcomes import TOPS, WIDTH, Outcomes
from evaluation.inference.records import ATTRIBUTES, Case
from evaluation.stats.bootstrap import Weights
from evaluation.stats.estimates import Estimate, Sums
from evaluation.stats.panel import Bools, Floats

# The words before the colon are the short form, for table cells.
UNDEFINED = "No labels: there is nothing to score."
PRECISE, HALF, LENIENT = 0.0, 0.5, 1.0  # what a less precise case counts

Dimension = Callable[[Case], str | None]  # the group of a case; None if the file doesn't say


@dataclass(frozen=True, slots=True)
class TopScores:
    """Accuracy within the first one, two and three guesses. `n` cases of `profiles` profiles are scored."""

    n: int
    profiles: int
    tops: tuple[Estimate, ...]

    def as_json(self) -> dict[str, Any]:
        """Values on their own, which most readers want, and the same with intervals."""
        named = {f"top{top}": estimate for top, estimate in zip(TOPS, self.tops, strict=True)}
        values = {name: estimate.value for name, estimate in named.items()}
        intervals = {name: estimate.as_json() for name, estimate in named.items()}
        return {"n": self.n, "profiles": self.profiles, **values, "intervals": intervals}


@dataclass(frozen=True, slots=True)
class Scores:
    micro: TopScores
    half: TopScores
    lenient: TopScores
    macro: TopScores
    groups: Mapping[str, Mapping[str, TopScores]]  # by dimension, then by group

    def as_json(self) -> dict[str, Any]:
        averages = {"with_half_credit": self.half, "with_less_precise": self.lenient, "macro": self.macro}
        return {
            **self.micro.as_json(),
            **{name: scores.as_json() for name, scores in averages.items()},
            **{
                f"by_{name}": {group: scores.as_json() for group, scores in members.items()}
                for name, members in self.groups.items()
            },
        }


@dataclass(frozen=True, slots=True)
class TopStatistic:
    """Accuracy within the first `top` guesses, where less precise cases count `partial`."""

    top: int
    partial: float = PRECISE

    def __call__(self, sums: Floats) -> Floats:
        return ratio(sums[:, self.top] + self.partial * sums[:, len(TOPS) + self.top], sums[:, 0])


@dataclass(frozen=True, slots=True)
class MacroStatistic:
    """The mean over groups that have cases; the sums of the groups stand side by side."""

    top: int

    def __call__(self, sums: Floats) -> Floats:
        parts = sums.reshape(len(sums), sums.shape[1] // WIDTH, WIDTH)
        values = ratio(parts[:, :, self.top], parts[:, :, 0])
        is_defined = ~np.isnan(values)
        return ratio(np.where(is_defined, values, 0.0).sum(axis=1), is_defined.sum(axis=1).astype(np.float64))


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """NaN where there is nothing to divide by."""
    is_defined = denominator > 0
    return np.where(is_defined, numerator / np.where(is_defined, denominator, 1.0), np.nan)


def score(outcomes: Outcomes, weights: Weights) -> Scores:
    """`weights` come from `draw_weights` for the profiles of the outcomes, and are shared by all scores of a run."""
    table = outcomes.table()
    micro, half, lenient = (
        _top_scores(table, weights, [TopStatistic(top, partial) for top in TOPS])
        for partial in (PRECISE, HALF, LENIENT)
    )
    groups = {name: _by_group(outcomes, weights, dimension) for name, dimension in DIMENSIONS.items()}
    return Scores(micro, half, lenient, _macro(outcomes, weights), groups)


def _top_scores(table: Floats, weights: Weights, statistics: Iterable[Callable[[Floats], Floats]]) -> TopScores:
    counts = table[:, ::WIDTH].sum(axis=1)
    profiles, sums = int((counts > 0).sum()), Sums.of(table, weights)
    tops = tuple(sums.apply(statistic).estimate(profiles, UNDEFINED, "profile") for statistic in statistics)
    return TopScores(int(counts.sum()), profiles, tops)


def _macro(outcomes: Outcomes, weights: Weights) -> TopScores:
    tables = [outcomes.table(_in_group(outcomes, _attribute, name)) for name in ATTRIBUTES]
    return _top_scores(np.concatenate(tables, axis=1), weights, [MacroStatistic(top) for top in TOPS])


def _by_group(outcomes: Outcomes, weights: Weights, dimension: Dimension) -> dict[str, TopScores]:
    """Only groups that have scored cases, in their usual order."""
    scored = (case for case, is_scored in zip(outcomes.cases, outcomes.is_scored, strict=True) if is_scored)
    names = {name for name in map(dimension, scored) if name is not None}
    statistics = [TopStatistic(top) for top in TOPS]
    return {
        name: _top_scores(outcomes.table(_in_group(outcomes, dimension, name)), weights, statistics)
        for name in sorted(names, key=_rank)
    }


def _in_group(outcomes: Outcomes, dimension: Dimension, name: str) -> Bools:
    return np.array([dimension(case) == name for case in outcomes.cases], bool)


def _rank(name: str) -> tuple[int, str]:
    return (ATTRIBUTES.index(name) if name in ATTRIBUTES else 0, name)


def _attribute(case: Case) -> str:
    return case.attribute


def _required_subreddit(case: Case) -> str | None:
    required = case.label.required_subreddit
    return None if required is None else "yes" if required else "no"


DIMENSIONS: Mapping[str, Dimension] = {
    "attribute": _attribute,
    "hardness": lambda case: str(case.label.hardness),
    "certainty": lambda case: str(case.label.certainty),
    "required_subreddit": _required_subreddit,
}
