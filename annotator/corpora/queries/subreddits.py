"""The subreddit list as the admins' page shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Lower

from profiles.hints.store import ATTRIBUTE_ORDER
from profiles.models import AttributeHint, Corpus, Presence, Subreddit

SUBREDDITS_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class SubredditRow:
    """A subreddit, what it suggests, and how much of the visible corpora was written in it."""

    pk: int
    name: str
    hints: list[AttributeHint]
    profile_count: int
    comment_count: int


def subreddits_page(number: str, wanted: dict[str, Any]) -> "Page[SubredditRow]":
    """Subreddits that suggest something, by name. 4 queries."""
    rows = _wanted_subreddits(wanted).prefetch_related("hints").order_by(Lower("name"), "pk")
    page: Page[Any] = Paginator(rows, SUBREDDITS_A_PAGE).get_page(number)
    shown: list[Subreddit] = list(page.object_list)
    touched = _touched(shown)
    page.object_list = [
        SubredditRow(place.pk, place.name, _in_order(place), *touched.get(place.pk, (0, 0))) for place in shown
    ]
    return page


def _wanted_subreddits(wanted: dict[str, Any]) -> QuerySet[Subreddit]:
    hints = AttributeHint.objects.filter(subreddit=OuterRef("pk"))
    places = Subreddit.objects.filter(Exists(hints))
    if attribute := wanted.get("attribute"):
        places = places.filter(Exists(hints.filter(attribute=attribute)))
    if q := wanted.get("q"):
        said = hints.filter(Q(value__icontains=q) | Q(reason__icontains=q))
        places = places.filter(Q(name__icontains=q.removeprefix("r/")) | Exists(said))
    return places


def _touched(places: Sequence[Subreddit]) -> dict[int, tuple[int, int]]:
    """Profiles and comments in visible corpora by subreddit, for these subreddits only. 1 query."""
    seen = Presence.objects.filter(subreddit__in=places, profile__corpus__in=Corpus.objects.ready())
    counted = seen.order_by().values("subreddit").annotate(profiles=Count("pk"), comments=Sum("comment_count"))
    return {row["subreddit"]: (row["profiles"], row["comments"]) for row in counted}


def _in_order(place: Subreddit) -> list[AttributeHint]:
    return sorted(place.hints.all(), key=lambda hint: (ATTRIBUTE_ORDER[hint.attribute], hint.value, hint.pk))
