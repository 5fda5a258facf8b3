"""Profiles with gold, their comments and the hints of their subreddits, as baselines take them."""

from collections import defaultdict
from collections.abc import Sequence

from annotator.models import Batch
from evaluation.inference.baselines.records import BaselineProfile, Hint
from evaluation.inference.queries import gold_profiles
from evaluation.inference.selection import Text
from profiles.models import Comment, Corpus, Presence


def baseline_profiles(corpus: Corpus, batch: Batch | None = None) -> list[BaselineProfile]:
    """Profiles with at least one gold record, by pseudonym, with everything that a baseline reads. 3 queries."""
    profiles = gold_profiles(corpus, batch)
    ids = [profile.pk for profile in profiles]
    texts, hints = _texts(ids), _hints(ids)
    return [BaselineProfile(profile.pk, profile.labels, texts[profile.pk], hints[profile.pk]) for profile in profiles]


def _texts(profile_ids: Sequence[int]) -> dict[int, list[Text]]:
    """1 query."""
    texts = defaultdict[int, list[Text]](list)
    rows = Comment.objects.filter(profile_id__in=profile_ids).order_by("pk")
    names = ("pk", "subreddit__name", "written_at", "body")
    for profile_id, *columns in rows.values_list("profile_id", *names).iterator(chunk_size=2000):
        texts[profile_id].append(Text(*columns))
    return texts


def _hints(profile_ids: Sequence[int]) -> dict[int, list[Hint]]:
    """Hints that suggest a value. 1 query."""
    hints = defaultdict[int, list[Hint]](list)
    presences = Presence.objects.filter(profile_id__in=profile_ids, subreddit__hints__value__gt="")
    names = ("subreddit__hints__attribute", "subreddit__hints__value", "subreddit__name", "comment_count")
    for profile_id, *columns in presences.values_list("profile_id", *names):
        hints[profile_id].append(Hint(*columns))
    return hints
