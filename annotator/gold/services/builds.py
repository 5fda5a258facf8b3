"""Ask the workers for gold builds."""

from functools import partial

from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.lookups import GreaterThan
from django.utils import timezone

from annotator.gold import tasks
from annotator.gold.build import request_key
from annotator.gold.consensus import RULE
from annotator.models import Assignment, LabelImport
from annotator.models.batches import CHANGED_AT
from profiles.models import Corpus
from profiles.models.jobs import SILENCE

BUILT_TO = OuterRef("gold_build__built_to")
PAUSE = 30  # seconds in which nobody asks again


def request_stale_builds(corpus: Corpus | None = None) -> list[int]:
    """Request a build wherever something changed since the last one and none runs. Returns those corpora. 1 query."""
    corpora = stale_corpora()
    stale = list((corpora.filter(pk=corpus.pk) if corpus else corpora).values_list("pk", flat=True))
    for pk in stale:
        request_build(pk)
    return stale


def stale_corpora() -> QuerySet[Corpus]:
    """Something happened since the last build, or there was none by this rule, and none runs."""
    drawn = Assignment.objects.in_study().filter(batch__corpus=OuterRef("pk"))
    is_changed = Exists(drawn.filter(GreaterThan(CHANGED_AT, BUILT_TO)))
    is_imported = Exists(LabelImport.objects.filter(corpus=OuterRef("pk"), finished_at__gt=BUILT_TO))
    is_unbuilt = (Q(gold_build__built_to=None) | ~Q(gold_build__rule=RULE)) & Exists(drawn.submitted())
    return Corpus.objects.filter(_is_free(), is_unbuilt | is_changed | is_imported).order_by("pk")


def _is_free() -> Q:
    """No build of it runs."""
    is_dead = Q(gold_build__beat_at__lt=timezone.now() - SILENCE)
    return Q(gold_build__began_at=None) | is_dead | Q(gold_build__finished_at__isnull=False)


def request_build(corpus_id: int) -> None:
    """Once in a while, however often pages ask. When the broker is down, the next page asks again."""
    if cache.add(request_key(corpus_id), True, PAUSE):
        transaction.on_commit(partial(tasks.build_gold.delay, corpus_id), robust=True)
