"""What Postgres kept of every change, a page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KT

from annotator.history.queries.change_text import Change, told
from annotator.history.queries.entries import between
from annotator.history.tables import Tracked
from annotator.models import Annotator, Assignment, Batch
from profiles.models import Profile

PER_PAGE = 50
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NEITHER = Q(pk__in=[])  # what no row of this table can fulfil


@dataclass(frozen=True, slots=True)
class ChangesPage:
    changes: list[Change]
    next_cursor: str | None


def changes_page(
    table: Tracked,
    *,
    person: Annotator | None = None,
    batch: Batch | None = None,
    profile: Sequence[Profile] = (),
    since: date | None = None,
    until: date | None = None,
    alone: bool = False,
    before: str = "",
) -> ChangesPage:
    """The newest first. 7 queries at most.

    The cursor is the last row's time and number, so that the index finds the next page without counting past others.
    """
    wanted = between("pgh_created_at", since, until)
    wanted &= _in_batch(table, batch) if batch else Q()
    wanted &= _of_profiles(table, profile) if profile else Q()
    wanted &= _comes_before(before) if before else Q()
    wanted &= Q(person=str(person.pk)) if person else Q()
    wanted &= Q(person__isnull=True) if alone else Q()
    found = list(_events(table).filter(wanted)[: PER_PAGE + 1])
    shown = found[:PER_PAGE]
    earlier = table.events._default_manager.in_bulk([row.previous for row in shown if row.previous])
    return ChangesPage(told(shown, earlier), _cursor(shown[-1]) if len(found) > PER_PAGE else None)


def _events(table: Tracked) -> "QuerySet[Any]":
    kept = table.events._default_manager.alias(person=KT("pgh_context__person"))
    newest_first: QuerySet[Any] = kept.annotate(previous=_previous(table)).order_by("-pgh_created_at", "-pgh_id")
    return newest_first


def _previous(table: Tracked) -> Subquery:
    """The row as it was kept the time before: the difference is what changed."""
    same_row = table.events._default_manager.filter(pgh_obj=OuterRef("pgh_obj"), pgh_id__lt=OuterRef("pgh_id"))
    return Subquery(same_row.order_by("-pgh_id").values("pgh_id")[:1])


def _in_batch(table: Tracked, batch: Batch) -> Q:
    slots = Assignment.objects.filter(batch=batch)
    return {
        Tracked.BATCH: Q(pgh_obj=batch.pk),
        Tracked.ASSIGNMENT: Q(batch=batch.pk),
        Tracked.JUDGEMENT: Q(assignment__in=slots.values("pk")),
        Tracked.GOLD_RECORD: Q(profile__in=slots.values("profile"), batch_ids__contains=[batch.pk]),
    }.get(table, NEITHER)


def _of_profiles(table: Tracked, profiles: Sequence[Profile]) -> Q:
    numbers = [profile.pk for profile in profiles]
    return {
        Tracked.ASSIGNMENT: Q(profile__in=numbers),
        Tracked.JUDGEMENT: Q(assignment__in=Assignment.objects.filter(profile__in=numbers).values("pk")),
        Tracked.GOLD_RECORD: Q(profile__in=numbers),
    }.get(table, NEITHER)


def _comes_before(cursor: str) -> Q:
    micros, number = (int(part) for part in cursor.split("-"))
    at = EPOCH + timedelta(microseconds=micros)
    return Q(pgh_created_at__lte=at) & (Q(pgh_created_at__lt=at) | Q(pgh_id__lt=number))


def _cursor(row: Any) -> str:
    return f"{(row.pgh_created_at - EPOCH) // timedelta(microseconds=1)}-{row.pgh_id}"
