"""Texts of profiles that are not attacked: further candidates when a defended profile is matched to its original."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from evaluation.inference.selection import Text
from profiles.models import Comment, Corpus, Profile

MAX_CANDIDATES = 10_000  # besides the attacked profiles; how many there were stands in the report

Texts = Mapping[int, Sequence[Text]]  # by profile


def other_texts(corpus: Corpus, attacked: Sequence[int]) -> list[str]:
    """The comments of each other profile of the corpus in one string. 2 queries."""
    others = Profile.objects.filter(corpus=corpus).exclude(pk__in=attacked).order_by("pk")
    ids = list(others.values_list("pk", flat=True)[:MAX_CANDIDATES])
    bodies = defaultdict[int, list[str]](list)
    rows = Comment.objects.filter(profile_id__in=ids).order_by("pk").values_list("profile_id", "body")
    for profile, body in rows.iterator(chunk_size=2_000):
        bodies[profile].append(body)
    return ["\n".join(bodies[profile]) for profile in ids]
