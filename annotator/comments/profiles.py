"""One profile, shaped for reading."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.db import connection
from django.db.models import QuerySet

from annotator.charts.bars import Bars, bars
from annotator.comments.blocks import Chapter, Reader, by_count, chapters
from annotator.models import Annotator, Role
from profiles.hints.store import ProfileHint, hints_for
from profiles.models import Profile

MONTHS = """
    SELECT date_trunc('month', written_at AT TIME ZONE 'UTC')::date AS month, count(*)
    FROM profiles_comment WHERE profile_id = %s GROUP BY month
"""


@dataclass(frozen=True, slots=True)
class ProfileHead:
    chapters: list[Chapter]
    hints: list[ProfileHint] | None  # None: a batch hides them, to measure how much they sway
    activity: Bars

    @property
    def by_count(self) -> list[Chapter]:
        return by_count(self.chapters)


def readable_profiles(annotator: Annotator) -> QuerySet[Profile]:
    """Admins and researchers read every visible corpus, evaluators what they were given."""
    profiles = Profile.objects.filter(corpus__ready_at__isnull=False).select_related("corpus")
    if annotator.has_role(Role.ADMIN, Role.RESEARCHER):
        return profiles
    return profiles.filter(pk__in=annotator.assignments.values("profile"))


def profile_head(profile: Profile, annotator: Annotator) -> ProfileHead:
    """Subreddits with counts, hints where they may be seen, and activity by month. 3 queries, 4 for evaluators."""
    hints = hints_for(profile) if _may_see_hints(profile, annotator) else None
    return ProfileHead(chapters(Reader(profile, None)), hints, _activity(profile))


def _may_see_hints(profile: Profile, annotator: Annotator) -> bool:
    if annotator.has_role(Role.ADMIN, Role.RESEARCHER):
        return True
    return not annotator.assignments.filter(profile=profile, batch__hints_shown=False).exists()


def _activity(profile: Profile) -> Bars:
    data = [(month.strftime("%b %Y"), count) for month, count in months_of(profile)]
    return bars("Comments by month", data, unit="comments", size=(420, 130))


def months_of(profile: Profile) -> list[tuple[date, int]]:
    """How many comments in each month from the first to the last. 1 query."""
    with connection.cursor() as cursor:
        cursor.execute(MONTHS, [profile.pk])
        counts = dict(cursor.fetchall())
    months = _months(min(counts), max(counts)) if counts else ()
    return [(month, counts.get(month, 0)) for month in months]


def _months(first: date, last: date) -> Iterator[date]:
    month = first
    while month <= last:
        yield month
        month = month.replace(year=month.year + month.month // 12, month=month.month % 12 + 1)
