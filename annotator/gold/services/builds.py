"""Request gold builds from the workers."""

from functools import partial

from django.core.cache import cache
from django.db import transaction

from annotator.gold import tasks
from annotator.gold.build import request_key
from annotator.gold.stamps import stale_corpora
from profiles.models import Corpus

PAUSE = 30  # seconds before a build can be requested again


def request_stale_builds(corpus: Corpus | None = None) -> list[int]:
    """Request a build of every stale corpus, or of this one if it is stale. Return their primary keys. 1 query."""
    stale = stale_corpora(corpus)
    for pk in stale:
        request_build(pk)
    return stale


def request_build(corpus_id: int) -> None:
    """Request a build at most once per PAUSE, however often pages ask. If the broker is down, a later page retries."""
    if cache.add(request_key(corpus_id), True, PAUSE):
        transaction.on_commit(partial(tasks.build_gold.delay, corpus_id), robust=True)
