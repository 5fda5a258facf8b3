"""What pages show about a profile besides its comments: subreddits, hints, activity."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from django.db.models import QuerySet

from annotator.charts.bars import Bars, bars
from annotator.charts.sparkline import Sparkline, sparkline
from annotator.comments.blocks import Chapter, CommentSelection, by_count, chapters
from annotator.models import Annotator, Assignment, Role
from profiles.hints.store import ProfileHint, hints_for
from profiles.models import Profile
from profiles.statements import prepared_cursor

MONTHS = """
    SELECT date_trunc('month', written_at AT TIME ZONE 'UTC')::date AS month, count(*)
    FROM profiles_comment WHERE profile_id = %s GROUP BY month
"""


@dataclass(frozen=True, slots=True)
class ProfileHead:
    chapters: list[Chapter]
    hints: list[ProfileHint] | None  # None: a batch hides them, to measure their influence
    activity: Bars

    @property
    def by_count(self) -> list[Chapter]:
        return by_count(self.chapters)


@dataclass(frozen=True, slots=True)
class Month:
    """`count` is None before the first and after the last month."""

    name: str
    count: int | None


@dataclass(frozen=True, slots=True)
class ProfileSummary:
    activity: Sparkline
    by_year: list[tuple[int, list[Month]]]
    period: str

    @property
    def years(self) -> list[int]:
        return [year for year, months in self.by_year if any(month.count for month in months)]


def readable_profiles(annotator: Annotator) -> QuerySet[Profile]:
    """Profiles that the person may read: all in ready corpora for staff, what they claimed for evaluators."""
    profiles = Profile.objects.ready().select_related("corpus")
    if annotator.has_role(Role.ADMIN, Role.RESEARCHER):
        return profiles
    return profiles.filter(pk__in=Assignment.objects.readable_by(annotator).values("profile"))


def profile_head(profile: Profile, annotator: Annotator) -> ProfileHead:
    """Subreddits with counts, hints if they may be seen, and activity by month. 3 queries, 4 for annotators."""
    hints = hints_for(profile) if _may_see_hints(profile, annotator) else None
    return ProfileHead(chapters(CommentSelection(profile, None)), hints, _activity(profile))


def profile_summary(profile: Profile) -> ProfileSummary:
    """Activity by month, and the years. 1 query."""
    counts = dict(months_of(profile))
    named = [(_name(month), count) for month, count in counts.items()]
    period = " – ".join(dict.fromkeys(name for name, _ in (named[:1] + named[-1:])))
    return ProfileSummary(sparkline("Comments by month", named, unit="comments"), _by_year(counts), period)


def _by_year(counts: dict[date, int]) -> list[tuple[int, list[Month]]]:
    years = sorted({month.year for month in counts})
    return [(year, [_month(date(year, number, 1), counts) for number in range(1, 13)]) for year in years]


def _month(first: date, counts: dict[date, int]) -> Month:
    return Month(_name(first), counts.get(first))


@lru_cache(maxsize=1000)
def _name(month: date) -> str:
    return month.strftime("%b %Y")


def hints_in_words(hints: Iterable[ProfileHint]) -> dict[str, str]:
    """Hints by subreddit, such as `Location: houston; Income`."""
    by_subreddit: dict[str, list[str]] = {}
    for hint in hints:
        text = f"{hint.attribute.label}: {hint.value}" if hint.value else str(hint.attribute.label)
        by_subreddit.setdefault(hint.subreddit, []).append(text)
    return {subreddit: "; ".join(texts) for subreddit, texts in by_subreddit.items()}


def _may_see_hints(profile: Profile, annotator: Annotator) -> bool:
    if annotator.has_role(Role.ADMIN, Role.RESEARCHER):
        return True
    return not annotator.assignments.filter(profile=profile, batch__hints_shown=False).exists()


def _activity(profile: Profile) -> Bars:
    data = [(_name(month), count) for month, count in months_of(profile)]
    return bars("Comments by month", data, unit="comments", size=(420, 130))


def months_of(profile: Profile) -> list[tuple[date, int]]:
    """The number of comments in each month from the first to the last. 1 query."""
    with prepared_cursor() as cursor:
        cursor.execute(MONTHS, [profile.pk])
        counts = dict(cursor.fetchall())
    months = _months(min(counts), max(counts)) if counts else ()
    return [(month, counts.get(month, 0)) for month in months]


def _months(first: date, last: date) -> Iterator[date]:
    month = first
    while month <= last:
        yield month
        month = month.replace(year=month.year + month.month // 12, month=month.month % 12 + 1)
