"""Subreddits by name, whatever its case."""

from collections.abc import Iterable

from django.db import models

from profiles.models import Subreddit


def ensure_subreddits(names: Iterable[str]) -> dict[str, int]:
    """The id of each subreddit by its lower-case name, with unknown ones added as first spelt."""
    spelt: dict[str, str] = {}
    for name in names:
        spelt.setdefault(name.lower(), name)
    Subreddit.objects.bulk_create([Subreddit(name=name) for name in spelt.values()], ignore_conflicts=True)
    known = Subreddit.objects.annotate(key=models.functions.Lower("name")).filter(key__in=spelt)
    return dict(known.values_list("key", "pk"))
