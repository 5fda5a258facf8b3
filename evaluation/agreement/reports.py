"""Making a report: the judgements that count, measured and kept. One at a time for each corpus and batch."""

import time
from zlib import crc32

from django.db import connection, transaction

from evaluation.agreement.measurement import measure
from evaluation.agreement.scopes import Scope, standing
from evaluation.models import AgreementReport

LOCKS = 7_311  # our room among the advisory locks of the database; the second number stands for the scope


def make_report(scope: Scope) -> AgreementReport | None:
    """The newest one if nothing has changed since, a new one otherwise; None while somebody else makes it.

    The lock goes with the transaction, so a killed worker leaves none behind.
    """
    began = time.monotonic()
    with transaction.atomic():
        if not _is_ours(scope):
            return None
        now = standing(scope)
        newest = AgreementReport.objects.in_scope(scope.corpus, scope.batch).first()
        if newest and newest.signature == str(now.signature):
            return newest
        contents = measure(scope, now.signature)
        return AgreementReport.objects.create(
            corpus=scope.corpus,
            batch=scope.batch,
            seconds=round(time.monotonic() - began, 2),
            counted_until=now.until,
            judgement_count=contents["judgements"],
            signature=str(now.signature),
            contents=contents,
        )


def lock_of(scope: Scope) -> int:
    return crc32(scope.name.encode()) & 0x7FFFFFFF


def _is_ours(scope: Scope) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [LOCKS, lock_of(scope)])
        return bool(cursor.fetchone()[0])
