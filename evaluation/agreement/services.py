"""Asking the workers for what takes a while."""

from functools import partial

from django.core.cache import cache
from django.db import transaction

from evaluation.agreement import tasks
from evaluation.agreement.scopes import Scope

ASKED_FOR = 120  # seconds until a page may ask again: a worker that was killed answers nobody


def ask_for_report(scope: Scope) -> None:
    """Once, however many pages are open. A broker that is down hurts nobody: the next page asks again."""
    if cache.add(scope.asked, True, ASKED_FOR):
        batch = scope.batch.pk if scope.batch else None
        transaction.on_commit(partial(tasks.refresh_agreement.delay, scope.corpus.pk, batch), robust=True)
