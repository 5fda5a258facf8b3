"""Look up subreddits by name, ignoring case."""

from collections.abc import Iterable

from django.db import models

from profiles.models import Subreddit


def ensure_subreddits(names: Iterable[str]) -> dict[str, int]:
    """Return ids by lower-case name. Add unknown subreddits under their first spelling."""
    spellings: dict[str, str] = {}
    for name in names:
        spellings.setdefault(name.lower(), name)
    Subreddit.objects.bulk_create([Subreddit(name=name) for name in spellings.values()], ignore_conflicts=True)
    known = Subreddit.objects.annotate(key=models.functions.Lower("name")).filter(key__in=spellings)
    return dict(known.values_list("key", "pk"))
