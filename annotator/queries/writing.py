"""What one profile wrote, at a glance: where, when, and what that suggests."""

from dataclasses import dataclass

from annotator.pictures.spark import Spark, spark
from annotator.queries.reading import months_of
from profiles.hints import ProfileHint, hints_for
from profiles.models import Profile


@dataclass(frozen=True, slots=True)
class ProfileSummary:
    activity: Spark
    years: list[int]
    hints: list[ProfileHint] | None  # None: the batch hides them, to measure how much they sway
    by_subreddit: dict[str, list[ProfileHint]]


def profile_summary(profile: Profile, *, hints_shown: bool) -> ProfileSummary:
    """Activity by month, the years, the hints unless a batch hides them. 2 queries, or 1."""
    hints = hints_for(profile) if hints_shown else None
    by_subreddit: dict[str, list[ProfileHint]] = {}
    for hint in hints or ():
        by_subreddit.setdefault(hint.subreddit, []).append(hint)
    months = months_of(profile)
    activity = spark("Comments by month", [(month.strftime("%b %Y"), n) for month, n in months], unit="comments")
    return ProfileSummary(activity, sorted({month.year for month, n in months if n}), hints, by_subreddit)
