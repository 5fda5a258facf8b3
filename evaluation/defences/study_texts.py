"""Texts of profiles that are not attacked: further candidates for linkage, and lessons for the classifier."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from sys import intern

from evaluation.defences.records import OtherText
from evaluation.inference.selection import Text
from profiles.models import Comment, Corpus, Profile

MAX_CANDIDATES = 10_000  # besides the attacked profiles; how many there were stands in the report

Texts = Mapping[int, Sequence[Text]]  # by profile


def other_texts(corpus: Corpus, attacked: Sequence[int]) -> list[Sequence[OtherText]]:
    """The comments of each other profile of the corpus. 2 queries."""
    others = Profile.objects.filter(corpus=corpus).exclude(pk__in=attacked).order_by("pk")
    ids = list(others.values_list("pk", flat=True)[:MAX_CANDIDATES])
    texts = defaultdict[int, list[OtherText]](list)
    rows = (
        Comment.objects.filter(profile_id__in=ids).order_by("pk").values_list("profile_id", "subreddit__name", "body")
    )
    for profile, subreddit, body in rows.iterator(chunk_size=2_000):
        texts[profile].append((intern(subreddit), body))
    return [texts[profile] for profile in ids]
