"""The changes that Postgres recorded, one page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KT

from annotator.history.queries.change_text import Change, describe_changes
from annotator.history.queries.filters import days_between
from annotator.history.tables import TrackedTable
from annotator.models import Annotator, Assignment, Batch
from profiles.models import Profile

PAGE_SIZE = 50
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NO_ROWS = Q(pk__in=[])


@dataclass(frozen=True, slots=True)
class ChangesPage:
    changes: list[Change]
    next_cursor: str | None


def changes_page(
    table: TrackedTable,
    *,
    person: Annotator | None = None,
    batch: Batch | None = None,
    profile: Sequence[Profile] = (),
    since: date | None = None,
    until: date | None = None,
    alone: bool = False,
    before: str = "",
) -> ChangesPage:
    """One page of changes, newest first. At most 6 queries.

    The cursor is the last row's time and id, so that the index finds the next page without scanning earlier ones.
    """
    condition = days_between("pgh_created_at", since, until)
    condition &= _in_batch(table, batch) if batch else Q()
    condition &= _of_profiles(table, profile) if profile else Q()
    condition &= _comes_before(before) if before else Q()
    condition &= Q(person=str(person.pk)) if person else Q()
    condition &= Q(person__isnull=True) if alone else Q()
    events = list(_events(table).filter(condition)[: PAGE_SIZE + 1])
    shown = events[:PAGE_SIZE]
    previous = table.events._default_manager.in_bulk([row.previous for row in shown if row.previous])
    return ChangesPage(describe_changes(shown, previous), _cursor(shown[-1]) if len(events) > PAGE_SIZE else None)


def _events(table: TrackedTable) -> "QuerySet[Any]":
    events = table.events._default_manager.alias(person=KT("pgh_context__person"))
    newest_first: QuerySet[Any] = events.annotate(previous=_previous(table)).order_by("-pgh_created_at", "-pgh_id")
    return newest_first


def _previous(table: TrackedTable) -> Subquery:
    """The event before this one for the same row. Comparing the two shows what changed."""
    same_row = table.events._default_manager.filter(pgh_obj=OuterRef("pgh_obj"), pgh_id__lt=OuterRef("pgh_id"))
    return Subquery(same_row.order_by("-pgh_id").values("pgh_id")[:1])


def _in_batch(table: TrackedTable, batch: Batch) -> Q:
    assignments = Assignment.objects.filter(batch=batch)
    return {
        TrackedTable.BATCH: Q(pgh_obj=batch.pk),
        TrackedTable.ASSIGNMENT: Q(batch=batch.pk),
        TrackedTable.JUDGEMENT: Q(assignment__in=assignments.values("pk")),
        TrackedTable.GOLD_RECORD: Q(profile__in=assignments.values("profile"), batch_ids__contains=[batch.pk]),
    }.get(table, NO_ROWS)


def _of_profiles(table: TrackedTable, profiles: Sequence[Profile]) -> Q:
    profile_ids = [profile.pk for profile in profiles]
    return {
        TrackedTable.ASSIGNMENT: Q(profile__in=profile_ids),
        TrackedTable.JUDGEMENT: Q(assignment__in=Assignment.objects.filter(profile__in=profile_ids).values("pk")),
        TrackedTable.GOLD_RECORD: Q(profile__in=profile_ids),
        TrackedTable.PROMPTED_ANSWER: Q(profile__in=profile_ids),
    }.get(table, NO_ROWS)


def _comes_before(cursor: str) -> Q:
    micros, event_id = (int(part) for part in cursor.split("-"))
    at = EPOCH + timedelta(microseconds=micros)
    return Q(pgh_created_at__lte=at) & (Q(pgh_created_at__lt=at) | Q(pgh_id__lt=event_id))


def _cursor(row: Any) -> str:
    return f"{(row.pgh_created_at - EPOCH) // timedelta(microseconds=1)}-{row.pgh_id}"
