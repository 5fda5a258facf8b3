"""Corpora and their profiles as the browser shows them."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Func, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from profiles.models import Corpus, Presence, Profile

PROFILES_A_PAGE = 50

# Counted beside each row shown, so that the filters below need no grouping.
_SUBREDDITS = Subquery(
    Presence.objects.filter(profile=OuterRef("pk"))
    .order_by()
    .annotate(places=Func("pk", function="COUNT"))
    .values("places"),
    output_field=IntegerField(),
)


@dataclass(frozen=True, slots=True)
class ProfilesPage:
    profiles: list[Profile]
    next_cursor: str | None


def corpora_with_counts() -> QuerySet[Corpus]:
    """Visible corpora with `profile_count` and `comment_count`, newest first. 1 query when read."""
    counted = Corpus.objects.ready().annotate(
        profile_count=Count("profiles"), comment_count=Coalesce(Sum("profiles__comment_count"), 0)
    )
    return counted.order_by("-created_at", "-pk")


def corpus_with_counts(corpus: Corpus) -> Corpus:
    return corpora_with_counts().get(pk=corpus.pk)


def profiles_page(corpus: Corpus, wanted: dict[str, Any]) -> ProfilesPage:
    """One page of profiles, largest first. 1 query, as quick for the last page as for the first.

    The cursor is the last row's size and id, so that the index finds the next page without counting past the others.
    """
    rows = list(_wanted_profiles(corpus, wanted).order_by("-comment_count", "id")[: PROFILES_A_PAGE + 1])
    shown = rows[:PROFILES_A_PAGE]
    more = f"{shown[-1].comment_count}-{shown[-1].pk}" if len(rows) > PROFILES_A_PAGE else None
    return ProfilesPage(shown, more)


def _wanted_profiles(corpus: Corpus, wanted: dict[str, Any]) -> QuerySet[Profile]:
    profiles = Profile.objects.filter(corpus=corpus).annotate(subreddit_count=_SUBREDDITS)
    if wanted.get("q"):
        profiles = profiles.filter(pseudonym__icontains=wanted["q"])
    if wanted.get("subreddit"):
        profiles = profiles.filter(presences__subreddit__name__iexact=wanted["subreddit"])
    if wanted.get("at_least"):
        profiles = profiles.filter(comment_count__gte=wanted["at_least"])
    if wanted.get("after"):
        size, pk = (int(part) for part in wanted["after"].split("-"))
        profiles = profiles.filter(Q(comment_count__lt=size) | Q(comment_count=size, pk__gt=pk))
    return profiles
