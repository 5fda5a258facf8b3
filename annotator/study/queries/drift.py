"""Whether people rate otherwise than they did at first: means of hardness and certainty by tenths of their work."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection

from annotator.charts.lines import Lines, Series, lines
from annotator.models import Batch
from annotator.study.queries.progress import Figures, Person
from annotator.study.queries.progress_charts import MOST_LINES
from annotator.study.queries.progress_sql import DRIFT

TENTHS = range(1, 11)
FIRST, LAST = (1, 2), (9, 10)
READ = 3000  # slots, whose judgements are enough for means
FEWEST = 10  # slots of one person
MOVED = 0.5
ENOUGH = 10  # judgements in a fifth, for a sentence about it


class Tenth(NamedTuple):
    """What was said in one tenth of somebody's work."""

    judgements: int
    hardness: int
    certainty: int


@dataclass(frozen=True, slots=True)
class Drift:
    """One person, and their tenths."""

    person: Person
    tenths: Mapping[int, Tenth]

    def means(self, scale: str) -> list[float | None]:
        return [_mean([self.tenths[n]] if n in self.tenths else [], scale) for n in TENTHS]

    def sentence(self, scale: str) -> str:
        """Empty unless the last fifth is far from the first."""
        first, last = (self._fifth(fifth, scale) for fifth in (FIRST, LAST))
        if first is None or last is None or abs(last - first) <= MOVED:
            return ""
        moved = "rose" if last > first else "fell"
        return (
            f"{self.person.name}: mean {scale} {moved} by {abs(last - first):.2f}, from {first:.2f} in the first fifth "
            f"of their work to {last:.2f} in the last."
        )

    def _fifth(self, tenths: Sequence[int], scale: str) -> float | None:
        known = [self.tenths[n] for n in tenths if n in self.tenths]
        return _mean(known, scale) if sum(tenth.judgements for tenth in known) >= ENOUGH else None


@dataclass(frozen=True, slots=True)
class Drifts:
    """`every`: of each so many slots one was read, where there are very many."""

    charts: Sequence[Lines]
    sentences: Sequence[str]
    is_known: bool
    every: int
    left_out: int


def drifts_of(batch: Batch, figures: Figures) -> Drifts:
    """Of everybody who submitted ten profiles and more. 1 query."""
    every = max(1, figures.submitted // READ)
    with connection.cursor() as cursor:
        cursor.execute(DRIFT, {"batch": batch.pk, "every": every})
        found: dict[int, dict[int, Tenth]] = defaultdict(dict)
        for annotator, tenth, *counts in cursor.fetchall():
            found[annotator][tenth] = Tenth(*counts)
    known = [Drift(person, found[person.pk]) for person in figures.people if _is_enough(person, found)]
    shown = sorted(known, key=lambda one: -one.person.submitted)[:MOST_LINES]
    charts = [_chart(scale, shown) for scale in ("hardness", "certainty")] if shown else []
    sentences = [one.sentence(scale) for one in known for scale in ("hardness", "certainty")]
    return Drifts(charts, [s for s in sentences if s], bool(known), every, len(known) - len(shown))


def _is_enough(person: Person, found: Mapping[int, Mapping[int, Tenth]]) -> bool:
    return person.submitted >= FEWEST and len(found.get(person.pk, ())) >= 2


def _chart(scale: str, shown: Sequence[Drift]) -> Lines:
    labels = [f"{10 * n} %" for n in TENTHS]
    series = [Series(one.person.name, one.means(scale)) for one in shown]
    return lines(f"Mean {scale} by tenths of each person’s work", labels, series, size=(520, 180))


def _mean(tenths: Sequence[Tenth], scale: str) -> float | None:
    judgements = sum(tenth.judgements for tenth in tenths)
    if not judgements:
        return None
    total: int = sum(getattr(tenth, scale) for tenth in tenths)
    return round(total / judgements, 2)
