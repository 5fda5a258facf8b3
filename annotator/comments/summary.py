"""What one profile wrote, at a glance: where, when, and what that suggests."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotator.charts.sparkline import Sparkline, sparkline
from annotator.comments.profiles import months_of
from profiles.hints.store import ProfileHint
from profiles.models import Profile


@dataclass(frozen=True, slots=True)
class ProfileSummary:
    activity: Sparkline
    years: list[int]


def profile_summary(profile: Profile) -> ProfileSummary:
    """Activity by month, and the years. 1 query."""
    months = months_of(profile)
    activity = sparkline("Comments by month", [(month.strftime("%b %Y"), n) for month, n in months], unit="comments")
    return ProfileSummary(activity, sorted({month.year for month, n in months if n}))


def hints_in_words(hints: Iterable[ProfileHint]) -> dict[str, str]:
    """What each subreddit suggests: `Location: houston; Income`."""
    found: dict[str, list[str]] = {}
    for hint in hints:
        said = f"{hint.attribute.label}: {hint.value}" if hint.value else str(hint.attribute.label)
        found.setdefault(hint.subreddit, []).append(said)
    return {subreddit: "; ".join(said) for subreddit, said in found.items()}
