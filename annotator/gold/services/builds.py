"""Ask the workers for gold builds."""

from functools import partial

from django.core.cache import cache
from django.db import connection, transaction
from django.utils import timezone

from annotator.gold import tasks
from annotator.gold.build import request_key
from annotator.gold.consensus import RULE
from profiles.models import Corpus
from profiles.models.jobs import SILENCE

PAUSE = 30  # seconds in which nobody asks again
STALE = """
    SELECT corpus.id FROM profiles_corpus corpus LEFT JOIN annotator_settling build ON build.corpus_id = corpus.id
    WHERE (%(corpus)s::bigint IS NULL OR corpus.id = %(corpus)s)
      AND (build.began_at IS NULL OR build.beat_at < %(dead)s OR build.finished_at IS NOT NULL)
      AND (EXISTS (
             SELECT FROM annotator_assignment slot JOIN annotator_batch batch ON batch.id = slot.batch_id
             WHERE batch.corpus_id = corpus.id AND NOT batch.is_practice AND NOT slot.is_planted
               AND ((build.built_to IS NULL OR build.rule <> %(rule)s) AND slot.submitted_at IS NOT NULL
                    OR greatest(slot.submitted_at, slot.skipped_at, batch.closed_at) > build.built_to))
           OR EXISTS (
             SELECT FROM annotator_labelimport came
             WHERE came.corpus_id = corpus.id AND came.finished_at > build.built_to))
    ORDER BY corpus.id
"""


def request_stale_builds(corpus: Corpus | None = None) -> list[int]:
    """Request a build wherever something changed since the last one and none runs. Returns those corpora. 1 query."""
    dead = timezone.now() - SILENCE
    with connection.cursor() as cursor:
        cursor.execute(STALE, {"corpus": corpus.pk if corpus else None, "dead": dead, "rule": RULE})
        stale = [pk for (pk,) in cursor.fetchall()]
    for pk in stale:
        request_build(pk)
    return stale


def request_build(corpus_id: int) -> None:
    """Once in a while, however often pages ask. When the broker is down, the next page asks again."""
    if cache.add(request_key(corpus_id), True, PAUSE):
        transaction.on_commit(partial(tasks.build_gold.delay, corpus_id), robust=True)
