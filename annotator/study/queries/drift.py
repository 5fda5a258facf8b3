"""Drift: do people's ratings change over time? Mean hardness and certainty by tenths of each person's work."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection

from annotator.charts.lines import Lines, Series, lines
from annotator.core.formatting import decimal
from annotator.models import Batch
from annotator.study.queries.progress import BatchFigures, PersonFigures
from annotator.study.queries.progress_charts import MAX_LINES
from annotator.study.queries.progress_sql import DRIFT

TENTHS = range(1, 11)
FIRST_FIFTH, LAST_FIFTH = (1, 2), (9, 10)
SAMPLE_SIZE = 3000  # assignments; their judgements are enough for means
MIN_ASSIGNMENTS = 10  # per person
MIN_CHANGE = 0.5
MIN_JUDGEMENTS = 10  # per fifth, to report a change


class Tenth(NamedTuple):
    """Sums over one tenth of somebody's work."""

    judgements: int
    hardness: int
    certainty: int


@dataclass(frozen=True, slots=True)
class Drift:
    person: PersonFigures
    tenths: Mapping[int, Tenth]

    def means(self, scale: str) -> list[float | None]:
        return [_mean([self.tenths[n]] if n in self.tenths else [], scale) for n in TENTHS]

    def sentence(self, scale: str) -> str:
        """Describe the change. Empty unless the last fifth differs clearly from the first."""
        first, last = (self._fifth(fifth, scale) for fifth in (FIRST_FIFTH, LAST_FIFTH))
        if first is None or last is None or abs(last - first) <= MIN_CHANGE:
            return ""
        verb = "rose" if last > first else "fell"
        return (
            f"{self.person.name}: mean {scale} {verb} by {decimal(abs(last - first))}, from {decimal(first)} "
            f"in the first fifth of their work to {decimal(last)} in the last."
        )

    def _fifth(self, tenths: Sequence[int], scale: str) -> float | None:
        known = [self.tenths[n] for n in tenths if n in self.tenths]
        return _mean(known, scale) if sum(tenth.judgements for tenth in known) >= MIN_JUDGEMENTS else None


@dataclass(frozen=True, slots=True)
class Drifts:
    """The drift of everybody in a batch. For a large batch, only one in `every` assignments is sampled."""

    charts: Sequence[Lines]
    sentences: Sequence[str]
    is_known: bool
    every: int
    hidden_people: int


def batch_drifts(batch: Batch, figures: BatchFigures) -> Drifts:
    """The drift of everybody who submitted at least ten profiles. 1 query."""
    every = max(1, figures.submitted // SAMPLE_SIZE)
    with connection.cursor() as cursor:
        cursor.execute(DRIFT, {"batch": batch.pk, "every": every})
        tenths: dict[int, dict[int, Tenth]] = defaultdict(dict)
        for annotator, tenth, *counts in cursor.fetchall():
            tenths[annotator][tenth] = Tenth(*counts)
    drifts = [Drift(person, tenths[person.pk]) for person in figures.people if _has_enough(person, tenths)]
    shown = sorted(drifts, key=lambda drift: -drift.person.submitted)[:MAX_LINES]
    charts = [_chart(scale, shown) for scale in ("hardness", "certainty")] if shown else []
    sentences = [drift.sentence(scale) for drift in drifts for scale in ("hardness", "certainty")]
    return Drifts(charts, [s for s in sentences if s], bool(drifts), every, len(drifts) - len(shown))


def _has_enough(person: PersonFigures, tenths: Mapping[int, Mapping[int, Tenth]]) -> bool:
    return person.submitted >= MIN_ASSIGNMENTS and len(tenths.get(person.pk, ())) >= 2


def _chart(scale: str, shown: Sequence[Drift]) -> Lines:
    labels = [f"{10 * n} %" for n in TENTHS]
    series = [Series(drift.person.name, drift.means(scale)) for drift in shown]
    return lines(f"Mean {scale} by tenths of each person’s work", labels, series, between=(1, 5), size=(560, 200))


def _mean(tenths: Sequence[Tenth], scale: str) -> float | None:
    judgements = sum(tenth.judgements for tenth in tenths)
    if not judgements:
        return None
    total: int = sum(getattr(tenth, scale) for tenth in tenths)
    return round(total / judgements, 2)
