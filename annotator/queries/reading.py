"""One profile, shaped for reading."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Lower

from annotator.models import Annotator, Role
from annotator.pictures.bars import Bars, bars
from annotator.queries.marks import found_in_each, unanalysed_in_each
from profiles.highlighting import Mark, Segment, segments
from profiles.hints import ProfileHint, hints_for
from profiles.models import Comment, DetectionRun, Profile, Unanalysed

COMMENTS_A_PAGE = 200
MONTHS = """
    SELECT date_trunc('month', written_at AT TIME ZONE 'UTC')::date AS month, count(*)
    FROM profiles_comment WHERE profile_id = %s GROUP BY month
"""


@dataclass(frozen=True, slots=True)
class Place:
    name: str
    comment_count: int


@dataclass(frozen=True, slots=True)
class ProfileHead:
    places: list[Place]
    hints: list[ProfileHint] | None  # None: a batch hides them, to measure how much they sway
    activity: Bars


@dataclass(frozen=True, slots=True)
class ReadComment:
    """A comment with the detections of the shown run marked in it; `unanalysed` says why there are none."""

    pk: int
    written_at: datetime
    segments: list[Segment]
    unanalysed: str


@dataclass(frozen=True, slots=True)
class Section:
    """The comments of one subreddit on this page, oldest first."""

    subreddit: str
    comments: list[ReadComment]


def readable_profiles(annotator: Annotator) -> QuerySet[Profile]:
    """Admins and researchers read every visible corpus, evaluators what they were given."""
    profiles = Profile.objects.filter(corpus__ready_at__isnull=False).select_related("corpus")
    if annotator.has_role(Role.ADMIN, Role.RESEARCHER):
        return profiles
    return profiles.filter(pk__in=annotator.assignments.values("profile"))


def profile_head(profile: Profile, annotator: Annotator) -> ProfileHead:
    """Subreddits with counts, hints where they may be seen, and activity by month. 3 queries, 4 for evaluators."""
    presences = profile.presences.select_related("subreddit").order_by("-comment_count", "subreddit__name")
    places = [Place(p.subreddit.name, p.comment_count) for p in presences]
    hints = hints_for(profile) if _may_see_hints(profile, annotator) else None
    return ProfileHead(places, hints, _activity(profile))


def comments_page(
    profile: Profile, number: int, subreddit: str | None = None, run: DetectionRun | None = None
) -> list[Section]:
    """One page of comments, by subreddit without regard to case, then date, with a run's marks. 1 query."""
    comments = profile.comments.select_related("subreddit")
    if subreddit:
        comments = comments.filter(subreddit__name__iexact=subreddit)
    marked = comments.annotate(found=found_in_each(run), reason=unanalysed_in_each(run))
    ordered = marked.order_by(Lower("subreddit__name"), "written_at", "pk")
    first = (number - 1) * COMMENTS_A_PAGE
    shown = ordered[first : first + COMMENTS_A_PAGE]
    by_subreddit = groupby(shown, key=lambda comment: comment.subreddit.name)
    return [Section(name, [_read(c, c.found, c.reason) for c in group]) for name, group in by_subreddit]


def _read(comment: Comment, found: list[dict[str, Any]], reason: str | None) -> ReadComment:
    pieces = segments(comment.body, [Mark(**one) for one in found])
    return ReadComment(comment.pk, comment.written_at, pieces, Unanalysed.Reason(reason).label if reason else "")


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
