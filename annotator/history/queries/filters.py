"""Turn the filters of the audit pages into query conditions."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Q

from annotator.core.audit_log import by_or_about
from annotator.models import Annotator, Assignment, Batch
from profiles.models import Profile


def audit_filters(
    *,
    action: str = "",
    person: Annotator | None = None,
    batch: Batch | None = None,
    profile: Sequence[Profile] = (),
    since: date | None = None,
    until: date | None = None,
) -> Q:
    """Combine the filters. No query, or 1 with profiles: entries about labelling name only the assignment."""
    condition = days_between("at", since, until)
    condition &= Q(action=action) if action else Q()
    condition &= by_or_about(person) if person else Q()
    condition &= _mentions("batch", [batch.pk]) if batch else Q()
    return condition & (_about_profiles([p.pk for p in profile]) if profile else Q())


def days_between(column: str, since: date | None, until: date | None) -> Q:
    """From `since` to `until`, both days included, in UTC."""
    lower = Q(**{f"{column}__gte": _midnight(since)}) if since else Q()
    upper = Q(**{f"{column}__lt": _midnight(until) + timedelta(days=1)}) if until else Q()
    return lower & upper


def _about_profiles(profiles: Sequence[int]) -> Q:
    assignments = Assignment.objects.filter(profile__in=profiles).values_list("pk", flat=True)
    return _mentions("profile", profiles) | _mentions("profile_id", profiles) | _mentions("assignment", assignments)


def _mentions(key: str, numbers: Iterable[int]) -> Q:
    """Match by JSON containment, so that one index serves every key."""
    condition = Q(pk__in=[])
    for number in numbers:
        condition |= Q(details__contains={key: number})
    return condition


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)
