"""Request agreement reports from the workers."""

from functools import partial

from django.core.cache import cache
from django.db import transaction

from evaluation.agreement import tasks
from evaluation.agreement.scopes import Scope

ASK_AGAIN_AFTER = 120  # seconds; a killed worker never answers


def ask_for_report(scope: Scope) -> None:
    """Request a report once, however many pages are open. If the broker is down, a later page asks again."""
    if cache.add(scope.cache_key, True, ASK_AGAIN_AFTER):
        batch = scope.batch.pk if scope.batch else None
        transaction.on_commit(partial(tasks.refresh_agreement.delay, scope.corpus.pk, batch), robust=True)
