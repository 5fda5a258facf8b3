"""The whole study on one page."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import connection
from django.utils import timezone

from annotator.batches.queries.progress import BatchProgress, open_batches
from annotator.corpora.queries.corpora import CorpusRow, corpus_rows, visible_corpora
from annotator.exchange.queries.exports import ExportRow, export_row, visible_exports
from annotator.models import Annotator, Batch, GoldRecord, Role
from annotator.study.queries.attention import Todo, what_needs_attention

NOW = timedelta(minutes=15)
NEWEST = 5
TODAY = """
    SELECT DISTINCT ON (person.id) person.display_name, person.code, batch.id, batch.name, sitting.last_at
    FROM annotator_sitting sitting
    JOIN annotator_assignment slot ON slot.id = sitting.assignment_id
    JOIN annotator_batch batch ON batch.id = slot.batch_id
    JOIN annotator_annotator person ON person.id = slot.annotator_id
    WHERE sitting.last_at >= %(since)s
    ORDER BY person.id, sitting.last_at DESC, sitting.id DESC
"""


@dataclass(frozen=True, slots=True)
class Active:
    """Somebody who read a profile today, and where they did last."""

    name: str
    batch: int
    batch_name: str
    last_at: datetime
    is_here: bool


@dataclass(frozen=True, slots=True)
class Overview:
    corpora: list[CorpusRow]
    batches: list[BatchProgress]
    todos: list[Todo]
    people: list[Active]
    exports: list[ExportRow]
    gold: int
    has_batches: bool

    @property
    def profiles(self) -> int:
        return sum(corpus.profile_count or 0 for corpus in self.corpora)

    @property
    def here(self) -> int:
        return sum(person.is_here for person in self.people)

    @property
    def done(self) -> int:
        return sum(one.done for one in self.batches)

    @property
    def slots(self) -> int:
        return sum(one.total for one in self.batches)


def overview(annotator: Annotator) -> Overview:
    """What the annotator may see of it: admins read names, others codes. 13 queries, however large the study."""
    is_admin = annotator.has_role(Role.ADMIN)
    corpora, batches = corpus_rows(visible_corpora()), open_batches()
    return Overview(
        corpora=corpora,
        batches=batches,
        todos=what_needs_attention(corpora, batches, is_admin=is_admin),
        people=active_today(by_name=is_admin),
        exports=[export_row(export) for export in visible_exports(annotator).order_by("-pk")[:NEWEST]],
        gold=GoldRecord.objects.count(),
        has_batches=Batch.objects.filter(is_practice=False).exists(),
    )


def active_today(*, by_name: bool) -> list[Active]:
    """Since midnight in UTC, or for a quarter of an hour; who was here last comes first. 1 query."""
    now = timezone.now()
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    with connection.cursor() as cursor:
        cursor.execute(TODAY, {"since": min(midnight, now - NOW)})
        rows = cursor.fetchall()
    found = [
        Active(name if by_name else code, batch, batch_name, last_at, last_at >= now - NOW)
        for name, code, batch, batch_name, last_at in rows
    ]
    return sorted(found, key=lambda person: person.last_at, reverse=True)
