"""The whole study on one page."""

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
    SELECT DISTINCT ON (person.id) person.display_name, person.code, batch.id, batch.name, sitting.last_at
    FROM annotator_sitting sitting
    JOIN annotator_assignment slot ON slot.id = sitting.assignment_id
    JOIN annotator_batch batch ON batch.id = slot.batch_id
    JOIN annotator_annotator person ON person.id = slot.annotator_id
    WHERE sitting.last_at >= %(since)s
    ORDER BY person.id, sitting.last_at DESC, sitting.id DESC
"""


@dataclass(frozen=True, slots=True)
class ActivePerson:
    """Somebody who read a profile today, and in which batch they did last."""

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
    """Admins see names, others codes. 13 queries, however large the study."""
    is_admin = annotator.has_role(Role.ADMIN)
    corpora, batches = corpus_rows(Corpus.objects.visible()), open_batches()
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
    """Since midnight in UTC, or in the last quarter of an hour; latest first. 1 query."""
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
