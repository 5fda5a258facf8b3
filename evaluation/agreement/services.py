"""Ask a worker for a report."""

from functools import partial

from django.core.cache import cache
from django.db import transaction

from evaluation.agreement import tasks
from evaluation.agreement.scopes import Scope

ASK_AGAIN_AFTER = 120  # seconds: a worker that was killed never answers


def ask_for_report(scope: Scope) -> None:
    """Ask once, however many pages are open. Without a broker nothing breaks: the next page asks again."""
    if cache.add(scope.cache_key, True, ASK_AGAIN_AFTER):
        batch = scope.batch.pk if scope.batch else None
        transaction.on_commit(partial(tasks.refresh_agreement.delay, scope.corpus.pk, batch), robust=True)
