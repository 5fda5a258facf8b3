"""Celery tasks: agreement reports."""

from django.core.cache import cache

from annotator.core.celery_app import app
from annotator.models import Batch
from evaluation.agreement.scopes import Scope
from profiles.models import Corpus


@app.task(ignore_result=True)
def refresh_agreement(corpus_id: int, batch_id: int | None = None) -> None:
    from evaluation.agreement.reports import make_report  # noqa: PLC0415 imports numpy, which pages don't need

    batch = Batch.objects.filter(pk=batch_id).first() if batch_id else None
    scope = Scope(Corpus.objects.get(pk=corpus_id), batch)
    make_report(scope)
    cache.delete(scope.cache_key)  # not after a failure: pages ask again every two seconds
