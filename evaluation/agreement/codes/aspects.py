"""The aspects of each attribute: presence, value, hardness and certainty."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial

import numpy as np

from evaluation.agreement.codes import ages
from evaluation.agreement.codes.answers import Answers
from evaluation.agreement.codes.classes import EquivalenceClasses
from evaluation.agreement.codes.places import Key, Levels, levels, place_classes
from evaluation.agreement.scores import Aspect
from evaluation.stats.metric import MetricName
from evaluation.stats.panel import MISSING, Ints
from evaluation.stats.ratings import Ratings
from profiles.answers.parser import PLACES
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.gazetteer.normalization import fold

NOMINAL = (MetricName.PERCENT, MetricName.KAPPA, MetricName.ALPHA_NOMINAL)
RATED = (MetricName.PERCENT, MetricName.KAPPA, MetricName.KAPPA_QUADRATIC, MetricName.ALPHA_ORDINAL)
ORDINAL = (*NOMINAL, MetricName.KAPPA_QUADRATIC, MetricName.ALPHA_ORDINAL)
ORDINAL_LISTS = (Attribute.INCOME, Attribute.EDUCATION)
RATING_STEPS = 5

Equivalent = Iterable[tuple[str, str]]


def presence_aspect(attribute: Attribute, answers: Answers) -> Aspect:
    ratings = Ratings(answers.lay_out((answers.encode(lambda text: 1) == 1).astype(np.int64)), 2)
    return Aspect(attribute, "presence", dict.fromkeys(NOMINAL, ratings), "presence", has_confusion=True)


def rating_aspect(attribute: Attribute, name: str, answers: Answers, steps: Ints) -> Aspect:
    """Ratings of those who gave a value. A step of 0 means that there is none."""
    ratings = Ratings(answers.lay_out(np.where(steps > 0, steps - 1, MISSING)), RATING_STEPS)
    return Aspect(attribute, name, dict.fromkeys(RATED, ratings), name, has_confusion=True)


def value_aspects(attribute: Attribute, answers: Answers, equivalent: Equivalent) -> Iterator[Aspect]:
    """Answers of those who gave a value. Exactly one aspect of each attribute counts towards the overall value."""
    if attribute in CLOSED_LISTS:
        yield _closed_list(attribute, answers)
    elif attribute is Attribute.AGE:
        yield Aspect(attribute, "value", _age(answers), "value")
    elif attribute in PLACES:
        yield from _places(attribute, answers, equivalent)
    else:
        classes = EquivalenceClasses(lambda text: tuple(sorted(set(fold(text).split()))), equivalent)
        yield Aspect(attribute, "value", dict.fromkeys(NOMINAL, answers.ratings_by_key(classes.of)), "value")


def _closed_list(attribute: Attribute, answers: Answers) -> Aspect:
    codes = CLOSED_LISTS[attribute].values
    ratings = answers.ratings(codes.index, len(codes))
    metrics = ORDINAL if attribute in ORDINAL_LISTS else NOMINAL
    return Aspect(attribute, "value", dict.fromkeys(metrics, ratings), "value", has_confusion=True)


def _places(attribute: Attribute, answers: Answers, equivalent: Equivalent) -> Iterator[Aspect]:
    classes, levels_of = place_classes(equivalent), lru_cache(maxsize=None)(levels)
    for level, pooled in (("country", "value"), ("state", ""), ("city", "")):
        ratings = answers.ratings_by_key(partial(_at_level, classes, levels_of, level))
        yield Aspect(attribute, level, dict.fromkeys(NOMINAL, ratings), pooled)


def _at_level(
    classes: EquivalenceClasses[tuple[str, ...]], levels_of: Callable[[tuple[str, ...]], Levels], level: str, text: str
) -> Key:
    key: Key = getattr(levels_of(classes.of(text)), level)
    return key


def _age(answers: Answers) -> Mapping[MetricName, Ratings]:
    """Percent uses ranges that agree; kappa and nominal alpha use ten-year bands; interval alpha uses midpoints."""
    codes_by_age: dict[str, int] = {}
    codes = answers.encode(lambda age: codes_by_age.setdefault(age, len(codes_by_age)))
    exact = Ratings(
        answers.lay_out(codes),
        max(len(codes_by_age), 1),
        ages.midpoints([*codes_by_age]),
        ages.equivalent_ages([*codes_by_age]),
    )
    band = np.append(ages.bands([*codes_by_age]), MISSING)[codes]
    banded = dict.fromkeys((MetricName.KAPPA, MetricName.KAPPA_QUADRATIC, MetricName.ALPHA_NOMINAL),
                           Ratings(answers.lay_out(band), ages.BANDS))  # fmt: skip
    return {MetricName.PERCENT: exact, MetricName.ALPHA_INTERVAL: exact} | banded
