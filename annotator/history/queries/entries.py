"""Which entries of the log, and which changes in the history, somebody asked for."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Q

from annotator.accounts.queries import concerns
from annotator.models import Annotator, Assignment, Batch
from profiles.models import Profile


def entries_about(
    *,
    action: str = "",
    person: Annotator | None = None,
    batch: Batch | None = None,
    profile: Sequence[Profile] = (),
    since: date | None = None,
    until: date | None = None,
) -> Q:
    """No query, or 1 when profiles are asked for: entries about labelling name the assignment alone."""
    about = between("at", since, until)
    about &= Q(action=action) if action else Q()
    about &= concerns(person) if person else Q()
    about &= _naming("batch", [batch.pk]) if batch else Q()
    return about & (_about_profiles([p.pk for p in profile]) if profile else Q())


def between(column: str, since: date | None, until: date | None) -> Q:
    """From the first moment of one day to the last of another, in UTC."""
    begins = Q(**{f"{column}__gte": _midnight(since)}) if since else Q()
    return begins & (Q(**{f"{column}__lt": _midnight(until) + timedelta(days=1)}) if until else Q())


def _about_profiles(profiles: Sequence[int]) -> Q:
    slots = Assignment.objects.filter(profile__in=profiles).values_list("pk", flat=True)
    return _naming("profile", profiles) | _naming("profile_id", profiles) | _naming("assignment", slots)


def _naming(key: str, numbers: Iterable[int]) -> Q:
    """By containment, which one index answers for every key."""
    named = Q(pk__in=[])
    for number in numbers:
        named |= Q(details__contains={key: number})
    return named


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)
