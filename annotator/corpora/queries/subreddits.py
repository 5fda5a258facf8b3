"""Rows of the subreddit list."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Lower

from annotator.core.sort_order import Sorting
from profiles.hints.store import ATTRIBUTE_ORDER
from profiles.models import AttributeHint, Corpus, Presence, Subreddit

PAGE_SIZE = 100


@dataclass(frozen=True, slots=True)
class SubredditRow:
    """A subreddit, its hints, and how much of the ready corpora was written in it."""

    pk: int
    name: str
    hints: list[AttributeHint]
    profile_count: int
    comment_count: int


SUBREDDIT_COLUMNS = {"name": "lower_name"}  # counts are only known for the rows of one page


def subreddits_page(sorting: Sorting, number: str, filters: dict[str, Any]) -> "Page[SubredditRow]":
    """Subreddits with hints. 4 queries."""
    rows = _matching_subreddits(filters).prefetch_related("hints").annotate(lower_name=Lower("name"))
    rows = rows.order_by(*sorting.order)
    page: Page[Any] = Paginator(rows, PAGE_SIZE).get_page(number)
    subreddits: list[Subreddit] = list(page.object_list)
    counts = _visible_counts(subreddits)
    page.object_list = [
        SubredditRow(subreddit.pk, subreddit.name, _sorted_hints(subreddit), *counts.get(subreddit.pk, (0, 0)))
        for subreddit in subreddits
    ]
    return page


def _matching_subreddits(filters: dict[str, Any]) -> QuerySet[Subreddit]:
    hints = AttributeHint.objects.filter(subreddit=OuterRef("pk"))
    subreddits = Subreddit.objects.filter(Exists(hints))
    if attribute := filters.get("attribute"):
        subreddits = subreddits.filter(Exists(hints.filter(attribute=attribute)))
    if q := filters.get("q"):
        matching = hints.filter(Q(value__icontains=q) | Q(reason__icontains=q))
        subreddits = subreddits.filter(Q(name__icontains=q.removeprefix("r/")) | Exists(matching))
    return subreddits


def _visible_counts(subreddits: Sequence[Subreddit]) -> dict[int, tuple[int, int]]:
    """Counts of profiles and comments in ready corpora, by subreddit. 1 query."""
    presences = Presence.objects.filter(subreddit__in=subreddits, profile__corpus__in=Corpus.objects.ready())
    rows = presences.order_by().values("subreddit").annotate(profiles=Count("pk"), comments=Sum("comment_count"))
    return {row["subreddit"]: (row["profiles"], row["comments"]) for row in rows}


def _sorted_hints(subreddit: Subreddit) -> list[AttributeHint]:
    return sorted(subreddit.hints.all(), key=lambda hint: (ATTRIBUTE_ORDER[hint.attribute], hint.value, hint.pk))
