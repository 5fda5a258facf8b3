"""What is asked about each attribute: something or nothing, the value, hardness and certainty."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial

import numpy as np

from evaluation.agreement.codes import ages
from evaluation.agreement.codes.answers import Answers
from evaluation.agreement.codes.classes import Classes
from evaluation.agreement.codes.places import Key, Levels, levels, place_classes
from evaluation.agreement.report import Line
from evaluation.stats.measures import Measure
from evaluation.stats.panel import NOBODY, Ints
from evaluation.stats.questions import Question
from profiles.answers.parser import PLACES
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.gazetteer.normalization import fold

NOMINAL = (Measure.PERCENT, Measure.KAPPA, Measure.ALPHA_NOMINAL)
RATED = (Measure.PERCENT, Measure.KAPPA, Measure.KAPPA_QUADRATIC, Measure.ALPHA_ORDINAL)
ORDERED = (*NOMINAL, Measure.KAPPA_QUADRATIC, Measure.ALPHA_ORDINAL)
IN_ORDER = (Attribute.INCOME, Attribute.EDUCATION)
STEPS = 5

Decided = Iterable[tuple[str, str]]


def presence_line(attribute: Attribute, answers: Answers) -> Line:
    question = Question(answers.laid_out((answers.coded(lambda text: 1) == 1).astype(np.int64)), 2)
    return Line(attribute, "presence", dict.fromkeys(NOMINAL, question), "presence", is_shown=True)


def rating_line(attribute: Attribute, aspect: str, answers: Answers, ratings: Ints) -> Line:
    """Among those who gave a value: 0 is none."""
    question = Question(answers.laid_out(np.where(ratings > 0, ratings - 1, NOBODY)), STEPS)
    return Line(attribute, aspect, dict.fromkeys(RATED, question), aspect, is_shown=True)


def value_lines(attribute: Attribute, answers: Answers, decided: Decided) -> Iterator[Line]:
    """Among those who gave a value. Each attribute has one line that goes into the value of all together."""
    if attribute in CLOSED_LISTS:
        yield _of_a_list(attribute, answers)
    elif attribute is Attribute.AGE:
        yield Line(attribute, "value", _age(answers), "value")
    elif attribute in PLACES:
        yield from _places(attribute, answers, decided)
    else:
        classes = Classes(lambda text: tuple(sorted(set(fold(text).split()))), decided)
        yield Line(attribute, "value", dict.fromkeys(NOMINAL, answers.by_key(classes.of)), "value")


def _of_a_list(attribute: Attribute, answers: Answers) -> Line:
    codes = CLOSED_LISTS[attribute].values
    question = answers.question(codes.index, len(codes))
    measures = ORDERED if attribute in IN_ORDER else NOMINAL
    return Line(attribute, "value", dict.fromkeys(measures, question), "value", is_shown=True)


def _places(attribute: Attribute, answers: Answers, decided: Decided) -> Iterator[Line]:
    classes, settled = place_classes(decided), lru_cache(maxsize=None)(levels)
    for level, pooled in (("country", "value"), ("state", ""), ("city", "")):
        question = answers.by_key(partial(_at_level, classes, settled, level))
        yield Line(attribute, level, dict.fromkeys(NOMINAL, question), pooled)


def _at_level(
    classes: Classes[tuple[str, ...]], settled: Callable[[tuple[str, ...]], Levels], level: str, text: str
) -> Key:
    found: Key = getattr(settled(classes.of(text)), level)
    return found


def _age(answers: Answers) -> Mapping[Measure, Question]:
    """Percent by ranges that agree, kappa by bands of ten years, alpha by the middle."""
    written: dict[str, int] = {}
    codes = answers.coded(lambda age: written.setdefault(age, len(written)))
    exact = Question(answers.laid_out(codes), max(len(written), 1), ages.middles([*written]), ages.alike([*written]))
    band = np.append(ages.bands([*written]), NOBODY)[codes]
    banded = dict.fromkeys((Measure.KAPPA, Measure.KAPPA_QUADRATIC, Measure.ALPHA_NOMINAL),
                           Question(answers.laid_out(band), ages.BANDS))  # fmt: skip
    return {Measure.PERCENT: exact, Measure.ALPHA_INTERVAL: exact} | banded
