"""Queries for the overview of the whole study."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import connection
from django.utils import timezone

from annotator.batches.queries.progress import BatchProgress, open_batches
from annotator.corpora.queries.corpora import CorpusRow, corpus_rows
from annotator.exchange.queries.exports import ExportRow, export_row, readable_exports
from annotator.models import Annotator, Batch, GoldRecord, Role
from annotator.study.queries.attention import Todo, list_todos
from profiles.models import Corpus

PRESENT_FOR = timedelta(minutes=15)
EXPORTS_SHOWN = 5
ACTIVE_PEOPLE = """
    WITH activity AS (
        SELECT assignment_id, last_at FROM annotator_sitting WHERE last_at >= %(since)s
        UNION ALL  -- without scripts nobody counts seconds, so there are no sittings
        SELECT assignment_id, submitted_at FROM annotator_submission WHERE submitted_at >= %(since)s
        UNION ALL
        SELECT assignment_id, saved_at FROM annotator_draft WHERE saved_at >= %(since)s
    )
    SELECT DISTINCT ON (person.id) person.display_name, person.code, batch.id, batch.name, activity.last_at
    FROM activity
    JOIN annotator_assignment slot ON slot.id = activity.assignment_id
    JOIN annotator_batch batch ON batch.id = slot.batch_id
    JOIN annotator_annotator person ON person.id = slot.annotator_id
    ORDER BY person.id, activity.last_at DESC, slot.id DESC
"""


@dataclass(frozen=True, slots=True)
class ActivePerson:
    """Somebody who worked on a profile today, and the batch they last worked in."""

    name: str
    batch: int
    batch_name: str
    last_at: datetime
    is_present: bool


@dataclass(frozen=True, slots=True)
class Overview:
    corpora: list[CorpusRow]
    batches: list[BatchProgress]
    todos: list[Todo]
    people: list[ActivePerson]
    exports: list[ExportRow]
    gold: int
    has_batches: bool

    @property
    def profiles(self) -> int:
        return sum(corpus.profile_count or 0 for corpus in self.corpora)

    @property
    def present(self) -> int:
        return sum(person.is_present for person in self.people)

    @property
    def done(self) -> int:
        return sum(progress.done for progress in self.batches)

    @property
    def assignments(self) -> int:
        return sum(progress.total for progress in self.batches)


def study_overview(annotator: Annotator) -> Overview:
    """Load the overview. Admins see names, others see codes. 16 queries, however large the study."""
    is_admin = annotator.has_role(Role.ADMIN)
    corpora, batches = corpus_rows(Corpus.objects.visible().current()), open_batches()
    return Overview(
        corpora=corpora,
        batches=batches,
        todos=list_todos(corpora, batches, annotator),
        people=active_today(by_name=is_admin),
        exports=[export_row(export) for export in readable_exports(annotator).order_by("-pk")[:EXPORTS_SHOWN]],
        gold=GoldRecord.objects.count(),
        has_batches=Batch.objects.filter(is_practice=False).exists(),
    )


def active_today(*, by_name: bool) -> list[ActivePerson]:
    """People who were active since midnight UTC or in the last 15 minutes, latest first. 1 query."""
    now = timezone.now()
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    with connection.cursor() as cursor:
        cursor.execute(ACTIVE_PEOPLE, {"since": min(midnight, now - PRESENT_FOR)})
        rows = cursor.fetchall()
    people = [
        ActivePerson(name if by_name else code, batch, batch_name, last_at, last_at >= now - PRESENT_FOR)
        for name, code, batch, batch_name, last_at in rows
    ]
    return sorted(people, key=lambda person: person.last_at, reverse=True)
