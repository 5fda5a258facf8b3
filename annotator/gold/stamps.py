"""A cheap sign that something may have changed since the last build, for pages.

The stamp of a corpus hashes sums over its assignments and batches. A build that it asks for decides by fingerprints,
which also cover what the stamp cannot see.
"""

from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils import timezone

from annotator.core.sql import named_sql
from annotator.gold.consensus import RULE
from annotator.models import Assignment
from profiles.models import Corpus
from profiles.models.jobs import SILENCE

STAMPS = """
    WITH drawn AS ({drawn}), decisions AS (
        SELECT concat_ws(' ', count(*), max(extract(epoch FROM decided_at)), sum(is_same::int)) AS stamp
        FROM annotator_samemeaning
    )
    SELECT batch.corpus_id AS id, count(drawn.submitted_at) AS submitted, md5(concat_ws(' ',
        count(*), sum(drawn.id), count(drawn.submitted_at), max(extract(epoch FROM drawn.submitted_at)),
        sum(drawn.id) FILTER (WHERE drawn.submitted_at IS NOT NULL), count(drawn.skipped_at),
        count(drawn.reopened_at), sum(drawn.id) FILTER (WHERE drawn.reopened_at IS NOT NULL),
        count(batch.started_at), count(batch.closed_at), sum(batch.guideline_id),
        (SELECT stamp FROM decisions), %(rule)s::text)) AS stamp
    FROM drawn JOIN annotator_batch batch ON batch.id = drawn.batch_id
    GROUP BY 1
"""
STALE = """
    SELECT corpus.id, stamps.stamp
    FROM profiles_corpus corpus LEFT JOIN ({stamps}) stamps ON stamps.id = corpus.id
    LEFT JOIN annotator_settling build ON build.corpus_id = corpus.id
    WHERE corpus.id IN ({free}) AND coalesce(stamps.stamp, '') <> coalesce(build.stamp, '')
      AND (stamps.submitted > 0 OR build.stamp <> '')
    ORDER BY corpus.id
"""


def current_stamp(corpus: Corpus) -> str:
    """1 query."""
    statement, values = _stamps(Assignment.objects.filter(batch__corpus=corpus))
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row = cursor.fetchone()
    return row[2] if row else ""


def stale_corpora(corpus: Corpus | None = None) -> list[int]:
    """Corpora in which something may have changed since the last build, and none is running. 1 query."""
    assignments, corpora = Assignment.objects.all(), Corpus.objects.filter(_is_free())
    if corpus is not None:
        assignments, corpora = assignments.filter(batch__corpus=corpus), corpora.filter(pk=corpus.pk)
    stamps, values = _stamps(assignments)
    free, more = named_sql(corpora.values("pk"), prefix="free")
    with connection.cursor() as cursor:
        cursor.execute(STALE.format(stamps=stamps, free=free), values | more)
        return [pk for pk, _ in cursor.fetchall()]


def _stamps(assignments: "QuerySet[Assignment]") -> tuple[str, dict[str, Any]]:
    columns = ("id", "batch_id", "submitted_at", "skipped_at", "reopened_at")
    drawn, values = named_sql(assignments.in_study().values(*columns))  # type: ignore[attr-defined]
    return STAMPS.format(drawn=drawn), values | {"rule": RULE}


def _is_free() -> Q:
    """No build of it is running."""
    is_dead = Q(gold_build__beat_at__lt=timezone.now() - SILENCE)
    return Q(gold_build__began_at=None) | is_dead | Q(gold_build__finished_at__isnull=False)
